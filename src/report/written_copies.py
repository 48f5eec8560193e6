"""The copies of a document that a check writes beside it: what they are called."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from pathlib import Path


class WrittenCopy(StrEnum):
    """What a copy has that the document lacks."""

    FIXED = "fixed"
    CITED = "cited"

    def path(self, document: Path) -> Path:
        """``folder/report.fixed.md`` for ``folder/report.md``."""
        return document.with_name(f"{document.stem}.{self}{document.suffix}")


def is_written_copy(name: str, beside: Collection[str]) -> bool:
    """Whether `name` is that of a copy of one of the files `beside` it."""
    file = Path(name)
    inner = Path(file.stem)
    made = inner.suffix.removeprefix(".") in tuple(WrittenCopy)
    return made and f"{inner.stem}{file.suffix}" in beside
