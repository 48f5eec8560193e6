"""Citation markers in a block's visible text, and what of them a reader would not read aloud."""

from __future__ import annotations

import bisect
import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from unicodedata import normalize

from ._addresses import Marker, canonical_doi, find_addresses, find_files, link_target
from ._authors import AuthorYear, in_bracket, in_text
from ._bare_links import ENDS, BareLinks
from ._mentions import find_mentions, name_words, named_files
from .blocks import Block
from .inline import Link, Note, Span, blank, trimmed
from .model import BlockKind, CitationForm
from .references import RAISED, Reference, References
from .scope import ACCESSED, LOCATOR, is_title
from .words import WORD, Words, any_of

# What stands for text that is a marker (GONE), for a link that is one only inside a bracket of
# nothing else (TITLE), and for code, where nothing is a marker.
GONE, TITLE, CODE = "\x00", "\x01", "\x02"

# Characters and words of a source's name by which it is found again.
MAX_NAME, MAX_NAME_WORDS = 300, 40

MAX_RANGE = 50

_PAGE = r",\s?(?:pp?\.|§|ch\.|chap\.|sec\.|[Tt]able|[Ff]ig\.)[^\[\]]{0,40}$"
_NUMBERS = re.compile(rf"\^?\d{{1,3}}(?:\s?[,;–—-]\s?\^?\d{{1,3}}){{0,40}}(?:{_PAGE})?")
_LABEL = re.compile(r"(\d{1,3})(?:\s?[–—-]\s?\^?(\d{1,3}))?")
_PAGE_AFTER = re.compile(_PAGE)
_BRACKET = re.compile(
    r"\[(\d{1,3})\]\s?[–—-]\s?\[(\d{1,3})\]|\[([^\[\]\x00-\x1f]{1,80})\](?:_(?!\w))?"
)
# Inside a word or a pattern, brackets choose characters: "pypy[23]-5.10", "s/^[^t]*//".
_CHOOSES = re.compile(
    r"(?<=\w)\[[^\[\]]+\](?=[-.]?\w)|(?<=[\\^/*|{}])\[|\[[^\[\]]+\](?=[*\\{}|+$^])"
)
# "Solaris 2.[456]", "FIN_WAIT_[12]", "array([1, 2])", unless the document has such an entry.
_DIGITS = re.compile(r"(?:(?<=\d\.)|(?<=_))\[\d{2,3}\]|(?<=\w\()\[")
# AsciiDoc: "linkgit:git-blame[1]", unless it has such an entry, and "[[name]]" over a block.
_MACRO = re.compile(r"(?<![\w:])[a-z]+::?[\w.#/-]+\Z")
_LONGEST_MACRO = 80
_ANCHOR = re.compile(r"\A\s*\[\[[\w:.-]+\]\](?=\s*(?:=+ |\Z))")
_NOTE_LABEL = re.compile(r"\^[.:+-]*\w[\w.:+-]*")
_KEYS = re.compile(r"(?<![\w@])@([\w][\w:.+/-]{0,60})")
_KEYED = re.compile(r"(?:[^@;\[\]]{0,30}-?@[^@;\[\]]{1,60}(?:;|$)\s*){1,20}")
_UNKNOWN = re.compile(
    r"\\(?:[a-z]{0,8}cite[a-z]{0,8}|footnote)\*?(?:\[[^\[\]]{0,40}\]){0,2}\{[^{}]{1,80}\}"
    r"|\[\[(?=[^\[\]]{0,80}\w)(?!:)[^\[\]\x00-\x1f]{1,80}\]\](?=[\s.,;:)]|$)"
    r"|\{\{ ?cite[^{}]{0,200}\}\}"
    r"|\[(?:[A-Z]\w{0,30}|[#*]\w{0,30})\]_(?!\w)|【[^【】\x00-\x1f]{1,80}】"
    # A link to a file with blanks in its name, which Markdown takes for text.
    r"|\[[^\[\]\x00-\x1f]{1,80}\]\([^()<>\x00-\x1f]{1,200}\.(?:md|txt|html?|pdf)\)"
    # A work with its page: "[Doug Henwood, Wall Street, pp. 66-7]".
    r"|\[(?=[A-Z])[^\[\]\x00-\x1f]{3,200},\s?pp?\.\s?[\divxlc][^\[\]\x00-\x1f]{0,40}\](?![(\[:])"
    # A link whose label is defined nowhere.
    r"|(?<!\w)\[[^\[\]\x00-\x1f]{1,80}\]\[(?=[^\[\]]{0,40}[^\W\d])[^\[\]\x00-\x1f]{1,40}\](?=[.,;:)]|\s*$)"
)
# "[[harbour fees|report]]" names a file without its ending.
_PAGE_NAME = re.compile(r"\[\[([^\[\]|#]+)(?:[|#][^\[\]]*)?\]\]|\[[^\[\]]*\]\((.*)\.\w+\)")
# Full-width brackets round numbers: "【1】".
_WIDE = re.compile(
    r"[\u3010\u3014\uff3b](\d{1,3}(?: ?[,;\u3001\uff0c–-] ?\d{1,3})*)[\u3011\u3015\uff3d]"
)
_RAISED = re.compile(rf"[{RAISED}]+(?:[,˒–-][{RAISED}]+)*|\^\d{{1,3}}(?:, ?\d{{1,3}})*\^")
# Lines of a file: "a.md:12-14", "a.md#L12".
_IN_FILE = re.compile(r"(?:(?::|#L)\d+(?:-L?\d+)?)?")
# "report_" with ".. _report: a.md"
_RST_NAME = re.compile(r"(?<![\w`/.])([^\W\d_][\w-]{1,60})_(?![\w`])")
# A number with its word: "[ref. 1]", "(Source 2)", "(see note 3)".
_NUMBERED = re.compile(r"(?:see )?(?:ref|reference|source|note)s?\.? (?=\d)", re.IGNORECASE)
_LINK_NUMBER = re.compile(r"\[?\^?(\d{1,3})\]?")
_ROUND = re.compile(r"\(([^()\x00-\x1f]{2,400})\)")
_HAS_YEAR = re.compile(r"\d{4}|n\.d\.")
_POWER_BASE = re.compile(r"(?:\d|(?<![^\W_])(?:[munpkcd]?m|ft|in|s|yd|mi|x|n|r))$", re.IGNORECASE)
# What a note's number follows: no short unit, no variable.
_NOTED = re.compile(r"(?:[^\W\d_]{3}|\d{4}|[.,;:!?\"”])$")
_ENDED = re.compile(r"[.!?\"”]$")
_SUBJECT = re.compile(r"\s+[^\W\d_A-Z]")
# Titles between a value, which the name of a thing does not follow, and the end of a sentence.
_AFTER_VALUE = re.compile(
    r"(?P<before>(?:\b[^\W\d_]++[ \xa0]){1,2})(?:\d{1,2}, )?"
    r"(?:(?:19|20)\d\d|\d[\d.,]*[ \xa0]?(?:%|per ?cent))[ \xa0]"
    rf"(?P<titles>{TITLE}[{GONE}{TITLE}\s,;&]*)(?=[.!?](?:\s|$)|$)"
)
_SEPARATED = re.compile(r"\x00[\s,;&/–—-]{1,10}(?=\x00)")


class CitedBefore:
    """The sources that a document cites up to some place, to be found by their names."""

    def __init__(self) -> None:
        self._sources: list[Marker] = []
        self._by_word: dict[str, int] = {}

    def add(self, source: Marker, name: str) -> None:
        """Note that `source` was cited under `name`."""
        for word in name_words(name)[:MAX_NAME_WORDS]:
            self._by_word[word] = len(self._sources)
        self._sources.append(source)

    def find(self, name: str) -> Marker | None:
        """The latest source whose name has most words of `name`, the last one for ""."""
        if not name:
            return self._sources[-1] if self._sources else None
        found = [self._by_word[word] for word in name_words(name) if word in self._by_word]
        number = max(found, key=lambda one: (found.count(one), one), default=None)
        return None if number is None else self._sources[number]


@dataclass(frozen=True, slots=True)
class Marking:
    """The markers of a block in text order, the ranges that vanish, and where "^" is missing.

    `titles` are the links that only name a source.
    """

    markers: list[Marker]
    gone: list[Span]
    powers: list[int]
    titles: list[Span]


def find_markers(
    block: Block,
    references: References,
    bare: BareLinks | None = None,
    before: CitedBefore | None = None,
) -> Marking:
    """The citation markers of `block` behind its label.

    In an entry of a reference list only addresses and files count: its author and year are its own.
    `before` holds what the blocks before cite, and takes up what this one does. `bare` are the
    links of the document whose words are no part of what they follow.
    """
    in_list = block.listed and block.kind is BlockKind.REFERENCE
    spans = bare.spans(block.inline) if bare else frozenset[Span]()
    finder = _Finder(block, references, spans)
    for link in block.inline.links:
        finder.link(link)
    for note in block.inline.notes:
        finder.note(note)
    if not in_list:
        finder.raised()
        finder.names()
    finder.addresses()
    if cell := references.source_cell(block):
        finder.cell(cell)
    finder.files(in_list=in_list)
    if not in_list:
        finder.unknown()
        finder.brackets()
        finder.authors()
        finder.mentions(CitedBefore() if before is None else before)
    return finder.finish()


_ASIDE_OPENS = re.compile(
    r"(?:(?P<first>^)|,|\s*(?P<open>\()) ?(?:(?P<as>as)|as \w+ (?:in|by)|according to|per)\s"
    r"(?:(?:the|an?|its|their)\s)?$",
    re.IGNORECASE,
)
# ", see the [report]" at the end of a clause
_SEE = re.compile(
    r"\s*[,;:–—]\s*(?:see|cf\.?)\s(?:also\s)?(?:(?:the|its|their)\s)?$", re.IGNORECASE
)
_ASIDE_ENDS = re.compile(
    r"(?:\s(?P<verb>[a-z]+)(?:\sit)?)?(?:(?P<close>\))?(?=[.;!?]|$)|(?P<comma>,\s+))"
)


class _Finder:
    def __init__(self, block: Block, references: References, bare: frozenset[Span]) -> None:
        inline = self._inline = block.inline
        self._bare = bare
        self._references = references
        self._words = references.words
        # An entry's own label is taken out.
        label = [Span(0, block.body)] if block.body else []
        self._text = _WIDE.sub(
            lambda one: f"[{one[1].translate({0x3001: ',', 0xFF0C: ','})}]",
            blank(inline.text, [*inline.code, *label], CODE),
        )
        self._markers: list[Marker] = []
        self._gone = label
        self._powers: list[int] = []
        self._titles: list[Span] = []
        self._taken: list[Span] = []
        self._frames: list[Span] = []
        self._links = sorted(link.whole.start for link in inline.links)
        self._raised = frozenset(note.span.start for note in inline.notes)

    def finish(self) -> Marking:
        self._gone += self._after_values()
        gone = self._gone + self._frames + self._bare_brackets()
        self._markers.sort(key=lambda marker: marker.span)
        return Marking(self._markers, sorted(gone), self._powers, self._titles)

    def link(self, link: Link) -> None:
        """A link: a marker if it has a target that can be cited, or only a number as its text."""
        span = link.span
        if span.start == span.end:
            return
        text = self._inline.text[span.start : span.end].strip()
        cited = link_target(link.target)
        if link.markup and cited is None:
            return
        self._taken.append(link.whole)
        self._frames += (one for one in link.frame if one.start < one.end)
        if cited is None:
            self._anchor(link, text.strip("[]^ "))
        elif number := _LINK_NUMBER.fullmatch(text):
            self._numbered_link(link, number[1], cited[0])
        else:
            target, form = cited
            if _is_address(text):
                form = CitationForm.DOI if canonical_doi(text) else CitationForm.BARE_URL
                target = canonical_doi(target) or target
                self._gone.append(span)
            elif text == link.target or span in self._bare or (link.key and text[0] == "@"):
                self._gone.append(span)
            elif is_title(text, self._words):
                self._titles.append(span)
            self._gone += self._aside(link.whole)
            self._markers.append(Marker(span, form, target, link.key))

    def _aside(self, span: Span) -> Iterator[Span]:
        """A clause round a link that only says where it stands: ", as the [report] shows".

        Also at the head of a block: "According to the [report], ". Further on, its mark would be
        taken for one of the sentence before.
        """
        see = _SEE.search(self._inline.text, max(0, span.start - 40), span.start)
        if see and ENDS.match(self._inline.text, span.end):
            yield Span(see.start(), span.end)
            return
        before = _ASIDE_OPENS.search(self._inline.text, max(0, span.start - 40), span.start)
        after = _ASIDE_ENDS.match(self._inline.text, span.end)
        if before is None or after is None or bool(before["open"]) is not bool(after["close"]):
            return
        first = before["first"] is not None
        says = after["verb"] in self._words.telling_verbs if before["as"] else not after["verb"]
        if says and first is (after["comma"] is not None):
            yield Span(before.start(), after.end())

    def _anchor(self, link: Link, label: str) -> None:
        """A link inside the document cites if its text is an entry's label: ``[[1]](#ref-1)``."""
        if not link.target.startswith("#"):
            return
        if self._references.label(label):
            self._cite(link.span, CitationForm.NUMERIC, label)
        elif label.isdigit() and self._is_mark(link.span):
            why = f"[{label}]({link.target}) (its label is defined nowhere)"
            self._gone.append(link.span)
            self._markers.append(Marker(link.span, CitationForm.UNKNOWN, None, why))

    def _is_mark(self, span: Span) -> bool:
        """Whether a number at `span` is in brackets or set high, and no word of the sentence."""
        return span.start in self._raised or self._inline.text[span.start] == "["

    def _numbered_link(self, link: Link, number: str, target: str) -> None:
        """``[1](https://…)``, or ``[1]`` and ``[1][2]`` with link definitions."""
        self._gone.append(link.span)
        if link.key.isdigit() and link.key != number:
            self._labelled(link.span, CitationForm.NUMERIC, number)
        form = CitationForm.NUMERIC if link.key else CitationForm.INLINE_LINK
        entry = self._references.label(link.key) if link.key else None
        reference = entry.text if entry else ""
        self._markers.append(Marker(link.span, form, target, link.key or number, reference))

    def note(self, note: Note) -> None:
        """A footnote mark, or a superscript that is one."""
        if note.label:
            self._cite(note.span, CitationForm.FOOTNOTE, note.label)
            return
        text = self._text[note.span.start : note.span.end].strip()
        labels = _numbers(text)
        # A link in it, or the note that ended last.
        at = bisect.bisect_left(self._links, note.span.start)
        inner = [*self._links[at : at + 1], *(one.start for one in self._taken[-1:])]
        if any(note.span.start <= one < note.span.end for one in inner):
            return
        if not labels:
            self._named(note)
            return
        before = self._inline.text[max(0, note.span.start - 12) : note.span.start]
        known = all(self._references.note(label) for label in labels)
        # "(2^64)" to the first is no citation where no list has a 1.
        raised = before.endswith(")") and not known
        if raised or (_POWER_BASE.search(before) and not (known and before[-4:].isdigit())):
            self._powers.append(note.span.start)
            return
        self._cite(note.span, CitationForm.NUMERIC, *labels)

    def _named(self, note: Note) -> None:
        """A raised or marked file: ``<sup>a.md</sup>``, ``<cite>a.md</cite>``."""
        text = self._text[note.span.start : note.span.end].strip()
        file = next(find_files(text), None)
        if file is not None and file.span == (0, len(text)):
            self._gone.append(note.span)
            self._taken.append(note.span)
            self._markers.append(replace(file, span=note.span))

    def raised(self) -> None:
        """Numbers set high, "¹", "²,³" and "^1^", that have a note; units have a power."""
        for match in _RAISED.finditer(self._text):
            written = normalize("NFKC", match[0].strip("^").replace("˒", ","))
            labels = _numbers(written)
            if not all(map(self._references.note, labels)) and written.isdigit():
                labels = [*written]
            known = all(map(self._references.note, labels))
            before = self._inline.text[max(0, match.start() - 12) : match.start()]
            # A number that has a note may stand apart: "4 euros ¹."
            if labels and (_NOTED.search(before.rstrip(" ")) if known else _ENDED.search(before)):
                self._cite(Span(*match.span()), CitationForm.NUMERIC, *labels)

    def names(self) -> None:
        """The words of links whose address a line like ".. _report: a.md" names: ``report_``."""
        for match in _RST_NAME.finditer(self._text):
            found = self._references.label(match[1])
            if found and found.target:
                self.link(Link(Span(*match.span(1)), found.target, match[1]))
                self._gone.append(Span(match.end() - 1, match.end()))

    def addresses(self) -> None:
        """Addresses written out, outside of links and notes."""
        self._text = blank(self._text, self._taken, CODE)
        found = list(find_addresses(self._text))
        self._markers += found
        self._gone += (address.span for address in found)
        self._text = blank(self._text, (address.span for address in found))

    def cell(self, span: Span) -> None:
        """Files that a cell of a column "Source" names."""
        for files, _ in named_files(f"({self._with_files()[slice(*span)]})", self._words):
            for file in files:
                self._markers.append(replace(file, span=file.span.shifted(span.start - 1)))
            self._gone.append(trimmed(self._text, span))
            self._text = blank(self._text, [span])

    def files(self, *, in_list: bool) -> None:
        """Files named as sources: ``(a.md)``, ``<a.md>``, ``Source: a.md``; any in an entry."""
        if in_list:
            found = list(find_files(self._text))
            self._markers += found
            self._text = blank(self._text, (one.span for one in found))
            return
        seen: set[int] = set()
        gone: list[Span] = []
        for files, cites in named_files(self._with_files(), self._words):
            for file in files:
                if file.span.start not in seen:
                    seen.add(file.span.start)
                    self._markers.append(file)
            gone += [cites] if cites else []
        self._gone += gone
        self._text = blank(self._text, gone)

    def _with_files(self) -> str:
        """The text with the code spans that hold the name of a file and nothing else."""
        shown = list(self._text)
        for start, end in self._inline.code:
            name = self._inline.text[start:end]
            if any(
                one.span.start == 0 and _IN_FILE.fullmatch(name, one.span.end)
                for one in find_files(name)
            ):
                shown[start:end] = name
        return "".join(shown)

    def mentions(self, before: CitedBefore) -> None:
        """Sources named once more: ``(same report)``, ``The survey says``."""
        # A mention comes before a marker that begins with it.
        found = sorted(
            [*self._markers, *find_mentions(self._text, self._words)],
            key=lambda one: (one.span.start, isinstance(one, Marker), one.span.end),
        )
        for one in found:
            if isinstance(one, Marker):
                self._note_source(one, before)
            elif source := before.find(one.name):
                again = replace(source, span=one.span, form=CitationForm.MENTION)
                self._markers.append(again)
                self._gone += [one.span] if one.gone else []

    def _note_source(self, marker: Marker, before: CitedBefore) -> None:
        """Note what `marker` leads to, under its text, its entry and the name of its file."""
        if marker.target is not None:
            text = self._inline.text[marker.span.start : marker.span.end]
            names = (text, marker.reference, _stem(marker.target))
            before.add(marker, " ".join(name[:MAX_NAME] for name in names))

    def brackets(self) -> None:
        """``[1]``, ``[1, 3]``, ``[1-3]``, ``[1]-[3]``, ``[^1]``, ``[Smith20]``, ``[Lee, 2020]``."""
        for match in _BRACKET.finditer(self._text):
            span, content = Span(*match.span()), match[3] or ""
            chosen = _DIGITS.match(self._text, span.start) or _MACRO.search(
                self._text, max(0, span.start - _LONGEST_MACRO), span.start
            )
            if (chosen and not self._references.label(content)) or _CHOOSES.match(
                self._text, span.start
            ):
                continue
            if (keys := _KEYS.findall(content)) and _KEYED.fullmatch(content):
                self._keys(span, keys)
                continue
            if match[1]:
                labels, form = _numbers(f"{match[1]}-{match[2]}"), CitationForm.NUMERIC
            else:
                labels, form = self._bracket_labels(content)
            self._labelled(span, form, *labels)
            if labels and not self._is_subject(span):
                self._gone.append(span)
            elif not labels and not content.isdigit():
                self._author_bracket(span, content)
        for match in _KEYS.finditer(blank(self._text, self._gone)):
            key = match[1].rstrip(".:-")
            at = Span(match.start(), match.end(1) - len(match[1]) + len(key))
            # "@lund2024 found that …" has it for its subject.
            if found := self._references.key(key):
                self._add(at, CitationForm.KEY, key, found)

    def _keys(self, span: Span, keys: Sequence[str]) -> None:
        """``[@smith2020]``, ``[see @smith2020, p. 4; @lee2019]``."""
        for key in keys:
            key = key.rstrip(".:-")
            self._add(span, CitationForm.KEY, key, self._references.key(key))
        self._gone.append(span)

    def unknown(self) -> None:
        """Forms that are citations elsewhere and that are not followed; each names itself."""
        if anchor := _ANCHOR.match(self._text):
            self._text = blank(self._text, [Span(*anchor.span())], CODE)
        for match in _UNKNOWN.finditer(self._text):
            span, label = Span(*match.span()), match[0].removesuffix("_")
            if label != match[0] and self._references.label(label[1:-1]):
                continue
            why = "its label is defined nowhere" if "][" in match[0] else "a form that is not read"
            # An address in it was taken out.
            if GONE not in match[0]:
                label, page = f"{match[0]} ({why})", _PAGE_NAME.fullmatch(match[0])
                name = (page[1] or page[2]).rpartition("/")[2].strip() if page else ""
                self._markers.append(Marker(span, CitationForm.UNKNOWN, None, label, name))
            self._gone.append(span)
            self._text = blank(self._text, [span], CODE)

    def authors(self) -> None:
        """``(Smith, 2020; Lee & Park, 2019)`` and ``Smith et al. (2020)``."""
        for match in _ROUND.finditer(self._text):
            span = Span(*match.span())
            if _HAS_YEAR.search(match[1]):
                self._author_bracket(span, match[1])
            elif labels := self._numbered(match[1]):
                self._cite(span, CitationForm.NUMERIC, *labels)
            elif titles := self._titles_in(match[1]):
                for label, reference in titles:
                    self._add(span, CitationForm.KEY, label, reference)
                self._gone.append(span)
        cited = any(marker.target for marker in self._markers)
        not_authors, verbs = self._words.not_authors, self._words.telling_verbs
        for span, years, works in in_text(self._text, not_authors, self._known, verbs):
            # Beside a source that can be followed, "Smith et al. (2020)" is what it speaks of.
            known = any(map(self._known, works))
            named = known or (not cited and any(work.sure for work in works))
            for work in works if named else ():
                self._work(span, work)
            if named or cited:
                self._gone.append(years)

    def _numbered(self, content: str) -> list[str]:
        """The labels of a bracket like "(source 2)" that a list has."""
        lead = _NUMBERED.match(content)
        labels = _numbers(content[lead.end() :]) if lead else []
        return labels if all(map(self._references.label, labels)) else []

    def _titles_in(self, content: str) -> list[tuple[str, Reference]]:
        """The short titles of a bracket that holds nothing else: ``(Register; Survey, p. 3)``."""
        labels = [_PAGE_AFTER.sub("", part.strip()) for part in content.split(";")]
        found = [(label, one) for label in labels if (one := self._references.titled(label))]
        return found if len(found) == len(labels) else []

    def _known(self, work: AuthorYear) -> bool:
        return self._references.work(work) is not None

    def _author_bracket(self, span: Span, content: str) -> None:
        """A bracket of authors and years; it vanishes only if nothing else stands in it."""
        parts = [in_bracket(part, self._words.not_authors) for part in content.split(";")]
        named = [work for part in parts for work in part]
        works = [work for work in named if work.likely or self._known(work)]
        for work in works:
            self._work(span, work)
        sure = all(work.sure or self._known(work) for work in works)
        if works and sure and all(parts) and len(works) == len(named):
            self._gone.append(span)

    def _work(self, span: Span, work: AuthorYear) -> None:
        reference = self._references.work(work)
        self._add(span, CitationForm.AUTHOR_YEAR, work.label, reference)

    def _bracket_labels(self, content: str) -> tuple[list[str], CitationForm]:
        is_note = _NOTE_LABEL.fullmatch(content) is not None
        content = _NUMBERED.sub("", content.strip(), count=1)
        if _is_numeric(content):
            form = CitationForm.FOOTNOTE if content.startswith("^") else CitationForm.NUMERIC
            return _numbers(content), form
        if is_note:
            return [content[1:]], CitationForm.FOOTNOTE
        labels = [part.strip() for part in re.split(r"[,;]", content)]
        known = all(self._references.label(label) for label in labels)
        return (labels if known else []), CitationForm.NUMERIC

    def _cite(self, span: Span, form: CitationForm, *labels: str) -> None:
        """Take `span` out of the text; it is nothing but the marks of `labels`."""
        self._gone.append(span)
        self._taken.append(span)
        self._labelled(span, form, *labels)

    def _labelled(self, span: Span, form: CitationForm, *labels: str) -> None:
        references = self._references
        for label in labels:
            noted = references.note(label)
            found = noted if form is CitationForm.FOOTNOTE else references.label(label)
            if found is not noted or not references.is_remark(label):
                self._add(span, form, label, found)

    def _add(self, span: Span, form: CitationForm, label: str, found: Reference | None) -> None:
        target, text = (found.target, found.text) if found else (None, "")
        self._markers.append(Marker(span, form, target, label, text))

    def _is_subject(self, span: Span) -> bool:
        """Whether the marker is the subject of its sentence: "[1] found that …"."""
        before = self._text[max(0, span.start - 3) : span.start].rstrip()
        begins = not before or before[-1] in ".!?"
        return begins and _SUBJECT.match(self._text, span.end) is not None

    def _after_values(self) -> list[Span]:
        """Titles that end a sentence after a year or a share: "in 2024 [Olm Daily](…)."."""
        if not self._titles:
            return []
        masked = blank(blank(self._text, self._titles, TITLE), self._gone, GONE)
        found: list[Span] = []
        for match in _AFTER_VALUE.finditer(masked):
            span = Span(*match.span("titles"))
            before = match["before"].casefold().split()
            if self._words.determiners.isdisjoint(before) and self._names_sources(span):
                found.append(span)
        return found

    def _within(self, span: Span, links: Iterable[Span]) -> Iterator[str]:
        """The words of those of `links` that begin in `span`."""
        inside = (one for one in links if span.start <= one.start < span.end)
        return (self._inline.text[one.start : one.end] for one in inside)

    def _names_sources(self, span: Span) -> bool:
        """Whether every title in `span` begins like a name, or is a word like "source"."""
        return all(
            text[0].isupper() or text.casefold() in self._words.source_words
            for text in self._within(span, self._titles)
        )

    def _is_work(self, bracket: Span) -> bool:
        """Whether every link in a bracket that names people is called what a source is."""
        links = self._within(bracket, (one.span for one in self._inline.links))
        last = [words[-1].casefold() for link in links if (words := WORD.findall(link))]
        return bool(last) and self._words.source_nouns.issuperset(last)

    def _bare_brackets(self) -> list[Span]:
        """Brackets that hold markers only, and what separates two markers."""
        masked = blank(self._inline.text, self._inline.code, CODE)
        links = {link.span for link in self._inline.links}
        masked = blank(masked, [one.span for one in self._markers if one.span in links], TITLE)
        masked = blank(masked, [*self._titles, *self._frames], TITLE)
        masked = blank(masked, self._gone, GONE)
        brackets = _source_bracket(self._words.source_words, self._words.determiners)
        found = [
            Span(*match.span())
            for match in brackets.finditer(masked)
            if set(match[0]) & {GONE, TITLE}
            and (not match["names"] or self._is_work(Span(*match.span())))
        ]
        masked = blank(masked, found, GONE)
        return found + [Span(*match.span()) for match in _SEPARATED.finditer(masked)]


@functools.cache
def _source_bracket(words: Words, determiners: Words) -> re.Pattern[str]:
    """A bracket with nothing but markers, a place in the source, and what introduces them.

    `names` are those of people or things, as in "(Lund and Berg, [report](a.md))".
    """
    known = any_of(words | determiners)
    # Behind a marker any word with a number is a place; elsewhere it may be a figure of the claim.
    behind = rf"(?<=[{GONE}{TITLE}][,;] )[a-z]{{3,12}}\.? (?:\d{{1,3}}|(?-i:[A-Z]))\b"
    place = rf"{LOCATOR}|{behind}"
    one = rf"[{GONE}{TITLE}]|[\s,;:.&/–—-]|\b(?:{known})(?!\w)\.?|{place}"
    name = r"(?P<names>(?-i:[A-Z])[\w.'’-]*(?: et al\b\.?)?(?:,? (?:19|20)\d\d[a-z]?)?)"
    return re.compile(
        rf"(?:\^|footnote:)?[(\[\uff08](?:{ACCESSED}|{one}|{name})*+[)\]\uff09]", re.IGNORECASE
    )


def _stem(target: str) -> str:
    """The last part of an address or path, without its ending."""
    return target.rstrip("/").rpartition("/")[2].partition(".")[0]


def _is_address(text: str) -> bool:
    found = next(find_addresses(text), None)
    return found is not None and found.span.start == 0 and found.span.end >= len(text) - 1


def _is_numeric(content: str) -> bool:
    """Whether a bracket's `content` is a list of numbers and ranges, with or without a page."""
    return _NUMBERS.fullmatch(content) is not None


def _numbers(content: str) -> list[str]:
    """Each label that `content` names, ranges written out.

    Empty unless `content` is numeric and every number can be a label: 0 cannot ("[0, 1]" is an
    interval), nor can a range that runs backwards or spans more than `MAX_RANGE`.
    """
    labels: list[str] = []
    if not _is_numeric(content):
        return labels
    for match in _LABEL.finditer(_PAGE_AFTER.sub("", content)):
        first, last = int(match[1]), int(match[2] or match[1])
        if first == 0 or not first <= last <= first + MAX_RANGE:
            return []
        labels += map(str, range(first, last + 1))
    return labels
