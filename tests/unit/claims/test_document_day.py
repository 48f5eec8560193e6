"""The day that a document gives for itself (decision 27)."""

from __future__ import annotations

from datetime import date

import pytest
from foureyes.claims.document_day import day_written
from foureyes.claims.lexicon import load_lexicon
from foureyes.documents.parse import parse_document

LEXICON = load_lexicon()
AS_OF = date(2026, 1, 10)

HEADS = [
    ("---\ndate: 2024-05-15\n---\n\nIt rose.", date(2024, 5, 15)),
    ("---\nUpdated: 3 March 2025\n---\n\nIt rose.", date(2025, 3, 3)),
    ("# Note\n\n**14 May 2025**\n\nIt rose.", date(2025, 5, 14)),
    ("# Note\n\nLast updated: 14 May 2025\n\nIt rose.", date(2025, 5, 14)),
    ("# Note\n\nPublished in May 2025 by Marn\n\nIt rose.", date(2025, 5, 31)),
    ("OLM, 3 March 2025 – The port rose.", date(2025, 3, 3)),
    ("Olm (3 March 2025) — The port rose.", date(2025, 3, 3)),
    ("# Note\n\nThe port opened on 3 March 2025 and is the largest of all ports there.", None),
    ("# Note\n\nDate: 3 March 2035\n\nIt rose.", None),
    ("It rose.", None),
]


@pytest.mark.parametrize(("text", "day"), HEADS)
def test_a_document_tells_its_day_at_its_head(text: str, day: date | None) -> None:
    assert day_written(parse_document(text), LEXICON, until=AS_OF) == day


def test_a_day_to_come_is_the_day_of_a_document_where_nothing_bounds_it() -> None:
    document = parse_document("# Note\n\nDate: 3 March 2035\n\nIt rose.")
    assert day_written(document, LEXICON) == date(2035, 3, 3)
