"""Annotations stand behind the words they are about, and leave the document as it is."""

from __future__ import annotations

import re

import pyromark
import pytest
from foureyes.base.printable import copied, inline, visible
from foureyes.report.document_review import Note, annotate
from hypothesis import given
from hypothesis import strategies as st
from support.pieces import PIECES

MARKED = ("[^review-T-1]", "[^review-", "\n\n<!-- review notes: review -->\n", "[^", "review2")
TEXTS = st.lists(st.sampled_from((*PIECES, *MARKED)) | st.text(max_size=3), max_size=30).map(
    "".join
)
LABELS = st.from_regex(r"\A[TAS]-[1-9][0-9]?\Z") | st.from_regex(r"\Aclaim-[1-9]\Z")


@st.composite
def noted(draw: st.DrawFn) -> tuple[str, list[Note]]:
    text = draw(TEXTS)
    ends = st.none() | st.integers(0, len(text))
    labels = draw(st.lists(LABELS, unique=True, max_size=6))
    said = draw(st.lists(TEXTS, min_size=6, max_size=6))
    notes = [Note(draw(ends), label, inline(said[at])) for at, label in enumerate(labels)]
    return text, notes


@given(noted())
def test_the_words_of_the_document_stay_and_nothing_in_them_acts(
    case: tuple[str, list[Note]],
) -> None:
    text, notes = case
    annotated = annotate(text, notes)
    assert visible(annotated) == annotated
    # An address of a note is code, in which nothing acts.
    bare = re.sub(r"`https?://[^`\s]*`", "", annotated)
    assert re.search(r"(?<!\\)<(?!https?://)[a-z/!?]", bare, re.I) is None
    if not notes:
        assert annotated.startswith(copied(text))


def test_marks_stand_behind_their_words_in_order_and_notes_at_the_end() -> None:
    text = "The quay is old. It is 9 m.\n"
    notes = [
        Note(16, "T-1", "b"),
        Note(8, "A-1", "a"),
        Note(16, "A-2", "c"),
        Note(None, "S-1", "d"),
    ]
    assert annotate(text, notes) == (
        "The quay[^review-A-1] is old.[^review-T-1][^review-A-2] It is 9 m.\n"
        "\n\n---\n"
        "\n[^review-T-1]: b\n\n[^review-A-1]: a\n\n[^review-A-2]: c\n\nd\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "```\ncode",
        "~~~~ x\ncode",
        "1. a\n\n<ScRipt>x",
        "<!-- words",
        "<![CDATA[ x",
        "<?x",
        "<!X",
        "<pre>",
    ],
)
def test_notes_stand_outside_what_a_document_does_not_end(text: str) -> None:
    annotated = annotate(text, [Note(None, "order", "Read this.")])
    assert pyromark.html(annotated).endswith("<p>Read this.</p>\n")


def test_html_and_control_characters_are_shown_as_text() -> None:
    text = (
        "It made \x1b]0;owned\x07\x1b[31mred \u202eevil <img src=x onerror=alert(1)> <https://a.b>"
    )
    assert annotate(text, []).startswith(
        "It made \\u001b]0;owned\\u0007\\u001b[31mred \\u202eevil &lt;img src=x onerror=alert(1)> "
        "<https://a.b>\n"
    )
