"""Sources as citations: YAML, CSL-JSON, BibTeX, marks in the text, footnotes."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import date
from enum import StrEnum
from typing import Any, cast
from urllib.parse import quote

from ...base.printable import address, inline
from ..plain_text import one_line
from .model import ScoringInput, SourceScore, Tier
from .rules import CitationRules, ScoringRegistry


class CitationFormat(StrEnum):
    """How much a citation says."""

    MINIMAL = "minimal"
    STANDARD = "standard"
    DETAILED = "detailed"


@dataclass(frozen=True, slots=True)
class CitedSource:
    """A source as it is cited. `kind` is the type in words, `csl` its item type in CSL-JSON.

    `reliability_score` is the source's score from 0 to 1.
    """

    url: str
    kind: str
    csl: str
    tier: Tier
    reliability_score: float
    _: KW_ONLY
    title: str = ""
    author: str = ""
    published: date | None = None
    accessed: date | None = None
    notes: tuple[str, ...] = ()
    conflict: bool = False


def cited_source(
    source: ScoringInput, score: SourceScore, registry: ScoringRegistry
) -> CitedSource:
    """`source` as it is cited, with what its score says."""
    entry = registry.classes[score.site.name]
    override = score.override
    decided = (f"{override.by}: {override.why}",) if override else ()
    return CitedSource(
        source.url,
        entry.type,
        entry.csl,
        score.tier,
        score.reliability_score,
        title=source.title,
        author=source.author,
        published=source.published,
        accessed=source.accessed,
        notes=tuple(dict.fromkeys((*score.notes, *score.review, *decided))),
        conflict=bool(score.conflict),
    )


def choose_format(
    sources: Sequence[CitedSource], rules: CitationRules, *, disputed: bool = False
) -> CitationFormat:
    """Detailed if there is doubt or much to weigh, standard if the types are mixed, else minimal.

    Args:
        sources: What is cited.
        rules: From how many sources on there is much to weigh.
        disputed: Whether a claim of the document is disputed.
    """
    doubtful = any(source.conflict or source.tier >= Tier.T4 for source in sources)
    if disputed or doubtful or len(sources) > rules.many:
        return CitationFormat.DETAILED
    if len({source.kind for source in sources}) > 1:
        return CitationFormat.STANDARD
    return CitationFormat.MINIMAL


def citation_yaml(sources: Sequence[CitedSource], form: CitationFormat) -> str:
    """`sources` as a YAML list; what is not known is left out."""
    # Imported here: only writers of citations need it. ruamel.yaml annotates only part of itself.
    from ruamel.yaml import YAML

    writer = cast("Any", YAML())
    writer.width = 4096
    out = io.StringIO()
    writer.dump([_yaml_entry(source, form) for source in sources], out)
    return out.getvalue()


def _yaml_entry(source: CitedSource, form: CitationFormat) -> object:
    url = safe_url(source.url)
    if form is CitationFormat.MINIMAL:
        return url
    entry: dict[str, object] = {"url": url, "type": source.kind}
    if source.accessed:
        entry["accessed_date"] = source.accessed
    if form is CitationFormat.DETAILED:
        entry |= {"tier": source.tier.name, "reliability_score": source.reliability_score}
        if source.notes:
            entry["notes"] = "; ".join(map(one_line, source.notes))
    return entry


def inline_mark(number: int) -> str:
    """The mark of reference `number` in a text."""
    return f"[{number}]"


def footnote_mark(number: int) -> str:
    """The mark of footnote `number` in Markdown."""
    return f"[^{number}]"


def reference_list(sources: Sequence[CitedSource]) -> str:
    """The references behind inline marks, in their order, a paragraph each, as Markdown."""
    lines = (f"{inline_mark(n)} {reference(source)}" for n, source in enumerate(sources, 1))
    return "".join(f"{line}\n\n" for line in lines).removesuffix("\n")


def footnotes(sources: Sequence[CitedSource]) -> str:
    """The definitions of the footnotes, a line each, as Markdown."""
    lines = (f"{footnote_mark(n)}: {reference(source)}" for n, source in enumerate(sources, 1))
    return "".join(f"{line}\n" for line in lines)


def reference(source: CitedSource) -> str:
    """Author, title, date and address of a source; nothing in it can become markup."""
    named = filter(None, map(one_line, (source.author, source.title)))
    said = [inline(_BARE_ADDRESS.sub(" ", text)) for text in named]
    if source.published:
        said.append(source.published.isoformat())
    accessed = f" (accessed {source.accessed.isoformat()})" if source.accessed else ""
    return ". ".join([*said, f"{_link(safe_url(source.url))}{accessed}"])


def _link(url: str) -> str:
    """`url` as a link to the web, or in angle brackets where these are text around a name."""
    written = address(url)
    return f"<{url}>" if written == url and _FILE.fullmatch(url) else written


def safe_url(url: str) -> str:
    """`url` with all percent-encoded that could end an address in Markdown or BibTeX."""
    return quote(url, safe="%/:=&?~#+!$,;'@()*[]-._", errors="replace")


# What reads a document's citations takes bare addresses for some, in code too: a space ends them.
_BARE_ADDRESS = re.compile(r"(?<=:)(?=//)|(?<=www\.)(?=\S)", re.IGNORECASE)
# In angle brackets ``script`` would be an element, and ``javascript:…`` a link that runs.
_FILE = re.compile(r"[\w.][^:]*\.\w+|(?:doi|arxiv):.*", re.IGNORECASE)


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
    seen = Counter[str]()
    keys: list[str] = []
    for source in sources:
        host = _HOST.match(source.url.casefold())
        name = re.sub(r"[^a-z0-9]+", "", host[1] if host else "")[:40] or "source"
        stem = f"{name}{source.published.year if source.published else ''}"
        seen[stem] += 1
        keys.append(stem if seen[stem] == 1 else f"{stem}-{seen[stem]}")
    return keys
