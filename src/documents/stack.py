"""The constructs that are open while a document is read, and the blocks that come of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .inline import InlineBuilder, InlineText
from .model import BlockKind
from .source import SourceText

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
