"""How near the words of a passage stand to its numbers, and what governs a passage."""

from __future__ import annotations

import pytest
from foureyes.verification.reading.index import TextIndex
from foureyes.verification.reading.window import build_window
from support.claim_kit import registry


def index(text: str) -> TextIndex:
    return TextIndex(text, registry().lexicon)


def test_distances_are_counted_from_the_nearest_mention_on_either_side() -> None:
    window = build_window(index("Ferries and boats took 40 cars, and boats took 9 lorries."), 0, 0)
    near = window.candidates[0].near
    assert (near["boat"], near["ferry"]) == (2.0, 5.0)
    assert near["car"] == 1.0
    assert set(near) >= {"boat", "ferry", "car", "lorry"}
    assert len(near) == len(set(near))


def test_a_number_s_own_words_have_no_distance() -> None:
    window = build_window(index("The pier took 40 cars."), 0, 0)
    near = window.candidates[0].near
    assert "40" not in near
    with pytest.raises(KeyError):
        near["40"]


def test_a_row_s_number_is_near_its_label_and_its_title_only() -> None:
    rows = index("Port; Cod; Eel; Ray\nSkell; 12; 7; 3\nOrm; 4; 9; 5\n")
    window = build_window(rows, 1, 1)
    near = window.candidates[1].near
    assert (near["skell"], near["eel"]) == (1.0, 1.0)
    assert "cod" not in near


@pytest.mark.parametrize(
    ("text", "sentence", "words"),
    [
        ("Fares from May\n\nAdults pay six crowns a day.", "Adults", {"far", "may"}),
        ("## Fares\nAdults pay six crowns a day.", "Adults", {"far"}),
        ("Who pays?\n\nEveryone who boards the ferry.", "Everyone", {"pay"}),
        ("Fares\n\nOne. Two.\n\nThe island has rules:\n\n- no cars", "- no", {"island", "far"}),
    ],
)
def test_a_passage_is_governed_by_what_stands_over_it(
    text: str, sentence: str, words: set[str]
) -> None:
    found = index(text)
    assert words <= found.governing(found.segment_at(text.index(sentence)))


def test_a_sentence_of_the_paragraph_before_governs_nothing() -> None:
    text = "Fares\n\nThe harbour is deep and wide, and no ship was ever lost there.\n\nAdults pay."
    found = index(text)
    assert found.governing(found.segment_at(text.index("Adults"))) == {"far"}


def test_tables_are_told_apart_by_their_headers() -> None:
    text = "A | B\n1 | 2\n3 | 4\n\nC | D\n5 | 6\n\nplain text\n"
    assert index(text).tables == ((0, 2), (3, 4))
