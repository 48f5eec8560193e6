"""Citation marks written into a document."""

from __future__ import annotations

from datetime import date

import pytest
from foureyes import SourceBinding, Stance
from foureyes.datatypes import (
    BoundSource,
    CitationState,
    CitedSource,
    MarkStyle,
    Tier,
    VerificationStatus,
)
from foureyes.documents.parse import parse_document
from foureyes.report.citing import cite_bound_claims
from foureyes.verification.repair.marking import exchanged, mark_for
from hypothesis import given
from hypothesis import strategies as st
from support.claim_kit import claims_of

A, B, FILE = "https://a.example/x", "https://b.example/y", "notes/log (1).md"
CITABLE = {
    url: CitedSource(url, "blog", "webpage", Tier.T4, 0.4, title=title, published=day)
    for url, title, day in (
        (A, "The *log*", date(2025, 3, 1)),
        (B, "", None),
        (FILE, "My notes", None),
    )
}


def binding(claim_id: str, *urls: str) -> SourceBinding:
    bound = tuple(
        BoundSource(
            url, "", url, "blog", 1.0, "", 0, 0, Stance.SUPPORTS,
            authority_rank=1, weight=1.0, recency=1.0, cluster=0,
        )
        for url in urls
    )  # fmt: skip
    return SourceBinding(claim_id, bound, 1.0, VerificationStatus.VERIFIED, "")


def cited(text: str, *urls: str, style: MarkStyle = MarkStyle.INLINE) -> str:
    """`text` with every claim bound to `urls`."""
    claims = claims_of(text)
    bindings = [binding(claim.id, *urls) for claim in claims]
    return cite_bound_claims(parse_document(text), claims, bindings, CITABLE, style).text


ENTRY = f"The \\*log\\*. 2025-03-01. <{A}>"
TOOK = "It took 45 minutes"
CASES = [
    ("before the full stop", f"{TOOK}.\n", f"{TOOK} [1].\n", f"\n[1] {ENTRY}\n"),
    ("without a last line end", f"{TOOK}.", f"{TOOK} [1].", f"\n\n[1] {ENTRY}\n"),
    (
        "behind an address",
        f"It took 45 minutes ({A}).\n",
        f"It took 45 minutes ({A}) [1].\n",
        f"\n[1] {ENTRY}\n",
    ),
    (
        "in a table",
        "| Item | Time |\n|---|---|\n| Crossing | 45 minutes |\n",
        "| Item | Time |\n|---|---|\n| Crossing | 45 minutes [1] |\n",
        f"\n[1] {ENTRY}\n",
    ),
    (
        "in a list, in the document's line ends",
        "- It took 45 minutes\r\n- It took **50 minutes**\r\n",
        "- It took 45 minutes [1]\r\n- It took **50 minutes** [1]\r\n",
        f"\r\n[1] {ENTRY}\r\n",
    ),
    (
        "after the numbers there are",
        f"It took 45 minutes.\n\nIt took 50 [7].\n\n[7] See <{B}>\n",
        f"It took 45 minutes [8].\n\nIt took 50 [7] [8].\n\n[7] See <{B}>\n",
        f"\n[8] {ENTRY}\n",
    ),
    (
        "with the label there is",
        f"It cost 9 euros [7].\n\nIt took 45 minutes.\n\n[7] See <{A}>\n",
        f"It cost 9 euros [7].\n\nIt took 45 minutes [7].\n\n[7] See <{A}>\n",
        "",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("what", "text", "body", "entries"), CASES, ids=[c[0] for c in CASES])
def test_a_bound_claim_gets_a_mark_and_its_source_an_entry(
    what: str, text: str, body: str, entries: str
) -> None:
    assert cited(text, A) == body + entries


def test_footnotes_stand_in_a_block_and_one_source_has_one_number() -> None:
    text = "It took 45 minutes!\n\nIt cost 9 euros.\n"
    assert cited(text, A, B, style=MarkStyle.FOOTNOTES) == (
        f"It took 45 minutes[^1][^2]!\n\nIt cost 9 euros[^1][^2].\n\n[^1]: {ENTRY}\n[^2]: <{B}>\n"
    )


def test_a_file_is_linked_by_its_title() -> None:
    after = cited("It took 45 minutes.\n", FILE)
    assert after.endswith("\n[1] [My notes](<notes/log%20(1).md>)\n")
    assert parse_document(after).citations[0].target == "notes/log%20(1).md"


def test_a_file_that_is_named_like_a_script_is_linked_as_a_file() -> None:
    mark = mark_for(parse_document("One ([a](a.md)).\n"), "javascript:alert(1).md", "A")
    assert "](<./javascript:alert(1).md>)" in mark


@pytest.mark.parametrize("style", list(MarkStyle))
def test_nothing_is_marked_without_a_source_that_can_be_cited(style: MarkStyle) -> None:
    text = "It took 45 minutes.\n"
    assert cited(text, style=style) == text
    assert cited(text, "https://unknown.example/", style=style) == text


def test_a_mark_that_would_change_what_is_cited_before_it_is_left_out() -> None:
    text = f"It took 45 minutes. It cost 9 euros. It has 3 masts ({B}).\n"
    claims = claims_of(text)
    found = cite_bound_claims(
        parse_document(text), claims, [binding(claims[1].id, A)], CITABLE, MarkStyle.INLINE
    )
    assert (found.text, found.marks) == (text, 0)


sentences = st.sampled_from(
    [
        "It took 45 minutes.",
        f"It cost 9 euros ({A}).",
        f"The pier has 3 masts [see]({B}).",
        "“It took 12 years,” she said.",
        "The *fleet* has **7 boats**",
        "Is it 4 or 5?",
        "- The list has 3 items [2].",
        "> The quote is 4 words long.",
        "| A | 5 |",
        "```\ncode 7",
        "[2] An entry. <https://c.example/z>",
        "[^n]: A note of 2024.",
        "## 4 heads",
    ]
)


@given(
    st.lists(sentences, max_size=8, unique=True),
    st.sampled_from([" ", "\n", "\n\n", "\r\n\r\n"]),
    st.sampled_from(list(MarkStyle)),
)
def test_a_marked_document_holds_the_same_claims_and_marking_it_again_changes_nothing(
    parts: list[str], between: str, style: MarkStyle
) -> None:
    text = between.join(parts)
    once = cited(text, A, B, style=style)
    before, after = claims_of(text), claims_of(once)
    bound = {claim.id for claim in before}
    kept = [claim for claim in after if claim.id in bound]
    assert [(claim.id, claim.text) for claim in kept] == [(c.id, c.text) for c in before]
    # A mark may carry over to a sentence that claims nothing unless a source stands behind it.
    added = [claim for claim in after if claim.id not in bound]
    assert all(claim.citation_state is CitationState.CARRIED for claim in added)
    bindings = [binding(claim.id, A, B) for claim in before]
    again = cite_bound_claims(parse_document(once), after, bindings, CITABLE, style)
    assert again.text == once


@pytest.mark.parametrize(
    ("text", "url", "mark"),
    [
        ("It is 9 [3].\n\n[3] <https://a.example/x>\n", A, " [3]"),
        ("It is 9[^a].\n\n[^a]: <https://a.example/x>\n", A, " [^a]"),
        ("It is 9 [3, 4].\n\n[3] <https://a.example/x>\n", A, f" ({A})"),
        ("It is 9.\n", B, f" ({B})"),
        ("It is 9.\n", "log.md", " ([A \\[log\\]](<log.md>))"),
    ],
)  # fmt: skip
def test_a_mark_follows_the_manner_of_the_document(text: str, url: str, mark: str) -> None:
    assert mark_for(parse_document(text), url, "A [log]") == mark


@pytest.mark.parametrize(
    ("text", "url", "mark"),
    [
        ("It is 9 (https://dead.example/).", A, A),
        ("It is 9 <https://dead.example/>.", A, f"({A})"),
        ("It is 9 ([site](https://dead.example/)).", A, f"[site](<{A}>)"),
        ("It is 9 [1].\n\n[1] <https://dead.example/>\n", A, f"({A})"),
        ("It is 9 [1, 2].\n\n[1] <https://dead.example/>\n", A, None),
        ("It is 9 (https://dead.example/).", "log.md", "[Log](<log.md>)"),
        ("It is 9 (Smith, 2020).\n\nSmith, J. (2020). A book. <https://dead.example/>", A, None),
    ],
)
def test_a_citation_is_led_elsewhere_where_its_form_allows(
    text: str, url: str, mark: str | None
) -> None:
    document = parse_document(text)
    assert exchanged(document, document.citations[0], url, "Log") == mark
