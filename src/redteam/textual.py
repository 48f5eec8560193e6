"""The textual lens: references that lead nowhere, acronyms never spelled out, two spellings."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from ..base.vocabulary import CitationState
from ..documents.model import BlockKind, CitationForm, Sentence
from .model import Flaw, FlawKind, word_pattern
from .reading import NUMBER, PROSE, WORD, Reading, broken_links, heading_numbers

_MORE = re.compile(rf"(?:,? and|,? or|,| to|\s?[–-])\s?(?P<number>{NUMBER})\b")
_LABEL = r"[0-9]{1,3}(?:[.-][0-9]{1,3})*|[A-Z](?:[.-]?[0-9]{1,3})?(?=\b(?!\.[a-z]))"
_MARK = re.compile(r"\[\^(?P<label>[^\]\s]{1,100})\](?!:)")
_NOTE = re.compile(r"^\[\^(?P<label>[^\]\s]{1,100})\]:", re.MULTILINE)
_FEWEST_HEADINGS = 2
_MANY_LINKS = 3
_ATTACHED = frozenset({"annex", "appendix"})
_CAPTIONS = frozenset({BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.HTML})
_KINDS = {"fig": "figure", "sect": "section", "sec": "section", "§": "section"}

_ACRONYM = re.compile(r"(?<![\w./@#&-])(?:[A-Z][A-Z0-9]{1,5}|[A-Z]{2,5}s)(?![\w/@&-])")
_LONGEST = 6
# What stands behind an acronym that is told what it means, and round one.
_MEANT = re.compile(
    r"s? \([A-Za-z]|s?\s*(?:[–—:=|]|-)\s*[A-Z]|s? (?:stands for|means|is short for)"
)
_ENCLOSED = re.compile(r"\(s?[;,)]|[“\"']s?[”\"’']")
_WORD_START = re.compile(r"\b[A-Za-z]")
_SMALL = r"(?:of|and|for|the|in|on|to|de|du|la)\s"
_NEXT_WORD = re.compile(rf"[\w’']*[\s-]()(?:{_SMALL}()(?:{_SMALL}())?)?")
_JOINED = re.compile(r".{0,40}(?:\b(?:and|or|nor|versus)\b|&).{0,40}")
_SHOUTED = 3
_NAMED = PROSE | {BlockKind.HEADING}


def find_textual_flaws(reading: Reading) -> Iterator[Flaw]:
    """Every reference, link and note without the other end, every acronym without its meaning.

    Every name in two spellings, too, all of it in no order.
    """
    yield from _missing(reading, (*_sections(reading), *_captions(reading)))
    yield from _anchors(reading)
    yield from _notes(reading)
    yield from _acronyms(reading)
    yield from _names(reading)


@dataclass(frozen=True, slots=True)
class _Reference:
    """A numbered thing that a sentence refers to: "Table 4", at `span` of its text."""

    sentence: Sentence
    kind: str
    number: str
    span: tuple[int, int]


def _references(reading: Reading, words: Sequence[str]) -> Iterator[_Reference]:
    """References to the document's own parts: not those that name another work, or cite one."""
    rules = reading.rules.references
    kinds = word_pattern(re.escape(word) for word in words if word != "§").pattern
    mark, label = (r"|(?P<mark>§)\s?", NUMBER) if "§" in words else ("", _LABEL)
    pattern = re.compile(rf"(?:(?P<word>{kinds})s?\s+{mark})(?P<number>{label})", re.IGNORECASE)
    elsewhere = re.compile(rf"[\s,]*(?:{'|'.join(rules.elsewhere)})")
    other_code = re.compile(rf"(?:{'|'.join(rules.codes)})\s*$")
    for sentence in reading.prose:
        scopes = reading.document.scopes[sentence.index]
        if any(one.state is CitationState.DIRECT for one in scopes):
            continue
        for found in pattern.finditer(sentence.text):
            spans = [found.span("number")]
            while more := _MORE.match(sentence.text, spans[-1][1]):
                spans.append(more.span("number"))
            before = sentence.text[: found.start()].rstrip()
            if elsewhere.match(sentence.text, spans[-1][1]) or other_code.search(before):
                continue
            kind = _kind(found["word"] or "section")
            for number, (start, end) in enumerate(spans):
                text = sentence.text[start:end]
                if not text.isalpha() or text.isupper():
                    yield _Reference(
                        sentence, kind, text, (start if number else found.start(), end)
                    )


def _missing(reading: Reading, references: Iterable[_Reference]) -> Iterator[Flaw]:
    """One flaw for each part that is referred to and missing, at its first reference."""
    groups: defaultdict[tuple[str, str], list[_Reference]] = defaultdict(list)
    for one in references:
        groups[one.kind, one.number].append(one)
    for (kind, number), (one, *others) in groups.items():
        problem = f"The document has no {kind} {number}."
        related = tuple(reading.place(other.sentence) for other in others)
        yield reading.flaw(FlawKind.BROKEN_REFERENCE, one.sentence, problem, one.span, related)


def _sections(reading: Reading) -> Iterator[_Reference]:
    """References to sections that the document, whose headings are numbered, does not have.

    Of an excerpt, only those between or behind sections that it has; where as many parts are
    missing as there are, they are in the rest of the document.
    """
    numbers = heading_numbers(reading.document)
    if len(numbers) < _FEWEST_HEADINGS:
        return
    tops = {number.split(".")[0] for number in numbers}
    missing = [
        one
        for one in _references(reading, reading.rules.references.sections)
        if not one.number.isalpha() and not _is_there(one.number, numbers, tops)
    ]
    if len({one.number.split(".")[0] for one in missing} - tops) < max(_FEWEST_HEADINGS, len(tops)):
        yield from missing


def _is_there(number: str, numbers: set[str], tops: set[str]) -> bool:
    """Whether there is such a section, or may be: below one that has no numbered parts."""
    parents = {one.rpartition(".")[0] for one in numbers if "1" in tops or "." in one}
    top = number.split(".")[0]
    if number in numbers or ("1" not in tops and top not in tops):
        return True
    # A paragraph or clause below a numbered section need not have a heading of its own.
    return number.rpartition(".")[0] not in parents and top in tops


def _captions(reading: Reading) -> Iterator[_Reference]:
    """References to tables, figures and appendices that have no caption in the document.

    Tables and figures may have lost all their captions; then they are left alone.
    """
    words = reading.rules.references.captioned
    label = re.compile(
        rf"\W*(?P<word>{'|'.join(map(re.escape, words))})\s+(?P<number>{_LABEL})"
        r"(?:\s*(?:[.:–—]|-\s|$)|\W*\s(?-i:[A-Z]))",
        re.IGNORECASE,
    )
    known: defaultdict[str, set[str]] = defaultdict(set)
    for sentence in reading.document.sentences:
        if sentence.kind in _CAPTIONS and (found := label.match(sentence.text)):
            known[_kind(found["word"])].add(found["number"])
    for one in _references(reading, words):
        expected = known[one.kind] or (one.kind in _ATTACHED and not reading.is_excerpt)
        if expected and one.number not in known[one.kind]:
            yield one


def _kind(word: str) -> str:
    folded = word.casefold().rstrip(".").removesuffix("s")
    return _KINDS.get(folded, folded)


def _anchors(reading: Reading) -> Iterator[Flaw]:
    """Links to headings that the document does not have; many of them are one flaw."""
    groups: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for slug, start, end in broken_links(reading.document):
        groups[slug].append((start, end))
    listed = [(f"No heading of the document is #{slug}.", spans) for slug, spans in groups.items()]
    if len(listed) >= _MANY_LINKS:
        named = ", ".join(f"#{slug}" for slug in list(groups)[:_MANY_LINKS])
        spans = [span for _, each in listed for span in each]
        listed = [(f"{len(groups)} links lead to no heading of the document: {named} …", spans)]
    for problem, (first, *others) in listed:
        related = tuple(reading.document.location(*span, "") for span in others)
        yield reading.flaw_at(FlawKind.BROKEN_REFERENCE, first, problem, related)


def _notes(reading: Reading) -> Iterator[Flaw]:
    """Marks without a note or an entry, and notes without a mark."""
    document = reading.document
    # A mark that leads to a remark cites nothing.
    marked = {found["label"].casefold() for found in _MARK.finditer(document.text)}
    for citation in document.citations:
        if citation.form not in (CitationForm.FOOTNOTE, CitationForm.NUMERIC):
            continue
        marked.add(citation.label.casefold())
        if not citation.reference:
            problem = f"{citation.raw} leads to no note and no entry of the document."
            span = citation.start, citation.end
            yield reading.flaw_at(FlawKind.DANGLING_NOTE, span, problem)
    for found in _NOTE.finditer(document.text):
        if found["label"].casefold() not in marked:
            problem = f"Nothing in the text refers to note {found['label']!r}."
            yield reading.flaw_at(FlawKind.DANGLING_NOTE, found.span(), problem)


def _acronyms(reading: Reading) -> Iterator[Flaw]:
    """Acronyms that are used and never spelled out; an excerpt may leave that to the rest."""
    rules = reading.rules.acronyms
    if reading.is_excerpt:
        return
    everything = " ".join(sentence.text for sentence in reading.document.sentences)
    initials = _initials(everything)
    uses: defaultdict[str, list[tuple[Sentence, tuple[int, int]]]] = defaultdict(list)
    for sentence in reading.prose:
        shouted = sum(word.isupper() and len(word) > 1 for word in WORD.findall(sentence.text))
        if shouted > _SHOUTED:
            continue
        for found in _ACRONYM.finditer(sentence.text):
            uses[found[0].removesuffix("s")].append((sentence, found.span()))
    for acronym, places in uses.items():
        if len(places) < rules.uses or acronym in rules.known:
            continue
        if not _is_spelled_out(acronym, everything, initials):
            sentence, span = places[0]
            problem = f"{acronym!r} is used {len(places)} times and never spelled out."
            yield reading.flaw(FlawKind.UNDEFINED_ACRONYM, sentence, problem, span)


def _is_spelled_out(acronym: str, everything: str, initials: Set[str]) -> bool:
    """Whether brackets, a dash or a definition beside it, or words in row, tell what it means.

    The meaning of "AAL2" is that of "AAL".
    """
    acronym = acronym.rstrip("0123456789") or acronym
    at = everything.find(acronym)
    while at >= 0:
        before, end = everything[at - 1 : at], at + len(acronym)
        meant = not (before.isalnum() or before == "_") and _MEANT.match(everything, end)
        if meant or (before and _ENCLOSED.match(before + everything[end : end + 2])):
            return True
        at = everything.find(acronym, at + 1)
    return acronym in initials


def _initials(text: str) -> Set[str]:
    """The first letters of every few words in row; small words between them may be left out."""
    runs: dict[int, set[str]] = {}
    for start in reversed(list(_WORD_START.finditer(text))):
        at, letter = start.start(), start[0].upper()
        follows = _NEXT_WORD.match(text, at)
        ends = {follows.end(1), follows.end(2), follows.end(3)} if follows else set[int]()
        after = (run for end in ends for run in runs.get(end, ()) if len(run) < _LONGEST)
        runs[at] = {letter, *(letter + run for run in after)}
    return set[str]().union(*runs.values())


def _names(reading: Reading) -> Iterator[Flaw]:
    """A name that is spelled in two ways, one of them much rarer."""
    rules = reading.rules.spelling
    places = _name_places(reading)
    by_start: dict[tuple[str, int], list[str]] = defaultdict(list)
    for name in places:
        for length in range(len(name) - rules.name_changes, len(name) + rules.name_changes + 1):
            by_start[name[:2], length].append(name)
    for rare in places:
        for common in by_start[rare[:2], len(rare)]:
            if (
                len(places[rare]) <= rules.rare_share * len(places[common])
                and _changes(rare, common) <= rules.name_changes
                and not _inflected(rare, common)
                and not _stand_together(places[rare], places[common])
            ):
                sentence, word = places[rare][0]
                often = len(places[common])
                problem = f"{rare!r} stands here, {common!r} in {often} other places."
                span = word.start(), word.start() + len(rare)
                related = (reading.place(places[common][0][0]),)
                yield reading.flaw(FlawKind.INCONSISTENT_NAME, sentence, problem, span, related)
                break


def _name_places(reading: Reading) -> dict[str, list[tuple[Sentence, re.Match[str]]]]:
    """Every capitalised word that never stands in lower case, with its places."""
    least = reading.rules.spelling.name_letters
    places: dict[str, list[tuple[Sentence, re.Match[str]]]] = defaultdict(list)
    lower: set[str] = set()
    for sentence in reading.document.sentences:
        if sentence.kind not in _NAMED:
            continue
        for word in WORD.finditer(sentence.text):
            plain = word[0].removesuffix("'s").removesuffix("’s")
            if plain.islower():
                lower.add(plain)
            elif plain[:1].isupper() and plain[1:].islower() and len(plain) >= least:
                places[plain].append((sentence, word))
    return {name: found for name, found in places.items() if name.casefold() not in lower}


def _changes(one: str, other: str) -> int:
    """The letters that must be put in, left out, replaced or swapped (Damerau–Levenshtein)."""
    rows = [list(range(len(other) + 1))]
    for i, left in enumerate(one, start=1):
        row = [i]
        for j, right in enumerate(other, start=1):
            cost = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (left != right))
            if i > 1 and j > 1 and left == other[j - 2] and one[i - 2] == right:
                cost = min(cost, rows[-2][j - 2] + 1)
            row.append(cost)
        rows.append(row)
    return rows[-1][-1]


def _inflected(one: str, other: str) -> bool:
    """Whether one is the other's plural, possessive, or people ("America", "American")."""
    short, long = sorted((one, other), key=len)
    return long.startswith(short) or (short[:-1] == long[: len(short) - 1] and short[-1] in "aeoy")


def _stand_together(
    rare: Sequence[tuple[Sentence, re.Match[str]]], common: Sequence[tuple[Sentence, re.Match[str]]]
) -> bool:
    """Whether a sentence joins both names, as in "Hanson and Hansen": then they are two names."""
    return any(
        one is other
        and _JOINED.fullmatch(one.text, min(a.end(), b.end()), max(a.start(), b.start()))
        for one, a in rare
        for other, b in common
    )
