"""A Markdown file as an independent reader takes it: its structure, its words, its links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

# What readers beyond CommonMark make links of without being asked (GitHub's extension).
_BARE = re.compile(
    r"(?:https?|ftp)://\w|(?<![\w.])www\.[\w-]|[\w.+-]+@[\w-]+\.[\w-]", re.IGNORECASE
)
_WORDS = ("text", "softbreak", "hardbreak", "code_inline")


@dataclass(frozen=True, slots=True)
class MarkdownPage:
    """`structure` is all but words and links to addresses that are written out."""

    structure: tuple[str, ...]
    words: str
    addresses: tuple[str, ...]
    bare: tuple[str, ...]


def read_markdown(text: str) -> MarkdownPage:
    """How `text` is understood: `addresses` are links that stand as what they lead to."""
    tokens = _reader().parse(text)
    structure: list[str] = []
    words: list[str] = []
    addresses: list[str] = []
    bare: list[str] = []
    for token in tokens:
        if token.type != "inline":
            structure.append(f"{token.type} {token.tag} {dict(token.attrs)} {token.info}")
            words.append(f"\n{token.content}")
            continue
        for child in _without_addresses(token.children or (), addresses):
            if child.type in _WORDS:
                words.append(child.content or " ")
            else:
                structure.append(f"{child.type} {child.tag} {dict(child.attrs)}")
        bare += _BARE.findall(_plain(token.children or ()))
    return MarkdownPage(tuple(structure), "".join(words), tuple(addresses), tuple(bare))


@cache
def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    # By itself it makes no link of an address that runs; others do.
    reader.validateLink = _any_address
    return reader


def _any_address(url: str) -> bool:
    return bool(url)


def _without_addresses(children: Iterable[Token], addresses: list[str]) -> Iterator[Token]:
    for child in children:
        if child.type in ("link_open", "link_close") and child.markup == "autolink":
            if child.type == "link_open":
                addresses.append(str(child.attrs["href"]))
            continue
        yield child


def _plain(children: Iterable[Token]) -> str:
    """The text that is neither code nor a link already."""
    parts: list[str] = []
    depth = 0
    for child in children:
        depth += child.nesting if child.type.startswith("link") else 0
        parts.append(child.content if child.type == "text" and not depth else "\0")
    return "".join(parts)
