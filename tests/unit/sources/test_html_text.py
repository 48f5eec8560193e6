"""The text of a page: what a reader sees of it, without its furniture, and who wrote it when."""

from __future__ import annotations

import resource
from datetime import date
from pathlib import Path

import pytest
from foureyes.datatypes import RatedSource, SourceState
from support.listed import read_file

LEAD = (
    "The Kestrel class is a steel-hulled coastal patrol vessel for fishery protection, search "
    "and rescue and escort. The first of class was laid down in the spring of the year before "
    "last and is now at sea with the squadron, which uses her on most days of the week."
)
FURNITURE = """<header>Ministry of Tarvia</header>
<nav><a href="/">Home</a> <a href="/x">News</a></nav>
<main><h1>Kestrel class</h1><p>{lead}</p>{body}</main>
<aside><h2>Related</h2><ul><li><a href="/y">Complaints procedure</a></li></ul></aside>
<footer>All rights reserved</footer>"""


def read_html(folder: Path, markup: str) -> RatedSource:
    return read_file(folder, "page.html", markup, "https://tarvia.example/a")


def page(folder: Path, body: str, head: str = "", lead: str = LEAD) -> RatedSource:
    content = FURNITURE.format(lead=lead, body=body)
    return read_html(folder, f"<html><head>{head}</head><body>{content}</body></html>")


def lines(folder: Path, body: str) -> list[str]:
    return page(folder, body).given.text.split("\n")[2:]


def test_the_main_text_is_read_without_the_furniture(tmp_path: Path) -> None:
    assert (
        page(tmp_path, "<p>She has a crew of 34.</p>").given.text
        == f"Kestrel class\n{LEAD}\nShe has a crew of 34."
    )


def test_the_caption_of_a_figure_is_text_and_its_alternative_text_is_none(tmp_path: Path) -> None:
    figure = (
        '<figure><img src="c.jpg" alt="A cabin"><figcaption>Two cabins, 900 people an hour: the '
        "car in its first summer.</figcaption></figure>"
    )
    caption = "Two cabins, 900 people an hour: the car in its first summer."
    assert lines(tmp_path, f"{figure}<p>There is one pylon.</p>") == [
        caption,
        "There is one pylon.",
    ]


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        (
            "<table><caption>Data</caption><tr><th>Part</th><th>Size</th></tr>"
            "<tr><td>Hull</td><td>62&nbsp;<b>m</b></td></tr></table>",
            ["Data", "Part | Size", "Hull | 62 m"],
        ),
        (
            "<table><tr><th>Year<th>Quarter<th>Ships<tr><td rowspan=2>2024<td>Q1<td>5"
            "<tr><td>Q2<td>6<tr><td>2025<td>Q1<td>7</table>",
            ["Year | Quarter | Ships", "2024 | Q1 | 5", "2024 | Q2 | 6", "2025 | Q1 | 7"],
        ),
        (
            "<table><tr><th>Ship<th colspan=2>Price<tr><td>Heron<td>3.4<td>million"
            "<tr><td><td></table>",
            ["Ship | Price", "Heron | 3.4 | million"],
        ),
        (
            "<table><tr><th>Ship</th><td><p>One.</p><p>Two.</p></td></tr></table>",
            ["Ship | One. Two."],
        ),
        (
            "<table><tr><td>A<td><a href=/a>Link</a><tr><td>B<td rowspan=x colspan=0>2</table>",
            ["A | Link", "B | 2"],
        ),
    ],
)
def test_a_row_of_a_table_is_a_line(table: str, rows: list[str], tmp_path: Path) -> None:
    assert lines(tmp_path, table) == rows


def test_a_table_that_only_arranges_the_page_is_read_as_text(tmp_path: Path) -> None:
    inner = "<table><tr><th>Part<th>Size<tr><td>Hull<td>62 m</table>"
    body = f"<table><tr><td>Menu<td><h1>Kestrel</h1><p>{LEAD}</p>{inner}</table>"
    text = read_html(tmp_path, f"<html><body>{body}</body></html>").given.text.split("\n")
    assert text[-3:] == [LEAD, "Part | Size", "Hull | 62 m"]


def test_a_table_outside_the_main_text_is_kept(tmp_path: Path) -> None:
    box = "<table><tr><td>Length<td>62 m<tr><td>Crew<td>34</table>"
    markup = f"<body><main><h1>Kestrel</h1><p>{LEAD}</p></main><aside>{box}</aside></body>"
    assert read_html(tmp_path, markup).given.text.split("\n")[-2:] == ["Length | 62 m", "Crew | 34"]


def test_definitions_stand_beside_their_terms(tmp_path: Path) -> None:
    body = (
        "<dl><dt>Length</dt><dd>62 <i>m</i></dd><dt>Guns:</dt><dd>one 40 mm</dd><dd>two 20 mm</dd>"
        "<dt>Crew</dt><dd><p>34</p></dd></dl>"
    )
    assert lines(tmp_path, body) == ["Length: 62 m", "Guns: one 40 mm", "Guns: two 20 mm", "34"]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("It costs 10<sup>6</sup> crowns.", "It costs 10⁶ crowns."),
        ("It covers 4 km<sup>2</sup>.", "It covers 4 km²."),
        ("In 2025<sup><a href='#fn1'>1</a></sup> it grew.", "In 2025 it grew."),
        ("In 2025<sup class='reference'>[12]</sup> it grew.", "In 2025 it grew."),
        ("It costs 10<sup><b>6</b></sup> crowns.", "It costs 10⁶ crowns."),
        ("In 2025<sup><a href='/notes'>1, 3</a></sup> it grew.", "In 2025 it grew."),
        ("On the 19<sup>th</sup> of May.", "On the 19th of May."),
        ("CO<sub>2</sub> fell.", "CO2 fell."),
    ],
)
def test_raised_characters_do_not_change_a_number(markup: str, text: str, tmp_path: Path) -> None:
    assert lines(tmp_path, f"<p>{markup}</p>") == [text]


@pytest.mark.parametrize(
    "hidden",
    [
        "<p style='display: none'>No reader sees this.</p>",
        "<p style='color:red;VISIBILITY:hidden'>No reader sees this.</p>",
        "<p style='font-size:0px'>No reader sees this.</p>",
        "<div hidden><p>No reader sees this.</p></div>",
        "<noscript><p>No reader sees this.</p></noscript>",
        "<!-- No reader sees this. -->",
    ],
)
def test_what_a_reader_does_not_see_is_left_out(hidden: str, tmp_path: Path) -> None:
    assert lines(tmp_path, f"<p>She has a crew of 34.</p>{hidden}") == ["She has a crew of 34."]


def test_a_short_page_is_read_whole_but_for_its_furniture(tmp_path: Path) -> None:
    found = page(tmp_path, "<div>Crew: 34<br>Guns: 1</div>", lead="Short.")
    assert found.given.text == "Kestrel class\nShort.\nCrew: 34\nGuns: 1"


def test_a_short_list_of_articles_is_read_whole(tmp_path: Path) -> None:
    cards = "<article><p>Crew: 34</p></article><article><p>Guns: 1</p></article>"
    assert read_html(tmp_path, f"<body>{cards}</body>").given.text == "Crew: 34\nGuns: 1"


def test_a_page_says_who_wrote_it_and_when(tmp_path: Path) -> None:
    found = page(
        tmp_path,
        "",
        head="<title>Kestrel class | Ministry</title><meta name='author' content='Ilse Dorn'>"
        "<meta property='og:title' content='Kestrel class'>"
        "<meta property='article:published_time' content='2025-06-20T08:00:00Z'>"
        "<meta property='article:modified_time' content='2025-07-01T08:00:00Z'>",
    )
    assert (found.given.title, found.given.author) == ("Kestrel class", "Ilse Dorn")
    assert (found.given.published, found.given.modified) == (date(2025, 6, 20), date(2025, 7, 1))


def test_a_date_in_the_running_text_is_not_taken_for_the_pages(tmp_path: Path) -> None:
    assert (
        page(
            tmp_path, "<p>The yard opened on 3 May 1998 and closed on 4 June 2001.</p>"
        ).given.published
        is None
    )


def test_a_date_after_the_fetch_is_not_believed(tmp_path: Path) -> None:
    head = "<meta property='article:published_time' content='2031-06-20'>"
    assert page(tmp_path, "", head=head).given.published is None


@pytest.mark.parametrize("markup", ["", "  \n ", "<!-- nothing -->", "\x00"])
def test_an_empty_page_has_no_text(markup: str, tmp_path: Path) -> None:
    assert read_html(tmp_path, markup).source.state is SourceState.NO_TEXT


@pytest.mark.parametrize(
    "markup",
    [
        "<p>Broken <b>markup <table><td>cell</i></p>",
        "just words",
        "<?xml version='1.0' encoding='utf-8'?><html xmlns='http://www.w3.org/1999/xhtml'><body>"
        "<p>words</p></body></html>",
    ],
)
def test_broken_markup_is_read_as_far_as_it_goes(markup: str, tmp_path: Path) -> None:
    assert read_html(tmp_path, markup).given.text


@pytest.mark.parametrize("markup", ["<div>" * 3000, "<table><tr><td>" * 300, "<b><i>" * 5000])
def test_markup_nested_without_end_is_read_up_to_a_depth(markup: str, tmp_path: Path) -> None:
    found = read_html(tmp_path, f"<p>words</p>{markup}deep")
    assert "deep" not in found.given.text
    assert found.source.reason.endswith("; the rest is beyond the limit")


WIDEST = "<td rowspan=9999 colspan=9999>5"


@pytest.mark.parametrize(
    "cells",
    [
        f"<tr>{WIDEST * 1_000}",
        pytest.param(f"<tr>{WIDEST * 100_000}", marks=pytest.mark.soak),
        f"<tr><td rowspan=9999>{'wide ' * 8_000}" * 200,
    ],
)
def test_cells_that_span_others_do_not_take_the_memory(cells: str, tmp_path: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    read_html(tmp_path, f"<p>words</p><table><th>Year{cells}</table>")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300 * 1024


def test_a_page_of_a_million_tags_is_refused_before_it_takes_the_memory(tmp_path: Path) -> None:
    source = read_html(tmp_path, f"<body>{'<p>x' * 1_000_000}").source
    assert source.state is SourceState.TOO_LARGE
    assert source.reason == "its markup has more than 400,000 tags"


def test_a_page_whose_text_is_nested_too_deeply_says_so(tmp_path: Path) -> None:
    source = read_html(tmp_path, f"<body>{'<div>' * 3000}words").source
    assert source.state is SourceState.NO_TEXT
    assert source.reason == "its text is nested more than 256 elements deep"


def test_headings_stay_over_what_they_head_even_in_a_page_laid_out_by_a_table(
    tmp_path: Path,
) -> None:
    markup = f"""<html><body><table><tr><td>Menu<p>You are visitor no. 7</p></td><td>
<h2>Catch report</h2><p>{LEAD}</p>
<h3>2025</h3><p>Landed: 410 tonnes.</p><h3>2024</h3><p>Landed: 388 tonnes.</p>
</td></tr></table><h4>Friends</h4><p><a href="/x">Elsewhere</a></p></body></html>"""
    text = read_html(tmp_path, markup).given.text.split("\n")
    assert text[text.index("Catch report") + 1] == LEAD
    assert text[text.index("Landed: 410 tonnes.") - 1] == "2025"
    assert text[text.index("Landed: 388 tonnes.") - 1] == "2024"
    assert text.count("2025") == text.count("Catch report") == 1
