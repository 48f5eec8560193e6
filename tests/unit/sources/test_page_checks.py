"""What is known of a page that tells it from an error page, a teaser or a consent page."""

from __future__ import annotations

import time
from datetime import date

import pytest
from foureyes.base.registry import load_registry_file
from foureyes.datatypes import SourceState
from foureyes.sources._html_text import read_html
from foureyes.sources.failure import FetchFailed
from foureyes.sources.model import Extraction, PageSignals
from foureyes.sources.policy import FETCH_FILE, FetchPolicy, TextKind, fold_words
from foureyes.sources.reading import check_page, extract, leads_home

POLICY = load_registry_file(FetchPolicy, FETCH_FILE)
HERE = ("https://tarvia.example/news/kestrel", "https://tarvia.example/news/kestrel")

PARAGRAPH = (
    "<p>When a server cannot find what it is asked for, it answers with the status 404. Readers "
    "then see words like &quot;the page you requested could not be found&quot;. The harbour office "
    "counted such answers for a year: there were 1,204 of them, most of them after the move to "
    "the new site, and each was followed up by hand within two working days.</p>"
)
ARTICLE = PARAGRAPH + "".join(
    f"<p>In week {number} the office wrote to the owners of {number + 7} pages and put right what "
    "they had linked to by mistake.</p>"
    for number in range(30)
)
MENU = "<nav><a href=/>Home</a> <a href=/login>Already a subscriber? Sign in</a></nav>"


def page(title: str, body: str, head: str = "") -> str:
    return f"<html><head><title>{title}</title>{head}</head><body>{MENU}{body}</body></html>"


def state_of(markup: str, policy: FetchPolicy) -> SourceState:
    found = extract(markup.encode(), TextKind.HTML, policy, newest=date(2026, 11, 1))
    try:
        check_page(found, HERE, policy)
    except FetchFailed as failure:
        return failure.state
    return SourceState.OK


@pytest.mark.parametrize(
    "markup",
    [
        page("Page not found | Tarvia Herald", "<h1>Oh no</h1><p>Try the search box.</p>"),
        page("Error 404 - Tarvia", "<p>Nothing here.</p>"),
        page("Tarvia Herald", "<h1>Sorry, we can’t find that page</h1><p>Popular today</p>" * 3),
        page("Seite nicht gefunden – Hafenamt", "<p>Bitte nutzen Sie die Suche.</p>"),
        page("Tarvia", "<p>The page you're looking for has been removed.</p>"),
        page("HTTP 404 Not Found", f"<h1>404</h1>{PARAGRAPH}"),
    ],
)
def test_a_not_found_page_sent_as_a_success_is_known(policy: FetchPolicy, markup: str) -> None:
    assert state_of(markup, policy) is SourceState.SOFT_404


@pytest.mark.parametrize(
    ("markup", "state"),
    [
        (
            page("Kestrel costs rise", "<h1>Kestrel costs rise</h1><p>The ministry said on Monday "
                 "that costs were up.</p><div><h2>Subscribe to continue reading</h2></div>"),
            SourceState.PAYWALLED,
        ),
        (
            page("Kestrel costs rise", "<p>The ministry said.</p><p>This article is for "
                 "subscribers. Log in to continue reading.</p>"),
            SourceState.PAYWALLED,
        ),
        (
            page("Kestrel costs rise", "<p>The ministry said on Monday that costs were up.</p>",
                 '<script type="application/ld+json">{"isAccessibleForFree": "False"}</script>'),
            SourceState.PAYWALLED,
        ),
        (
            page("Before you continue to Tarvia Search", "<p>We use cookies. Accept all?</p>"),
            SourceState.NO_TEXT,
        ),
        (
            page("Tarvia Herald", "<p>Mit Werbung weiterlesen oder Abo abschließen.</p>"),
            SourceState.NO_TEXT,
        ),
        (
            page("Just a moment...", "<p>Enable JavaScript and cookies to continue</p>"),
            SourceState.BLOCKED,
        ),
    ],
)  # fmt: skip
def test_a_page_sent_in_place_of_the_source_is_known(
    policy: FetchPolicy, markup: str, state: SourceState
) -> None:
    assert state_of(markup, policy) is state


@pytest.mark.parametrize(
    "markup",
    [
        page("What a 404 costs", f"<h1>What a 404 costs</h1>{PARAGRAPH}"),
        page("How to repair 'page not found' errors", PARAGRAPH),
        page("Page not found: a history", f"<h1>404</h1>{ARTICLE}"),
        page("Paywalls", "<p>Papers print 'subscribe to continue reading' boxes.</p>"
             + "".join(f"<p>Paper {number} began to charge in the year {1990 + number}, and of its "
                       "readers about a third stayed with it through the first winter.</p>"
                       for number in range(20))),
        page("Cookies at Tarvia", "<p>We bake 300 cookies a day.</p>"),
        page("Kestrel", "<p>Free to read: the ministry said that costs were up.</p>",
             '<script type="application/ld+json">{"isAccessibleForFree": true}</script>'),
        page("Kestrel", "".join(f"<p>Paragraph {number} of the article tells the whole story of "
                                "the ship and of the yard that built her.</p>"
                                for number in range(40)),
             '<script type="application/ld+json">{"isAccessibleForFree": false}</script>'),
    ],
)  # fmt: skip
def test_an_article_about_such_pages_is_not_one(policy: FetchPolicy, markup: str) -> None:
    assert state_of(markup, policy) is SourceState.OK


@pytest.mark.parametrize(
    ("asked", "answered", "home"),
    [
        ("https://tarvia.example/news/kestrel", "https://tarvia.example/", True),
        ("https://tarvia.example/a.pdf", "https://www.tarvia.example/index.html", True),
        ("https://news.tarvia.co.uk/a/b", "https://www.tarvia.co.uk/en-gb/", True),
        ("http://127.0.0.1:8000/a", "http://127.0.0.1:8000/", True),
        ("http://old.example/press/2019/kestrel", "https://new.example/", True),
        ("https://short.example/x7", "https://tarvia.example/", False),
        ("https://tarvia.example/", "https://www.tarvia.example/en/", False),
        ("https://tarvia.example/news/kestrel", "https://tarvia.example/news/kestrel/", False),
        ("https://tarvia.example/news/kestrel", "https://tarvia.example/?id=7", False),
        ("https://tarvia.example/a", "https://tarvia.example/a", False),
        ("https://tarvia.example/news/kestrel", "index.html", False),
    ],
)
def test_a_deep_link_that_ends_on_a_home_page_is_known(
    asked: str, answered: str, home: bool
) -> None:
    assert leads_home(asked, answered) is home


def test_a_redirect_home_is_a_soft_404_whatever_the_page_says(policy: FetchPolicy) -> None:
    chain = ("https://tarvia.example/news/kestrel", "https://tarvia.example/")
    with pytest.raises(FetchFailed, match="home page"):
        check_page(Extraction("words " * 999), chain, policy)


def test_text_without_markup_is_not_judged_as_a_page(policy: FetchPolicy) -> None:
    check_page(Extraction("Page not found"), HERE, policy)


LEAD = (
    "The Kestrel class is a steel-hulled coastal patrol vessel for fishery protection, search "
    "and rescue and escort. The first of class was laid down in the spring of the year before "
    "last and is now at sea with the squadron, which uses her on most days of the week."
)


def read(body: str, head: str = "") -> Extraction:
    """A page with furniture round its main text."""
    content = (
        '<header>Ministry of Tarvia</header><nav><a href="/">Home</a> <a href="/x">News</a></nav>'
        f"<main><h1>Kestrel class</h1><p>{LEAD}</p>{body}</main>"
        '<aside><h2>Related</h2><ul><li><a href="/y">Complaints</a></li></ul></aside>'
    )
    markup = f"<html><head>{head}</head><body>{content}</body></html>"
    return read_html(markup, "https://tarvia.example/a", date(2026, 11, 1), POLICY.metadata)


def signals(body: str, head: str = "") -> PageSignals:
    found = read(body, head).signals
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("data", "free"),
    [
        ('{"@type": "NewsArticle", "isAccessibleForFree": false}', False),
        ('[{"@graph": [{"isAccessibleForFree": "False"}]}]', False),
        ('{"isAccessibleForFree": "True"}', True),
        ('{"hasPart": {"isAccessibleForFree": false}}', None),
        ('{"isAccessibleForFree": fal', None),
        ("[" * 5000, None),
    ],
)
def test_a_page_may_declare_that_it_is_not_free(data: str, free: bool | None) -> None:
    head = f"<script type='application/ld+json'>{data}</script>"
    assert signals("", head).free is free


def test_the_signals_hold_title_headings_and_all_that_is_seen() -> None:
    told = signals("<h2>Crew</h2>", "<title>Kestrel | Ministry</title>")
    assert told.title == "Kestrel | Ministry"
    assert told.headings == ("Kestrel class", "Crew", "Related")
    assert told.seen.startswith("Ministry of Tarvia\nHome News\nKestrel class\n")


def test_what_a_page_calls_itself_is_bounded() -> None:
    head = f"<title>{'Kestrel ' * 9000}</title>"
    assert len(read("<h2>x</h2>" * 50, head).about.title) <= 300
    found = signals("<h2>x</h2>" * 50, head)
    assert len(found.title) <= 300
    assert len(found.headings) == 10


@pytest.mark.usefixtures("uncounted")
def test_a_page_of_five_megabytes_is_read_in_time() -> None:
    paragraph = f"<p>{LEAD}</p><table><tr><th>Part<th>Size<tr><td>Hull<td>62 m</table>"
    started = time.process_time()
    text = read(paragraph * (5_000_000 // len(paragraph))).text
    assert text.count("Hull | 62 m") > 10_000
    assert time.process_time() - started < 10


def test_words_are_compared_without_case_punctuation_and_apostrophes() -> None:
    assert fold_words("  We CAN’T find—that  page!  ") == "we cant find that page"
