"""Metadata of a page: title, authors, dates and address.

Each field has a list of places, the best first: structured data, then metadata elements, then the
visible text. Parts that belong to comments, to related articles or to the site are passed
over.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import date
from functools import cached_property
from itertools import chain
from typing import cast
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

from lxml.html import HtmlElement

from .addresses import AddressError, parse_web_address
from .model import PageMetadata, is_marked_retracted
from .plain_text import name_parts, one_line
from .policy import MetadataRules

Thing = Mapping[str, str]
"""One record, its fields as text: `types` (words), and what `_FIELDS` names."""

_FIELDS = {"headline": "name", "datePublished": "", "dateModified": "", "url": "mainEntityOfPage"}
"""Each with the field that stands for it where it is missing."""
_DEPTH = 4
_ARTICLES = ("article", "posting", "report", "dataset", "legislation", "book", "review", "thesis")
_PAGES = ("webpage", "creativework", "aboutpage", "itempage", "faqpage")


def _json_ld(tree: HtmlElement) -> Iterator[object]:
    """The JSON-LD scripts of a page that can be read."""
    for script in tree.iter("script"):
        if script.get("type", "").lower().split(";")[0].strip() != "application/ld+json":
            continue
        with suppress(ValueError, RecursionError):
            yield cast("object", json.loads(script.text or "", strict=False))


def declared_free(tree: HtmlElement) -> bool | None:
    """The page's declaration of free access; false if any of its structured data says so.

    Neither the page's parts nor what it links to count.
    """
    found = [entries for data in _json_ld(tree) for entries in _records(data, _DEPTH, ("@graph",))]
    answers = [
        str(entries["isAccessibleForFree"]).lower() not in ("false", "no", "0")
        for entries in found
        if "isAccessibleForFree" in entries
    ]
    return all(answers) if answers else None


def _main_thing(tree: HtmlElement, url: str, headings: Iterable[str]) -> Thing:
    """The record of the page itself: of an article before that of a page; {} if there is none.

    Of several articles it is the one whose address or headline is the page's, else the first.
    """
    # In order, those in lists and graphs included.
    parts = ("@graph", "mainEntity")
    records = (entries for data in _json_ld(tree) for entries in _records(data, _DEPTH, parts))
    found = [_thing(entries) for entries in records if "@type" in entries]
    for kinds in (_ARTICLES, _PAGES):
        fitting = [thing for thing in found if any(k in thing["types"] for k in kinds)]
        own = [thing for thing in fitting if thing.get("url", "").partition("#")[0] == url]
        titled = [thing for thing in fitting if thing.get("headline", "") in set(headings)]
        if len(fitting) == 1 or own or titled:
            return (own or titled or fitting)[0]
    return {}


def _records(data: object, depth: int, parts: tuple[str, ...]) -> Iterator[dict[str, object]]:
    """`data` if it is a record, and those in lists and in its `parts`."""
    if isinstance(data, list):
        for item in cast("list[object]", data) if depth else []:
            yield from _records(item, depth - 1, parts)
    elif isinstance(data, dict):
        entries = cast("dict[str, object]", data)
        yield entries
        for part in parts if depth else ():
            yield from _records(entries.get(part), depth - 1, parts)


def _thing(entries: Mapping[str, object]) -> Thing:
    get = entries.get
    thing = {name: _text(get(name)) or _text(get(other)) for name, other in _FIELDS.items()}
    thing["types"] = _text(entries["@type"]).casefold()
    thing["author"] = _names(get("author") or get("creator"))
    thing["publisher"] = _names(get("publisher") or get("isPartOf"))
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


_SEPARATOR = re.compile(r"\s+[|·•:»«—–-]\s+|\s*[|»•·]\s*")
_DAY_MONTH = re.compile(
    r"(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|º|ª|\.)?\s{0,3}(?:de\s|of\s)?\s{0,2}([^\W\d_]{3,12})\.?,?\s{0,3}"
    r"(?:de\s|del\s|of\s)?\s{0,2}(\d{4})(?!\d)"
)
_MONTH_DAY = re.compile(
    r"(?<![^\W_])([^\W\d_]{3,12})\.?\s{1,3}(\d{1,2})(?:st|nd|rd|th)?,?\s{1,3}(\d{4})(?!\d)"
)
_YEAR_FIRST = re.compile(r"(?<!\d)(\d{4})\s?[-/.年년]\s?(\d{1,2})\s?[-/.月월]\s?(\d{1,2})(?!\d)")
_COMPACT = re.compile(r"(?<!\d)((?:19|20)\d\d)([01]\d)([0-3]\d)(?!\d)")
_DAY_FIRST = re.compile(r"(?<!\d)(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)")
# Each with the groups of year, month and day.
_DATES = (
    *((_YEAR_FIRST, 1, 2, 3), (_COMPACT, 1, 2, 3), (_DAY_FIRST, 3, 2, 1)),
    *((_DAY_MONTH, 3, 2, 1), (_MONTH_DAY, 3, 1, 2)),
)
_PIECES = ("p", "div", "span", "li", "td", "dd", "time", "small", "em", "i", "footer")
_MOST_TEXT = 20_000
_LABEL_REACH = 60


def read_metadata(tree: HtmlElement, url: str, newest: date, rules: MetadataRules) -> PageMetadata:
    """Read the metadata of a page.

    Args:
        tree: The page as parsed.
        url: The address that answered.
        newest: No date after this one is believed.
        rules: The registry's.
    """
    return _Search(tree, url, newest, rules).metadata()


class _Search:
    def __init__(self, tree: HtmlElement, url: str, newest: date, rules: MetadataRules) -> None:
        self._tree = tree
        self._url = url
        self._newest = newest
        self._rules = rules
        self._metas = _meta_elements(tree)
        self._foreign: set[HtmlElement] = set()
        for element in tree.iter():
            named = not name_parts(element.attrib).isdisjoint(rules.foreign_parts)
            begins = named or element.tag in ("nav", "aside", "footer", "form")
            if begins or element.getparent() in self._foreign:
                self._foreign.add(element)
        headings = [h for h in tree.iter("h1") if h not in self._foreign]
        self._site_headings = [_heading(h) for h in headings if self._names_site(h)]
        self._headings = [_heading(h) for h in headings if not self._names_site(h)]
        self._about = _main_thing(tree, url, self._headings)

    def metadata(self) -> PageMetadata:
        rules, publisher = self._rules, self._about.get("publisher", "")
        site = _first((*self._find_named(rules.site_names), publisher, *self._site_headings))
        published = self._dated("datePublished", rules.published_names, rules.published_labels)
        modified = self._dated("dateModified", rules.modified_names, rules.modified_labels)
        return PageMetadata(
            _first(self._titles(site)),
            _first(self._authors()),
            self._date(chain(published, self._times(), [urlsplit(self._url).path])),
            self._date(chain(modified, self._labelled(rules.page_foot_labels, foreign=True))),
            _first(self._addresses()),
        )

    def _titles(self, site: str) -> Iterator[str]:
        titles = [one_line(_words(element)) for element in self._tree.iter("title")]
        yield from filter(is_marked_retracted, titles)
        yield self._about.get("headline", "")
        for value in self._find_named(self._rules.title_names):
            yield self._without_site(value, site)
        if len(self._headings) == 1:
            yield self._headings[0]
        for title in titles:
            yield self._without_site(title, site)
        yield from self._headings

    def _without_site(self, title: str, site: str) -> str:
        """`title` without the name of the site before or behind it."""
        parts = [part for part in _SEPARATOR.split(title) if part]
        if len(parts) < 2:
            return title
        folded = title.casefold()
        for heading in self._headings:
            if heading and heading.casefold() in folded and len(heading) > len(title) / 4:
                return heading
        if site and parts[-1].casefold() == site.casefold():
            return title[: title.rindex(parts[-1])].rstrip(" |·•:»«—–-")
        if site and parts[0].casefold() == site.casefold():
            return title[len(parts[0]) :].lstrip(" |·•:»«—–-")
        return title

    def _authors(self) -> Iterator[str]:
        yield self._about.get("author", "")
        for name in self._rules.author_names:
            names = [value for value in self._metas.get(name, ()) if "://" not in value]
            if names:
                yield "; ".join(dict.fromkeys(names))
        for element in self._tree.xpath("//*[@rel='author' or @itemprop='author' or @class]"):
            classes = set(element.get("class", "").casefold().split())
            is_byline = "author" in (element.get("rel"), element.get("itemprop")) or (
                not classes.isdisjoint(self._rules.byline_classes)
            )
            if is_byline and element not in self._foreign:
                yield _person(one_line(_words(element)))

    def _dated(self, name: str, names: Iterable[str], labels: tuple[str, ...]) -> Iterator[str]:
        yield self._about.get(name, "")
        yield from self._find_named(names)
        for element in self._tree.xpath("//*[@itemprop]"):
            if element.get("itemprop") == name and element not in self._foreign:
                yield element.get("content") or element.get("datetime") or _words(element)
        yield from self._labelled(labels, foreign=False)

    def _addresses(self) -> Iterator[str]:
        for element in self._tree.iter("link"):
            if "canonical" in element.get("rel", "").lower().split():
                yield self._address(element.get("href", ""))
        for value in (*self._find_named(("og:url",)), self._about.get("url", "")):
            yield self._address(value)
        yield self._without_tracking(self._url)

    def _find_named(self, names: Iterable[str]) -> Iterator[str]:
        for name in names:
            yield from self._metas.get(name, ())

    def _times(self) -> Iterator[str]:
        """The only date that the page's head or article marks as a time."""
        marked = [e for e in self._tree.iter("time") if e not in self._foreign]
        values = [element.get("datetime") or _words(element) for element in marked]
        if len({self._parse_date(value) for value in values} - {None}) == 1:
            yield from values
        elif values and "pubdate" in marked[0].attrib:
            yield values[0]

    def _labelled(self, labels: tuple[str, ...], *, foreign: bool) -> Iterator[str]:
        """A date right behind a word such as "published", in the page's own text or around it."""
        pattern = label_pattern(labels)
        for line in self._lines[foreign]:
            if (match := pattern.search(line)) is not None:
                yield line[match.end() : match.end() + _LABEL_REACH]

    @cached_property
    def _lines(self) -> Mapping[bool, list[str]]:
        """The short pieces of text of the page itself (False) and of what is around it (True)."""
        found: dict[bool, list[str]] = {False: [], True: []}
        left = {False: _MOST_TEXT, True: _MOST_TEXT}
        for element in self._tree.iter(*_PIECES):
            words = _words(element, 300)
            if 0 < len(words) <= 200 and left[foreign := element in self._foreign] >= 0:
                left[foreign] -= len(words)
                found[foreign].append(words)
            if max(left.values()) < 0:
                break
        return found

    def _date(self, candidates: Iterable[str]) -> date | None:
        found = (self._parse_date(value) for value in candidates)
        return next((day for day in found if day is not None), None)

    def _parse_date(self, text: str) -> date | None:
        found = parse_date(text[:100], self._rules.months)
        return found if found is not None and found <= self._newest else None

    def _address(self, value: str) -> str:
        """`value` as an address, "" if it cannot be this page's."""
        try:
            found = parse_web_address(urljoin(self._url, value.strip())).url if value else ""
        except (AddressError, ValueError):
            return ""
        # A page deep in a site whose template names the front page for every page.
        at_front = urlsplit(found).path in ("", "/") and not urlsplit(found).query
        return "" if at_front and urlsplit(self._url).path not in ("", "/") else found

    def _without_tracking(self, url: str) -> str:
        parts = urlsplit(url)
        given, tracking = parse_qsl(parts.query, True), self._rules.tracking_parameters
        kept = [each for each in given if not each[0].casefold().startswith(tracking)]
        query = parts.query if kept == given else urlencode(kept)
        return urlunsplit((parts.scheme, parts.netloc, parts.path, query, ""))

    def _names_site(self, heading: HtmlElement) -> bool:
        """Whether a heading is the site's name over every page: a logo, a link to the front."""
        if not name_parts(heading.attrib).isdisjoint(self._rules.site_parts):
            return True
        links = (link.get("href", "") for link in heading.iter("a"))
        return any(urlsplit(link).path in ("", "/") and not link.startswith("#") for link in links)


@functools.cache
def label_pattern(labels: tuple[str, ...]) -> re.Pattern[str]:
    """One of the `labels` as a word of its own, the longest that fits."""
    longest_first = sorted(labels, key=len, reverse=True)
    words = "|".join(re.escape(label) for label in longest_first)
    return re.compile(rf"(?<![^\W_])(?:{words})(?![^\W_])", re.I)


def _heading(element: HtmlElement) -> str:
    """The words of a heading without the sign that links to it."""
    return one_line(_words(element)).rstrip(" ¶#§")


def _first(candidates: Iterable[str]) -> str:
    return next((one_line(value) for value in candidates if value.strip()), "")


def _meta_elements(tree: HtmlElement) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for element in tree.iter("meta"):
        content = one_line(element.get("content", ""))
        for key in ("name", "property", "itemprop", "http-equiv"):
            name = element.get(key, "").casefold().strip()
            if name and content:
                found.setdefault(name, []).append(content)
    return found


def _words(element: HtmlElement, most: int = 4000) -> str:
    """The text of `element` on one line; what is longer than `most` is cut."""
    pieces: list[str] = []
    for piece in element.itertext():
        pieces.append(piece[:most])
        most -= len(piece)
        if most <= 0:
            break
    return " ".join("".join(pieces).split())


def _person(text: str) -> str:
    """A byline without what stands before the name, and without the date behind it."""
    bare = re.sub(
        r"^(?:by|von|par|por|di|door|av|autor(?:in)?|author)\b[:\s]{0,3}", "", text, flags=re.I
    )
    return re.split(r"\s[|·•–—]\s|,?\s\d", bare)[0].strip() if len(bare) <= 100 else ""


def parse_date(text: str, months: Mapping[str, int]) -> date | None:
    """The first whole date in `text`: numbers with the year first, or a month's name in `months`.

    Day and month as bare numbers are read only with points between them, day first; with strokes
    they could be either.
    """
    found: list[tuple[int, int, int, int]] = []
    for pattern, year, month, day in _DATES:
        for match in pattern.finditer(text):
            named = match[month].casefold()
            number = int(named) if named.isdecimal() else months.get(named)
            if number is not None:
                found.append((match.start(), int(match[year]), number, int(match[day])))
                break
    for _, *parts in sorted(found):
        with suppress(ValueError):
            return date(*parts)
    return None
