"""Markdown to blocks: paragraphs, headings, list items, table rows, footnotes, code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from .addresses import is_file, link_target
from .inline import BLOCK_ELEMENTS, HtmlToken, InlineBuilder, Span, html_tokens
from .model import BlockKind
from .source import SourceText
from .stack import Block, BlockStack

if TYPE_CHECKING:
    from pyromark import Options
    from pyromark.event import Event


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
