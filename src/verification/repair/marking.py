"""Citation marks written into a document: where one goes and how it looks."""

from __future__ import annotations

import re

from ...base.printable import cell
from ...documents.model import Citation, CitationForm, Document, Sentence
from ...sources.scoring.citations import safe_url

KEYED = (CitationForm.NUMERIC, CitationForm.FOOTNOTE)
"""Forms of citation that lead to an entry by a label."""
WEB = re.compile(r"https?://[^\s()<>]+")
_SCHEME = re.compile(r"(?:https?|file|doi|arxiv):", re.IGNORECASE)


def place_of_mark(document: Document, sentence: Sentence) -> int:
    """Where a mark that covers `sentence` goes: behind its last word, before a full stop."""
    text, end = document.text, sentence.end
    while end > sentence.start and text[end - 1].isspace():
        end -= 1
    return end - 1 if text[end - 1] in ".!" else end


def mark_for(document: Document, url: str, title: str) -> str:
    """A citation of `url` in the manner of `document`: its own label, else the address in brackets.

    The mark brings its space. An address that is no web address gets `title` as its link text.
    """
    for citation in document.citations:
        if citation.form in KEYED and citation.target == url and is_label(citation.raw):
            return f" {citation.raw}"
    if WEB.fullmatch(url):
        return f" ({url})"
    return f" ({link(url, title)})"


def link(url: str, title: str) -> str:
    """A Markdown link to `url`, named by its title where it has one."""
    return f"[{cell(title or url)}](<{_target(url)}>)"


def _target(url: str) -> str:
    """`url` where a link leads; the name of a file is no scheme (RFC 3986, section 4.2)."""
    safe = safe_url(url)
    return f"./{safe}" if ":" in safe.partition("/")[0] and not _SCHEME.match(safe) else safe


def exchanged(document: Document, citation: Citation, url: str, title: str) -> str | None:
    """`citation` leading to `url` instead; None if its form does not allow it."""
    mark = mark_for(document, url, title).strip()
    before = document.text[max(0, citation.start - 1) : citation.start]
    if citation.form in KEYED:
        # A label stands close behind its word, an address does not.
        gap = " " if mark.startswith("(") and before.strip() else ""
        return gap + mark if is_label(citation.raw) else None
    if citation.form is CitationForm.AUTHOR_YEAR:
        return None
    if "](" in citation.raw:
        return f"{citation.raw[: citation.raw.rindex('](')]}](<{_target(url)}>)"
    inside = before == "(" and mark[0] == "("
    return mark.removeprefix("(").removesuffix(")") if inside else mark


def is_label(raw: str) -> bool:
    """Whether a mark is a single label: `[3]`, `[^note]`."""
    return re.fullmatch(r"\[\^?[^\[\]\s,;–-]{1,40}\]", raw) is not None
