"""What holds for every text: spans are exact, nothing breaks, and the cost does not grow square."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import date
from itertools import pairwise

import pytest
from foureyes.claims._regulations import find_regulations
from foureyes.claims.arithmetic._equations import find_equations
from foureyes.claims.dates import FIRST_YEAR, LAST_YEAR, find_dates, with_yearless
from foureyes.claims.detect import detect_claims
from foureyes.claims.entities import Slots, Spelling, entities_of
from foureyes.claims.quantities import find_quantities, find_slots
from foureyes.datatypes import DateSpan, Entity, Quantity, RegulatoryReference
from foureyes.documents.parse import parse_document
from foureyes.verification.judge import judge
from foureyes.verification.passages.retrieval import SourceText
from foureyes.verification.reader.model import NoReader
from foureyes.verification.registry import load_registry
from hypothesis import example, given
from hypothesis import strategies as st
from support.pieces import PIECES
from support.variants import variants

REGISTRY = load_registry().with_reader(NoReader())
LEXICON = REGISTRY.lexicon
AS_OF = date(2026, 1, 1)
ENDLESS = (
    *("one hundred ", "more than 1 ", "12 CFR 1.1, ", "NIST SP 800-53, ", "12%", "$1", "1 ", "1-"),
    *("1+1=2 ", "2024 ", "12 % ", "m^2", "10^", "“a b c” ", "Nora Hale and ", "| a | 1 |\n", "a"),
    *("carried ", "Nora Hale carried "),
)
TOLD = "The ferry of Alden carried 12 boats in May 2024, 5 % more than in 2023."
FIGURES = (
    "$ € £ 5 10 1.5 1,000 0 -3 −3 % ½ ¾ 1/2 2/3 5th m bn km/h MB/s °C million dozen half an third "
    "quarters two twenty hundred and of in out to from between – - ~ about at least + or more "
    "people ships dollars percent points per hour 2020 1990s May Q3 FY21 14 10:30 pm v1.2 section "
    "( ) [ ] | . , ; İ ﬁ 日 😀"
)
DAYS = (
    "2021 1999 0000 1990s 1800s FY FY21 fiscal year Q1 Q5 H2 the first third half quarter of May "
    "march Sept. 14 31 5th 99 / - – . , : 10:30 pm 2021-05-14 03/04/2025 19th century twenty-first "
    "in by $ % ships ( ) İ 日"
)
YEARLESS = "3 31 of May june the first third quarter half 2021 , spring in Q1 - —"


def texts(words: str, *more: str) -> st.SearchStrategy[str]:
    """Texts of these words and of others, with spaces between them and without."""
    words_of = st.sampled_from((*words.split(), "\n", "\u00a0", "\x00", *more))
    return st.lists(words_of | st.text(max_size=4), max_size=25).flatmap(
        lambda parts: st.sampled_from([" ".join(parts), "".join(parts)])
    )


def assert_exact(
    found: Sequence[Quantity | DateSpan | Entity | RegulatoryReference], text: str
) -> None:
    """All stand in `text` at their offsets, one after the other."""
    assert all(one.text == text[one.start : one.end] != "" for one in found)
    assert all(one.end <= two.start for one, two in pairwise(found))


def _judged(claim: str, source: str) -> None:
    text = SourceText(source, LEXICON)
    for found in detect_claims(parse_document(claim), LEXICON, as_of=AS_OF)[:3]:
        judge(found, text, REGISTRY)


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=8), max_size=40).map("".join))
def test_any_text_has_claims_that_stand_in_it(text: str) -> None:
    document = parse_document(text)
    for claim in detect_claims(document, LEXICON, as_of=AS_OF, statements=True):
        assert 0 <= claim.location.start <= claim.location.end <= len(document.text)
        assert all(0 <= one.start <= one.end <= len(claim.text) for one in claim.quantities)


@given(texts(FIGURES, "1 000"))
@example("1410:30")
def test_quantities_are_exact_ordered_and_apart_in_every_text(text: str) -> None:
    quantities, dates = find_slots(text, LEXICON)
    assert find_quantities(text, LEXICON) == quantities
    assert_exact(quantities, text)
    for one in quantities:
        assert one.low <= one.high
        assert one.step > 0
    for day in dates:
        assert all(one.end <= day.start or day.end <= one.start for one in quantities)


@given(st.integers(10, 10**9), st.sampled_from(["kg", "%", "ships", "dollars"]))
def test_a_plain_number_is_read_as_it_is(value: int, unit: str) -> None:
    for written in (f"{value}", f"{value:,}"):
        found = find_quantities(f"It has {written} {unit}.", LEXICON)
        dated = not found and 1000 <= value <= 2199
        assert dated or [one.low for one in found] == [value]


@given(texts(DAYS))
def test_dates_are_exact_ordered_and_apart_in_every_text(text: str) -> None:
    found = find_dates(text, LEXICON)
    assert_exact(found, text)
    assert all(one.first <= one.last for one in found)


@given(st.dates(date(FIRST_YEAR, 1, 1), date(LAST_YEAR, 12, 31)))
def test_every_day_reads_the_same_in_every_clear_form(day: date) -> None:
    month = day.strftime("%B")
    for written in (
        day.isoformat(),
        f"{day.day} {month} {day.year}",
        f"{month} {day.day}, {day.year}",
        f"{day.day:02}.{day.month:02}.{day.year}",
    ):
        found = find_dates(f"It fell on {written}.", LEXICON)
        assert [(one.first, one.last, one.text) for one in found] == [(day, day, written)]


@given(st.lists(st.sampled_from(YEARLESS.split()), max_size=14).map(" ".join))
def test_dates_without_a_year_are_exact_and_apart_in_every_text(text: str) -> None:
    quantities, dates = with_yearless(text, *find_slots(text, LEXICON), LEXICON)
    assert_exact(dates, text)
    assert all(q.end <= d.start or d.end <= q.start for q in quantities for d in dates)


@given(st.text(max_size=300))
def test_entities_of_any_text_stand_at_their_offsets_and_do_not_overlap(text: str) -> None:
    slots = Slots(*find_slots(text, LEXICON), find_regulations(text, LEXICON.regulations))
    assert_exact(entities_of(text, LEXICON, slots, Spelling.of(text.splitlines())), text)


@given(st.text(alphabet="§ 0123456789.-()NISTDFARCUSP,andof", max_size=400))
def test_references_of_any_text_do_not_overlap(text: str) -> None:
    assert_exact(find_regulations(text, LEXICON.regulations), text)


@given(st.integers(0, 999), st.integers(1, 999), st.integers(-9, 9))
def test_a_product_agrees_exactly_when_it_is_right(left: int, right: int, error: int) -> None:
    text = f"It takes {left} * {right} = {left * right + error} tiles."
    assert [one.agrees for one in find_equations(text, LEXICON)] in ([error == 0], [])


@given(st.text("0123456789+-*/=()$%x. aof,", max_size=120))
def test_no_text_of_signs_and_digits_breaks_the_reader_of_sums(text: str) -> None:
    for one in find_equations(text, LEXICON):
        assert 0 <= one.start < one.end <= len(text)


@given(
    st.lists(st.sampled_from(PIECES), max_size=30).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=60).map("".join),
)
def test_any_claim_is_judged_by_any_source(claim: str, source: str) -> None:
    _judged(f"The ferry carried 12 boats. {claim}", source + TOLD)


QUANTITIES = ("5 ", "1,", "5-", "a ", "half a ", "1 in ", "two ", "$", "5 000 ")


@pytest.mark.parametrize(
    "part", variants({part: part for part in QUANTITIES}, {"1 in ", "two ", "5 000 "})
)
@pytest.mark.usefixtures("uncounted")
def test_numbers_without_end_cost_no_more_than_their_length(part: str) -> None:
    assert len(find_quantities(part * 20_000, LEXICON)) <= 20_000


@pytest.mark.parametrize("part", ["2021 ", "May ", "10:30 ", "1/", "19th century ", "FY21", "Q1 "])
@pytest.mark.usefixtures("uncounted")
def test_dates_without_end_cost_no_more_than_their_length(part: str) -> None:
    assert len(find_dates(part * 20_000, LEXICON)) <= 20_000


@pytest.mark.parametrize("part", ["DFARS ", "12 U.S.C. ", "§ 1(a)(b)-", "Part 1, 2, 3, ", "A.3d "])
@pytest.mark.usefixtures("uncounted")
def test_long_texts_are_searched_for_references_in_bounded_time(part: str) -> None:
    started = time.process_time()
    find_regulations(part * (100_000 // len(part)), LEXICON.regulations)
    assert time.process_time() - started < 6


@pytest.mark.parametrize("piece", ENDLESS)
@pytest.mark.usefixtures("uncounted")
def test_a_source_that_never_ends_its_sentence_is_read_in_time(piece: str) -> None:
    start = time.process_time()
    _judged(TOLD, piece * (20_000 // len(piece)))
    assert time.process_time() - start < 5


@pytest.mark.soak
@pytest.mark.parametrize("piece", PIECES)
def test_100_kb_of_anything_take_little_time(piece: str) -> None:
    text = piece * (100_000 // len(piece.encode()))
    start = time.process_time()
    _judged(TOLD, text)
    _judged(text, text)
    assert time.process_time() - start < 10


def test_a_number_in_words_without_end_is_no_number_to_lose_digits_of() -> None:
    document = parse_document(f"It sold {'one hundred ' * 2_000} boats.")
    assert detect_claims(document, LEXICON, as_of=AS_OF)
