"""Markdown to blocks: paragraphs, headings, list items, table rows, footnotes, code.

`BlockStack` has the constructs that are open while a document is read.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, takewhile
from typing import TYPE_CHECKING, Any

from ._addresses import is_file, link_target
from .inline import BLOCK_ELEMENTS, HtmlToken, InlineBuilder, InlineText, Span, html_tokens
from .model import BlockKind
from .source import SourceText

if TYPE_CHECKING:
    from pyromark import Options
    from pyromark.event import Event

MAX_SETEXT_HEADING = 200
_CONSTRUCTS = ("List", "FootnoteDefinition", "BlockQuote", "Table")

_PROSE = re.compile(r"\b(?:[^\W\d_]{2,40}[,;:]?\s{1,9}){4}[^\W\d_]{2}")
_CODE_SIGN = re.compile(r"[{}<>=\\|]|\(\)|;\s*$", re.MULTILINE)
_ENDS_AS_SENTENCE = re.compile(r"[.!?][\"'”’)\]]*\s*$")


@dataclass(frozen=True, slots=True)
class Block:
    """One leaf of the document.

    `label` is a footnote's label or an ordered list item's number. `lead` is the `id` of the block
    right before the list, table or quotation that holds this one. `level` is a heading's level, 0
    for a heading inside another construct. Blocks that one was split into share its `id`.

    `listed` is true for entries of a reference list, `noted` for the paragraphs of a footnote;
    their text without the label starts at `body`.
    """

    kind: BlockKind
    inline: InlineText
    id: int = -1
    label: str = ""
    list_id: int | None = None
    table: int | None = None
    lead: int | None = None
    level: int = 0
    body: int = 0
    listed: bool = False
    noted: bool = False


@dataclass(slots=True)
class _Leaf:
    kind: BlockKind
    start: int
    level: int = 0
    fenced: bool = False
    inline: InlineBuilder = field(default_factory=InlineBuilder)


class BlockStack:
    """The constructs that are open, and the leaf that collects text; each step is O(1)."""

    def __init__(self, source: SourceText) -> None:
        self.blocks: list[Block] = []
        self.source = source
        self.ids = count()
        # By the parser's names: a list's id and next number, a note's label, how many quotations
        # there are round a text, a table's id.
        self._open = defaultdict[str, list[Any]](list)
        self._leaf: _Leaf | None = None
        self._leads: list[int | None] = []
        self._previous: int | None = None

    @property
    def inline(self) -> InlineBuilder:
        """Where text goes now; text outside a paragraph (a tight list item) opens a leaf."""
        if self._leaf is None:
            self.start_leaf(self.text_kind, 0)
            return self.inline
        return self._leaf.inline

    @property
    def collecting(self) -> bool:
        """Whether a leaf is open."""
        return self._leaf is not None

    @property
    def text_kind(self) -> BlockKind:
        """Kind of block that a paragraph becomes in the open constructs."""
        if self._open["FootnoteDefinition"]:
            return BlockKind.FOOTNOTE
        if self._quotes():
            return BlockKind.BLOCK_QUOTE
        return BlockKind.LIST_ITEM if self._open["List"] else BlockKind.PARAGRAPH

    def _quotes(self) -> int:
        return next(reversed(self._open["BlockQuote"]), 0)

    def start_leaf(
        self, kind: BlockKind, start: int, *, level: int = 0, fenced: bool = False
    ) -> None:
        """Begin a leaf; a heading inside another construct gets no level."""
        self.end_leaf()
        nested = any(self._open[name] for name in _CONSTRUCTS if name != "Table")
        self._leaf = _Leaf(kind, start, 0 if nested else level, fenced)

    def end_leaf(self) -> None:
        """End the leaf, if there is one, and keep it if it holds visible text."""
        leaf, self._leaf = self._leaf, None
        if leaf is None:
            return
        inline = leaf.inline.finish()
        if not inline.text.strip():
            return
        kind = self._settled_kind(leaf, inline.text)
        list_id, number = next(reversed(self._open["List"]), (None, None))
        label = "" if number is None else str(number)
        self._previous = len(self.blocks) if kind.makes_claims else None
        self.blocks.append(
            Block(
                kind,
                inline,
                len(self.blocks),
                label=next(reversed(self._open["FootnoteDefinition"]), label),
                list_id=list_id,
                table=next(reversed(self._open["Table"]), None),
                lead=next(reversed(self._leads), None),
                level=leaf.level if kind is BlockKind.HEADING else 0,
            )
        )

    def enter(self, construct: str, state: object) -> None:
        """A list, table, quotation or footnote begins."""
        self.end_leaf()
        self._leads.append(self._previous)
        self._open[construct].append(state)

    def leave(self, construct: str) -> None:
        """The innermost `construct` ends."""
        self.end_leaf()
        self._leads.pop()
        self._open[construct].pop()
        self._previous = None

    def end_item(self) -> None:
        """An item of a list ends."""
        self.end_leaf()
        list_id, number = self._open["List"].pop()
        self._open["List"].append((list_id, None if number is None else number + 1))

    def enter_quote(self, *, alert: bool = False) -> None:
        """A block quote begins; an alert ("> [!NOTE]") is the author's own text."""
        self.enter("BlockQuote", self._quotes() + (not alert))

    def separate(self) -> None:
        """A thematic break: what follows has no lead-in."""
        self.end_leaf()
        self._previous = None

    def _settled_kind(self, leaf: _Leaf, text: str) -> BlockKind:
        """The leaf's kind, unless Markdown made a heading or code of what reads as prose."""
        match leaf.kind:
            case BlockKind.HEADING if leaf.level and self.source.text[leaf.start] not in "#<":
                prose = len(text) > MAX_SETEXT_HEADING or _ENDS_AS_SENTENCE.search(text)
            case BlockKind.CODE if not leaf.fenced:
                prose = _PROSE.search(text) and not _CODE_SIGN.search(text)
            case _:
                prose = None
        return self.text_kind if prose else leaf.kind


_TABLE, _ROW, _CELL = 1, 2, 3
_HEADINGS = {f"h{level}": level for level in range(1, 7)}


class _HtmlReader:
    """Reads an HTML block; whatever it leaves open ends with it."""

    def __init__(self, stack: BlockStack) -> None:
        self._stack = stack
        self._quotes = 0
        # How deep in a table the text is.
        self._depth = 0

    def read(self, at: Span) -> None:
        """Read the block at `at`."""
        tokens = list(html_tokens(self._stack.source.text, at.start, at.end))
        for number, token in enumerate(tokens):
            self._take(token, tokens, number)
        self._close(0)
        for _ in range(self._quotes):
            self._stack.leave("BlockQuote")
        self._stack.end_leaf()

    def _take(self, token: HtmlToken, tokens: Sequence[HtmlToken], number: int) -> None:
        text = self._stack.source.text
        match token.name:
            case "":
                if self._stack.collecting or text[token.start : token.end].strip():
                    self._stack.inline.html(token, text)
            case "table":
                self._table(token)
            case "tr" if self._depth:
                self._row(token, tokens, number)
            case "td" | "th" if self._depth:
                self._cell(token)
            case "blockquote":
                self._quote(token)
            case name if name in BLOCK_ELEMENTS and self._depth < _CELL:
                self._start(token)
            case _ if self._stack.collecting or not token.closing:
                self._stack.inline.html(token, text)
            case _:
                pass

    def _start(self, token: HtmlToken) -> None:
        stack = self._stack
        stack.end_leaf()
        if token.closing:
            return
        if token.name in _HEADINGS:
            stack.start_leaf(BlockKind.HEADING, token.start, level=_HEADINGS[token.name])
        elif token.name == "li" and stack.text_kind is BlockKind.PARAGRAPH:
            stack.start_leaf(BlockKind.LIST_ITEM, token.start)
        elif token.name == "pre":
            stack.start_leaf(BlockKind.CODE, token.start, fenced=True)

    def _quote(self, token: HtmlToken) -> None:
        if not token.closing:
            self._quotes += 1
            self._stack.enter_quote()
        elif self._quotes:
            self._quotes -= 1
            self._stack.leave("BlockQuote")

    def _table(self, token: HtmlToken) -> None:
        if token.closing:
            self._close(0)
        elif not self._depth:
            self._depth = _TABLE
            self._stack.enter("Table", next(self._stack.ids))

    def _row(self, token: HtmlToken, tokens: Sequence[HtmlToken], number: int) -> None:
        self._close(_TABLE)
        if token.closing:
            return
        following = (tokens[at].name for at in range(number + 1, len(tokens)))
        cells = takewhile(lambda name: name not in ("tr", "table"), following)
        kind = BlockKind.TABLE_ROW if "td" in cells else BlockKind.TABLE_HEADER
        self._depth = _ROW
        self._stack.start_leaf(kind, token.start)

    def _cell(self, token: HtmlToken) -> None:
        if self._depth < _ROW:
            return
        self._close(_ROW)
        if not token.closing:
            self._depth = _CELL
            self._stack.inline.open_cell(token.start)

    def _close(self, depth: int) -> None:
        """Close the cell, the row and the table, as far as they are open below `depth`."""
        if depth < self._depth == _CELL:
            self._stack.inline.close_cell()
        if self._depth and depth < _ROW:
            self._stack.end_leaf()
        if self._depth and depth < _TABLE:
            self._stack.leave("Table")
        self._depth = min(self._depth, depth)


def markdown_events(source: SourceText) -> Iterator[tuple[Event, Span]]:
    """The parser's events of `source`, each with its place in the document. Never raises."""
    # Imported here because only parsing needs it.
    import pyromark

    for event, where in pyromark.events_with_range(source.markdown, options=_options()):
        yield event, Span(source.offset(where["start"]), source.offset(where["end"]))


def _options() -> Options:
    from pyromark import Options

    return (
        Options.ENABLE_TABLES
        | Options.ENABLE_FOOTNOTES
        | Options.ENABLE_STRIKETHROUGH
        | Options.ENABLE_TASKLISTS
        | Options.ENABLE_GFM
    )


def read_blocks(source: SourceText) -> list[Block]:
    """The blocks of `source` that hold visible text, in document order. Never raises."""
    import pyromark

    stack = BlockStack(source)
    for event, at in markdown_events(source):
        _take(stack, event, at)
    stack.end_leaf()
    blocks = stack.blocks
    definitions = pyromark.reference_definitions(source.markdown, options=_options())
    for label, definition in definitions.items():
        where = definition["span"]
        at = Span(source.offset(where["start"]), source.offset(where["end"]))
        if link_target(definition["dest"]):
            # "[1]: https://…" is an entry that only its markers show.
            inline = InlineBuilder()
            inline.link(at, source.text[at.start : at.end], at, definition["dest"])
            blocks.append(Block(BlockKind.REFERENCE, inline.finish(), label=label))
    return sorted(blocks, key=lambda block: block.inline.offsets[0])


_NAMED_FILE = re.compile(r"\s*(?P<file><(?P<name>[^<>\n]{3,300})>)(?P<rest>[^\n<>]*)")
_STYLES = ("Emphasis", "Strong", "Strikethrough")
_OPENED: Mapping[str, Callable[[BlockStack, int, Any], None]] = {
    "Paragraph": lambda stack, at, _: stack.start_leaf(stack.text_kind, at),
    "Heading": lambda stack, at, heading: stack.start_leaf(
        BlockKind.HEADING, at, level=int(heading["level"][1])
    ),
    "CodeBlock": lambda stack, at, kind: stack.start_leaf(
        BlockKind.CODE, at, fenced=kind != "Indented"
    ),
    "BlockQuote": lambda stack, _, alert: stack.enter_quote(alert=alert is not None),
    "List": lambda stack, _, number: stack.enter("List", (next(stack.ids), number)),
    "FootnoteDefinition": lambda stack, _, label: stack.enter("FootnoteDefinition", label),
    "Table": lambda stack, _at, _told: stack.enter("Table", next(stack.ids)),
    "TableHead": lambda stack, at, _: stack.start_leaf(BlockKind.TABLE_HEADER, at),
    "TableRow": lambda stack, at, _: stack.start_leaf(BlockKind.TABLE_ROW, at),
    "TableCell": lambda stack, at, _: stack.inline.open_cell(at),
    "Link": lambda stack, at, to: stack.inline.open("link", at, to["dest_url"], to["id"]),
    "Image": lambda stack, _at, _told: stack.inline.count_images(1),
    **dict.fromkeys(_STYLES, lambda stack, at, _: stack.inline.open("em", at)),
}
"""What begins, by the parser's name of it: its place, and what the parser tells about it."""
_CLOSED: Mapping[str, Callable[[BlockStack, int], None]] = {
    **dict.fromkeys(
        ("Paragraph", "Heading", "CodeBlock", "TableHead", "TableRow"),
        lambda stack, _: stack.end_leaf(),
    ),
    "Item": lambda stack, _: stack.end_item(),
    "TableCell": lambda stack, _: stack.inline.close_cell(),
    "Link": lambda stack, at: stack.inline.close("link", at),
    "Image": lambda stack, _: stack.inline.count_images(-1),
    **dict.fromkeys(_STYLES, lambda stack, at: stack.inline.close("em", at)),
}


def _take(stack: BlockStack, event: Event, at: Span) -> None:
    """Take the next event, which stands at `at` in the document."""
    match event:
        case {"Start": "HtmlBlock"}:
            if not _read_file(stack, at):
                _HtmlReader(stack).read(at)
        case {"Start": tag}:
            name, told = (tag, None) if isinstance(tag, str) else next(iter(tag.items()))
            if name in _OPENED:
                _OPENED[name](stack, at.start, told)
        case {"End": tag}:
            name = tag if isinstance(tag, str) else next(iter(tag))
            if name in _CONSTRUCTS:
                stack.leave(name)
            elif name in _CLOSED:
                _CLOSED[name](stack, at.end)
        case {"Html": _}:
            pass
        case "Rule":
            stack.separate()
        case _:
            _read_text(stack, event, at)


def _read_file(stack: BlockStack, at: Span) -> bool:
    """Read a line that begins with ``<my file.md>``, which is no HTML."""
    text = stack.source.text
    named = _NAMED_FILE.fullmatch(text[at.start : at.end].rstrip())
    if named is None or not is_file(named["name"]):
        return False
    file, rest = (Span(*named.span(part)).shifted(at.start) for part in ("file", "rest"))
    stack.start_leaf(stack.text_kind, at.start)
    stack.inline.file(file, text)
    stack.inline.text(named["rest"], rest)
    stack.end_leaf()
    return True


def _read_text(stack: BlockStack, event: Event, at: Span) -> None:
    inline, document = stack.inline, stack.source.text
    match event:
        case {"Text": text}:
            inline.text(text, at)
        case {"Code": text}:
            # The parser leaves another blank of a CRLF at the edge than of an LF.
            edged = "\n" in document[at.start : at.end]
            inline.code(text.strip() if edged else text, document, at)
        case "SoftBreak" | "HardBreak":
            inline.line_break(at.start)
        case {"FootnoteReference": label}:
            inline.note(document[at.start : at.end], at, label)
        case {"InlineHtml": _} if is_file(document[at.start + 1 : at.end - 1].strip()):
            inline.file(at, document)
        case {"InlineHtml": _}:
            for token in html_tokens(document, at.start, at.end):
                inline.html(token, document)
        case _:
            pass
