"""Sources as CSL-JSON and BibTeX."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import date

from ..plain_text import one_line
from .citations import CitedSource, safe_url

_HOST = re.compile(r"https?://(?:www\.)?([^/?#:]*)")
CslValue = str | list[dict[str, str]] | dict[str, list[list[int]]]

_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "&%$#_"},
}
"""Braces become words: BibTeX counts them even behind a backslash."""


def csl_json(sources: Sequence[CitedSource]) -> str:
    """`sources` as a CSL-JSON list, in their order."""
    keys = citation_keys(sources)
    items = [_csl_item(source, key) for source, key in zip(sources, keys, strict=True)]
    return json.dumps(items, ensure_ascii=False, indent=2) + "\n"


def _csl_item(source: CitedSource, key: str) -> dict[str, CslValue]:
    item: dict[str, CslValue] = {
        "id": key,
        "type": source.csl,
        "title": one_line(source.title) or safe_url(source.url),
        "URL": safe_url(source.url),
    }
    if author := one_line(source.author):
        item["author"] = [{"literal": author}]
    if source.published:
        item["issued"] = _date_parts(source.published)
    if source.accessed:
        item["accessed"] = _date_parts(source.accessed)
    return item


def _date_parts(day: date) -> dict[str, list[list[int]]]:
    return {"date-parts": [[day.year, day.month, day.day]]}


def bibtex(sources: Sequence[CitedSource]) -> str:
    """`sources` as BibTeX entries of the type ``misc``, in their order.

    Whatever a title holds, it stays text: braces, backslashes and the signs that TeX reads are
    written as macros, line ends as spaces.
    """
    keys = citation_keys(sources)
    return "\n".join(_entry(source, key) for source, key in zip(sources, keys, strict=True))


def _entry(source: CitedSource, key: str) -> str:
    fields = {
        # The second pair of braces keeps capitals, and makes a company's name one name.
        "author": f"{{{author}}}" if (author := latex(source.author)) else "",
        "title": f"{{{latex(source.title) or latex(source.url)}}}",
        "year": str(source.published.year) if source.published else "",
        "month": str(source.published.month) if source.published else "",
        "url": safe_url(source.url),
        "urldate": source.accessed.isoformat() if source.accessed else "",
        "note": latex(source.kind),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@misc{{{key},", *lines, "}", ""])


def latex(text: str) -> str:
    """`text` on one line, with all that TeX would read as a command escaped."""
    return "".join(_LATEX.get(letter, letter) for letter in one_line(text))


def citation_keys(sources: Sequence[CitedSource]) -> list[str]:
    """A key for each source from its domain and year, made unique by a letter or number."""
    seen: dict[str, int] = {}
    keys: list[str] = []
    for source in sources:
        stem = _stem(source)
        seen[stem] = seen.get(stem, 0) + 1
        keys.append(stem if seen[stem] == 1 else f"{stem}-{seen[stem]}")
    return keys


def _stem(source: CitedSource) -> str:
    host = _HOST.match(source.url.casefold())
    name = re.sub(r"[^a-z0-9]+", "", host[1] if host else "")[:40] or "source"
    return f"{name}{source.published.year if source.published else ''}"
