"""Which corrections may be written without a person: one value for another of its sort."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from foureyes import Correction
from foureyes.claims.detect import detect_claims
from foureyes.claims.document_day import day_written
from foureyes.claims.lexicon import load_lexicon
from foureyes.datatypes import Snapshot, Source, SourceState
from foureyes.documents.parse import parse_document
from foureyes.verification.repair.planning import is_proved

LEXICON = load_lexicon()


def proved(
    sentence: str, old: str, new: str, *, written: str = "", dated: date | None = None
) -> bool:
    front = f"---\ndate: {written}\n---\n" if written else ""
    document = parse_document(f"{front}# T\n\n{sentence} ([s](s.md)).\n")
    (claim,) = detect_claims(document, LEXICON, as_of=date(2026, 1, 1))
    start = document.text.index(old, len(front))
    change = Correction(start, start + len(old), new)
    snapshot = Snapshot(
        "a", "b", ("s.md",), datetime(2026, 1, 1, tzinfo=UTC), None, "text/markdown", 9,
        published=dated,
    )  # fmt: skip
    source = Source("s.md", SourceState.OK, "", snapshot)
    return is_proved(claim, change, source, LEXICON, day_written(document, LEXICON))


@pytest.mark.parametrize(
    ("sentence", "old", "new", "expected"),
    [
        ("The dam is 84 metres high", "84", "94", True),
        ("The dam is 84 metres high", "84 metres", "94 metres", True),
        ("The firm grew its sales by 20 billion", "20 billion", "20 million", True),
        ("The dam was completed in 1962", "1962", "1963", True),
        ("The dam was completed on 4 May 1962", "4 May 1962", "5 June 1963", True),
        ("The dam was designed by Karin Solvik", "Karin Solvik", "Jon Berg", True),
        ("The share rose to 40 percent", "40 percent", "45 percent", True),
        # A year for a count, a count for a year, another unit or sort.
        ("The dam supplies 300 homes", "300", "in 1962", False),
        ("The dam was completed in 1962", "1962", "84", False),
        ("The dam is 84 metres high", "84 metres", "84 percent", False),
        ("The dam cost 84 euros", "84 euros", "84", False),
        ("The dam was completed on 4 May 1962", "4 May 1962", "1962", False),
        # Words come with it, or only words are exchanged.
        ("There were 45 fewer than in 2023", "45 fewer than", "compared with 247", False),
        ("The dam is quite safe", "quite", "not", False),
        ("The dam was designed by Karin Solvik", "Karin Solvik", "nobody", False),
        # Identifiers are no values.
        ("The flaw CVE-2014-0107 hit the dam in 2023", "2014-0107", "2015-0107", False),
        ("The dam follows RFC 2119 of the board", "2119", "8174", False),
        ("Bus 40 stops at the dam", "40", "30", False),
        ("The dam runs on Windows 11", "11", "10", False),
        ("The iPhone 12 has 4 cameras", "12", "13", False),
        ("The iPhone 12 has 4 cameras", "4", "3", True),
        ("Of 40 people 12 came from the dam", "40", "50", True),
        ("All 40 people came from the dam", "40", "50", True),
    ],
)  # fmt: skip
def test_a_correction_exchanges_one_value_for_another_of_its_sort(
    sentence: str, old: str, new: str, *, expected: bool
) -> None:
    assert proved(sentence, old, new) is expected


@pytest.mark.parametrize(
    ("sentence", "old", "new", "dated", "expected"),
    [
        ("The dam was completed in 1962", "1962", "1963", date(2023, 1, 1), True),
        ("The dam was completed in 1962", "1962", "1963", None, True),
        ("The dam was completed in 1962", "1962", "1963", date(2021, 1, 1), False),
        # What may have changed since the document was written.
        ("The chief of the dam is Jane Roe", "Jane Roe", "John Doe", date(2023, 1, 1), False),
        ("The chief of the dam is Jane Roe", "Jane Roe", "John Doe", None, True),
        ("The dam supplies 300 homes", "300", "400", date(2023, 1, 1), False),
        # Of another year, unless both were written on one day.
        ("Last year the dam lost 300 eels", "300", "400", date(2023, 1, 1), False),
        ("Last year the dam lost 300 eels", "300", "400", None, False),
        ("Last year the dam lost 300 eels", "300", "400", date(2022, 3, 1), True),
    ],
)
def test_nothing_is_corrected_by_an_older_source_or_across_drift(
    sentence: str, old: str, new: str, dated: date | None, *, expected: bool
) -> None:
    assert proved(sentence, old, new, written="2022-03-01", dated=dated) is expected
