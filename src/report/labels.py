"""Names of results, with their signs and tones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from pydantic import RootModel

from ..base.registry import packaged_file
from ..verification.model import LedgerEntry


class Tone(StrEnum):
    """Tone of a label. A label with a tone also has a sign and a word."""

    GOOD = "good"
    BAD = "bad"
    MIXED = "mixed"
    OPEN = "open"
    MUTED = "muted"


@dataclass(frozen=True, slots=True)
class Label:
    """A word with its sign and tone."""

    text: str
    sign: str
    tone: Tone


class _LabelFile(RootModel[dict[str, dict[str, Label]]]):
    pass


@cache
def labels(table: str) -> Mapping[str, Label]:
    """The labels of one kind of results, by their values, in the order in which they are listed."""
    return packaged_file(_LabelFile, "report/labels.yaml").root[table]


def claim_label(entry: LedgerEntry) -> Label:
    """Return the label of a claim of a ledger."""
    return labels("verdicts")["unanswered" if entry.open_slot else entry.verdict]
