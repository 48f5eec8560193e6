"""The textual lens: references, notes, acronyms, spellings, repetitions and quotation marks."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from ..documents.model import BlockKind, CitationForm, Sentence
from .model import Flaw, FlawKind
from .reading import Reading, Word, words_of
from .rules import word_pattern

_NUMBER = r"[0-9]{1,3}(?:\.[0-9]{1,3})*|[A-Z](?=\b(?!\.[a-z]))"
_HEADING_NUMBER = re.compile(rf"(?:(?P<word>[A-Za-z]+)\.? )?(?P<number>{_NUMBER})[.:)]?(?:\s|$)")
_ANCHOR = re.compile(r"\]\(#(?P<slug>[^)\s]{1,200})\)")
_ANCHOR_SET = re.compile(
    r"(?:\bid|\bname)=[\"']?(?P<id>[\w.-]{1,200})|\{#(?P<attr>[\w.-]{1,200})\}"
)
_NOT_SLUG = re.compile(r"[^\w\- ]")
_NOTE = re.compile(r"^\[\^(?P<label>[^\]\s]{1,100})\]:", re.MULTILINE)
_ACRONYM = re.compile(r"(?<![\w./@#&-])(?:[A-Z][A-Z0-9]{1,5}|[A-Z]{2,5}s)(?![\w/@&-])")
_SHOUTED = 3
_FEWEST_IN_CAPTION = 2
_HYPHEN = re.compile(r"[-\u2010\u2011]")
_IZE = re.compile(r"i[sz](?=e$|ed$|es$|ing$|er$|ation|ations$)")


def textual_flaws(reading: Reading) -> Iterator[Flaw]:
    """Every flaw of the text as a text, in no order."""
    yield from _sections(reading)
    yield from _captions(reading)
    yield from _anchors(reading)
    yield from _notes(reading)
    yield from _acronyms(reading)
    yield from _names(reading)
    yield from _terms(reading)
    yield from _repeated(reading)
    yield from _quotations(reading)


@dataclass(frozen=True, slots=True)
class _Reference:
    """A numbered thing that a sentence refers to: "Table 4", at `span` of its text."""

    sentence: Sentence
    word: str
    number: str
    span: tuple[int, int]


def _references(reading: Reading, words: Sequence[str]) -> Iterator[_Reference]:
    """References to the document's own parts: not those that name another work, or cite one."""
    rules = reading.rules.references
    kinds = word_pattern(re.escape(word) for word in words if word != "§").pattern
    mark = r"|(?P<mark>§)\s?" if "§" in words else ""
    pattern = re.compile(
        rf"(?:(?P<word>{kinds})s?\s+{mark})(?P<number>{_NUMBER})(?P<rest>.{{0,30}})", re.IGNORECASE
    )
    elsewhere = re.compile(rf"[\s,]*(?:{'|'.join(rules.elsewhere)})")
    for sentence in reading.prose:
        if reading.document.scopes[sentence.index]:
            continue
        for found in pattern.finditer(sentence.text):
            number = found["number"]
            if elsewhere.match(found["rest"]) or (number.isalpha() and not number.isupper()):
                continue
            before = sentence.text[: found.start()].rstrip()
            if before.endswith(("'s", "’s", "'")):
                continue
            word = (found["word"] or "section").casefold()
            yield _Reference(sentence, word, number, (found.start(), found.end("number")))


def _sections(reading: Reading) -> Iterator[Flaw]:
    """References to sections that the document, whose headings are numbered, does not have."""
    numbers: set[str] = set()
    for section in reading.document.sections:
        if found := _HEADING_NUMBER.match(section.title):
            numbers.add(found["number"])
    if len(numbers) < _FEWEST_IN_CAPTION:
        return
    tops = {number.split(".")[0] for number in numbers}
    if "1" not in tops:  # an excerpt of a longer document
        return
    for one in _references(reading, reading.rules.references.sections):
        # A paragraph or clause below a numbered section need not have a heading of its own.
        deep = one.number.count(".") > max(number.count(".") for number in numbers)
        if one.number in numbers or (deep and one.number.split(".")[0] in tops):
            continue
        if one.number.isalpha():
            continue
        yield reading.flaw(
            FlawKind.BROKEN_REFERENCE,
            one.sentence,
            f"The document has no section {one.number}.",
            span=one.span,
        )


def _captions(reading: Reading) -> Iterator[Flaw]:
    """References to tables, figures and appendices that have no caption in the document."""
    words = reading.rules.references.captioned
    heads = [
        sentence.text
        for sentence in reading.document.sentences
        if sentence.kind in (BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.HTML)
    ]
    label = re.compile(
        rf"\W*(?P<word>{'|'.join(map(re.escape, words))})\s+(?P<number>{_NUMBER})\s*(?:[.:–—-]|$)",
        re.IGNORECASE,
    )
    known: dict[str, set[str]] = defaultdict(set)
    for head in heads:
        if found := label.match(head):
            known[_kind(found["word"])].add(found["number"])
    for one in _references(reading, words):
        numbers = known.get(_kind(one.word), set())
        if numbers and one.number not in numbers:
            yield reading.flaw(
                FlawKind.BROKEN_REFERENCE,
                one.sentence,
                f"The document has no {_kind(one.word)} {one.number}.",
                span=one.span,
            )


def _kind(word: str) -> str:
    folded = word.casefold().rstrip(".")
    return "figure" if folded == "fig" else folded


def _anchors(reading: Reading) -> Iterator[Flaw]:
    """Links to headings that the document does not have."""
    text = reading.document.text
    slugs = {_slug(section.title) for section in reading.document.sections}
    slugs |= {found["id"] or found["attr"] for found in _ANCHOR_SET.finditer(text)}
    for found in _ANCHOR.finditer(text):
        slug = found["slug"]
        if slug.casefold() not in {one.casefold() for one in slugs} and not slug[-1].isdigit():
            yield reading.flaw_at(
                FlawKind.BROKEN_REFERENCE,
                found.start("slug") - 1,
                found.end("slug"),
                f"No heading of the document is #{slug}.",
            )


def _slug(title: str) -> str:
    return _NOT_SLUG.sub("", title.casefold()).strip().replace(" ", "-")


def _notes(reading: Reading) -> Iterator[Flaw]:
    """Marks without a note or an entry, and notes without a mark."""
    document = reading.document
    marked: set[str] = set()
    for citation in document.citations:
        if citation.form not in (CitationForm.FOOTNOTE, CitationForm.NUMERIC):
            continue
        marked.add(citation.label.casefold())
        if not citation.reference:
            yield reading.flaw_at(
                FlawKind.DANGLING_NOTE,
                citation.start,
                citation.end,
                f"{citation.raw} leads to no note and no entry of the document.",
            )
    for found in _NOTE.finditer(document.text):
        if found["label"].casefold() not in marked:
            yield reading.flaw_at(
                FlawKind.DANGLING_NOTE,
                found.start(),
                found.end(),
                f"Nothing in the text refers to note {found['label']!r}.",
            )


def _acronyms(reading: Reading) -> Iterator[Flaw]:
    """Acronyms that are used and never spelled out."""
    rules = reading.rules.acronyms
    everything = " ".join(sentence.text for sentence in reading.document.sentences)
    first: dict[str, tuple[Sentence, tuple[int, int]]] = {}
    uses: Counter[str] = Counter()
    for sentence in reading.prose:
        shouted = sum(word.text.isupper() and len(word.text) > 1 for word in words_of(sentence))
        if shouted > _SHOUTED:
            continue
        for found in _ACRONYM.finditer(sentence.text):
            acronym = found[0].removesuffix("s")
            uses[acronym] += 1
            first.setdefault(acronym, (sentence, found.span()))
    for acronym, count in uses.items():
        if count < rules.uses or acronym in rules.known or _is_spelled_out(acronym, everything):
            continue
        sentence, span = first[acronym]
        yield reading.flaw(
            FlawKind.UNDEFINED_ACRONYM,
            sentence,
            f"{acronym!r} is used {count} times and never spelled out.",
            span=span,
        )


def _is_spelled_out(acronym: str, everything: str) -> bool:
    """Whether brackets, a dash or a definition beside it, or words in row, tell what it means."""
    if re.search(
        rf"\({acronym}s?[;,)]|\b{acronym}s? \([A-Za-z]|\b{acronym}s?\s*(?:[–—:=|]|-)\s*[A-Z]"
        rf"|[“\"']{acronym}s?[”\"’']|\b{acronym}s? (?:stands for|means|is short for)",
        everything,
    ):
        return True
    if not acronym.isalpha():
        return False
    initials = r"[\w’']*[\s-](?:(?:of|and|for|the|in|on|to|de|du|la)\s){0,2}".join(
        f"[{letter}{letter.lower()}]" for letter in acronym
    )
    return re.search(rf"\b{initials}", everything) is not None


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
            ):
                sentence, word = places[rare][0]
                yield reading.flaw(
                    FlawKind.INCONSISTENT_NAME,
                    sentence,
                    f"{rare!r} stands here, {common!r} in {len(places[common])} other places.",
                    span=(word.start, word.start + len(rare)),
                    related=(reading.place(places[common][0][0]),),
                )
                break


def _name_places(reading: Reading) -> dict[str, list[tuple[Sentence, Word]]]:
    """Every capitalised word that never stands in lower case, with its places."""
    least = reading.rules.spelling.name_letters
    places: dict[str, list[tuple[Sentence, Word]]] = defaultdict(list)
    lower: set[str] = set()
    for sentence in reading.prose:
        for word in words_of(sentence):
            plain = word.text.removesuffix("'s").removesuffix("’s")
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


def _terms(reading: Reading) -> Iterator[Flaw]:
    """A term that is written in two ways: "e-mail" and "email", "data set" and "dataset"."""
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    first: dict[str, tuple[Sentence, tuple[int, int]]] = {}
    for sentence in reading.prose:
        words = list(words_of(sentence))
        for number, word in enumerate(words):
            _count(reading, sentence, word.text, (word.start, word.end), forms, first)
            after = words[number + 1] if number + 1 < len(words) else None
            if after and sentence.text[word.end : after.start] == " ":
                pair = f"{word.text} {after.text}"
                _count(reading, sentence, pair, (word.start, after.end), forms, first)
    for counts in forms.values():
        ways = _ways(counts)
        if len(ways) > 1:
            common, rare = ways[0], ways[-1]
            sentence, span = first[rare]
            yield reading.flaw(
                FlawKind.INCONSISTENT_TERM,
                sentence,
                f"{rare!r} stands here, {common!r} elsewhere.",
                span=span,
            )


def _count(
    reading: Reading,
    sentence: Sentence,
    form: str,
    span: tuple[int, int],
    forms: dict[str, Counter[str]],
    first: dict[str, tuple[Sentence, tuple[int, int]]],
) -> None:
    folded = form.casefold()
    key = _IZE.sub("iz", _HYPHEN.sub("", folded).replace(" ", ""))
    if len(key) >= reading.rules.spelling.term_letters and key.isalpha():
        forms[key][folded] += 1
        first.setdefault(folded, (sentence, span))


def _ways(counts: Counter[str]) -> list[str]:
    """The ways in which a term is written, the commonest first.

    Two words beside one word, or beside a hyphened one, are two ways; a hyphen before a noun
    ("decision-making body") is grammar, so that two words and a hyphened one alone are not.
    """
    ordered = [form for form, _ in counts.most_common()]
    solid = [form for form in ordered if " " not in form and not _HYPHEN.search(form)]
    if len(solid) > 1 or (solid and len(ordered) > len(solid)):
        return ordered
    return []


def _repeated(reading: Reading) -> Iterator[Flaw]:
    """Passages of many words that stand twice; the second place is the flaw."""
    length = reading.rules.duplicates.words
    stream = [
        (sentence, word)
        for sentence in reading.prose
        if sentence.kind is not BlockKind.FOOTNOTE
        for word in words_of(sentence)
    ]
    folded = [word.text.casefold() for _, word in stream]
    seen: dict[tuple[str, ...], int] = {}
    at = 0
    while at + length <= len(folded):
        window = tuple(folded[at : at + length])
        before = seen.setdefault(window, at)
        if before == at or at - before < length:
            at += 1
            continue
        end = at + length
        while (
            end < len(folded)
            and folded[end] == folded[before + end - at]
            and before + end - at < at
        ):
            end += 1
        yield _repetition(reading, stream, at, end, before)
        at = end


def _repetition(
    reading: Reading, stream: Sequence[tuple[Sentence, Word]], at: int, end: int, before: int
) -> Flaw:
    sentence, word = stream[at]
    last, last_word = stream[end - 1]
    start = sentence.source_span(word.start, word.end)[0]
    stop = last.source_span(last_word.start, last_word.end)[1]
    first = stream[before][0]
    return reading.flaw_at(
        FlawKind.DUPLICATED_PASSAGE,
        start,
        stop,
        f"These {end - at} words stand in line {first.line} as well.",
        sentence=sentence,
        related=(reading.place(first),),
    )


def _quotations(reading: Reading) -> Iterator[Flaw]:
    """Paragraphs in which a quotation is opened and not closed, or closed and not opened."""
    for _, group in groupby(reading.prose, key=lambda sentence: sentence.block):
        sentences = list(group)
        marks = [
            (sentence, at)
            for sentence in sentences
            for at, char in enumerate(sentence.text)
            if char == '"' and not _is_inch(sentence.text, at)
        ]
        opened = [(s, at) for s in sentences for at, char in enumerate(s.text) if char in "“„«"]
        closed = [(s, at) for s in sentences for at, char in enumerate(s.text) if char in "”»"]
        odd = marks[-1] if len(marks) % 2 else None
        if odd is None and len(opened) != len(closed) and not any("„" in s.text for s in sentences):
            odd = (opened or closed)[-1]
        if odd is not None:
            sentence, at = odd
            yield reading.flaw(
                FlawKind.UNCLOSED_QUOTATION,
                sentence,
                "A quotation mark of this paragraph has no partner.",
                span=(at, min(len(sentence.text), at + 60)),
            )


def _is_inch(text: str, at: int) -> bool:
    return at > 0 and text[at - 1].isdigit() and (at + 1 == len(text) or text[at + 1] in " ,.;)x")
