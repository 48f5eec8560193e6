"""What a page says of itself: title, dates, authors and the address that it wants."""

from __future__ import annotations

from collections.abc import Generator
from datetime import date
from pathlib import Path

import foureyes
import pytest
from foureyes.datatypes import Snapshot
from support.http_site import HttpSite
from support.listed import read_file
from support.serving import served

PATH = "/2024/kestrel"


def page(head: str, body: str = "") -> str:
    return f"<html><head>{head}</head><body>{body}<p>She is 62 m long.</p></body></html>"


def about(folder: Path, head: str = "", body: str = "") -> Snapshot:
    snapshot = read_file(folder, "page.html", page(head, body)).source.snapshot
    assert snapshot is not None
    return snapshot


def fetched(site: HttpSite, path: str, head: str = "") -> Snapshot:
    """What a page says of itself that is served at `path`."""
    site.page(path.partition("#")[0], page(head))
    text = f"She is long (<{site.url(path)}>).\n"
    result = foureyes.check(text, reader="none", allowed_hosts=[site.authority])
    (source,) = result.sources
    assert source.snapshot is not None
    return source.snapshot


@pytest.fixture
def site() -> Generator[HttpSite]:
    with served(HttpSite()) as opened:
        yield opened


def ld(data: str) -> str:
    return f'<script type="application/ld+json">{data}</script>'


@pytest.mark.parametrize(
    ("head", "body", "title"),
    [
        ("<title>Kestrel | Tarvia Post</title>", "<h1>Kestrel</h1>", "Kestrel"),
        ("<title>A - B</title>", "", "A - B"),
        ("<title>RETRACTED: Kestrel</title>", "<h1>Kestrel</h1>", "RETRACTED: Kestrel"),
        ("<title>Retracted birds</title>", "<h1>Kestrel</h1>", "Kestrel"),
        (
            "<title>Kestrel – Post</title><meta property=og:site_name content=Post>",
            "",
            "Kestrel",
        ),
        (
            "<title>Post: Kestrel</title>",
            "<h1><a href='/'>Post</a></h1><h1>Kestrel</h1>",
            "Kestrel",
        ),
        ("<title>Post » Kestrel</title>", "<h1><a href='/'>Post</a></h1>", "Kestrel"),
        ("", "<h1>Kestrel<a href='#k'>¶</a></h1>", "Kestrel"),
        (
            "<meta property='og:title' content='Kestrel — Post'>",
            "<h1>Kestrel</h1><aside><h1>Other</h1></aside>",
            "Kestrel",
        ),
        (ld('{"@type": "Article", "headline": "Kestrel"}'), "", "Kestrel"),
    ],
)
def test_the_title_is_the_pages_and_not_the_sites(
    head: str, body: str, title: str, tmp_path: Path
) -> None:
    assert about(tmp_path, head, body).title == title


@pytest.mark.parametrize(
    ("head", "body", "day"),
    [
        ("<meta name=DC.date content=2024-05-01>", "", date(2024, 5, 1)),
        ("<meta name=citation_date content=2024/5/1>", "", date(2024, 5, 1)),
        (
            ld('{"@graph": [{"@type": "Report", "datePublished": "2024-05-01"}]}'),
            "",
            date(2024, 5, 1),
        ),
        ("", "<p>Published: 1 May 2024</p>", date(2024, 5, 1)),
        ("", "<p>Posted on May 1st, 2024 by Ilse</p>", date(2024, 5, 1)),
        ("", "<p>Veröffentlicht am 1. Mai 2024</p>", date(2024, 5, 1)),
        ("", "<p>Publicado el 1 de mayo de 2024</p>", date(2024, 5, 1)),
        ("", "<p>公開日: 2024年5月1日</p>", date(2024, 5, 1)),
        ("", "<time datetime=2024-05-01>May</time>", date(2024, 5, 1)),
        ("", "<time>1 May 2024</time><time>2 May 2024</time>", None),
        ("", "<time pubdate>1 May 2024</time><time>2 May 2024</time>", date(2024, 5, 1)),
        ("", "<div class=comments><time datetime=2024-05-01>1 May</time></div>", None),
        ("", "<footer>© 2001-2024. Published 1 May 2024</footer>", None),
        ("", "<p>The yard was published on the map.</p><p>Founded 1 May 1998.</p>", None),
        ("<meta name=date content=2031-01-01>", "<p>Published 1 May 2024", date(2024, 5, 1)),
        ("<meta name=date content=2024-13-45>", "", None),
        ("", "<b itemprop=datePublished content=2024-05-01></b>", date(2024, 5, 1)),
    ],
)
def test_the_date_is_the_pages_own(head: str, body: str, day: date | None, tmp_path: Path) -> None:
    assert about(tmp_path, head, body).published == day


def test_an_address_may_hold_the_date(site: HttpSite) -> None:
    assert fetched(site, "/2024/05/01/kestrel").published == date(2024, 5, 1)


@pytest.mark.parametrize(
    ("body", "day"),
    [
        ("<p>Last updated: 3 June 2025</p>", date(2025, 6, 3)),
        ("<p>Stand: 03.06.2025</p>", date(2025, 6, 3)),
        ("<footer>This page was last edited on 3 June 2025</footer>", date(2025, 6, 3)),
        ("<footer>Site last updated 3 June 2025</footer>", None),
        ("<p>Published 3 June 2025</p>", None),
    ],
)
def test_a_change_is_told_apart_from_the_first_date(
    body: str, day: date | None, tmp_path: Path
) -> None:
    assert about(tmp_path, "", body).modified == day


@pytest.mark.parametrize(
    ("head", "path", "address"),
    [
        ("<link rel=canonical href='/kestrel'>", PATH, "/kestrel"),
        ("<link rel=canonical href='/'>", PATH, PATH),
        ("<link rel=canonical href='http://[x'>", PATH, PATH),
        ("<link rel=canonical href=''><meta property=og:url content=/k>", PATH, "/k"),
        ("", f"{PATH}?utm_source=a&id=7&fbclid=b#x", f"{PATH}?id=7"),
        ("", f"{PATH}?id=7", f"{PATH}?id=7"),
    ],
)
def test_the_address_is_the_one_the_page_wants(
    head: str, path: str, address: str, site: HttpSite
) -> None:
    assert fetched(site, path, head).canonical == site.url(address)


@pytest.mark.parametrize(
    ("head", "body", "author"),
    [
        ("<meta name=author content='Ilse Dorn'>", "", "Ilse Dorn"),
        (
            "<meta name=citation_author content='Dorn, I.'><meta name=citation_author content=Lis>",
            "",
            "Dorn, I.; Lis",
        ),
        (ld('{"@type": "Article", "author": [{"name": "A"}, {"name": "B"}]}'), "", "A; B"),
        ("<meta property='article:author' content='https://x.example/ilse'>", "", ""),
        ("", "<p class=byline>Von Ilse Dorn, 3. Mai 2024</p>", "Ilse Dorn"),
        ("", "<div class=comment><p class=author>A reader</p></div>", ""),
    ],
)
def test_authors_are_named_by_the_page(head: str, body: str, author: str, tmp_path: Path) -> None:
    assert about(tmp_path, head, body).author == author


def test_of_several_records_the_pages_own_counts(site: HttpSite, tmp_path: Path) -> None:
    other = '{"@type": "NewsArticle", "headline": "O", "url": "/o", "datePublished": "2018-01-01"}'
    known = f'"headline": "K", "url": "{site.url(PATH)}", "author": {{"name": "I"}}'
    own = f'{{"@type": "NewsArticle", {known}}}'
    found = fetched(site, PATH, ld(f"[{other}, {own}]"))
    assert (found.title, found.author, found.published) == ("K", "I", None)
    assert about(tmp_path, ld(f"[{other}, {other}]")).title == ""
    assert about(tmp_path, ld('{"@type": "WebPage", "name": 7, "url": {"@id": "/k"}}')).title == ""
    assert about(tmp_path, ld("{broken")).title == ""


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2024-05-01T10:00", date(2024, 5, 1)),
        ("20240501", date(2024, 5, 1)),
        ("01.05.2024", date(2024, 5, 1)),
        ("01/05/2024", None),
        ("1er mai 2024", date(2024, 5, 1)),
        ("Monday, 1 May 2024 and 2 May 2023", date(2024, 5, 1)),
        ("31 June 2024", None),
        ("1 Foo 2024", None),
        ("May 2024", None),
    ],
)
def test_only_whole_and_unambiguous_dates_are_read(
    text: str, day: date | None, tmp_path: Path
) -> None:
    assert about(tmp_path, f"<meta name=DC.date content='{text}'>").published == day


@pytest.mark.parametrize("body", ["<div>" * 250 + "x " * 5000, "<p>Published " * 5000, "1 " * 9999])
def test_large_and_deep_pages_stay_cheap(body: str, tmp_path: Path) -> None:
    assert about(tmp_path, "", body).published is None
