"""Sources as web pages: furniture round the text, tables, plain files, and pages that give less."""

from __future__ import annotations

import html
import random
from collections.abc import Sequence
from dataclasses import dataclass

NAVIGATION = ("Home", "About us", "Publications", "Press", "Careers", "Contact", "Accessibility")
RELATED = (
    "Ten years of our newsletter",
    "1,200 visitors on open day",
    "Procurement: 14 tenders",
    "How to find us",
    "Privacy notice (updated 2023)",
    "Jobs: 38 posts to be filled",
)


@dataclass(frozen=True, slots=True)
class Page:
    """What an address answers."""

    url: str
    title: str
    status: int
    kind: str
    body: bytes


def page(
    url: str,
    title: str,
    sentences: Sequence[str],
    rows: Sequence[tuple[str, str]],
    state: str,
    chance: random.Random,
) -> Page:
    """The page that says `sentences` and shows `rows`; its form follows from the address."""
    if state == "blocked":
        return Page(
            url, title, 403, "text/html; charset=utf-8", b"<h1>Forbidden</h1><p>Blocked.</p>"
        )
    if state == "paywalled":
        text = _document(title, _PAYWALL, "", chance, _LOCKED)
        return Page(url, title, 200, "text/html; charset=utf-8", text.encode())
    if url.endswith((".txt", ".md")):
        return _plain(url, title, sentences, rows)
    blocks = "".join(f"<p>{html.escape(one, quote=False)}</p>\n" for one in _blocks(sentences))
    table = "".join(f"<tr><td>{html.escape(a)}</td><td>{b}</td></tr>\n" for a, b in rows)
    if table:
        blocks += f"<table><tr><th>Item</th><th>Value</th></tr>\n{table}</table>\n"
    dated = f"2025-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"
    text = _document(title, blocks, dated, chance)
    return Page(url, title, 200, "text/html; charset=utf-8", text.encode())


def _plain(url: str, title: str, sentences: Sequence[str], rows: Sequence[tuple[str, str]]) -> Page:
    lines = [f"# {title}" if url.endswith(".md") else title.upper(), *_blocks(sentences)]
    if rows and url.endswith(".md"):
        table = "".join(f"\n| {label} | {value} |" for label, value in rows)
        lines.append(f"| Item | Value |\n|---|---|{table}")
    elif rows:
        lines.append("\n".join(f"{label}: {value}" for label, value in rows))
    kind = "text/markdown" if url.endswith(".md") else "text/plain"
    return Page(url, title, 200, f"{kind}; charset=utf-8", "\n\n".join(lines).encode() + b"\n")


def _blocks(sentences: Sequence[str]) -> list[str]:
    return [" ".join(sentences[at : at + 3]) for at in range(0, len(sentences), 3)]


_LOCKED = (
    '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "NewsArticle", '
    '"isAccessibleForFree": false}</script>'
)
_PAYWALL = (
    "<p>The matter has occupied the council for years, and the latest turn surprised many.</p>"
    "<div class='paywall'><h2>Subscribe to read on</h2><p>This article is for subscribers. Log in "
    "or choose a subscription to continue reading.</p></div>"
)


def _document(title: str, blocks: str, dated: str, chance: random.Random, head: str = "") -> str:
    navigation = "".join(f"<li><a href='#'>{one}</a></li>" for one in NAVIGATION)
    related = "".join(f"<li><a href='#'>{one}</a></li>" for one in chance.sample(RELATED, 4))
    when = f"<p class='meta'>Published <time datetime='{dated}'>{dated}</time></p>" if dated else ""
    given = f'<meta property="article:published_time" content="{dated}">' if dated else ""
    safe = html.escape(title)
    return (
        f"<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><title>{safe}</title>"
        f"{given}{head}</head>\n<body><div class='cookies'>We use cookies. <button>Accept</button>"
        f"</div>\n<nav><ul>{navigation}</ul></nav>\n<main><article><h1>{safe}</h1>{when}\n"
        f"{blocks}</article></main>\n<aside><h2>Related</h2><ul>{related}</ul></aside>\n"
        "<footer><p>All rights reserved. Reproduction with permission only.</p></footer>"
        "</body></html>"
    )
