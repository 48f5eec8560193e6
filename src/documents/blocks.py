"""Markdown to blocks: paragraphs, headings, list items, table rows, footnotes, code.

`BlockStack` has the constructs that are open while a document is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from .addresses import is_file, link_target
from .inline import BLOCK_ELEMENTS, HtmlToken, InlineBuilder, InlineText, Span, html_tokens
from .model import BlockKind
from .source import SourceText

if TYPE_CHECKING:
    from pyromark import Options
    from pyromark.event import Event

MAX_SETEXT_HEADING = 200

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
        self.lists: list[tuple[int, int | None]] = []
        self.notes: list[str] = []
        self.quotes: list[bool] = []
        self._quoted = 0
        self._leaf: _Leaf | None = None
        self._leads: list[int | None] = []
        self._previous: int | None = None
        self._table: int | None = None
        self._made = 0

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
        if self.notes:
            return BlockKind.FOOTNOTE
        if self._quoted:
            return BlockKind.BLOCK_QUOTE
        return BlockKind.LIST_ITEM if self.lists else BlockKind.PARAGRAPH

    def start_leaf(
        self, kind: BlockKind, start: int, *, level: int = 0, fenced: bool = False
    ) -> None:
        """Begin a leaf; a heading inside another construct gets no level."""
        self.end_leaf()
        nested = bool(self.lists or self.notes or self.quotes)
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
        list_id, number = self.lists[-1] if self.lists else (None, None)
        label = "" if number is None else str(number)
        self._previous = len(self.blocks) if kind.makes_claims else None
        self.blocks.append(
            Block(
                kind,
                inline,
                len(self.blocks),
                label=self.notes[-1] if self.notes else label,
                list_id=list_id,
                table=self._table,
                lead=self._leads[-1] if self._leads else None,
                level=leaf.level if kind is BlockKind.HEADING else 0,
            )
        )

    def enter(self) -> None:
        """A list, table, quotation or footnote begins."""
        self.end_leaf()
        self._leads.append(self._previous)

    def leave(self) -> None:
        """The innermost of them ends."""
        self.end_leaf()
        self._leads.pop()
        self._previous = None

    def enter_list(self, number: int | None) -> None:
        """A list begins; `number` is its first item's, None for bullets."""
        self.enter()
        self.lists.append((self._made, number))
        self._made += 1

    def end_item(self) -> None:
        """An item of a list ends."""
        self.end_leaf()
        list_id, number = self.lists[-1]
        self.lists[-1] = list_id, None if number is None else number + 1

    def leave_list(self) -> None:
        """The innermost list ends."""
        self.leave()
        self.lists.pop()

    def enter_note(self, label: str) -> None:
        """A footnote begins."""
        self.enter()
        self.notes.append(label)

    def leave_note(self) -> None:
        """The footnote ends."""
        self.leave()
        self.notes.pop()

    def enter_quote(self, alert: bool) -> None:
        """A block quote begins; an alert ("> [!NOTE]") is the author's own text."""
        self.enter()
        self.quotes.append(not alert)
        self._quoted += not alert

    def leave_quote(self) -> None:
        """The innermost block quote ends."""
        self.leave()
        self._quoted -= self.quotes.pop()

    def enter_table(self) -> None:
        """A table begins."""
        self.enter()
        self._table = self._made
        self._made += 1

    def leave_table(self) -> None:
        """The table ends."""
        self.leave()
        self._table = None

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


_HEADINGS = {f"h{level}": level for level in range(1, 7)}


class _HtmlReader:
    """Reads an HTML block; whatever it leaves open ends with it."""

    def __init__(self, stack: BlockStack) -> None:
        self._stack = stack
        self._quotes = 0
        self._in_table = self._in_row = self._in_cell = False

    def read(self, at: Span) -> None:
        """Read the block at `at`."""
        tokens = list(html_tokens(self._stack.source.text, at.start, at.end))
        for number, token in enumerate(tokens):
            self._take(token, tokens, number)
        self._end_table()
        for _ in range(self._quotes):
            self._stack.leave_quote()
        self._stack.end_leaf()

    def _take(self, token: HtmlToken, tokens: Sequence[HtmlToken], number: int) -> None:
        text = self._stack.source.text
        match token.name:
            case "":
                if self._stack.collecting or text[token.start : token.end].strip():
                    self._stack.inline.html(token, text)
            case "table":
                self._table(token)
            case "tr" if self._in_table:
                self._row(token, tokens, number)
            case "td" | "th" if self._in_table:
                self._cell(token)
            case "blockquote":
                self._quote(token)
            case name if name in BLOCK_ELEMENTS and not self._in_cell:
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
            self._stack.enter_quote(alert=False)
        elif self._quotes:
            self._quotes -= 1
            self._stack.leave_quote()

    def _table(self, token: HtmlToken) -> None:
        if token.closing:
            self._end_table()
        elif not self._in_table:
            self._in_table = True
            self._stack.enter_table()

    def _row(self, token: HtmlToken, tokens: Sequence[HtmlToken], number: int) -> None:
        self._end_row()
        if token.closing:
            return
        following = (tokens[at].name for at in range(number + 1, len(tokens)))
        cells = takewhile(lambda name: name not in ("tr", "table"), following)
        kind = BlockKind.TABLE_ROW if "td" in cells else BlockKind.TABLE_HEADER
        self._in_row = True
        self._stack.start_leaf(kind, token.start)

    def _cell(self, token: HtmlToken) -> None:
        if not self._in_row:
            return
        self._end_cell()
        if not token.closing:
            self._in_cell = True
            self._stack.inline.open_cell(token.start)

    def _end_cell(self) -> None:
        if self._in_cell:
            self._in_cell = False
            self._stack.inline.close_cell()

    def _end_row(self) -> None:
        self._end_cell()
        self._in_row = False
        self._stack.end_leaf()

    def _end_table(self) -> None:
        if self._in_table:
            self._end_row()
            self._in_table = False
            self._stack.leave_table()


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
    "BlockQuote": lambda stack, _, alert: stack.enter_quote(alert is not None),
    "List": lambda stack, _, number: stack.enter_list(number),
    "FootnoteDefinition": lambda stack, _, label: stack.enter_note(label),
    "Table": lambda stack, _at, _told: stack.enter_table(),
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
    "List": lambda stack, _: stack.leave_list(),
    "BlockQuote": lambda stack, _: stack.leave_quote(),
    "FootnoteDefinition": lambda stack, _: stack.leave_note(),
    "Table": lambda stack, _: stack.leave_table(),
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
            if name in _CLOSED:
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
