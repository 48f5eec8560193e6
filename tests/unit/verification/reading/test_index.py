"""Source texts cut into segments, and the passages found in them."""

from __future__ import annotations

import time

import pytest
from foureyes.base.errors import SnapshotError
from foureyes.base.vocabulary import SourceState
from foureyes.sources.model import SourceSet
from foureyes.verification.judging.passages import find_passages
from foureyes.verification.reading.index import SourceIndex, TextIndex
from hypothesis import given
from hypothesis import strategies as st
from support.claim_kit import PAGE, cited, claims_of, registry, source, sources

LEXICON, POLICY = registry().lexicon, registry().verification
OTHER = "https://example.net/other"


def segments(text: str) -> list[str]:
    return [text[s.start : s.end] for s in TextIndex(text, LEXICON).segments]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It rained. It snowed.", ["It rained.", "It snowed."]),
        ('He said: "Go." She went.', ['He said: "Go."', "She went."]),
        ("Dr. Moen met Mr. Lind at 5 p.m. sharp.", ["Dr. Moen met Mr. Lind at 5 p.m. sharp."]),
        ("The U.S. Army came. It won.", ["The U.S. Army came.", "It won."]),
        ("Title\nIt rained all day.", ["Title", "It rained all day."]),
        ("- one\n- two", ["- one", "- two"]),
        (
            "A long line of a paragraph that was wrapped by\nits author goes on here.",
            ["A long line of a paragraph that was wrapped by\nits author goes on here."],
        ),
        ("| A | B |\n|---|---|\n| 1 | 2 |", ["| A | B |", "| 1 | 2 |"]),
        ("Before it\nA | B\n1 | 2\nAfter it", ["Before it", "A | B", "1 | 2", "After it"]),
        ("", []),
        ("\n \n", []),
    ],
)
def test_a_text_is_cut_at_sentences_lines_and_rows(text: str, expected: list[str]) -> None:
    assert segments(text) == expected


def test_a_table_row_knows_its_header() -> None:
    text = "Ships\n\nName | Length\nAlma | 60 m\nBirk | 70 m\n\nOne | Two"
    headers = [
        text[s.header[0] : s.header[1]] if s.header else ""
        for s in TextIndex(text, LEXICON).segments
    ]
    assert headers == ["", "", "Name | Length", "Name | Length", ""]


def test_a_very_long_sentence_is_cut() -> None:
    assert [len(part) for part in segments("x" * 5000)] == [2000, 2000, 1000]


@given(st.text(alphabet='ab A.|\n-\t!?"', max_size=200))
def test_segments_follow_each_other_and_lose_no_word(text: str) -> None:
    index = TextIndex(text, LEXICON)
    assert all(a.end <= b.start for a, b in zip(index.segments, index.segments[1:], strict=False))
    kept = "".join(text[s.start : s.end] for s in index.segments)
    letters = [char for char in text if char.isalpha()]
    assert [char for char in kept if char.isalpha()] == letters
    for number in range(len(index.segments)):
        facts = index.facts(number)
        assert all(text[t.start : t.end].lower() == t.word for t in facts.tokens)


def test_an_index_grows_with_the_text_alone() -> None:
    text = "The pump of the northern lock delivers 40 litres a second, and nobody has asked why. "
    times: list[float] = []
    for size in (4_000, 16_000):
        start = time.process_time()
        TextIndex(text * (size // 8), LEXICON)
        times.append(time.process_time() - start)
    assert times[1] < 12 * times[0] + 0.1


def test_passages_are_located_named_and_ranked() -> None:
    text = (
        "Harbour notes.\n\nIt rained. The ferry Alma carried 40 cars in May. It snowed.\n\n"
        "Line | Cars\nNorth | 12\nAlma | 40\n\nNothing else happened."
    )
    (claim,) = claims_of(cited("The ferry Alma carried 40 cars in May."))
    index = SourceIndex(sources({PAGE: text}), LEXICON)
    passages = find_passages(claim, index, POLICY)
    assert [passage.id for passage in passages] == [f"P{n + 1}" for n in range(len(passages))]
    assert passages[0].text == "It rained. The ferry Alma carried 40 cars in May. It snowed."
    assert passages[1].text == "Line | Cars\nNorth | 12\nAlma | 40"
    assert all(text[p.start : p.end] == p.text and p.url == PAGE for p in passages)
    assert [p.score for p in passages] == sorted((p.score for p in passages), reverse=True)
    assert find_passages(claim, index, POLICY) == passages
    assert find_passages(claim, index, POLICY, k=1) == passages[:1]


def test_passages_come_from_every_readable_source_once() -> None:
    text = "The ferry Alma carried 40 cars."
    (claim,) = claims_of(cited(text, PAGE, OTHER, "https://example.com/dead"))
    found = sources({PAGE: text, OTHER: text}, source("https://example.com/dead", SourceState.DEAD))
    passages = find_passages(claim, SourceIndex(found, LEXICON), POLICY)
    assert sorted(p.url for p in passages) == sorted([PAGE, OTHER])
    (uncited,) = claims_of(text)
    assert find_passages(uncited, SourceIndex(found, LEXICON), POLICY) == ()


def test_a_readable_source_without_its_text_is_an_error() -> None:
    (claim,) = claims_of(cited("The ferry carried 40 cars."))
    index = SourceIndex(SourceSet({PAGE: source()}, {}), LEXICON)
    with pytest.raises(SnapshotError):
        find_passages(claim, index, POLICY)


def test_each_text_is_indexed_once() -> None:
    index = SourceIndex(sources({PAGE: "The ferry carried 40 cars."}), LEXICON)
    first, second = index.readable(PAGE), index.readable(PAGE)
    assert first is not None
    assert second is not None
    assert first[1] is second[1]
