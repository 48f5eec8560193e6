"""Which blocks are entries of a reference list, and under which label."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from .addresses import find_addresses, find_files
from .authors import has_year, starts_like_entry
from .citing import has_amount, reads_as_reference
from .inline import InlineText, blank
from .model import BlockKind
from .stack import Block
from .words import DocumentWords, Words, any_of

MAX_HEADING = 80

_BRACKET_LABEL = re.compile(r"\[([\^@]?[\w.+-][\w.+ -]{0,40})\](:?)\s*(?=\S)")
_DEFINITION = re.compile(r"\[[^\]]*\]:\s*")
_NUMBER_LABEL = re.compile(r"\(?(\d{1,3})[.)]\s+(?=\S)")
# Short titles with what they stand for, an address each.
_SHORT_TITLE = re.compile(r"[^\W\d_a-z][^:.\x00\n]{1,40}:\s(?=\x00)")
_EXPLAINED = re.compile(rf"(?:{_SHORT_TITLE.pattern}\x00+[.;,]?\s*){{2,40}}")
_HEADING_NUMBER = r"(?:(?:\d{1,3}\.?){1,4}|[ivx]{1,5}\.|[a-h]\.)?\s*"


class SectionRole(Enum):
    """Role of the section that contains a block."""

    TEXT = 0
    NOTES = 1
    REFERENCES = 2


@dataclass(frozen=True, slots=True)
class Entry:
    """A block and, if it can be cited, its label; its text without the label starts at `body`.

    `listed` is true for entries of a reference list, `noted` for the paragraphs of a footnote.
    """

    block: Block
    label: str = ""
    body: int = 0
    listed: bool = False
    noted: bool = False


def find_entries(blocks: Sequence[Block], words: DocumentWords) -> list[Entry]:
    """Every block, those of reference lists split into single entries and marked as such.

    Only what reads as a reference becomes one. A remark keeps its kind or becomes a footnote, so
    that no claim can hide in a list of sources.
    """
    entries: list[Entry] = []
    role, depth = SectionRole.TEXT, 0
    for block in blocks:
        for part in _split(block, role, words):
            found = _heading_role(part, words)
            if found is None:
                entries.append(_entry(part, role, words))
                continue
            level = part.level or 7
            if found is not SectionRole.TEXT or level <= depth:
                role, depth = found, level
            entries.append(Entry(replace(part, kind=BlockKind.HEADING)))
    return entries


def _heading_role(block: Block, words: DocumentWords) -> SectionRole | None:
    """Role of the section that a heading opens; a paragraph "References" counts as a heading."""
    if block.kind is BlockKind.HEADING and block.level > 0:
        return _named_role(block.inline.text, words) or SectionRole.TEXT
    return _named_role(block.inline.text, words) if block.kind is BlockKind.PARAGRAPH else None


def _named_role(text: str, words: DocumentWords) -> SectionRole | None:
    """The role that `text` gives a section as its heading, None if it names no reference list."""
    if len(text) > MAX_HEADING:
        return None
    text = text.strip().casefold()
    if _heading(words.reference_headings).fullmatch(text):
        return SectionRole.REFERENCES
    return SectionRole.NOTES if _heading(words.note_headings).fullmatch(text) else None


@functools.cache
def _heading(words: Words) -> re.Pattern[str]:
    one = any_of(words)
    return re.compile(rf"{_HEADING_NUMBER}(?:{one})(?:\s(?:and|&|und|et|y)\s(?:{one}|notes))?:?")


def _split(block: Block, role: SectionRole, words: DocumentWords) -> list[Block]:
    """The single entries of a paragraph that holds one on each line, else the block itself."""
    inline = block.inline
    if block.kind is BlockKind.PARAGRAPH and (starts := _explained(inline)):
        pieces = inline.split(starts)
        return [replace(block, inline=piece, kind=BlockKind.REFERENCE) for piece in pieces]
    if block.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM) or not inline.lines:
        return [block]
    listed = role is not SectionRole.TEXT
    for begins, enough in ((_labelled_line, True), (_author_line, listed)):
        starts = [at for at in inline.lines if begins(inline.text, at)]
        if not starts:
            continue
        if (enough and begins(inline.text, 0)) or _named_role(inline.text[: starts[0]], words):
            return [replace(block, inline=piece) for piece in inline.split([0, *starts])]
    return [block]


def _explained(inline: InlineText) -> list[int]:
    """Where the entries begin of a paragraph that only explains short titles by addresses."""
    named = [link.span for link in inline.links]
    named += [one.span for one in (*find_addresses(inline.text), *find_files(inline.text))]
    masked = blank(inline.text, named)
    if not _EXPLAINED.fullmatch(masked):
        return []
    return [title.start() for title in _SHORT_TITLE.finditer(masked)]


def _labelled_line(text: str, at: int) -> bool:
    return _BRACKET_LABEL.match(text, at) is not None


def _author_line(text: str, at: int) -> bool:
    line = text[at : at + 300]
    return starts_like_entry(line) and has_year(line)


def _entry(block: Block, role: SectionRole, words: DocumentWords) -> Entry:
    match block.kind:
        case BlockKind.REFERENCE:
            written = _DEFINITION.match(block.inline.text)
            return Entry(block, block.label, written.end() if written else 0, listed=True)
        case BlockKind.FOOTNOTE:
            if reads_as_reference(block.inline, 0, words):
                block = replace(block, kind=BlockKind.REFERENCE)
            return Entry(block, block.label, noted=True)
        case BlockKind.PARAGRAPH | BlockKind.LIST_ITEM:
            return _listed(block, role, words)
        case _:
            return Entry(block)


def _listed(block: Block, role: SectionRole, words: DocumentWords) -> Entry:
    text = block.inline.text
    bracket = _BRACKET_LABEL.match(text)
    if role is SectionRole.TEXT and bracket is None:
        return Entry(block)
    found = bracket or _NUMBER_LABEL.match(text)
    label, body = (found[1], found.end()) if found else (block.label, 0)
    is_reference = reads_as_reference(block.inline, body, words)
    if role is SectionRole.TEXT and bracket is not None:
        named = bracket[2] == ":" and " " not in label
        if not named and not (is_reference and label.isdigit()):
            return Entry(block)
    elif role is SectionRole.REFERENCES and not is_reference:
        in_list = bool(label) or block.list_id is not None
        is_reference = in_list and has_year(text) and not has_amount(text[body:])
    if is_reference:
        return Entry(replace(block, kind=BlockKind.REFERENCE), label, body, listed=True)
    if label:
        return Entry(replace(block, kind=BlockKind.FOOTNOTE), label, body, listed=True)
    return Entry(block)
