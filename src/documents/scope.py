"""Which sentences a citation covers (decisions 22 and 43), and which only name their source.

Also whether a document is technical, and describes what is its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..base.vocabulary import CitationState
from ._addresses import find_addresses, find_files
from ._authors import has_year, starts_like_entry
from .blocks import Block
from .inline import InlineText, Span, blank
from .model import BlockKind, Document, ScopedCitation
from .words import WORD, DocumentWords, compiled

MAX_TITLE_WORDS = 12

# "accessed 3 May 2024" in a bracket or at an entry's end; the control characters mask other text.
ACCESSED = (
    r"(?:accessed|retrieved|last visited|archived|abgerufen|consulté)\b[^()\[\]\x00-\x1f]{0,40}"
)

# A place in a source: "p. 3", "§ 4", "section 2.1".
LOCATOR = (
    r"(?:pp?\.|§§?|pages?|sections?|sec\.|chapters?|ch\.|table|fig\.|lines?)"
    r" ?\d[\w.]{0,10}(?:[-–]\d[\w.]{0,10})?"
)

_QUOTED = re.compile(r"\"[^\"]{0,300}\"|“[^”]{0,300}”|«[^»]{0,300}»|„[^“”]{0,300}[“”]")
_AMOUNT = re.compile(r"[%€$£¥]|\bper ?cent\b|\b(?:mill|bill|trill)ions?\b")
# A dash, a name, and what its bearer is.
_ATTRIBUTION = re.compile(
    r"(?:[—–―]|--?) ?(?:[A-Z][\w.'’-]*|the|a|an)(?:,? (?:[\w.'’&-]+|\([^()]{1,60}\))){0,14}[.:]?"
)
MAX_SOURCE_LINE = 150
_NAMES_SOURCE = re.compile(
    r"\s*(?:(?:[—–―]|--?)\s?\S|\(.*\)\.?$|(?:from|source|quelle|quoted (?:from|in))\b)",
    re.IGNORECASE,
)
LEAST_SMALL = 3
# "The mill changed from", neither "edited by" nor "a revised edition".
_PAST = re.compile(
    r"(?<![^\W_])(?!(?:the|an?|and|or|of|in|on|by|as|is|are|not|its|their) )[\w’'-]+ "
    r"(?P<word>[a-z]{2,20}ed)(?= (?!by\b)[a-z\d]|[.;,]? ?$)"
)
_EMPTY_BRACKET = re.compile(r"\s*[(\[][\s,;&\d]*[)\]]")
_BEGINS = re.compile(r"(?:The|An?|This|That|These|Those|All|Each|Every|No|Its?|They|We|He|She)\s")

PROSE = frozenset(
    {BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.BLOCK_QUOTE, BlockKind.FOOTNOTE}
)
_LED = frozenset({BlockKind.LIST_ITEM, BlockKind.BLOCK_QUOTE})
_ROWS = frozenset({BlockKind.TABLE_HEADER, BlockKind.TABLE_ROW})
_COVERED = (PROSE | _ROWS) - {BlockKind.FOOTNOTE}
_CARRIES = _COVERED - {BlockKind.TABLE_HEADER}
# What a sentence right after a table begins with if it speaks of the table.
_TAKEN = re.compile(
    r"(?:taken|drawn|compiled|adapted|copied|reproduced) from\b|based on\b|according to\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"(?:these|those|(?:the|this) table|(?:all )?(?:the |these )?(?:figures|values|numbers))\b",
    re.IGNORECASE,
)

# Notes and reference entries stand outside the order in which a text is read.
_ASIDE = frozenset({BlockKind.FOOTNOTE, BlockKind.FRONT_MATTER})
_OF_SECTION = re.compile(
    r"\b(?:in|of|throughout) this (?:section|chapter|part|subsection)\b", re.IGNORECASE
)

Scope = tuple[ScopedCitation, ...]

MOST_PASSED_ON = 50
"""Citations that a sentence takes from another one: nobody means more, and they multiply."""


_SOURCE_WORDS = rf"\b(?:%s)(?!\w)\.?|\b{ACCESSED}"
_POINTER = r"\b(?:%s)\b"
_CAPTION = (
    r"(?:%s)(?:\s\d{1,3})?(?:\s(?:of|for|to)(?:\s(?:the|this|these|all))?\s\w{1,20})?"
    r"\s?[.:\u2013\u2014|]"
)


def has_amount(text: str) -> bool:
    """Whether `text` holds an amount, as no entry of a list of references does."""
    return _AMOUNT.search(text) is not None


def states(text: str, words: DocumentWords) -> bool:
    """Whether `text` holds an amount, a finite verb of the list or one that ends in "-ed"."""
    if has_amount(text):
        return True
    if any(word in words.finite_verbs for word in WORD.findall(text) if word.islower()):
        return True
    return any(match["word"] not in words.publishing_words for match in _PAST.finditer(text))


def _is_sentence(text: str) -> bool:
    """Whether `text` begins and ends as a sentence does, and not as an entry: "All wards …"."""
    text = text.strip()
    small = sum(word.islower() for word in WORD.findall(text))
    return _BEGINS.match(text) is not None and text.endswith(".") and small >= LEAST_SMALL


def is_title(text: str, words: DocumentWords) -> bool:
    """Whether `text` reads as the name of a source, not as a statement."""
    return len(WORD.findall(text)) <= MAX_TITLE_WORDS and not states(text, words)


def only_cites(text: str, titles: Iterable[Span], words: DocumentWords) -> bool:
    """Whether `text`, which has lost its markers, holds only `titles` and words like "Source:"."""
    rest = compiled(_SOURCE_WORDS, words.source_words).sub("", blank(text, titles))
    return not any(map(str.isalnum, rest))


def is_attribution(text: str, words: DocumentWords) -> bool:
    """Whether `text` only says whose words stand before it: "— Mary Ash, nurse, in 2023"."""
    named = _ATTRIBUTION.fullmatch(text.strip()) is not None
    return named and not states(text, words)


def names_source(text: str, words: DocumentWords) -> bool:
    """Whether a cited line only says where the words above it are from: "— report, p. 3"."""
    if len(text) > MAX_SOURCE_LINE or states(text, words):
        return False
    return _NAMES_SOURCE.match(text) is not None


def reads_as_reference(inline: InlineText, start: int, words: DocumentWords) -> bool:
    """Whether `inline` from `start` on only names a work: an author, a title, where to find it.

    Titles (emphasised, quoted or linked) and addresses may say anything; outside of them an entry
    has neither a finite verb nor an amount.
    """
    text = inline.text
    plain = blank(text, (link.span for link in inline.links), " ")[start:]
    if _is_sentence(_EMPTY_BRACKET.sub(" ", plain).replace(" .", ".")):
        return False
    titles = [*inline.styled, *(link.span for link in inline.links)]
    titles += (Span(*match.span()) for match in _QUOTED.finditer(text))
    addresses = [address.span for address in (*find_addresses(text), *find_files(text))]
    rest = blank(text, [Span(0, start), *titles, *addresses])
    named = bool(titles or addresses)
    if not WORD.search(rest):
        return named
    if starts_like_entry(text[start:]) and has_year(text):
        return _AMOUNT.search(rest) is None
    return (named or has_year(text)) and not states(rest, words)


@dataclass(frozen=True, slots=True)
class ScopePart:
    """A block as far as scope goes: its sentences' texts and the citations each one holds.

    `level` is a heading's level, 0 for other blocks. `source_line` marks a paragraph that only
    cites, `cites_first` one that begins with a citation in brackets; `sums_up` the sentences that
    end in "(all from [1])".
    """

    block: Block
    texts: tuple[str, ...]
    cited: tuple[tuple[int, ...], ...]
    level: int
    source_line: bool
    cites_first: bool
    sums_up: frozenset[int]

    @property
    def kind(self) -> BlockKind:
        """The kind of the block."""
        return self.block.kind


def find_scopes(parts: Sequence[ScopePart], words: DocumentWords) -> list[Scope]:
    """The citations that cover each sentence of `parts`, in order.

    A sentence's own citations are direct. A sentence without one inherits, in this order: the next
    citation of its paragraph; the citations of its table's header and caption; those of the
    lead-in of its list or quotation. A quotation inherits those of the line after it that says
    whose words it has, and a lead-in those of its items if each has one. A paragraph that only
    cites and a sentence "(all from [1])" cover what stands before them in their section. What is
    left carries the last citation before it.
    """
    by_id = {part.block.id: number for number, part in enumerate(parts) if part.texts}
    leads = [None if one.block.lead is None else by_id.get(one.block.lead) for one in parts]
    captions = _captions(parts, leads, words)
    passed_on: list[Scope] = []
    scopes: list[list[Scope]] = []
    for part, lead in zip(parts, leads, strict=True):
        inherited: Scope = ()
        if part.kind in _ROWS and part.block.table is not None:
            inherited = captions.get(part.block.table, ())
        elif lead is not None and part.kind in _LED:
            inherited = passed_on[lead]
            if _leads_in(parts[lead], part.kind, words):
                inherited = _as_inherited(scopes[lead][-1]) or inherited
        passed_on.append(inherited)
        scopes.append([scope or inherited for scope in _paragraph(part)])
    _cover_quotations(parts, scopes, words)
    _cover_lead_ins(parts, leads, scopes)
    _cover_back(parts, scopes)
    _carry(parts, scopes)
    return [scope for part in scopes for scope in part]


def _paragraph(part: ScopePart) -> list[Scope]:
    """Direct citations, and for sentences without one those of the next cited sentence."""
    scopes: list[Scope] = []
    following: Scope = ()
    for cited in reversed(part.cited):
        if cited:
            scopes.append(tuple(ScopedCitation(one, CitationState.DIRECT) for one in cited))
            following = _as_inherited(scopes[-1])
        else:
            scopes.append(following if part.kind in PROSE else ())
    return scopes[::-1]


def _cover_quotations(
    parts: Sequence[ScopePart], scopes: list[list[Scope]], words: DocumentWords
) -> None:
    """Let "— Mary Ash [1]" after a quotation cover it, back to the last citation."""
    for number, part in enumerate(parts):
        if not (part.texts and _attributes(part, words)):
            continue
        following = _as_inherited(scopes[number][-1])
        while following and number and parts[number - 1].kind is BlockKind.BLOCK_QUOTE:
            number -= 1
            if any(parts[number].cited):
                break
            scopes[number] = [scope or following for scope in scopes[number]]


def _attributes(part: ScopePart, words: DocumentWords) -> bool:
    """Whether a part says whose words stand above: "— Mary Ash", "— [report](a.md), p. 3"."""
    text = part.texts[-1]
    named = len(part.texts) == 1 and bool(part.cited[0])
    return is_attribution(text, words) or (named and names_source(text, words))


def _cover_lead_ins(
    parts: Sequence[ScopePart], leads: Sequence[int | None], scopes: list[list[Scope]]
) -> None:
    """Let the items of a list, if each is cited, cover the uncited "Two of them sail:" over it."""
    led: dict[int, list[int]] = {}
    for number, lead in enumerate(leads):
        # "Source: a.md" as an item below the one that it is the source of.
        below = lead is not None and parts[lead].kind is BlockKind.LIST_ITEM
        cites = below and parts[number].kind is BlockKind.REFERENCE
        if lead is not None and (parts[number].kind in _LED or cites):
            led.setdefault(lead, []).append(number)
    # A nested list before the one that it stands in: its lead-in is an item of that.
    for lead, items in sorted(led.items(), reverse=True):
        covered = all(any(scopes[item]) for item in items)
        sources = all(parts[item].kind is BlockKind.REFERENCE for item in items)
        covers = sources or parts[lead].texts[-1].endswith(":")
        if covers and not scopes[lead][-1] and covered:
            found = [one for item in items for scope in scopes[item] for one in scope]
            scopes[lead][-1] = _as_inherited(tuple({one.citation: one for one in found}.values()))


def _cover_back(parts: Sequence[ScopePart], scopes: list[list[Scope]]) -> None:
    """Let "Source: [1]" and "(all from [1])" cover the uncited sentences before them.

    A source line reaches back to the one before it or the heading, "(all from [1])" to the last
    paragraph, list item or row that cites.
    """
    for number, part in enumerate(parts):
        if part.source_line:
            _cover_parts(parts, scopes, number, _as_inherited(scopes[number][-1]), past=True)
        elif part.sums_up:
            last = max(part.sums_up)
            following = _as_inherited(scopes[number][last])
            own = scopes[number]
            own[:last] = [scope or following for scope in own[:last]]
            _cover_parts(parts, scopes, number, following, past=False)


def _cover_parts(
    parts: Sequence[ScopePart], scopes: list[list[Scope]], end: int, following: Scope, *, past: bool
) -> None:
    """Cover what is uncited before part `end`; `past` goes on behind parts that cite."""
    for number in range(end - 1, -1, -1):
        part = parts[number]
        cites = any(part.cited) and not past
        if part.level or part.source_line or part.sums_up or cites:
            return
        if part.kind in _COVERED:
            scopes[number] = [scope or following for scope in scopes[number]]


def _carry(parts: Sequence[ScopePart], scopes: list[list[Scope]]) -> None:
    """Give each sentence without a citation the last one before it in its section.

    What a heading cites, or a sentence that speaks for "this section", holds for its subsections
    as well; other citations end at the next heading or listing, and reach into a table only from
    the paragraph right above it. Changes `scopes` in place.
    """
    open_: list[tuple[int, Scope]] = [(0, ())]
    last: Scope = ()
    for number, part in enumerate(parts):
        if part.level:
            while len(open_) > 1 and open_[-1][0] >= part.level:
                open_.pop()
            last = _as_carried(scopes[number][-1]) or open_[-1][1]
            open_.append((part.level, last))
            continue
        if part.kind in _ASIDE or (part.kind is BlockKind.REFERENCE and not part.source_line):
            continue
        # A listing, and a table that nothing leads in, are the document's own matter.
        opens_table = part.kind is BlockKind.TABLE_HEADER and part.block.lead is None
        if part.kind is BlockKind.CODE or opens_table:
            last = open_[-1][1]
        for at, scope in enumerate(scopes[number]):
            own = _as_carried(scope)
            if own:
                last = own
                if _OF_SECTION.search(part.texts[at]):
                    open_[-1] = (open_[-1][0], own)
            elif not scope and part.kind in _CARRIES:
                scopes[number][at] = last


def _as_carried(scope: Scope) -> Scope:
    """The citations that stand in the sentence itself, as carried ones."""
    direct = [one.citation for one in scope if one.state is CitationState.DIRECT]
    return tuple(ScopedCitation(one, CitationState.CARRIED) for one in direct[:MOST_PASSED_ON])


def _as_inherited(scope: Scope) -> Scope:
    return tuple(
        ScopedCitation(one.citation, CitationState.INHERITED) for one in scope[:MOST_PASSED_ON]
    )


def _leads_in(lead: ScopePart, led: BlockKind, words: DocumentWords) -> bool:
    text = lead.texts[-1]
    points = led is BlockKind.LIST_ITEM and compiled(_POINTER, words.lead_in_words).search(text)
    return text.endswith(":") or bool(points)


def _captions(
    parts: Sequence[ScopePart], leads: Sequence[int | None], words: DocumentWords
) -> dict[int, Scope]:
    """Citations of each table: from its header, its caption above or below, or a caption row."""
    cited: dict[int, list[int]] = {}
    for number, part in enumerate(parts):
        table, lead = part.block.table, leads[number]
        if table is None:
            continue
        sources = list(part.cited) if _is_caption(part, words) else []
        if part.kind is BlockKind.TABLE_HEADER:
            sources += part.cited
            if lead is not None and _captions_next(parts[lead], words):
                sources += parts[lead].cited[-1:]
        if _is_tail(parts, number + 1):
            tail = parts[number + 1]
            if _is_caption(tail, words):
                sources += tail.cited
            elif tail.texts and (tail.cites_first or _POINTS_BACK.match(tail.texts[0])):
                sources += tail.cited[:1]
        cited.setdefault(table, []).extend(one for each in sources for one in each)
    return {
        table: tuple(ScopedCitation(one, CitationState.INHERITED) for one in dict.fromkeys(ones))
        for table, ones in cited.items()
    }


def _is_tail(parts: Sequence[ScopePart], number: int) -> bool:
    """Whether part `number` follows a table and does not stand over the next one."""
    if number >= len(parts) or parts[number].block.table is not None:
        return False
    return all(one.kind is not BlockKind.TABLE_HEADER for one in parts[number + 1 : number + 2])


def _is_caption(part: ScopePart, words: DocumentWords) -> bool:
    """Whether the part, a paragraph or a lone cell, begins as a caption: "Table 1:", "Source:"."""
    if not part.texts or part.kind is BlockKind.TABLE_HEADER:
        return False
    first = part.texts[0]
    if part.kind is BlockKind.TABLE_ROW and any(map(str.isalnum, first.partition(" | ")[2])):
        return False
    return compiled(_CAPTION, words.caption_words).match(first) is not None


def _captions_next(lead: ScopePart, words: DocumentWords) -> bool:
    return (
        _is_caption(lead, words)
        or lead.texts[-1].endswith(":")
        or _TAKEN.match(lead.texts[-1]) is not None
        or compiled(_POINTER, words.lead_in_words).search(lead.texts[-1]) is not None
    )


LEAST_CODE = 2
"""Listings, sentences with code or requirements that make a document technical."""
_REQUIRES = re.compile(r"\b(?:MUST|SHALL|SHOULD)\b")
# Options, paths, names in programs and versions: "--all", "/etc/passwd", "max_size", "3.0.1".
_IDENTIFIER = re.compile(
    r"(?<!\S)--?[a-z][\w-]*(?!\S)|(?<![\w:])/\w+/\w+|\w_\w|\w\(\)|\b\d+\.\d+(?:\.\d+|[a-z]\b|\.x\b)"
)
LEAST_NAMED, LEAST_SHARE_NAMED = 3, 0.05
"""Sentences with such identifiers, and their share, that do so, too."""


def is_technical(document: Document) -> bool:
    """Whether `document` is a README, a handbook or a specification, which describes its own."""
    shown = sum(bool(one.literal) or one.kind is BlockKind.CODE for one in document.sentences)
    if shown >= LEAST_CODE or len(_REQUIRES.findall(document.text)) >= LEAST_CODE:
        return True
    texts = [one.text for one in document.sentences if one.kind.makes_claims]
    named = sum(_IDENTIFIER.search(text) is not None for text in texts)
    return named >= LEAST_NAMED and named >= LEAST_SHARE_NAMED * len(texts)
