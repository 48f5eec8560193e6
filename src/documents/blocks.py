"""Markdown to blocks: paragraphs, headings, list items, table rows, footnotes, code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .addresses import is_file, link_target
from .inline import BLOCK_ELEMENTS, HtmlToken, InlineBuilder, Span, html_tokens
from .model import BlockKind
from .source import SourceText
from .stack import Block, BlockStack

if TYPE_CHECKING:
    from pyromark import Options
    from pyromark.event import Event


_HEADINGS = {f"h{level}": level for level in range(1, 7)}


def read_html_block(stack: BlockStack, at: Span) -> None:
    """Read the HTML block at `at`; whatever it leaves open ends with it."""
    reader = _HtmlReader(stack)
    tokens = list(html_tokens(stack.source.text, at.start, at.end))
    for number, token in enumerate(tokens):
        reader.take(token, tokens, number)
    reader.finish()


class _HtmlReader:
    def __init__(self, stack: BlockStack) -> None:
        self._stack = stack
        self._quotes = 0
        self._in_table = False
        self._in_row = False
        self._in_cell = False

    def take(self, token: HtmlToken, tokens: Sequence[HtmlToken], number: int) -> None:
        """Take `tokens[number]`, which is `token`."""
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

    def finish(self) -> None:
        """End everything that is still open."""
        self._end_table()
        while self._quotes:
            self._quotes -= 1
            self._stack.leave_quote()
        self._stack.end_leaf()

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
        kind = BlockKind.TABLE_HEADER
        while (number := number + 1) < len(tokens) and tokens[number].name not in ("tr", "table"):
            if tokens[number].name == "td":
                kind = BlockKind.TABLE_ROW
                break
        self._in_row = True
        self._stack.start_leaf(kind, token.start)

    def _cell(self, token: HtmlToken) -> None:
        if not self._in_row:
            return
        if self._in_cell:
            self._in_cell = False
            self._stack.inline.close_cell()
        if not token.closing:
            self._in_cell = True
            self._stack.inline.open_cell(token.start)

    def _end_row(self) -> None:
        if self._in_cell:
            self._stack.inline.close_cell()
        self._in_cell = self._in_row = False
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

    reader = _MarkdownReader(source)
    for event, at in markdown_events(source):
        reader.take(event, at)
    blocks = reader.blocks
    definitions = pyromark.reference_definitions(source.markdown, options=_options())
    for label, definition in definitions.items():
        where = definition["span"]
        at = Span(source.offset(where["start"]), source.offset(where["end"]))
        if link_target(definition["dest"]):
            blocks.append(_definition(label, definition["dest"], source.text, at))
    return sorted(blocks, key=lambda block: block.inline.offsets[0])


def _definition(label: str, target: str, text: str, at: Span) -> Block:
    """A link definition (``[1]: https://…``), which is an entry that only its markers show."""
    inline = InlineBuilder()
    inline.open_link(at.start, target)
    inline.text(text[at.start : at.end], at)
    inline.close_link(at.end)
    return Block(BlockKind.REFERENCE, inline.finish(), label=label)


_NAMED_FILE = re.compile(r"\s*<(?P<name>[^<>\n]{3,300})>(?P<rest>[^\n<>]*)")


class _MarkdownReader:
    """Turns parser events into blocks."""

    def __init__(self, source: SourceText) -> None:
        self._source = source
        self._stack = BlockStack(source)

    @property
    def blocks(self) -> list[Block]:
        """The blocks read; call it after the last event."""
        self._stack.end_leaf()
        return self._stack.blocks

    def take(self, event: Event, at: Span) -> None:
        """Take the next event, which stands at `at` in the document."""
        match event:
            case {"Start": "HtmlBlock"}:
                if not self._names_file(at):
                    read_html_block(self._stack, at)
            case {"Start": _}:
                self._open(event, at)
            case {"End": _}:
                self._close(event, at)
            case {"Html": _}:
                pass
            case "Rule":
                self._stack.separate()
            case _:
                self._text(event, at)

    def _names_file(self, at: Span) -> bool:
        """Read a line that begins with ``<my file.md>``, which is no HTML."""
        lines = self._source.text[at.start : at.end].rstrip()
        named = _NAMED_FILE.fullmatch(lines)
        if named is None or not is_file(named["name"]):
            return False
        self._stack.start_leaf(self._stack.text_kind, at.start)
        inline, place = self._stack.inline, at.start + named.start("name")
        inline.open_link(place - 1, named["name"])
        inline.text(named["name"], Span(place, place + len(named["name"])))
        inline.close_link(place + len(named["name"]) + 1)
        rest = at.start + named.start("rest")
        inline.text(named["rest"], Span(rest, rest + len(named["rest"])))
        self._stack.end_leaf()
        return True

    def _text(self, event: Event, at: Span) -> None:
        inline, document = self._stack.inline, self._source.text
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
            case {"InlineHtml": _} if is_file(name := document[at.start + 1 : at.end - 1].strip()):
                inline.open_link(at.start, name)
                inline.text(document[at.start + 1 : at.end - 1], Span(at.start + 1, at.end - 1))
                inline.close_link(at.end)
            case {"InlineHtml": _}:
                for token in html_tokens(document, at.start, at.end):
                    inline.html(token, document)
            case _:
                pass

    def _open(self, event: Event, at: Span) -> None:
        stack = self._stack
        match event:
            case {"Start": "Paragraph"}:
                stack.start_leaf(stack.text_kind, at.start)
            case {"Start": {"Heading": {"level": level}}}:
                stack.start_leaf(BlockKind.HEADING, at.start, level=int(level[1]))
            case {"Start": {"CodeBlock": kind}}:
                stack.start_leaf(BlockKind.CODE, at.start, fenced=kind != "Indented")
            case {"Start": {"BlockQuote": alert}}:
                stack.enter_quote(alert is not None)
            case {"Start": {"List": number}}:
                stack.enter_list(number)
            case {"Start": {"FootnoteDefinition": label}}:
                stack.enter()
                stack.notes.append(label)
            case {"Start": {"Table": _}}:
                stack.enter_table()
            case _:
                self._open_inner(event, at)

    def _open_inner(self, event: Event, at: Span) -> None:
        stack = self._stack
        match event:
            case {"Start": "TableHead"}:
                stack.start_leaf(BlockKind.TABLE_HEADER, at.start)
            case {"Start": "TableRow"}:
                stack.start_leaf(BlockKind.TABLE_ROW, at.start)
            case {"Start": "TableCell"}:
                stack.inline.open_cell(at.start)
            case {"Start": "Emphasis" | "Strong" | "Strikethrough"}:
                stack.inline.open_style(at.start)
            case {"Start": {"Link": link}}:
                stack.inline.open_link(at.start, link["dest_url"], link["id"])
            case {"Start": {"Image": _}}:
                stack.inline.open_image()
            case _:
                pass

    def _close(self, event: Event, at: Span) -> None:
        stack = self._stack
        match event:
            case {"End": "Paragraph" | "CodeBlock" | "TableHead" | "TableRow" | {"Heading": _}}:
                stack.end_leaf()
            case {"End": "Item"}:
                stack.end_leaf()
                stack.lists[-1].count()
            case {"End": {"List": _}}:
                stack.leave()
                stack.lists.pop()
            case {"End": {"BlockQuote": _}}:
                stack.leave_quote()
            case {"End": "FootnoteDefinition"}:
                stack.leave()
                stack.notes.pop()
            case {"End": "Table"}:
                stack.leave_table()
            case _:
                self._close_inner(event, at)

    def _close_inner(self, event: Event, at: Span) -> None:
        inline = self._stack.inline
        match event:
            case {"End": "TableCell"}:
                inline.close_cell()
            case {"End": "Emphasis" | "Strong" | "Strikethrough"}:
                inline.close_style(at.end)
            case {"End": "Link"}:
                inline.close_link(at.end)
            case {"End": "Image"}:
                inline.close_image()
            case _:
                pass
