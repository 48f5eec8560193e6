"""What a reader of a page does not see is no text of it; what is struck out is marked."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from foureyes.datatypes import RatedSource
from support.listed import read_file
from support.variants import variants

LEAD = (
    "In 2016 the Brevik plant made 5,000 tonnes of steel. The plant employs 340 people. It lies on "
    "the northern shore of the fjord and belongs to the Nord group. The plant has two furnaces, "
    "which are fired all the year round, and a rolling mill of its own on the other shore."
)
FALSE = "In 2016 the plant made 9,000 tonnes."


def page(folder: Path, body: str, head: str = "") -> RatedSource:
    markup = f"<html><head>{head}</head><body><p>{LEAD}</p>{body}</body></html>"
    return read_file(folder, "a.html", markup, "https://brevik.example/a")


def styled(style: str) -> str:
    return f'<p style="{style}">{FALSE}</p>'


def ruled(css: str, markup: str = f"<p class=z>{FALSE}</p>") -> str:
    return f"<style>{css}</style>{markup}"


HIDDEN = {
    **{
        f"element {tag}": f"<{tag}><p>{FALSE}</p></{tag}>"
        for tag in ("template", "noscript", "textarea", "dialog", "object", "iframe", "datalist")
    },
    "comment": f"<!-- {FALSE} -->",
    "style with comments": f"<p style='/* a */ d\\69 splay /*b*/ : /*c*/ none /*d*/'>{FALSE}</p>",
    "alternative text": f'<p><img src=a.png alt="{FALSE}" title="{FALSE}"></p>',
    "hidden": f"<div hidden><p>{FALSE}</p></div>",
    "hidden with a value": f'<div hidden="hidden"><p>{FALSE}</p></div>',
    "aria-hidden": f"<p aria-hidden=true>{FALSE}</p>",
    "popover": f"<div popover><p>{FALSE}</p></div>",
    "a video's stand-in": f"<video src=a.mp4><p>{FALSE}</p></video>",
    **{
        style: styled(style)
        for style in (
            "display: none",
            "DISPLAY:NONE !important",
            "visibility:hidden",
            "visibility:collapse",
            "content-visibility:hidden",
            "opacity:0",
            "opacity:0.01",
            "opacity:0%",
            "filter:opacity(0)",
            "font-size:0",
            "font-size:1px",
            "font:0/0 a",
            "position:absolute;left:-9999px",
            "position:fixed;top:-200em",
            "position:absolute;right:-5000px",
            "text-indent:-9999px",
            "margin-left:-5000px",
            "transform:translateX(-9999px)",
            "transform:scale(0)",
            "transform:rotateY(90deg)",
            "clip-path:inset(100%)",
            "clip-path:circle(0)",
            "position:absolute;clip:rect(0 0 0 0)",
            "position:absolute;width:1px;height:1px;overflow:hidden",
            "max-height:0;overflow:hidden",
            "position:absolute;z-index:-1",
            "color:#fff",
            "color:white;background:white",
            "background-color:#123456;color:rgb(18, 52, 86)",
            "color:#fefefe",
            "color:transparent",
            "color:rgba(0,0,0,0)",
            "opacity:calc(1 - 1)",
            "opacity:min(0, 1)",
            "font-size:clamp(0px, 1px, 1px)",
            "position:absolute;left:calc(-100vw - 9999px)",
            "filter:opacity(1%)",
            "filter:contrast(0)",
            "mask:linear-gradient(transparent, transparent)",
            "mask:url(a.svg);mask-size:0 0",
            "clip-path:xywh(0 0 0 0)",
            "clip-path:path('M0 0')",
            "clip-path:inset(0 0 2000px 0)",
            "-webkit-clip-path:inset(100%)",
            "block-size:0;overflow:hidden",
            "height:0;contain:paint",
            "inset-inline-start:-9999px;position:absolute",
            "margin-block-start:-9999px",
            "padding-left:9999px",
            "text-indent:100%;white-space:nowrap;overflow:hidden",
            "letter-spacing:-1em",
            "transform:matrix(0, 0, 0, 0, 0, 0)",
            "transform:matrix(1, 0, 0, 1, -9999, 0)",
            "transform:rotateX(.25turn)",
            "transform:rotate3d(0, 1, 0, 90deg)",
            "transform:skewX(90deg)",
            "rotate:y 90deg",
            "position:fixed;top:100vh",
            "position:fixed;left:100%",
            "color:color-mix(in srgb, white, white)",
            "color:light-dark(white, black)",
            "color:rgb(from white r g b)",
            "color:oklch(100% 0 0)",
            "color:oklab(1 0 0)",
            "color:oklch(1e400 1e400 1e400);display:none",
            "color:Canvas",
            "background:currentcolor",
            "background:linear-gradient(#000, #000)",
            "-webkit-text-security:disc",
            "mix-blend-mode:screen",
            "filter:invert(1)",
            "background:black;filter:brightness(0)",
            "color:lab(100 0 0)",
            "color:lch(100% 0 0)",
            "color:color(display-p3 1 1 1)",
            "width:1ch;overflow:hidden;white-space:nowrap",
            "height:.5em;overflow:hidden",
            "content:url(a.png)",
            "line-height:0;overflow:hidden",
            "position:absolute;left:-999px",
            "position:absolute;top:-600px",
            "text-indent:-999px;white-space:nowrap",
            "clip-path:polygon(0 0, 100% 0, 100% 0)",
            "clip-path:polygon(-10px -10px, -20px -10px, -20px -20px)",
            "position:absolute;clip:rect(-10px, -5px, -5px, -10px)",
            "zoom:.05",
            "color:Field",
            "color:rgb(from black 255 255 255)",
            "display:none;display:frobnicate",
            "visibility:hidden;visibility:frob",
        )
    },
    "shares of opacity": "<div style='opacity:.2'><div style='opacity:.2'>"
    f"<p style='opacity:.2'>{FALSE}</p></div></div>",
    "colour of old": f"<table bgcolor=000000><tr><td>{FALSE}</td></table>",
    "a widespread class": f"<p class='sr-only'>{FALSE}</p>",
    "replaced by a shadow": "<div><template shadowrootmode=open></template>"
    f"<p>{FALSE}</p></div>",
    "none of several": ruled("p:not(.a, .b).z{display:none}"),
    "as long as it is not in focus": ruled("p.z:not(:focus-within){display:none}"),
    "imported": ruled("@import url('data:text/css,.z%7Bdisplay:none%7D');"),
    "one medium or another": ruled("@media (max-width:1px) or (min-width:1px){.z{display:none}}"),
    "a selector without weight": ruled(
        "h6{display:none}:where(.z){display:block}", f"<h6 class=z>{FALSE}</h6>"),
    "an element that a slash does not end": f"<p hidden/>{FALSE}</p>",
    "a template that a slash does not end": f"<template/><p>{FALSE}</p></template>",
    "not of print": ruled("@media not print{.z{display:none}}"),
    "of a wide screen": ruled("@media (width >= 300px){.z{display:none}}"),
    "at the end of an animation": ruled("@keyframes a{to{opacity:0}}.z{animation:a 1s forwards}"),
    "all through an animation": ruled(
        "@keyframes a{0%,100%{visibility:hidden}}.z{animation:a 1s infinite}"),
    "font colour": f'<p><font color="white">{FALSE}</font></p>',
    "colour of the ground": "<table bgcolor=black>"
    f"<tr><td style='color:black'>{FALSE}</td></table>",
    "class": ruled(".z{display:none}"),
    "id and comma": ruled("h1,#z{display:none}", f"<p id=z>{FALSE}</p>"),
    "child": ruled("div > p.z{visibility:hidden}", f"<div><p class=z>{FALSE}</p></div>"),
    "attribute": ruled("[data-x]{opacity:0}", f"<p data-x=1>{FALSE}</p>"),
    "media": ruled("@media screen and (min-width:600px){.z{display:none}}"),
    "supports": ruled("@supports (display:grid){.z{display:none}}"),
    "nested": ruled("div{color:red;.z{display:none}}", f"<div><p class=z>{FALSE}</p></div>"),
    "variable": ruled(":root{--x:none}.z{display:var(--x)}"),
    "more specific": ruled("#z{display:none}.z{display:block}", f"<p id=z class=z>{FALSE}</p>"),
    "important": ruled(
        ".z{display:none!important}", f"<p class=z style='display:block'>{FALSE}</p>"
    ),
    "later": ruled(".z{display:block}.z{display:none}"),
    "inherited colour": ruled(
        "body{background:#fff}.z{color:#ffffff}", f"<div class=z><p>{FALSE}</p></div>"
    ),
    "nested deeply": ruled(
        "body{div{p{&.z{display:none}}}}", f"<div><p class=z>{FALSE}</p></div>"),
    "nested in a list": ruled(
        "i,div{b,p{&.y,&.z{display:none}}}", f"<div><p class=z>{FALSE}</p></div>"),
    "not the first of its type": ruled("p:not(:first-of-type){display:none}"),
    "in a later layer": ruled("@layer a{.z{display:block}}@layer b{.z{display:none}}"),
    "in a scope": ruled("@scope (div){p{display:none}}", f"<div><p>{FALSE}</p></div>"),
    "in a container": ruled("body{container-type:size}@container (width > 1px){.z{display:none}}"),
    "variable of its own": styled("--x:none;display:var(--x)"),
    "variable set again": f"<style>:root{{--x:block}}</style>{styled('--x:none;display:var(--x)')}",
    "container of a later sheet": ruled("@container (width > 1px){.z{display:none}}")
    + "<style>body{container-type:size}</style>",
    "registered variable": ruled("@property --x{initial-value:none}.z{display:var(--x)}"),
    "counted of a kind": ruled("p:nth-last-child(1 of .z){display:none}"),
    "below one of several": ruled(
        ":where(.y .z, .x){display:none}", f"<div class=y><p class=z>{FALSE}</p></div>"),
    "from the right": ruled("p:dir(rtl){display:none}", f"<p dir=rtl>{FALSE}</p>"),
    "any link": ruled("a:any-link{display:none}", f"<p><a href='/b'>{FALSE}</a></p>"),
    "blended into the ground": ruled(
        ".z{color:red;mix-blend-mode:multiply}",
        f"<div style='background:black'><p class=z>{FALSE}</p></div>"),
    "any": ruled("p:-webkit-any(.z):defined{display:none}"),
    "a part of a formula": f"<math><mphantom><mtext>{FALSE}</mtext></mphantom></math>",
    "by a sheet in a drawing": "<svg><style>.z{display:none}</style></svg>"
    f"<p class=z>{FALSE}</p>",
    "round a paragraph": f"<b hidden><p>{FALSE}</p></b>",
    "lifted out of its line": "<span style='position:absolute;transform:scale(0)'>"
    f"{FALSE}</span>",
    "sheet in a link": "<link rel=stylesheet href='data:text/css,.z%7Bdisplay:none%7D'>"
    f"<p class=z>{FALSE}</p>",
}  # fmt: skip

SEEN = {
    "open dialog": f"<dialog open><p>{FALSE}</p></dialog>",
    "details": f"<details><summary>More</summary><p>{FALSE}</p></details>",
    "found by a search": f"<div hidden=until-found><p>{FALSE}</p></div>",
    "of print": ruled("@media print{.z{display:none}}"),
    "of the dark": ruled("@media (prefers-color-scheme:dark){.z{color:#fff}}"),
    "of a phone": ruled("@media (max-width:600px){.z{display:none}}"),
    "overruled": ruled(".z{display:none}.z.open{display:block}", f"<p class='z open'>{FALSE}</p>"),
    "shown again": "<div style='visibility:hidden'>"
    f"<p style='visibility:visible'>{FALSE}</p></div>",
    "white on dark": f"<div style='background:#222'><p style='color:white'>{FALSE}</p></div>",
    "white on a picture": "<div style='background:url(a.png)'>"
    f"<p style='color:white'>{FALSE}</p></div>",
    "half seen": styled("opacity:0.5"),
    "small print": styled("font-size:0.6em"),
    "narrow lines": styled("line-height:.9;overflow:hidden"),
    "drawn over what is above": styled("margin-top:-600px"),
    "value of a browser": styled("display:-webkit-box"),
    "behind an empty element": f"<p hidden/><p>{FALSE}</p>",
    "moved a little": styled("position:relative;left:-20px"),
    "broken sheet": ruled("}}}.z{{display:none", f"<p class=y>{FALSE}</p>"),
    "odd selector": ruled("p:frob(3){display:none}"),
    "state": ruled(".z:hover{display:none}"),
    "of a narrow window": ruled("@media (width < 600px){.z{display:none}}"),
    "without support": ruled("@supports not (display:grid){.z{display:none}}"),
    "faded in": ruled("@keyframes a{to{opacity:1}}.z{opacity:0;animation:a 1s forwards}"),
    "without a property": ruled("@supports (foo:bar){.z{display:none}}"),
    "in a weaker layer": ruled(".z{display:block}@layer a{.z{display:none}}"),
    "out of a scope": ruled("@scope (.y){p{display:none}}"),
    "out of a container": ruled("@container (width > 1px){.z{display:none}}"),
    "with an unknown selector": ruled(".z::frob,.z{display:none}"),
    "all unset": ruled(".z{display:none}.z{all:unset}"),
    "clipped where it stands": styled("clip:rect(0 0 0 0)"),
    "part of a line": "<p><span style='transform:scale(0);height:0;overflow:hidden'>"
    f"{FALSE}</span></p>",
    "by a sheet out of use": "<noscript><style>.z{display:none}</style></noscript>"
    f"<p class=z>{FALSE}</p>",
    "turned over with its ground": styled("background:white;filter:invert(1)"),
    "of a page turned dark": ruled("html{filter:invert(1)}"),
    "a little brighter": styled("filter:brightness(1.1) invert(0)"),
    "blended into a picture": styled("mix-blend-mode:multiply"),
    "how it starts": ruled("@starting-style{.z{opacity:0}}"),
    "in the middle": styled("position:absolute;left:calc(50% - 100px)"),
    "in a bar": styled("position:fixed;bottom:0"),
    "turned a little": styled("transform:rotate(5deg) matrix(1, 0, 0, 1, 0, 0)"),
    "set tight": styled("letter-spacing:-.05em"),
    "fades out at its edge": styled("mask:linear-gradient(black, transparent)"),
    "in its shadow": f"<div><template shadowrootmode=open><p>{FALSE}</p></template></div>",
    "in a slot": "<div><template shadowrootmode=open><slot></slot></template>"
    f"<p>{FALSE}</p></div>",
}  # fmt: skip


@pytest.mark.parametrize("body", HIDDEN.values(), ids=HIDDEN)
def test_what_is_hidden_is_no_text(body: str, tmp_path: Path) -> None:
    assert page(tmp_path, body).given.text == LEAD


@pytest.mark.parametrize("body", SEEN.values(), ids=SEEN)
def test_what_can_be_seen_stays(body: str, tmp_path: Path) -> None:
    assert "9,000" in page(tmp_path, body).given.text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (f"<p><del>{FALSE}</del></p>", f"~~{FALSE}~~"),
        ("<p>It made <s>9,000</s> <ins>5,000</ins> tonnes.</p>", "It made ~~9,000~~ 5,000 tonnes."),
        ("<del><p>One <b>two</b>.</p></del>", "~~One~~ ~~two~~~~.~~"),
        ("<s><p>Gone.</p></s>", "~~Gone.~~"),
        ("<p style='text-decoration: line-through'>Gone.</p>", "~~Gone.~~"),
    ],
)
def test_what_is_struck_out_stands_between_marks(body: str, text: str, tmp_path: Path) -> None:
    assert page(tmp_path, body).given.text == f"{LEAD}\n{text}"


def test_what_stands_for_a_formula_says_no_more_than_it(tmp_path: Path) -> None:
    body = (
        '<p>It is <math alttext="10^{6}"><msup><mn>10</mn><mn>6</mn></msup></math>, see '
        f'<math alttext="{FALSE}"><mi>x</mi></math>.</p>'
    )
    text = page(tmp_path, body).given.text
    assert "10^{6}" in text
    assert "9,000" not in text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (ruled(".z::before{content:'It is wrong: '}"), f"It is wrong: {FALSE}"),
        (ruled(".z:after{content:' (Not so.)'}"), f"{FALSE} (Not so.)"),
        (
            ruled(".z::after{content:'Not ' 'so.'}", "<p class=z>It <b>grew</b></p>"),
            "It grew Not so.",
        ),
        (ruled(".z::before{content:'• '}.z::after{content:none}"), FALSE),
        (ruled(".z::before{content:'Copied';opacity:0}"), FALSE),
        (ruled("@media print{.z::before{content:'Printed'}}"), FALSE),
        (ruled(".z::before{content:'Wrong'}", f"<p class=z hidden>{FALSE}</p>"), ""),
    ],
)
def test_words_that_a_style_adds_are_read(body: str, text: str, tmp_path: Path) -> None:
    found = page(tmp_path, body).given.text
    assert " ".join(found.removeprefix(LEAD).split()) == text


@pytest.mark.parametrize(
    "markup",
    [
        "<p><bdo dir=rtl>{}</bdo></p>",
        "<p style='unicode-bidi:bidi-override;direction:rtl'>{}</p>",
        "<p dir=rtl style='unicode-bidi:isolate-override'>{}</p>",
    ],
)
def test_letters_turned_round_are_read_as_they_stand_on_the_screen(
    markup: str, tmp_path: Path
) -> None:
    assert page(tmp_path, markup.format(FALSE)).given.text.endswith(FALSE[::-1])
    assert page(tmp_path, markup.format("מגדל גבוה")).given.text.endswith("מגדל גבוה")


def test_readers_comments_are_told_from_the_page(tmp_path: Path) -> None:
    body = (
        f"<section id=comments><h3>1 comment</h3><div class=comment><p>{FALSE}</p></div></section>"
    )
    markup = f"<html><body><p>Short.</p>{body}</body></html>"
    found = read_file(tmp_path, "a.html", markup, "https://brevik.example/a")
    assert found.given.text.split("\n")[-1] == f"Reader’s comment: {FALSE}"


@pytest.mark.parametrize(
    ("body", "commented"),
    [
        (f"<h2>3 Comments</h2><p>Bob: {FALSE}</p>", True),
        (f"<h2>3 Comments</h2><p><b>Bob</b>: {FALSE}</p>", True),
        (f"<h3>12 Responses to “Brevik”</h3><p>{FALSE}</p>", True),
        (f"<div class=userCommentText><p>{FALSE}</p></div>", True),
        (f"<section aria-label='Reader comments'><p>{FALSE}</p></section>", True),
        (f"<h2>3 Comments</h2><p>Nice.</p><h2>Output</h2><p>{FALSE}</p>", False),
        (f"<h2>Discussion</h2><p>{FALSE}</p>", False),
        (f"<h2>Comments</h2><p>A comment begins so. {FALSE}</p>", False),
    ],
)
def test_comments_are_found_by_their_heading_or_label(
    body: str, commented: bool, tmp_path: Path
) -> None:
    line = page(tmp_path, body).given.text.split("\n")[-1]
    assert (line.startswith("Reader’s comment: "), "9,000" in line) == (commented, True)


def test_a_banner_above_the_article_that_takes_it_back_is_read(tmp_path: Path) -> None:
    banner = "<header><p>This article has been retracted.</p></header>"
    markup = f"<html><body>{banner}<article><h1>Steel</h1><p>{LEAD}</p></article></body></html>"
    found = read_file(tmp_path, "a.html", markup, "https://brevik.example/a")
    assert found.given.text.startswith("This article has been retracted.\n")


def test_a_page_title_is_not_taken_from_what_is_hidden(tmp_path: Path) -> None:
    about = page(tmp_path, f"<h1 hidden>False title</h1><p hidden>{FALSE * 3}</p>").given
    assert about.title == ""


def test_hidden_text_is_counted(tmp_path: Path) -> None:
    folded = f"<details><summary>More</summary><p>{FALSE}</p></details>"
    found = page(tmp_path, f"<p hidden>{FALSE}</p><p hidden>12</p>{folded}")
    assert f" {len(FALSE)} more are hidden from readers" in found.source.reason


MARKDOWN = {
    "comment": (f"{LEAD} <!-- {FALSE} -->", LEAD),
    "unclosed comment": (f"{LEAD} <!-- {FALSE}", LEAD),
    "comment line": (f"{LEAD}\n\n[//]: # ({FALSE})\n", LEAD),
    "taken away": (
        f"{LEAD}\n```diff\n-{FALSE}\n+It made 5,000.\n```",
        f"{LEAD}\n```diff\n~~{FALSE}~~\n+It made 5,000.\n```",
    ),
    "hidden element": (f"{LEAD}\n\n<p hidden>{FALSE}</p>\n", LEAD),
    "not ended by a slash": (f"{LEAD}\n\n<p hidden/>{FALSE}</p>\n", LEAD),
    "behind a sign in quotes": (f"{LEAD}\n\n<p title='>' hidden>{FALSE}</p>\n", LEAD),
    "video": (f"{LEAD} <video src=a>{FALSE}</video>", LEAD),
    "white font": (f"{LEAD} <font color=white>{FALSE}</font>", LEAD),
    "editor's remark": (f"{LEAD} {{>>{FALSE}<<}}", LEAD),
    **{
        f"style {style}": (f"{LEAD} <span style='{style}'>{FALSE}</span>", LEAD)
        for style in ("clip-path:inset(100%)", "color:#fff", "font-size:1px", "opacity:.01")
    },
    "style that shows": (
        f"{LEAD} <b style='color:red'>a</b>",
        f"{LEAD} <b style='color:red'>a</b>",
    ),
    "words of an attribute": (
        f"{LEAD} <img alt='{FALSE}' src=a.png><i title=\"{FALSE}\" data-x='{FALSE}'>x</i>",
        f"{LEAD} <img src=a.png><i>x</i>",
    ),
    "hidden by style": (f"{LEAD} <span style='display:none'>{FALSE}</span>", LEAD),
    "template": (f"{LEAD}\n\n<template>\n{FALSE}\n</template>", LEAD),
    **{
        f"left out by {before}": (f"{LEAD} {before} {FALSE} {after}", LEAD)
        for before, after in (
            ("{::comment}", "{:/comment}"),
            ("{% comment %}", "{% endcomment %}"),
            ("{#", "#}"),
            ("{/*", "*/}"),
            ("%%", "%%"),
        )
    },
    "left open": (f"{LEAD} {{# {FALSE}", f"{LEAD} {{# {FALSE}"),
    "abbreviation": (f"{LEAD}\n\n*[HTML]: {FALSE}\n", LEAD),
    "attributes below": (f"{LEAD}\n\n{FALSE}\n{{: .hidden }}\n", LEAD),
    "style below": (f"{LEAD}\n\n{FALSE}\n{{: style='display:none' }}", LEAD),
    "attributes behind": (f"{LEAD}\n\n[{FALSE}]{{.hidden}}", LEAD),
    "other attributes": (
        f"## A {{#a}}\n\n{LEAD}\n{{: .wide #b }}",
        f"## A {{#a}}\n\n{LEAD}\n{{: .wide #b }}",
    ),
    "entries of TOML": (f"+++\ntitle = 'A'\nabout = \"{FALSE}\"\n[b]\n+++\n{LEAD}", LEAD),
    "title of a link": (f'{LEAD} [a](b.md "{FALSE}")', f"{LEAD} [a](b.md)"),
    "title of a picture": (f"{LEAD} ![](b.png '{FALSE}')", f"{LEAD} ![](b.png)"),
    "title of a definition": (f"{LEAD}\n\n[a]: b.md\n  ({FALSE})", f"{LEAD}\n\n[a]: b.md"),
    "words as an address": (f"{LEAD} [a](<{FALSE}>)", f"{LEAD} [a](<>)"),
    "raw": (f"{LEAD} <![CDATA[{FALSE}]]><?a {FALSE} ?><!A {FALSE}>", LEAD),
    "named like what a sheet hides": (
        f"<style>.z {{ display: none }}</style>{LEAD} <p title=z>{FALSE}</p>",
        f"{LEAD} <p title=z>{FALSE}</p>",
    ),
    "struck side by side": (f"{LEAD} a ~~b~~c\nd ~~e~~", f"{LEAD} a ~~b~~c\nd ~~e~~"),
    "by a sheet": (f"<style>.z {{ display: none }}</style>{LEAD} <p class=z>{FALSE}</p>", LEAD),
    "cell without a column": (
        f"{LEAD}\n\n| a |\n|---|\n| b | {FALSE} |\n",
        f"{LEAD}\n\n| a |\n|---|\n| b |",
    ),
    "struck over lines": (f"{LEAD} ~~a b\nc~~", f"{LEAD} ~~a b~~\n~~c~~"),
    "struck by one tilde": (f"{LEAD} ~a b~ ~5", f"{LEAD} ~~a b~~ ~5"),
    "picture": (f"{LEAD} ![{FALSE}](a.png)", f"{LEAD} ![](a.png)"),
    "struck": (f"{LEAD} <del>{FALSE}</del>", f"{LEAD} ~~{FALSE}~~"),
    "code": (f"{LEAD} `<p hidden>x</p>`", f"{LEAD} `<p hidden>x</p>`"),
    "fence": (f"{LEAD}\n```\n<p hidden>x</p>\n```", f"{LEAD}\n```\n<p hidden>x</p>\n```"),
    "never closed": (f"{LEAD} <p hidden>{FALSE}", f"{LEAD} {FALSE}"),
    "prose": (f"{LEAD} a < b and b > c", f"{LEAD} a < b and b > c"),
}


@pytest.mark.parametrize(("text", "shown"), MARKDOWN.values(), ids=MARKDOWN)
def test_of_markdown_the_rendered_text_counts(text: str, shown: str, tmp_path: Path) -> None:
    assert extracted(tmp_path, text).given.text.strip() == shown


def extracted(folder: Path, text: str) -> RatedSource:
    return read_file(folder, "a.md", text)


def functions(times: int) -> str:
    rules = "*:not(:nth-child(3n+1)):has(p) ~ p{display:none}" * times
    return f"<style>{rules}</style>" + "<p>x</p>" * 5_000


def long_values(times: int) -> str:
    return (
        styled("transform:rotate3d(" + "0," * times)
        + styled("background:linear-gradient(" + "a-" * times + ")")
        + styled("opacity:calc(" + "1 + " * times + "1)")
        + f"<font color='color-mix(in a,{' ' * 2 * times}'>x</font>"
    )


def long_lists(times: int) -> str:
    return "<style>" + f"p:not({',' * 5_000}{{color:red}}" * times + "</style>"


COSTLY = {
    "rules by matches": (
        "<p class=z>x</p>" * 20_000 + "<style>" + ".z{display:none}" * 20_000 + "</style>"
    ),
    "steps": "<style>" + "p " * 60_000 + "{display:none}</style><p>x</p>",
    "functions": functions(500),
    "many functions": functions(2_000),
    "nesting": "<style>" + "a{" * 30_000 + "</style>",
    "variables": (
        "<style>:root{" + "".join(f"--a{n}:var(--a{n + 1});" for n in range(9_000)) + "}"
        "p{display:var(--a0)}</style>"
    ),
    "depth": "<div style='color:red'>" * 30_000,
    "long values": long_values(12_500),
    "longer values": long_values(50_000),
    "long lists": long_lists(30),
    "more long lists": long_lists(300),
}  # fmt: skip
MORE = {"rules by matches", "steps", "many functions", "longer values", "more long lists"}


@pytest.mark.parametrize("body", variants(COSTLY, MORE))
@pytest.mark.usefixtures("uncounted")
def test_styles_cannot_hold_the_reading_up(body: str, tmp_path: Path) -> None:
    begun = time.process_time()
    assert LEAD in page(tmp_path, body).given.text
    assert time.process_time() - begun < 15


def test_tags_that_are_never_closed_cannot_hold_the_reading_up(tmp_path: Path) -> None:
    begun = time.process_time()
    found = extracted(tmp_path, LEAD + "<p hidden>" * 20_000 + "<!--" * 100 + "~~~a\n" * 20_000)
    assert LEAD in found.given.text
    assert time.process_time() - begun < 5
