"""Texts that try to be more than text: those of `tests/integration/hostile/strings.yaml`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from ruamel.yaml import YAML

FILE = Path(__file__).parents[1] / "integration" / "hostile" / "strings.yaml"
REPEATED, POINT = re.compile(r"«(.+?)\*(\d+)»"), re.compile(r"«(d[89a-f]\w\w)»")


def written(text: str) -> str:
    """`text` with what stands for a long one, and for half a pair of surrogates, written out."""
    text = REPEATED.sub(lambda found: found[1] * int(found[2]), text)
    return POINT.sub(lambda found: chr(int(found[1], 16)), text)


KINDS: Mapping[str, list[str]] = cast("Any", YAML(typ="safe")).load(FILE)
"""The texts by what they would do."""
HOSTILE = tuple({written(text): None for texts in KINDS.values() for text in texts})
"""All of them, each once."""
ENCODABLE = tuple(
    text for text in HOSTILE if not any("\ud800" <= letter <= "\udfff" for letter in text)
)
"""Those that a file in UTF-8 can hold: half of a pair of surrogates is no character."""
SOME = tuple(text for n, text in enumerate(ENCODABLE) if n % 5 in (0, 2, 4))
"""Three of five, for tests that run often; at least 300."""
