"""The red team: each lens over one document, and all its flaws in order.

The textual lens finds references that lead nowhere, acronyms never spelled out, two spellings; the
analytical one figures, sums, and values that are stated twice.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date

from ..base.printable import counted
from ..base.vocabulary import CitationState, Severity
from ..claims.arithmetic.calculation import bounds
from ..claims.arithmetic.checks import Figures
from ..claims.model import DateSpan, Granularity, Quantity, QuantityKind
from ..claims.words import Token
from ..documents.model import BlockKind, CitationForm, Sentence
from ..documents.scope import is_technical
from .model import Flaw, FlawKind, Lens, word_pattern
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


_TWO = 2
_MOST_REPEATED = 3
_MOST_COMPARED = 20
"""Statements of the same words, times and names that a later one is compared with."""
_NEAR = 2
_COMPARED = frozenset({QuantityKind.COUNT, QuantityKind.MONEY, QuantityKind.MEASURE})
_BELONGS = re.compile(r"\s+of\s+(?:the|its|their|our|this|that)\b", re.IGNORECASE)
# What points back to the text before it is drawn from that: "Hence this facility is disabled".
_POINTS_BACK = re.compile(r"\b(?:this|these|those|such|above)\b", re.IGNORECASE)
# Each part of a list of licences has years of its own.
_COPYRIGHT = re.compile(r"©|\bcopyright(?:ed)? (?:\(c\)|©|\d{4})", re.IGNORECASE)
_OF_SOMEBODY = re.compile(r"\b(?:he|she|him|his|hers?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A sentence as the statement of one of its values.

    `words` are the stems of all other words of weight, `tokens` all of its words, `names` the stems
    of its names.
    """

    figures: Figures
    value: Quantity | DateSpan
    words: frozenset[str]
    tokens: tuple[Token, ...]
    names: frozenset[str]

    @property
    def times(self) -> frozenset[tuple[date, date]]:
        """The dates of the sentence besides the value."""
        dates = (one for one in self.figures.dates if one is not self.value)
        return frozenset((one.first, one.last) for one in dates)


def _restated_values(reading: Reading) -> Iterator[Flaw]:
    """Values that another paragraph states otherwise, in a statement with the same words.

    The words of one of the two sentences must all stand in the other, and nothing may set the
    other apart: another time or name, or a word such as "planned" or "northern".
    """
    for group in _grouped(reading):
        # The statements so far by their words: most of a long text have others.
        before: defaultdict[frozenset[str], list[_Statement]] = defaultdict(list)
        for other in group:
            for one in _alike(before, other):
                if _disagree(one, other) and _is_same(one, other, reading):
                    yield _flaw(reading, one, other)
                    break
            if len(before[other.words]) < _MOST_COMPARED:
                before[other.words].append(other)


def _flaw(reading: Reading, one: _Statement, other: _Statement) -> Flaw:
    before, here = one.figures.sentence, other.figures.sentence
    problem = f"{other.value.text} stands here, {one.value.text} in line {before.line}."
    span, related = (other.value.start, other.value.end), (reading.place(before),)
    return reading.flaw(FlawKind.INCONSISTENT_NUMBER, here, problem, span, related)


def _grouped(reading: Reading) -> Iterable[list[_Statement]]:
    """Statements of values of one sort, for the same times and with the same names."""
    groups: defaultdict[tuple[object, ...], list[_Statement]] = defaultdict(list)
    repeated: Counter[str] = Counter()
    for one in reading.figures:
        # What is said over and over disagrees with nothing that its first places do not.
        repeated[one.text] += 1
        if repeated[one.text] > _MOST_REPEATED:
            continue
        if one.sentence.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM):
            continue
        if (
            _COPYRIGHT.search(one.text)
            or _OF_SOMEBODY.search(one.text)
            or not one.text.endswith((".", "!"))
        ):
            continue
        for value in _values(one):
            stated = _statement(one, value, reading)
            key = (_sort(value), stated.times, stated.names - reading.scope)
            groups[key].append(stated)
    return groups.values()


def _values(figures: Figures) -> Iterator[Quantity | DateSpan]:
    """The values of a sentence that are the only ones of their sort in it."""
    sorts = Counter(map(_sort, figures.quantities))
    for one in figures.quantities:
        if one.kind in _COMPARED and sorts[_sort(one)] == 1 and one.low == one.high:
            yield one
    years = [one for one in figures.dates if one.granularity is Granularity.YEAR]
    if len(figures.dates) == len(years) == 1:
        yield years[0]


def _sort(value: Quantity | DateSpan) -> tuple[str, str]:
    return (value.kind, value.unit) if isinstance(value, Quantity) else ("date", "")


def _statement(figures: Figures, value: Quantity | DateSpan, reading: Reading) -> _Statement:
    book, dimensions = reading.lexicon.words, reading.dimensions
    tokens = tuple(book.tokens(figures.text))
    words = frozenset(
        dimensions.get(token.stem, token.stem)
        for token in tokens
        if token.word not in book.stop_words
        and token.stem not in reading.weightless
        and not token.word[0].isdigit()
        and not value.start <= token.start < value.end
    )
    names = frozenset(
        token.stem for token in tokens[1:] if token.capital and token.word not in book.stop_words
    )
    if isinstance(value, Quantity) and _BELONGS.match(figures.text, value.end):
        # The dimension of what belongs to a thing: length, for "the 40 km of the canal".
        words |= {reading.rules.restatement.measures.get(value.unit, "")} - {""}
    return _Statement(figures, value, words, tokens, names)


def _alike(
    before: Mapping[frozenset[str], Sequence[_Statement]], other: _Statement
) -> list[_Statement]:
    """Those in another paragraph whose words all stand in `other`, or the reverse, in order."""
    mine, value = other.words, other.value
    # A count says what it counts.
    counts = isinstance(value, Quantity) and value.kind is QuantityKind.COUNT and bool(value.unit)
    found = [one for words in before if words <= mine or mine <= words for one in before[words]]
    return sorted(
        (
            one
            for one in found
            if not _is_beside(one.figures.sentence, other.figures.sentence)
            and min(len(one.words), len(mine)) + counts >= _TWO
        ),
        key=lambda one: one.figures.sentence.index,
    )


def _is_beside(one: Sentence, other: Sentence) -> bool:
    """Whether the two are of one paragraph or list, which tells of several things."""
    listed = one.list_id is not None and one.list_id == other.list_id
    return one.block == other.block or listed or abs(one.index - other.index) == 1


def _disagree(one: _Statement, other: _Statement) -> bool:
    left, right = one.value, other.value
    if isinstance(left, Quantity) and isinstance(right, Quantity):
        return not bounds(left).meets(bounds(right))
    if isinstance(left, DateSpan) and isinstance(right, DateSpan):
        return left.last < right.first or right.last < left.first
    return False


def _is_same(one: _Statement, other: _Statement, reading: Reading) -> bool:
    """Whether nothing beside the shared words sets the two statements apart."""
    if _differ_elsewhere(one, other):
        return False
    shared = one.words if len(one.words) <= len(other.words) else other.words
    marks = [_marks(each, shared, reading) for each in (one, other)]
    return marks[0] == marks[1]


def _differ_elsewhere(one: _Statement, other: _Statement) -> bool:
    """Whether the two give two values of another sort as well: they are of a row of cases."""
    there = {_sort(each): each for each in other.figures.quantities if each != other.value}
    return any(
        _sort(each) in there and not bounds(each).meets(bounds(there[_sort(each)]))
        for each in one.figures.quantities
        if each != one.value
    )


def _marks(one: _Statement, shared: frozenset[str], reading: Reading) -> frozenset[str]:
    """The names of the sentence, and the words beside the shared ones that limit what it says."""
    shared_tokens = [
        token.stem in shared or one.value.start <= token.start < one.value.end
        for token in one.tokens
    ]
    limits = {
        token.stem
        for number, token in enumerate(one.tokens)
        if token.stem in reading.limits and any(shared_tokens[number + 1 : number + 1 + _NEAR])
    }
    return frozenset(limits | one.names)


_STATISTICS = (QuantityKind.PERCENT, QuantityKind.PERCENTAGE_POINTS)


def find_analytical_flaws(reading: Reading) -> Iterator[Flaw]:
    """Yield every flaw of the document's reasoning, in no particular order."""
    yield from _sums(reading)
    yield from _restated_values(reading)
    yield from _statistics(reading)
    yield from _conclusions(reading)


def _sums(reading: Reading) -> Iterator[Flaw]:
    """Results that do not follow from the document's own figures."""
    for one in reading.sums:
        if not one.calculation.agrees:
            span = one.location.start, one.location.end
            problem = f"It does not come out: {one.calculation.working}."
            section = " > ".join(reading.document.sentences[one.sentence].section)
            yield reading.flaw_at(FlawKind.ARITHMETIC_ERROR, span, problem, section=section)


def _statistics(reading: Reading) -> Iterator[Flaw]:
    """Statistics without a source, in a document that cites sources.

    Those of a README or a specification are its own matter, and low, as in a check.
    """
    document, rules = reading.document, reading.rules.statistics
    if not document.citations:
        return
    technical = is_technical(document)
    reckoned = {one.sentence for one in reading.sums}
    surveyed: set[tuple[str, ...]] = set()
    for one in reading.figures:
        sentence = one.sentence
        if rules.surveyed.search(sentence.text):
            surveyed.add(sentence.section)
        if sentence.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM):
            continue
        sourced = document.covering(sentence.index) or sentence.index in reckoned
        if sourced or sentence.section in surveyed:
            continue
        share = any(each.kind in _STATISTICS for each in one.quantities)
        statistic = one.quantities and rules.words.search(sentence.text)
        if not (share or statistic or rules.fractions.search(sentence.text)):
            continue
        if not rules.own.search(sentence.text) and not sentence.text.endswith("?"):
            problem = "A statistic without a source."
            whole = 0, len(sentence.text)
            flaw = reading.flaw(FlawKind.UNSUPPORTED_STATISTIC, sentence, problem, whole)
            yield replace(flaw, severity=Severity.LOW) if technical else flaw


def _conclusions(reading: Reading) -> Iterator[Flaw]:
    """Conclusions on a subject that no sentence before them mentions."""
    rules = reading.rules.conclusions
    known: set[str] = set()
    for section in reading.document.sections[:1]:
        known |= reading.weight(section.title)
    for sentence in reading.document.sentences:
        own = reading.weight(sentence.text)
        opener = rules.openers.match(sentence.text) if sentence.kind in PROSE else None
        if opener and not reading.document.covering(sentence.index):
            said = sentence.text[opener.end() :]
            weighed = reading.weight(said)
            new = len(weighed & known) < rules.shared * len(weighed)
            new = new and not _POINTS_BACK.search(said)
            if new and len(weighed) >= rules.fewest_words:
                problem = "It is drawn from nothing that the document says before it."
                whole = 0, len(sentence.text)
                yield reading.flaw(FlawKind.UNSUPPORTED_CONCLUSION, sentence, problem, whole)
        known |= own


MOST_OF_A_KIND = 100


def find_flaws(reading: Reading, lens: Lens) -> tuple[Flaw, ...]:
    """The flaws found through one lens, in document order; one flaw of a kind at a place."""
    # Only a model looks through the third.
    find = {Lens.TEXTUAL: find_textual_flaws, Lens.ANALYTICAL: find_analytical_flaws}.get(lens)
    found = find(reading) if find else ()
    flaws = {(one.kind, one.location.start, one.problem): one for one in found}
    ordered = sorted(flaws.values(), key=lambda one: (one.location.start, one.kind))
    return tuple(_bounded(ordered))


def _bounded(flaws: Sequence[Flaw]) -> Iterator[Flaw]:
    """At most `MOST_OF_A_KIND` flaws of each kind; the first of them says how many more there are.

    Each flaw is defended, compiled and tested by itself, so that thousands would take minutes.
    """
    total, listed = Counter(flaw.kind for flaw in flaws), Counter[FlawKind]()
    for flaw in flaws:
        listed[flaw.kind] += 1
        more = total[flaw.kind] - MOST_OF_A_KIND
        if listed[flaw.kind] == 1 and more > 0:
            problem = f"{flaw.problem} {counted(more, 'more place')} of this kind are not listed."
            yield replace(flaw, problem=problem)
        elif listed[flaw.kind] <= MOST_OF_A_KIND:
            yield flaw
