"""No document of 100 kB holds a check up."""

from __future__ import annotations

import time
from pathlib import Path

import foureyes
import pytest
from foureyes import InputError
from foureyes.datatypes import SourceSet
from support.claim_kit import check
from support.variants import PARTS, variants

SIZE = 100_000
LIMIT_S = 5
LIMITS_S = {1: LIMIT_S, 4: 2}
"""Of processor time, for the whole and a quarter of it, which costs more than a quarter."""

REPEATED = (
    *("[1]", "[^1]", "[1, 2, 3]", "from 5 to 6 ", "half of ", "1, ", "(1 ", "5-", "|5 ", "\\1"),
    *("!", "?", ".", "$5 ", "5% ", "“a” ", "2016 ", "May ", "a (b ", "-", "*", "_", "`", "> "),
    *("- ", "# ", "Mr. ", "e.g. ", "and ", "not ", "5 km and ", "[a](b) ", "![a](b)", "<b>"),
    *("&amp;", "~~", "\u202e", "It rose by 5. ", "A ship is 5 km long.\n\n", "## A\n\n"),
    *("https://a.example/", "doi:10.1/a ", "It rose by 5 ", "one of two ", "1:2 ", "1/2 ", "10^6 "),
    *("Art. 5 ", "§ 5 ", "Aa ", "5 and a half ", "third of ", "twice ", "before 2016 "),
    *("the same month ", "a", "*a"),
)  # fmt: skip
SOAK = {"[^1]", "[1, 2, 3]", "Mr. ", "e.g. ", "“a” ", "It rose by 5. ", "## A\n\n"}
"""They cost most; "[1]" and "A ship is 5 km long." show citations and many sentences."""


@pytest.fixture(scope="module", autouse=True)
def loaded() -> None:
    """What is loaded first takes a second of its own."""
    foureyes.check("It was 5 in 2016.\n", fetch="none", reader="none")


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("piece", variants({piece: piece for piece in REPEATED}, SOAK))
@pytest.mark.usefixtures("uncounted")
def test_a_text_of_one_piece_over_and_over_is_read_in_time(piece: str, part: int) -> None:
    text = f"# T\n\nIn 2016 it was 5 {piece * (SIZE // part // len(piece))}"
    begun = time.process_time()
    check(text, SourceSet())
    assert time.process_time() - begun < LIMITS_S[part]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("piece", ["a-", "1 a ", "a@", "a."])
@pytest.mark.usefixtures("uncounted")
def test_sentences_that_are_just_short_enough_to_be_read_are_read_in_time(
    piece: str, part: int
) -> None:
    long = (piece * 4_000)[:3_850]
    text = "".join(f"In May {1990 + n} it rose by {n} on {long} end. " for n in range(25 // part))
    begun = time.process_time()
    foureyes.check(f"# T\n\n{text}", fetch="none", reader="none")
    assert time.process_time() - begun < LIMITS_S[part]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.usefixtures("uncounted")
def test_a_sentence_of_many_citations_is_passed_on_in_time(part: int) -> None:
    many = "".join(f"[r{n}]: https://a.example/{n}\n" for n in range(2_500 // part))
    further = "".join(f"It is {n} m. " for n in range(3_000 // part))
    begun = time.process_time()
    foureyes.check(f"# T\n\nIn 2016 it was 5. {many}{further}", fetch="none", reader="none")
    assert time.process_time() - begun < LIMITS_S[part]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("citation", ["[1](a.md) ", "[x](a.md) ", "([x](a.md), p. 3) ", "[^1]"])
@pytest.mark.usefixtures("uncounted")
def test_thirty_thousand_citations_are_read_in_time(citation: str, part: int) -> None:
    begun = time.process_time()
    foureyes.check("The mill is 20 m high " + citation * (30_000 // part) + ".\n", fetch="none")
    assert time.process_time() - begun < 2 * LIMITS_S[part]


@pytest.mark.parametrize("citation", ["[1](a.md)", "https://a.example/c "])
def test_a_million_citations_are_refused_in_one_line(tmp_path: Path, citation: str) -> None:
    path = tmp_path / "many.md"
    path.write_text("The mill is 20 m high " + citation * 1_000_000 + ".\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"has more than 100,000 links or brackets"):
        foureyes.check(path, fetch="none")


@pytest.mark.parametrize("piece", ["- a\n", "a\n\n", "It is so. "])
def test_a_document_of_too_many_sentences_is_refused_in_one_line(piece: str) -> None:
    with pytest.raises(InputError, match=r"has more than 100,000 lines and sentences"):
        foureyes.check(piece * 100_001, fetch="none")


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.usefixtures("uncounted")
def test_hundreds_of_claims_are_compared_with_a_long_source_in_time(
    tmp_path: Path, part: int
) -> None:
    said = "In {} the mill of Olm made {:,} tonnes of steel."
    (tmp_path / "s.md").write_text(
        "\n\n".join(said.format(1900 + n % 100, 5000 + 13 * n) for n in range(600 // part)),
        encoding="utf-8",
    )
    text = "\n\n".join(said.format(1900 + n % 100, 5003 + 17 * n) for n in range(250 // part))
    begun = time.process_time()
    foureyes.check(f"# T\n\n{text}\n", sources=[str(tmp_path)], reader="none")
    assert time.process_time() - begun < LIMITS_S[part]


@pytest.mark.usefixtures("uncounted")
def test_a_wide_table_is_read_in_time() -> None:
    head = "|".join(f"c{n}" for n in range(100))
    rows = "\n".join("|".join(str(n * m) for m in range(100)) for n in range(100))
    begun = time.process_time()
    check(f"# T\n\n|{head}|\n|{'-|' * 100}\n{rows}\n", SourceSet())
    assert time.process_time() - begun < LIMIT_S / 2
