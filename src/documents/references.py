"""Reference lists: which blocks are entries, and the targets of citation keys."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from unicodedata import normalize

from ._addresses import find_addresses, find_files
from ._authors import AuthorYear, entry_keys, has_year, starts_like_entry
from .blocks import Block
from .inline import InlineText, Span, blank
from .model import BlockKind, Citation, Document
from .scope import has_amount, reads_as_reference, states
from .words import DocumentWords, compiled

# Of so many works of one author and year only the first are told apart.
MAX_SAME_KEY = 20
# A shorter title stands in entries of other works, too.
LEAST_TITLE = 2
# Numbers that are set high.
RAISED = "⁰¹²³⁴-⁹"
# Characters kept of a footnote of several paragraphs.
MAX_TEXT = 2000


@dataclass(frozen=True, slots=True)
class Reference:
    """An entry's text without its label, and the address it names, if any."""

    text: str
    target: str | None


# "Endline survey: https://…": a short title that the text cites the work by.
_TITLED = re.compile(r"(?P<title>[^\W\d_a-z][^:\n]{1,40}):\s")
# "lund2024", "lund_2024a", "lund2024wells".
_KEY = re.compile(r"(?P<name>[^\W\d_][^\W\d]*?[_:-]?)(?P<year>(?:1[5-9]|20)\d\d[a-z]?)(?![0-9])")


class References:
    """Every entry of the document, by label and by author and year. Labels are folded.

    The first entry of a label stands.
    """

    def __init__(self, words: DocumentWords) -> None:
        self.words = words
        self._labels: dict[str, Reference] = {}
        self._notes: dict[str, Reference] = {}
        self._remarks: set[str] = set()
        self._titles: dict[str, Reference] = {}
        self._works: dict[tuple[str, str], list[Reference]] = {}
        self._columns: dict[int | None, int] = {}

    def add_header(self, block: Block) -> None:
        """Take note which column of a table says where its rows are from, by the title over it."""
        known = self.words.source_words | self.words.reference_headings
        cells = block.inline.cells if block.kind is BlockKind.TABLE_HEADER else ()
        for number, (start, end) in enumerate(cells):
            if block.inline.text[start:end].strip().casefold() in known:
                self._columns[block.table] = number

    def source_cell(self, block: Block) -> Span | None:
        """The cell of a row that says where it is from."""
        cells, column = block.inline.cells, self._columns.get(block.table)
        is_row = block.kind is BlockKind.TABLE_ROW
        return None if column is None or not is_row else next(iter(cells[column:]), None)

    def add_entry(self, label: str, reference: Reference) -> None:
        """Add an entry of a reference list; `label` may be ""."""
        if label:
            self._labels.setdefault(fold_label(label), reference)
        titled = _TITLED.match(reference.text)
        if titled and reference.target:
            self._titles.setdefault(fold_label(titled["title"]), reference)
        for key in entry_keys(reference.text):
            works = self._works.setdefault(key, [])
            if len(works) < MAX_SAME_KEY:
                works.append(reference)

    def add_note(self, label: str, reference: Reference, *, remarks: bool = False) -> None:
        """Add a footnote, or a further paragraph of one; `remarks` if it says something."""
        key = fold_label(label)
        if remarks:
            self._remarks.add(key)
        before = self._notes.get(key)
        if before is not None:
            text = f"{before.text} {reference.text}".strip()[:MAX_TEXT]
            reference = Reference(text, before.target or reference.target)
        self._notes[key] = reference

    def label(self, label: str) -> Reference | None:
        """The entry labelled `label` ("1", "Smith20")."""
        key = fold_label(label)
        return self._labels.get(key) or self._notes.get(key) or self._titles.get(key)

    def note(self, label: str) -> Reference | None:
        """The footnote `label`; authors mix the two styles, so a list entry also counts."""
        key = fold_label(label)
        return self._notes.get(key) or self._labels.get(key)

    def is_remark(self, label: str) -> bool:
        """Whether the footnote `label` only says something, and names no source."""
        known = self.note(label)
        unnamed = known is not None and known.target is None
        return unnamed and fold_label(label) in self._remarks

    def titled(self, title: str) -> Reference | None:
        """The entry that explains a short title: "Register: https://…"."""
        return self._titles.get(fold_label(title))

    def key(self, key: str) -> Reference | None:
        """The entry for ``[@key]``: the one labelled so, else that of the author and year in it."""
        if found := self.label(key):
            return found
        parts = _KEY.match(key.casefold())
        works = self._works.get((parts["name"].strip("_:-"), parts["year"])) if parts else None
        return works[0] if works else None

    def work(self, work: AuthorYear) -> Reference | None:
        """The entry for `work`: all its authors as written, else the first one's surname."""
        for name in (work.whole, work.first):
            if found := self._works.get((name, work.year)):
                return _best(found, work)
        return None


def _best(found: Sequence[Reference], work: AuthorYear) -> Reference:
    names = re.findall(r"[^\W\d_]{3,}", work.whole)
    return max(found, key=lambda entry: sum(name in entry.text.casefold() for name in names))


def fold_label(label: str) -> str:
    """`label` for comparison; a leading caret, "@" or "#" does not count."""
    return " ".join(label.casefold().lstrip("^@#").split())


def with_named_works(document: Document, titles: Mapping[str, str]) -> Document:
    """`document` with the entries that name a work and no address led to the work at hand.

    `titles` are those of the works by address. An entry names a work if it has all words of its
    title, or of its file's name, in a row; one word has to be the whole entry.
    """
    names = [
        (f" {' '.join(words)} ", url)
        for url, title in titles.items()
        for words in (_words(title), _words(url.rpartition("/")[2].rpartition(".")[0]))
        if words
    ]

    def led(citation: Citation) -> Citation:
        if citation.target is not None or not citation.reference:
            return citation
        text = f" {' '.join(_words(citation.reference))} "
        whole = (one for one in names if one[0] == text or one[0].count(" ") > LEAST_TITLE)
        found = max((one for one in whole if one[0] in text), key=_length, default=None)
        return replace(citation, target=found[1]) if found else citation

    return replace(document, citations=tuple(map(led, document.citations)))


def _length(name: tuple[str, str]) -> int:
    return len(name[0])


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


MAX_HEADING = 80

# Also "| [1] …" and ".. [1] …" of reStructuredText.
_BRACKET_LABEL = re.compile(r"(?:\| |\.\. )?\[([\^@#]?[\w.+-][\w.+ -]{0,40})\](:?)\s*(?=\S)")
# "¹ …", "^1^ …", "【1】 …"
_RAISED_LABEL = re.compile(
    rf"(?:(?=[{RAISED}])|\^|[\u3010\u3014\uff3b])([\d{RAISED}]{{1,3}})[\^\u3011\u3015\uff3d]?[.:)]?\s*(?=\S)"
)
_ROW_LABEL = re.compile(r"\[?([\^@]?\w[\w.+-]{0,40})\]?")
_DEFINITION = re.compile(r"\[[^\]]*\]:\s*")
_NUMBER_LABEL = re.compile(r"\(?(\d{1,3})[.)]\s+(?=\S)")
# Short titles with what they stand for, an address each.
_SHORT_TITLE = re.compile(r"[^\W\d_a-z][^:.\x00\n]{1,40}:\s(?=\x00)")
_EXPLAINED = re.compile(rf"(?:{_SHORT_TITLE.pattern}\x00+[.;,]?\s*){{2,40}}")
_HEADING = (
    r"(?:(?:\d{1,3}\.?){1,4}|[ivx]{1,5}\.|[a-h]\.)?\s*"
    r"(?:%s)(?:\s(?:and|&|und|et|y)\s(?:%s|notes))?:?"
)


class SectionRole(Enum):
    """Role of the section that contains a block."""

    TEXT = 0
    NOTES = 1
    REFERENCES = 2


def find_entries(blocks: Sequence[Block], words: DocumentWords) -> list[Block]:
    """Every block, those of reference lists split into single entries and marked as such.

    Only what reads as a reference becomes one. A remark keeps its kind or becomes a footnote, so
    that no claim can hide in a list of sources.
    """
    entries: list[Block] = []
    role, depth = SectionRole.TEXT, 0
    for block in blocks:
        for part in _split(block, role, words):
            is_heading = part.kind is BlockKind.HEADING and part.level > 0
            # A paragraph "References" counts as a heading.
            named = is_heading or part.kind is BlockKind.PARAGRAPH
            found = _named_role(part.inline.text, words) if named else None
            if found is None and not is_heading:
                entries.append(_entry(part, role, words))
                continue
            found, level = found or SectionRole.TEXT, part.level or 7
            if found is not SectionRole.TEXT or level <= depth:
                role, depth = found, level
            entries.append(replace(part, kind=BlockKind.HEADING))
    return entries


def _named_role(text: str, words: DocumentWords) -> SectionRole | None:
    """The role that `text` gives a section as its heading, None if it names no reference list."""
    if len(text) > MAX_HEADING:
        return None
    text = text.strip().casefold()
    if compiled(_HEADING, words.reference_headings).fullmatch(text):
        return SectionRole.REFERENCES
    return SectionRole.NOTES if compiled(_HEADING, words.note_headings).fullmatch(text) else None


def _split(block: Block, role: SectionRole, words: DocumentWords) -> list[Block]:
    """The single entries of a paragraph that holds one on each line, else the block itself."""
    inline = block.inline
    if block.kind is BlockKind.PARAGRAPH and (starts := _explained(inline)):
        pieces = inline.split(starts)
        return [replace(block, inline=piece, kind=BlockKind.REFERENCE) for piece in pieces]
    if block.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM) or not inline.lines:
        return [block]
    listed = role is not SectionRole.TEXT
    labels = ((_BRACKET_LABEL.match, True), (_RAISED_LABEL.match, True))
    for begins, enough in (*labels, (_author_line, listed)):
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


def _author_line(text: str, at: int) -> bool:
    line = text[at : at + 300]
    return starts_like_entry(line) and has_year(line)


def _entry(block: Block, role: SectionRole, words: DocumentWords) -> Block:
    match block.kind:
        case BlockKind.REFERENCE:
            written = _DEFINITION.match(block.inline.text)
            return replace(block, body=written.end() if written else 0, listed=True)
        case BlockKind.FOOTNOTE:
            is_reference = reads_as_reference(block.inline, 0, words)
            kind = BlockKind.REFERENCE if is_reference else BlockKind.FOOTNOTE
            return replace(block, kind=kind, noted=True)
        case BlockKind.PARAGRAPH | BlockKind.LIST_ITEM:
            return _listed(block, role, words)
        case BlockKind.TABLE_ROW if role is SectionRole.REFERENCES:
            return _row(block, words)
        case _:
            return block


def _listed(block: Block, role: SectionRole, words: DocumentWords) -> Block:
    text = block.inline.text
    bracket = _BRACKET_LABEL.match(text)
    labelled = bracket or _RAISED_LABEL.match(text)
    if role is SectionRole.TEXT and labelled is None:
        return block
    found = labelled or _NUMBER_LABEL.match(text)
    label, body = (normalize("NFKC", found[1]), found.end()) if found else (block.label, 0)
    is_reference = reads_as_reference(block.inline, body, words)
    if role is SectionRole.TEXT:
        colon = bracket is not None and bracket[2] == ":" and " " not in label
        named = colon or text.startswith(".. [")
        if not named and not (is_reference and (label.isdigit() or len(label) == 1)):
            return _remark(block, label, body, words)
    elif role is SectionRole.REFERENCES and not is_reference:
        in_list = bool(label) or block.list_id is not None
        is_reference = in_list and has_year(text) and not has_amount(text[body:])
    if not is_reference and not label:
        return block
    kind = BlockKind.REFERENCE if is_reference else BlockKind.FOOTNOTE
    return replace(block, kind=kind, label=label, body=body, listed=True)


def _row(block: Block, words: DocumentWords) -> Block:
    """An entry in a table, its label in the first cell: "| L1 | Luma, arXiv:… | a.md |"."""
    text, (first, *others) = block.inline.text, block.inline.cells
    label = _ROW_LABEL.fullmatch(text[first.start : first.end].strip())
    body = others[0].start if others else len(text)
    if label is None or not others or has_amount(text[body:]):
        return block
    if not reads_as_reference(block.inline, body, words):
        return block
    return replace(block, kind=BlockKind.REFERENCE, label=label[1], body=body, listed=True)


def _remark(block: Block, label: str, body: int, words: DocumentWords) -> Block:
    """The remark "[1] The engines are not included.", else the block itself.

    A label that is the subject of its sentence goes on in small letters: "[1] found that …".
    """
    text = block.inline.text
    if label.isdigit() and text[body].isupper() and states(text[body:], words):
        return replace(block, kind=BlockKind.FOOTNOTE, label=label, body=body, noted=True)
    return block
