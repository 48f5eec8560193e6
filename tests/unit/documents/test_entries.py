"""Reference lists and footnotes: what is an entry, and what is a claim in disguise."""

from __future__ import annotations

import pytest
from foureyes.datatypes import BlockKind
from support.checking import parsed

REFERENCE, FOOTNOTE = BlockKind.REFERENCE, BlockKind.FOOTNOTE
ITEM, PARAGRAPH = BlockKind.LIST_ITEM, BlockKind.PARAGRAPH


def kinds(text: str) -> list[BlockKind]:
    return [one.kind for one in parsed(text).sentences if one.kind is not BlockKind.HEADING]


@pytest.mark.parametrize(
    "heading",
    [
        "# References",
        "## 7. Sources:",
        "Bibliography\n============",
        "**Works cited**",
        "References:",
        "### Notes and references",
        "## Sources and notes",
        "# Quellen",
        "<h2>Literature</h2>",
    ],
)
def test_a_reference_list_begins_under_its_heading(heading: str) -> None:
    document = parsed(f"It rose [1].\n\n{heading}\n\n1. Olm Daily, 2020. https://a.example")
    assert document.citations[0].target == "https://a.example"
    assert document.sentences[-1].kind is REFERENCE


def test_a_heading_of_the_same_level_ends_the_list_and_a_lower_one_does_not() -> None:
    entry = "- Olm, T. (2020). Tides.\n"
    text = f"## References\n\n### Books\n\n{entry}\n## Annex\n\n- It rose in 2020.\n"
    assert kinds(text) == [REFERENCE, ITEM]


@pytest.mark.parametrize(
    "entry",
    [
        "- Olm, T. (2020). What the tide is. Harbour Press.",
        "- https://a.example/x",
        "- [Yearly report](https://a.example/x)",
        "- Harbour Board, *Report on tides*, vol. 3, 2020",
        "1. “The tide was high”, Olm Daily, 3 May 2020.",
        "[4] Olm Daily. High water. https://a.example",
        "[5]: Olm Daily, 2019",
        "[5]: https://a.example/x",
    ],
)
def test_an_entry_of_a_list_makes_no_claim(entry: str) -> None:
    assert kinds(f"# References\n\n{entry}\n") == [REFERENCE]


@pytest.mark.parametrize(
    ("entry", "kind"),
    [
        ("- We found that 45% of boats leak.", ITEM),
        ("1. In 2020 we found that 45% of boats leak.", FOOTNOTE),
        ("[2] Boats leak, as we found in all 45% of cases.", FOOTNOTE),
        ("The harbour has three berths.", PARAGRAPH),
    ],
)
def test_a_claim_cannot_hide_in_a_reference_list(entry: str, kind: BlockKind) -> None:
    assert kinds(f"# References\n\n{entry}\n") == [kind]


@pytest.mark.parametrize(
    ("note", "kind"),
    [
        ("https://a.example", REFERENCE),
        ("Olm, T. (2020). *What the tide is*. https://a.example", REFERENCE),
        ("Harbour Board, report of May. https://a.example", REFERENCE),
        ("In 2020 the harbour had 40 boats, see https://a.example.", FOOTNOTE),
        ("40% of all boats, https://a.example.", FOOTNOTE),
        ("Our own count.", FOOTNOTE),
    ],
)
def test_a_footnote_is_a_reference_only_if_it_states_nothing(note: str, kind: BlockKind) -> None:
    assert kinds(f"It rose.[^1]\n\n[^1]: {note}\n") == [PARAGRAPH, kind]


@pytest.mark.parametrize(
    ("note", "target"),
    [
        ("See [2], p. 5.", "https://two.example"),
        ("Cf. Olm (2020).", "https://one.example"),
        ("As said.\n\n    More at https://three.example", "https://three.example"),
        ("No source at all.", None),
    ],
)
def test_a_footnote_leads_where_its_own_words_lead(note: str, target: str | None) -> None:
    entries = "[1] Olm, T. (2020). Tides. https://one.example\n[2] https://two.example\n"
    text = f"It rose.[^1]\n\n[^1]: {note}\n\n# References\n\n{entries}"
    assert parsed(text).citations[0].target == target


def test_entries_on_lines_of_one_paragraph_are_told_apart() -> None:
    text = "It [1] rose (Lee, 2019).\n\nReferences\n[1] Olm, A. 2020. https://a.example\n\n"
    text += "Notes\nPark, B. (2018). On. https://b.example\nLee, C. (2019). Of. https://c.example\n"
    document = parsed(text)
    assert [one.target for one in document.citations[:2]] == [
        "https://a.example",
        "https://c.example",
    ]
    assert kinds(text)[1:] == [REFERENCE, REFERENCE, REFERENCE]


def test_markup_stays_with_its_entry_when_lines_are_told_apart() -> None:
    text = "# Notes\n\n[1] Board, *What is high*. [a][n]\n[2] Olm, `x`<sup>2</sup>, **Is it?**\n\n"
    document = parsed(f"{text}[n]: https://n.example\n")
    first, second = document.sentences[1:3]
    assert (first.kind, first.text) == (REFERENCE, "[1] Board, What is high. a")
    assert (second.kind, second.text, second.line) == (REFERENCE, "[2] Olm, x2, Is it?", 4)
    assert document.citations[0].target == "https://n.example"


def test_a_wrapped_line_that_begins_with_a_marker_splits_nothing() -> None:
    document = parsed("The tide rose as was shown in\n[1] and it fell.\n")
    assert [one.text for one in document.sentences] == [
        "The tide rose as was shown in and it fell."
    ]


def test_labelled_paragraphs_are_entries_even_without_a_heading() -> None:
    text = "It rose [1].\n\n[1] Olm Daily, high water. https://a.example\n"
    assert kinds(text) == [PARAGRAPH, REFERENCE]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Source: https://a.example", REFERENCE),
        ("**Sources:** [Olm Daily](https://a.example), [Board](https://b.example)", REFERENCE),
        ("- [Olm Daily](https://a.example)", REFERENCE),
        ("Source: [1]", REFERENCE),
        ("- [The tide was 4 m high](https://a.example)", ITEM),
        ("The source is https://a.example", PARAGRAPH),
    ],
)
def test_a_block_of_nothing_but_sources_makes_no_claim(text: str, kind: BlockKind) -> None:
    assert kinds(text) == [kind]


def test_the_first_of_two_entries_with_one_label_stands() -> None:
    text = "It rose [1].\n\n# References\n\n[1] https://a.example\n\n[1] https://b.example\n"
    assert parsed(text).citations[0].target == "https://a.example"


def test_co_authors_tell_works_of_one_name_and_year_apart() -> None:
    text = (
        "It rose (Olm & Park, 2020).\n\n# References\n\n"
        "- Olm, A., & Berg, C. (2020). On. https://berg.example\n"
        "- Olm, A., & Park, B. (2020). Of. https://park.example\n"
    )
    assert parsed(text).citations[0].target == "https://park.example"


@pytest.mark.parametrize(
    ("row", "target"),
    [
        ("| L1 | Luma, arXiv:2301.01234 | [paper](papers/luma.md) |", "papers/luma.md"),
        ("| [L1] | Luma, 2023 | luma.md |", "luma.md"),
        ("| L1 | Luma | https://luma.example/a |", "https://luma.example/a"),
        ("| L1 | Luma, arXiv:2301.01234 | |", "https://arxiv.org/abs/2301.01234"),
        ("| L1 | It finds 88 % of defects | [paper](luma.md) |", None),
        ("| L1 | The paper shows a rise | [paper](luma.md) |", None),
    ],
)
def test_a_row_below_references_is_an_entry_if_it_only_names_a_work(
    row: str, target: str | None
) -> None:
    table = f"| Label | Paper | Link |\n|---|---|---|\n{row}\n"
    document = parsed(f"Luma finds most defects [L1].\n\n## References\n\n{table}")
    found = [one.target for one in document.citations if one.label == "L1"]
    assert found == ([target] if target else [])
