"""Which sentences a citation covers (decisions 22 and 43)."""

from __future__ import annotations

import pytest
from support.checking import parsed

D, I, C, N = "direct", "inherited", "carried", "none"  # noqa: E741 - the states, below

CASES = [
    ("the sentence that holds it", "It rose [1].", [D]),
    ("the sentence before the full stop that it follows", "It rose. [1] So.", [D, C]),
    ("sentences before it, back to the start", "It rose. It fell. It stood [1].", [I, I, D]),
    ("but only back to the last citation", "It rose [1]. It fell. It stood [2].", [D, I, D]),
    ("and, more weakly, those after it", "It rose [1]. It fell.", [D, C]),
    ("and not another paragraph", "It rose.\n\nIt fell [1].", [N, D]),
    ("and not another list item", "- It rose.\n- It fell [1].", [N, D]),
    ("items under a cited lead-in", "It was so [1]:\n\n- One.\n- Two.\n", [D, I, I]),
    ("items under one that points at them", "The following hold [1].\n\n- One.\n", [D, I]),
    ("nested items as well", "So [1]:\n\n- One\n  - Two\n", [D, I, I]),
    ("items of their own citation", "So [1]:\n\n- One [2].\n- Two.\n", [D, D, I]),
    ("the lead-in's own last citation", "It is [1]. So:\n\n- One.\n", [D, C, C]),
    ("items under an unrelated sentence, weakly", "It rose [1].\n\n- One.\n", [D, C]),
    ("items behind a thematic break, weakly", "So [1]:\n\n***\n\n- One.\n", [D, C]),
    ("a quotation under a cited lead-in", "She wrote [1]:\n\n> It rose. It fell.\n", [D, I, I]),
    ("the row of a cited cell", "|A|B|\n|-|-|\n|0|w|\n|1|x [1]|\n|2|y|\n", [N, N, D, C]),
    ("rows under a cited header", "|A [1]|B|\n|-|-|\n|1|x|\n|2|y [2]|\n", [D, I, D]),
    ("rows under a cited caption", "Table 1: Tides [1]\n\n|A|B|\n|-|-|\n|1|x|\n", [D, I, I]),
    ("rows under a cited lead-in", "The table shows it [1].\n\n|A|\n|-|\n|1|\n", [D, I, I]),
    ("rows over a source line", "|A|B|\n|-|-|\n|1|x|\n\nSource: https://a.example\n", [I, I, D]),
    ("rows over a source row", "|A|B|\n|-|-|\n|1|x|\nSource: [1]\n", [I, I, D]),
    ("rows under an unrelated sentence, weakly", "It rose [1].\n\n|A|\n|-|\n|1|\n", [D, N, C]),
    ("no rows over the next table's caption",
     "|A|\n|-|\n|1|\n\nTable 2: B [1]\n\n|C|\n|-|\n|2|\n", [N, N, D, I, I]),
    ("an uncited lead-in by its items", "Two sail:\n\n- Olm [1].\n- Ulm [2].\n", [I, D, D]),
    ("no lead-in with an uncited item", "Two sail:\n\n- Olm [1].\n- Ulm.\n", [N, D, C]),
    ("no sentence before a lead-in", "So. Two sail:\n\n- Olm [1].\n", [N, I, D]),
    ("a quotation over its speaker", "> It fell. It rose.\n>\n> — Ada Olm [1]\n", [I, I, D]),
    ("one over a line of its own", "> It fell.\n\n— Ada Olm, a miller [1]\n", [I, D]),
    ("no quotation over a statement", "> It fell.\n\n— Olm was rich [1].\n", [N, D]),
    ("a heading's section", "# It rose [1]\n\nIt fell.\n\n## B\n\nIt stood.\n", [D, C, N, C]),
    ("the section of a lead sentence",
     "# A\n\nAll figures in this section are from [1].\n\n## B\n\nIt rose.\n", [N, D, N, C]),
    ("later paragraphs of its section", "# A\n\nIt rose [1].\n\nIt fell.\n", [N, D, C]),
    ("none before it in its section", "# A\n\nIt rose.\n\nIt fell [1].\n", [N, N, D]),
    ("and none under the next heading", "# A\n\nIt rose [1].\n\n# B\n\nIt fell.\n", [N, D, N, N]),
    ("nor under a bold line", "It rose [1].\n\n**And now?**\n\nIt fell.\n", [D, N, N]),
    ("nor after a listing", "It rose [1].\n\n```\nx\n```\n\nIt fell.\n", [D, N, N]),
    ("no rows that nothing leads in", "It rose [1].\n\n***\n\n|A|\n|-|\n|1|\n", [D, N, N]),
    ("nothing by a footnote between",
     "It rose [1].\n\n[^a]: So it was [2].\n\nIt fell.\n", [D, D, C]),
    ("the last of several before it", "It rose [1]. It fell [2]. It stood.", [D, D, C]),
    ("rows over a source line about them",
     "|A|\n|-|\n|1|\n\nSource of the table: [1]\n", [I, I, D]),
    ("rows over a citation that begins the next paragraph",
     "|A|\n|-|\n|1|\n\n([fees](a.md)) The fee rose.\n", [I, I, D]),
    ("rows over a sentence about them", "|A|\n|-|\n|1|\n\nThese are of 2024 [1].\n", [I, I, D]),
    ("rows under a line that says whence", "Taken from [1].\n\n|A|\n|-|\n|1|\n", [D, I, I]),
    ("a section that ends in a source line",
     "# A\n\nIt rose.\n\n- It fell.\n\n|A|\n|-|\n|1|\n\nIt stood.\n\nSource: [1]\n",
     [N, I, I, I, I, I, D]),
    ("back to the source line before",
     "It rose.\n\nSource: [1]\n\nIt fell.\n\nSource: [2]\n", [I, D, I, D]),
    ("a section that begins with one", "# A\n\nSource: [1]\n\nIt rose.\n", [N, D, C]),
    ("a quotation over a citation alone", "She said:\n\n> It fell.\n\n([1])\n", [I, I, D]),
    ("a list over a sentence for all of it", "- It rose.\n\nIt fell (all from [1]).\n", [I, D]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "states"), [case[1:] for case in CASES], ids=[c[0] for c in CASES]
)
def test_a_citation_covers(text: str, states: list[str]) -> None:
    document = parsed(text)
    found = [{str(one.state) for one in scope} or {N} for scope in document.scopes]
    assert found == [{state} for state in states]


def test_an_html_caption_covers_the_rows() -> None:
    rows = "<tr><th>A</th></tr><tr><td>1</td></tr>"
    text = f"<table><caption>Source: https://a.example</caption>{rows}</table>\n"
    assert [len(scope) for scope in parsed(text).scopes] == [1, 1, 1]


def test_every_citation_of_a_sentence_is_in_its_scope_in_order() -> None:
    document = parsed("It rose [1], said Olm [2]. Before that [3, 4].")
    labels = [[document.citations[one.citation].label for one in s] for s in document.scopes]
    assert labels == [["1", "2"], ["3", "4"]]


def test_a_sentence_carries_the_citation_that_stands_last_before_it() -> None:
    document = parsed("It rose [1]. It fell [2]. It stood.\n\nIt shook.")
    labels = [[document.citations[one.citation].label for one in s] for s in document.scopes]
    assert labels == [["1"], ["2"], ["2"], ["2"]]
