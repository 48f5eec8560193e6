"""The YAML block at the head of a document."""

from __future__ import annotations

import pytest
from foureyes.datatypes import BlockKind
from support.checking import parsed


def test_scalars_are_read_and_all_else_is_left_out() -> None:
    text = (
        "---\n"
        'title: "Olm: \\"the\\" ferry"\n'
        "subtitle: 'It''s late'\n"
        "Date: 2024-05-01  # as printed\n"
        "tags: [a, b]\n"
        "authors:\n  - Olm\n  - Lee\n"
        "- stray\n"
        "# a comment\n"
        "summary: >-\n  Two\n  lines\n\n"
        "url: https://a.example/#x\n"
        "empty:\n"
        "---\nText.\n"
    )
    document = parsed(text)
    assert document.front_matter == (
        ("title", 'Olm: "the" ferry'),
        ("subtitle", "It's late"),
        ("Date", "2024-05-01"),
        ("summary", "Two lines"),
        ("url", "https://a.example/#x"),
    )
    assert [one.kind for one in document.sentences][1:] == [BlockKind.PARAGRAPH]


def test_toml_is_read_between_plus_signs() -> None:
    text = (
        '+++\ntitle = "Olm"\ndate = 2024-05-01 # as printed\n'
        "[params]\nx = ['a',\n  'b']\n+++\nText.\n"
    )
    document = parsed(text)
    assert document.front_matter == (("title", "Olm"), ("date", "2024-05-01"))
    assert [one.kind for one in document.sentences][1:] == [BlockKind.PARAGRAPH]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_any_line_end_will_do(line_end: str) -> None:
    document = parsed(line_end.join(["---", "title: T", "...", "Text.", ""]))
    assert (document.title, document.sentences[-1].line) == ("T", 4)


@pytest.mark.parametrize(
    "text",
    [
        "---\n\nProse between rules.\n\n---\n",
        "---\nProse between rules: two of them.\n---\n",
        "---\ntitle: T\nIt rose by 5%.\n---\n",
        "---\ntitle: never closed\n",
        "Text.\n\n---\ntitle: T\n---\n",
        "---\n- only\n- a list\n---\n",
        "+++\nProse, and a = b.\n+++\n",
        "---\n" + "a: b\n" * 20_000 + "---\n",
    ],
    ids=[
        "blank line",
        "prose",
        "prose below",
        "open",
        "not at the head",
        "no entry",
        "no TOML",
        "too long",
    ],
)
def test_what_does_not_read_as_yaml_stays_text(text: str) -> None:
    document = parsed(text)
    assert document.front_matter == ()
    assert BlockKind.FRONT_MATTER not in {one.kind for one in document.sentences}
