"""What the tables and enumerations of a source say about a claim."""

from __future__ import annotations

from .alignment import Aligner
from .enumeration import check_parts
from .lookup import check_tables
from .records import RecordCheck


def check_structure(aligner: Aligner) -> tuple[RecordCheck, ...]:
    """The records of the source that answer the claim or deny it, tables first.

    Only what stands near the segments with most of the claim's words is read.
    """
    form, index = aligner.form, aligner.index
    held = [number for _, number in aligner.best_segments()]
    tables = check_tables(form, index, held, aligner.lexicon, aligner.policy)
    parts = check_parts(form, index, held, aligner.lexicon, aligner.policy)
    return (*tables, *parts)
