"""Words in quotation marks."""

from __future__ import annotations

import pytest
from support.checking import parsed


def quoted(text: str) -> list[str]:
    return [one.text for one in parsed(text).quotes]


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ('He said "it rose" twice.', ["it rose"]),
        ("He said “it rose” twice.", ["it rose"]),
        ("Er sagte „es stieg“ und „fiel”.", ["es stieg", "fiel"]),
        ("Il dit « il monte » ici.", ["il monte"]),
        ("Han sagde »det steg« her.", ["det steg"]),
        ("Hon sa ”det steg” här.", ["det steg"]),
        ("He said 'it rose' twice.", ["it rose"]),
        ("He said \u2018it rose’ twice.", ["it rose"]),
        ("Er nannte es \u201ahoch\u2018 heute.", ["hoch"]),
        ("“He said \u2018it rose’ to me.”", ["He said \u2018it rose’ to me.", "it rose"]),
        ("\"He said 'it rose' to me.\"", ["He said 'it rose' to me.", "it rose"]),
        ("“See 'the dogs' to it” he said.", ["See 'the dogs' to it", "the dogs"]),
        ("“" * 9 + "deep” and “flat”.", ["deep", "flat"]),
        ('The "so-called" tide.', ["so-called"]),
        ('He said "the *whole* [tide](https://a.example) rose" once.', ["the whole tide rose"]),
        ('He said "it rose [1] here" once.', ["it rose here"]),
        ('("It rose.")', ["It rose."]),
        ('"It rose," he said, "and fell."', ["It rose,", "and fell."]),
        ("\u2018The dogs’ day’ is a book.", ["The dogs’ day"]),
        ("'The dogs' day' is a book.", ["The dogs' day"]),
        ('| "a" | 5\' 6" |\n|--|--|\n| “b” | “c |\n', ["a", "b"]),
    ],
)
def test_quotations_are_found(text: str, quotes: list[str]) -> None:
    assert quoted(text) == quotes


@pytest.mark.parametrize(
    "text",
    [
        "It's the boats' tide, don't you think, o'clock?",
        "It’s the boats’ tide, don’t you think?",
        "A 5\" pipe and a 6\" pipe, 3' long and 4' wide.",
        "The '90s and '68 were 'twas good ol' times.",
        'An opening " alone never closes.',
        'He said "it rose and never closed it.',
        "He said “it rose and never closed it.",
        "A closing” alone, and another».",
        'Code `"it rose"` here.',
        '```\n"it rose"\n```',
        'Empty "" and " " marks, "!".',
        '"' + "word " * 400 + '"',
    ],
)
def test_these_are_no_quotations(text: str) -> None:
    assert quoted(text) == []


def test_an_unbalanced_mark_hides_no_later_quotation() -> None:
    assert quoted('A "lost mark. Then "a real one" and more.') == ["a real one"]


def test_a_quotation_is_located_without_its_marks() -> None:
    text = "Ä 😀.\r\n\r\nIt fell. He said “it **rose**” then."
    document = parsed(text)
    [quote] = document.quotes
    assert text[quote.start : quote.end] == "it **rose"
    assert document.sentences[quote.sentence].text == "He said “it rose” then."


def test_a_short_quotation_of_several_sentences_stays_in_one() -> None:
    document = parsed("She said: “It rose. It fell. It stood.” Nobody heard.")
    assert [one.text for one in document.sentences] == [
        "She said: “It rose. It fell. It stood.”",
        "Nobody heard.",
    ]


def test_a_long_quotation_is_split_and_belongs_to_the_sentence_it_begins_in() -> None:
    document = parsed("Before. “" + "The tide rose in the harbour. " * 30 + "End.”")
    [quote] = document.quotes
    assert (len(document.sentences), quote.sentence) == (32, 1)
