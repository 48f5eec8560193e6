"""Words for comparison."""

from __future__ import annotations

import re


def words_of(text: str) -> list[str]:
    """The words of `text` without case: letters and digits of any script, and +, # (C++, C#)."""
    return re.findall(r"[\w+#]+", text.casefold())
