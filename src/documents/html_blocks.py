"""HTML blocks as a reader sees them: their texts become paragraphs, items, headings and rows."""

from __future__ import annotations

from collections.abc import Sequence

from .inline import Span
from .markup import BLOCK_ELEMENTS, HtmlToken, html_tokens
from .model import BlockKind
from .stack import BlockStack

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
