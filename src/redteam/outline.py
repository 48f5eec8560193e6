"""What the headings of a document give to refer to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..documents.model import Document

NUMBER = r"[0-9]{1,3}(?:\.[0-9]{1,3})*|[A-Z](?=\b(?!\.[a-z]))"
"""The number of a section, table or annex, as a pattern."""
_HEADING_NUMBER = re.compile(
    rf"(?:[A-Za-z]+\.? (?P<named>{NUMBER})"
    r"|(?P<number>[0-9]{1,3}(?:\.[0-9]{1,3})*|[A-Z](?=[.:)])))"
    r"[.:)]?(?:[\s<&—–-]|$)"
)
_PART = re.compile(r"(?:appendix|annex|chapter) (?!1\b)(?:[0-9]{1,3}|[A-Z])\b", re.IGNORECASE)
_ANCHOR = re.compile(r"\]\(#(?P<slug>[^)\s]{1,200})\)")
_ANCHOR_SET = re.compile(
    r"(?:\bid|\bname)=[\"']?(?P<id>[\w.-]{1,200})|\{#(?P<attr>[\w.-]{1,200})\}"
)
_NOT_SLUG = re.compile(r"[^\w\- ]")
_FEWEST_LINKS = 3
_LONGEST_LINK = 300


def is_excerpt(document: Document) -> bool:
    """Whether this is a part of a longer document, which may say what this one does not.

    It is if its numbered headings begin later than 1, if it is an appendix, or if most of its links
    to its own headings lead nowhere.
    """
    numbers = heading_numbers(document)
    if len(numbers) > 1 and all(number.split(".")[0] != "1" for number in numbers):
        return True
    if document.sections and _PART.match(document.sections[0].title):
        return True
    links = {found["slug"] for found in _ANCHOR.finditer(document.text)}
    broken = {slug for slug, _, _ in broken_links(document)}
    return len(broken) >= _FEWEST_LINKS and 2 * len(broken) > len(links)


def heading_numbers(document: Document) -> set[str]:
    """The numbers of its headings: 1, 2.3, A."""
    found = (_HEADING_NUMBER.match(section.title) for section in document.sections)
    return {one["number"] or one["named"] for one in found if one}


def broken_links(document: Document) -> Iterator[tuple[str, int, int]]:
    """The links to headings that it does not have: the name of the heading, and the link's span."""
    slugs = {_slug(section.title) for section in document.sections}
    slugs |= {found["id"] or found["attr"] for found in _ANCHOR_SET.finditer(document.text)}
    folded = {slug.casefold() for slug in slugs}
    for found in _ANCHOR.finditer(document.text):
        if found["slug"].casefold() not in folded and not found["slug"][-1].isdigit():
            yield found["slug"], _start(document.text, found.start()), found.end()


def _slug(title: str) -> str:
    return _NOT_SLUG.sub("", title.casefold()).strip().replace(" ", "-")


def _start(text: str, closing: int) -> int:
    """Where the bracket opens that closes at `closing`, or `closing` if it is nowhere near."""
    depth = 0
    for at in range(closing, max(closing - _LONGEST_LINK, -1), -1):
        depth += (text[at] == "]") - (text[at] == "[")
        if depth == 0:
            return at
    return closing
