"""Where a sentence ends."""

from __future__ import annotations

import pytest
from support.checking import parsed


def sentences(text: str) -> list[str]:
    return [one.text for one in parsed(text).sentences]


@pytest.mark.parametrize(
    "text",
    [
        "Boats, e.g. ferries, i.e. large ones, rose vs. last year.",
        "See No. 5 and Fig. 3 on pp. 4-5 of vol. 2.",
        "It rose by 3.5 per cent to $1.2 bn. in the U.S. and the U.K. alone.",
        "Dr. Olm, Prof. Lee et al. agree with Mr. and Mrs. Park.",
        "It was founded ca. 1990 by J. K. Olm, approx. 5 km away.",
        "Yahoo! is a company.",
        "“Stop!” she cried.",
        "Das gilt z.B. für Boote, d.h. Fähren, am 3. Mai.",
        "Das Wasser stieg, vgl. Meier, bspw. Montag bzw. Dienstag.",
        "IV. Fourth point of the list.",
        "(a) First point.",
        "Version 1.2.3 of foo.py is out.",
        "Art. 5 applies, and § 3 Abs. 2 Nr. 1 as well.",
        "As para. 4 and chap. 3 say, approx. 300 boats rose.",
        "He wrote: “It rose. It fell.”",
        "No full stop here",
        "See no. “x” and J. “Bob” Olm, etc. “y” too.",
    ],
)
def test_these_are_one_sentence(text: str) -> None:
    assert sentences(f"Para.\n\n{text}") == ["Para.", text]


@pytest.mark.parametrize(
    "parts",
    [
        ["It rose.", "It fell."],
        ["What rose?", "The tide!", "Then it fell…", "So it was."],
        ["It rose by 5%.", "It fell by 3.5%.", "It cost $5."],
        ["He works at Acme Inc.", "He left."],
        ["It was 5 p.m.", "Then he left."],
        ["We have neither to hand.", "Readers who want one will wait."],
        ["He said “it rose.”", "Then it fell."],
        ["He said it (loudly).", "Nobody heard."],
        ["潮が満ちた。", "船が出た。"],
        ["Cela monte.", "Cela descend."],
        ["It was 2020.", "3 ships sailed."],
        ["230 went to the south.", "287 boats were inspected.", "It fell."],
        ["The others went south.", "12.4% of them came back.", "1,200 did not."],
        ["That is no. 1.", "The end came."],
        ["Two points: 1. It rose.", "2. It fell."],
        ["Wow!", "iPhone sales rose."],
        ["It rose by 40 % in 2024.", "“nobody knows why”, said Olm.", "Then it fell."],
        ["So says Ida Marek.", "971 tonnes were left."],
    ],
    ids=lambda parts: parts[0],
)
def test_these_are_several(parts: list[str]) -> None:
    assert sentences(" ".join(parts)) == parts


def test_a_marker_or_bracketed_address_after_the_full_stop_moves_no_boundary() -> None:
    text = "It rose.[1] It fell. (https://a.example) It stood.[^2] So."
    assert sentences(text) == ["It rose.", "It fell.", "It stood.", "So."]


def test_line_ends_inside_a_paragraph_end_no_sentence() -> None:
    assert sentences("The tide rose\nin the\r\nharbour. It\nfell.") == [
        "The tide rose in the harbour.",
        "It fell.",
    ]
