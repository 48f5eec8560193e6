"""Sources cited by the name of a file, and sources named once more."""

from __future__ import annotations

import pytest
from foureyes.datatypes import CitationForm
from support.checking import parsed

FILES = [
    ("It rose (a.md).", "It rose.", ["a.md"]),
    ("It rose (source: a.md).", "It rose.", ["a.md"]),
    ("It rose (see data/a.csv, b.pdf).", "It rose.", ["data/a.csv", "b.pdf"]),
    ("It rose (Source: Olm yearbook, a.pdf).", "It rose.", ["a.pdf"]),
    ("It rose (a.md, p. 3; b.md, section 2.1).", "It rose.", ["a.md", "b.md"]),
    ("It rose (all from ./a.md).", "It rose.", ["a.md"]),
    ("It rose <sources/a.md>.", "It rose.", ["sources/a.md"]),
    ("It rose (`a.md`).", "It rose.", ["a.md"]),
    ("It rose. Source: a.md", "It rose.", ["a.md"]),
    ("According to a.md it rose.", "According to a.md it rose.", ["a.md"]),
    ("As a.md says, it rose.", "As a.md says, it rose.", ["a.md"]),
    ("It rose [1].\n\n[1] Olm, Yearbook. data/a.md\n", "It rose.", ["data/a.md"]),
    ("It rose[^1].\n\n[^1]: Olm yearbook, a.md\n", "It rose.", ["a.md"]),
    ("It rose ([a](a.md); [b](b.md), p. 3).", "It rose.", ["a.md", "b.md"]),
]


@pytest.mark.parametrize(("text", "plain", "targets"), FILES)
def test_the_name_of_a_file_cites_it(text: str, plain: str, targets: list[str]) -> None:
    document = parsed(f"{text}\n")
    scope = [document.citations[one.citation].target for one in document.scopes[0]]
    assert scope == targets
    assert document.sentences[0].text == plain


@pytest.mark.parametrize(
    "text",
    [
        "Edit README.md before you start.",
        "It is stored in `data.csv`.",
        "It reads a file (e.g. config.json).",
        "It reads a file (which is called data.csv here).",
        "It needs libfennel (1.12.md5).",
        "Write to olm.md@a.example.",
    ],
)
def test_a_file_that_is_only_spoken_of_is_no_citation(text: str) -> None:
    assert parsed(text).citations == ()


def test_a_paragraph_that_names_only_a_file_is_a_reference() -> None:
    kinds = [one.kind for one in parsed("It rose.\n\nSource: a.md\n").sentences]
    assert kinds == ["paragraph", "reference"]


AGAIN = [
    ("It fell (same report).", "It fell.", "b.md"),
    ("It fell (see the same minutes, p. 4).", "It fell.", "b.md"),
    ("It fell (ibid.).", "It fell.", "b.md"),
    ("The same report puts it at 5.", "The same report puts it at 5.", "b.md"),
    ("The harbour survey says that it fell.", "The harbour survey says that it fell.", "a.md"),
    ("It fell, the survey says.", "It fell, the survey says.", "a.md"),
    ("According to the survey it fell.", "According to the survey it fell.", "a.md"),
    ("It fell. (All from the harbour survey.)", "It fell.", "a.md"),
]
CITED = "It rose ([Harbour survey](a.md)). It stood ([minutes](b.md)).\n\n"


@pytest.mark.parametrize(("text", "plain", "target"), AGAIN)
def test_a_source_may_be_named_again(text: str, plain: str, target: str) -> None:
    document = parsed(CITED + text)
    assert document.sentences[-1].text == plain
    (scope,) = document.scopes[-1]
    citation = document.citations[scope.citation]
    assert (scope.state, citation.form) == ("direct", CitationForm.MENTION)
    assert citation.target == target


@pytest.mark.parametrize(
    "text",
    [
        "It fell on the same page of history.",
        "The mayor asked for a report.",
        "The budget report says that it fell.",
        "It fell (same day).",
    ],
)
def test_what_names_no_source_cited_before_is_no_mention(text: str) -> None:
    forms = [one.form for one in parsed(CITED + text).citations]
    assert CitationForm.MENTION not in forms


def test_nothing_is_named_again_where_nothing_was_cited() -> None:
    document = parsed("It fell (same report).")
    assert document.citations == ()
    assert document.sentences[0].text == "It fell (same report)."
