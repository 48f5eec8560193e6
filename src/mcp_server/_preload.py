"""Loads what calls need before the first one comes: their processes begin as copies of this one.

Importing this module does the work, which is what it is for; nothing but `processes` may name it.
"""

from __future__ import annotations

import gc
from datetime import UTC, datetime
from importlib import import_module

from ..base.errors import RegistryError
from ..documents.parse import parse_document
from ..sources.model import SourceSet
from ..sources.scoring.rules import load_scoring
from ..verification.check import check_document
from ..verification.registry import load_registry

_LATER = (
    "._worker",
    *("..sources._download", "..sources.reading", "..sources._html_text"),
    *("..assembly.telemetry", "anyio._backends._asyncio", "nupunkt"),
)
_TEXT = "# Bridges\n\nThe bridge opened in 1932 and is 503 metres long [1](bridge.md).\n"


def _warm() -> None:
    """Import what would be imported late, and fill the caches of the packaged registry."""
    for name in _LATER:
        import_module(name, __package__)
    try:
        registry = load_registry()
        load_scoring()
    except RegistryError:
        # The call that needs it says so.
        return
    day = datetime.now(UTC).date()
    check_document(parse_document(_TEXT), SourceSet(), registry, as_of=day)
    # What is never collected is not written to, and so is shared with every copy.
    gc.collect()
    gc.freeze()


_warm()
