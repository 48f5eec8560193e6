from __future__ import annotations

import re
from collections.abc import Iterable
from html.parser import HTMLParser

import pytest
from foureyes import Verdict
from foureyes.report.html._marking import marked_html, web_address
from foureyes.report.html.model import Row
from foureyes.report.wording import Label, labels
from hypothesis import given
from hypothesis import strategies as st
from support.hostile_strings import HOSTILE

GOOD, BAD = labels("verdicts")[Verdict.SUPPORTED], labels("verdicts")[Verdict.CONTRADICTED]
ALLOWED = {
    *("p", "h3", "h4", "h5", "h6", "em", "strong", "s", "a", "ul", "ol", "li", "blockquote", "pre"),
    *("code", "table", "thead", "tbody", "tr", "th", "td", "div", "span", "sup", "br", "hr"),
    *("mark", "button"),
}
VOID = {"br", "hr"}


def html(text: str, *marks: tuple[int, int], sources: dict[str, int] | None = None) -> str:
    made = rows(marks, GOOD)
    return "".join(marked_html(text, sorted(made, key=lambda one: one.start), sources))


def rows(places: Iterable[tuple[int, int]], label: Label) -> list[Row]:
    """Things of a page that stand at `places`."""
    return [
        Row(
            number=number,
            id="",
            noun="Claim",
            mark=str(number),
            labels=(label,),
            text="",
            place="",
            choices=(),
            label=label,
            start=start,
            end=end,
            record=None,
        )
        for number, (start, end) in enumerate(places, start=1)
    ]


def marked(page: str) -> list[tuple[str, str]]:
    """The number and the text of each mark that holds no other."""
    found = re.findall(r'<mark class="m t-good" data-n="(\d+)">([^<]*)</mark>', page)
    return [(number, text) for number, text in found if text.strip()]


class Page(HTMLParser):
    """Which elements a page has, whether they are closed in order, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: set[str] = set()
        self.links: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        given = dict(attrs)
        assert not any(name.startswith("on") or name in ("style", "src") for name in given)
        if "href" in given:
            self.links.append(given["href"] or "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_claim_is_marked_across_its_markup_with_one_button_at_its_end() -> None:
    text = "The plant makes **96 megawatts** of [power](https://example.org) now. More."
    page = html(text, (0, text.index(" More")))
    assert marked(page) == [
        *(("1", part) for part in ("The plant makes ", "96 megawatts", " of ", "power", " now.")),
    ]
    assert page.count("<button") == 1
    assert page.index("<button") > page.index(" now.")
    assert '<span class="vh">Claim </span>' in page
    assert page.endswith("</button> More.</p>\n")


def test_a_button_never_stands_in_a_link() -> None:
    text = "See [the first claim and the second](https://example.org)."
    page = html(text, (5, 20), (25, 35))
    assert page.count("<button") == 2
    assert "<button" not in page[page.index("<a ") : page.index("</a>")]


def test_claims_within_and_across_each_other_are_all_marked() -> None:
    text = "alpha beta gamma delta"
    page = html(text, (0, 16), (6, 10), (11, 22))
    inner = '<mark class="m t-good" data-n="1"><mark class="m t-good" data-n="2">beta</mark></mark>'
    assert inner in page
    across = '<mark class="m t-good" data-n="1"><mark class="m t-good" data-n="3">gamma</mark>'
    assert across in page
    assert re.findall(r"</span>(\d)<span", page) == ["2", "1", "3"]
    assert Page(page).open == []


def test_a_claim_over_a_line_end_is_one_mark() -> None:
    assert marked(html("one\ntwo three", (0, 7))) == [("1", "one\ntwo")]


def test_claims_in_tables_lists_notes_and_front_matter_are_marked() -> None:
    text = "---\ntitle: alpha\n---\n\n| a |\n|---|\n| beta |\n\n- gamma\n\nx[^1]\n\n[^1]: delta\n"
    places = [(at := text.index(word), at + len(word)) for word in ("alpha", "beta", "gamma")]
    at = text.index("delta")
    page = html(text, *places, (at, at + 5))
    assert [word for _, word in marked(page)] == ["alpha", "beta", "gamma", "delta"]
    assert page.count("<button") == 4


def test_what_is_decoded_is_marked_whole() -> None:
    assert "&amp;</mark>" in html("AT&amp;T", (0, 8))


def test_where_a_link_leads_is_not_hidden_by_its_words() -> None:
    page = html("[https://bank.example](https://evil.example) [ok](https://evil.example)")
    assert page.count("(https://evil.example)") == 1


def test_links_lead_to_web_addresses_and_to_sources_of_the_report_alone() -> None:
    text = (
        "[a](javascript:x) [b](data:x) [c](notes.md) [d](other.md) <mailto:a@b.c> ![e](https://i.j)"
    )
    page = Page(html(text, sources={"notes.md": 7}))
    assert page.links == ["#source-7"]
    assert all(f"({target})" in page.text for target in ("javascript:x", "data:x", "other.md"))
    assert "[image: e (https://i.j)]" in page.text


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_becomes_markup(text: str) -> None:
    page = Page(html(f"before {text} after", (0, 5)))
    assert page.open == []
    assert page.names <= ALLOWED
    assert all(link.startswith(("http://", "https://")) for link in page.links)


@given(
    st.text(alphabet="ab <>&[]()!*_`#|-\n\\'\"1.:/h~^\u202e\x00é", max_size=80),
    st.lists(st.tuples(st.integers(0, 80), st.integers(0, 80)), max_size=6),
)
def test_any_text_with_any_marks_is_whole_html(text: str, places: list[tuple[int, int]]) -> None:
    marks = [(min(place), max(place)) for place in places if max(place) <= len(text)]
    page = Page(html(text, *marks))
    assert page.open == []
    assert page.names <= ALLOWED


def test_other_verdicts_have_other_signs() -> None:
    page = "".join(marked_html("word", rows([(0, 4)], BAD)))
    assert 't-bad"' in page
    assert ">✗</span>1<" in page
    assert ", contradicted</span>" in page


@pytest.mark.parametrize(
    "address",
    ["https://example.org/a?b=c#d", "HTTP://example.org", "https://example.org:8443/ü@b"],
)
def test_web_addresses_may_become_links(address: str) -> None:
    assert web_address(f" {address} ") == address


@pytest.mark.parametrize(
    "address",
    [
        *("javascript:alert(1)", "data:text/html,x", "//example.org", "ftp://example.org", "x.md"),
        *(
            "http://",
            "http://[::1",
            "https://a b",
            'https://a"b',
            "https://a/\u202ex",
            "https://a@b",
            "\x01http://a",
        ),
        "https://example.org/" + "a" * 5000,
    ],
)
def test_no_other_address_becomes_a_link(address: str) -> None:
    assert web_address(address) == ""
