"""What the tables, enumerations and lists of a source say about a claim."""

from __future__ import annotations

from collections.abc import Sequence

from ..reading.records import RecordCheck
from ..structure.enumeration import check_parts
from ..structure.lookup import check_tables
from ..structure.members import check_members
from ..structure.row_for_row import check_row
from .alignment import Aligner


def settled_by(checks: Sequence[RecordCheck]) -> RecordCheck | None:
    """The record that settles the claim: one that denies it, or else one that leaves nothing open.

    A denial by any of the records goes before what the others confirm.
    """
    denied = next((check for check in checks if check.denied and _differs(check)), None)
    return denied or next((check for check in checks if check.complete), None)


def _differs(check: RecordCheck) -> bool:
    """Whether what a record gives is not the very thing that the claim says."""
    return bool(check.exchanged) or check.claimed.casefold() != check.found.casefold()


def check_structure(aligner: Aligner) -> tuple[RecordCheck, ...]:
    """The records of the source that answer the claim or deny it, tables first.

    Only what stands near the segments with most of the claim's words is read.
    """
    form, index = aligner.form, aligner.index
    held = [number for _, number in aligner.best_segments]
    row = check_row(form, index, held, aligner.lexicon, aligner.policy)
    if row:
        return (row,)
    tables = check_tables(form, index, held, aligner.lexicon, aligner.policy)
    parts = check_parts(form, index, held, aligner.lexicon, aligner.policy)
    members = check_members(form, index, held, aligner.lexicon, aligner.policy)
    return (*tables, *parts, *members)


def is_doubted(aligner: Aligner) -> bool:
    """Whether a sentence gives a value of the claim to others, and another to what it names."""
    form, index = aligner.form, aligner.index
    held = [number for _, number in aligner.best_segments]
    return bool(check_parts(form, index, held, aligner.lexicon, aligner.policy, doubt=True))
