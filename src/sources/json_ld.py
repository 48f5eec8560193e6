"""The structured data of a page: schema.org records in JSON-LD scripts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from lxml.html import HtmlElement

Thing = Mapping[str, str]
"""One record, its fields as text: `types` (words), and what `_FIELDS` names."""

_FIELDS = ("headline", "datePublished", "dateModified", "description", "url")
_DEPTH = 4
_ARTICLES = ("article", "posting", "report", "dataset", "legislation", "book", "review", "thesis")
_PAGES = ("webpage", "creativework", "aboutpage", "itempage", "faqpage")


def json_ld(tree: HtmlElement) -> Iterator[object]:
    """The JSON-LD scripts of a page that can be read."""
    for script in tree.iter("script"):
        if script.get("type", "").lower().split(";")[0].strip() != "application/ld+json":
            continue
        try:
            yield cast("object", json.loads(script.text or "", strict=False))
        except (ValueError, RecursionError):
            continue


def things(tree: HtmlElement) -> list[Thing]:
    """The records of a page, in order, those in lists and graphs included."""
    return [thing for data in json_ld(tree) for thing in _things(data, _DEPTH)]


def main_thing(found: Sequence[Thing], url: str, headings: Iterable[str]) -> Thing:
    """The record of the page itself: of an article before that of a page; {} if there is none.

    Of several articles it is the one whose address or headline is the page's, else the first.
    """
    for kinds in (_ARTICLES, _PAGES):
        fitting = [thing for thing in found if any(k in thing["types"] for k in kinds)]
        own = [thing for thing in fitting if thing.get("url", "").partition("#")[0] == url]
        titled = [thing for thing in fitting if thing.get("headline", "") in set(headings)]
        if len(fitting) == 1 or own or titled:
            return (own or titled or fitting)[0]
    return {}


def _things(data: object, depth: int) -> Iterator[Thing]:
    if isinstance(data, list):
        for item in cast("list[object]", data) if depth else []:
            yield from _things(item, depth - 1)
    elif isinstance(data, dict):
        entries = cast("dict[str, object]", data)
        if "@type" in entries:
            yield _thing(entries)
        if depth:
            yield from _things(entries.get("@graph"), depth - 1)
            yield from _things(entries.get("mainEntity"), depth - 1)


def _thing(entries: Mapping[str, object]) -> Thing:
    thing = {"types": _text(entries["@type"]).casefold()}
    for name in _FIELDS:
        thing[name] = _text(entries.get(name))
    thing["headline"] = thing["headline"] or _text(entries.get("name"))
    thing["url"] = thing["url"] or _text(entries.get("mainEntityOfPage"))
    thing["author"] = _names(entries.get("author") or entries.get("creator"))
    thing["publisher"] = _names(entries.get("publisher") or entries.get("isPartOf"))
    return thing


def _text(value: object) -> str:
    """`value` as text; of a record its address, of a list its words."""
    if isinstance(value, dict):
        record = cast("dict[str, object]", value)
        return _text(record.get("@id") or record.get("url"))
    if isinstance(value, list):
        return " ".join(item for item in cast("list[object]", value) if isinstance(item, str))
    return value.strip() if isinstance(value, str) else ""


def _names(value: object) -> str:
    """The names of one or several people or organisations."""
    if isinstance(value, list):
        found = (_names(item) for item in cast("list[object]", value))
        return "; ".join(dict.fromkeys(name for name in found if name))
    if isinstance(value, dict):
        return _text(cast("dict[str, object]", value).get("name"))
    return value.strip() if isinstance(value, str) and "://" not in value else ""
