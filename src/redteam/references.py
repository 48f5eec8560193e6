"""References and notes that lead nowhere."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..base.vocabulary import CitationState
from ..documents.model import BlockKind, CitationForm, Document, Sentence
from .model import Flaw, FlawKind, word_pattern
from .reading import NUMBER, Reading, broken_links, heading_numbers

_MORE = re.compile(rf"(?:,? and|,? or|,| to|\s?[–-])\s?(?P<number>{NUMBER})\b")
_LABEL = r"[0-9]{1,3}(?:[.-][0-9]{1,3})*|[A-Z](?:[.-]?[0-9]{1,3})?(?=\b(?!\.[a-z]))"
_NOTE = re.compile(r"^\[\^(?P<label>[^\]\s]{1,100})\]:", re.MULTILINE)
_FEWEST_HEADINGS = 2
_MANY_LINKS = 3
_ATTACHED = frozenset({"annex", "appendix"})


def find_reference_flaws(reading: Reading) -> Iterator[Flaw]:
    """Every reference, link and note without the other end, in no order."""
    yield from _missing(reading, (*_sections(reading), *_captions(reading)))
    yield from _anchors(reading)
    yield from _notes(reading)


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
        if _cites(reading.document, sentence):
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


def _cites(document: Document, sentence: Sentence) -> bool:
    return any(one.state is CitationState.DIRECT for one in document.scopes[sentence.index])


def _missing(reading: Reading, references: Iterable[_Reference]) -> Iterator[Flaw]:
    """One flaw for each part that is referred to and missing, at its first reference."""
    groups: defaultdict[tuple[str, str], list[_Reference]] = defaultdict(list)
    for one in references:
        groups[one.kind, one.number].append(one)
    for (kind, number), (one, *others) in groups.items():
        yield reading.flaw(
            FlawKind.BROKEN_REFERENCE,
            one.sentence,
            f"The document has no {kind} {number}.",
            span=one.span,
            related=tuple(reading.place(other.sentence) for other in others),
        )


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
    heads = [
        sentence.text
        for sentence in reading.document.sentences
        if sentence.kind in (BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.HTML)
    ]
    label = re.compile(
        rf"\W*(?P<word>{'|'.join(map(re.escape, words))})\s+(?P<number>{_LABEL})"
        r"(?:\s*(?:[.:–—]|-\s|$)|\W*\s(?-i:[A-Z]))",
        re.IGNORECASE,
    )
    known: dict[str, set[str]] = defaultdict(set)
    for head in heads:
        if found := label.match(head):
            known[_kind(found["word"])].add(found["number"])
    for one in _references(reading, words):
        numbers = known.get(one.kind, set())
        if one.number not in numbers and (
            numbers or (one.kind in _ATTACHED and not reading.is_excerpt)
        ):
            yield one


def _kind(word: str) -> str:
    folded = word.casefold().rstrip(".").removesuffix("s")
    return {"fig": "figure", "sect": "section", "sec": "section", "§": "section"}.get(
        folded, folded
    )


def _anchors(reading: Reading) -> Iterator[Flaw]:
    """Links to headings that the document does not have; many of them are one flaw."""
    groups: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for slug, *span in broken_links(reading.document):
        groups[slug].append((span[0], span[1]))
    listed = [(f"No heading of the document is #{slug}.", spans) for slug, spans in groups.items()]
    if len(listed) >= _MANY_LINKS:
        named = ", ".join(f"#{slug}" for slug in list(groups)[:_MANY_LINKS])
        spans = [span for _, each in listed for span in each]
        listed = [(f"{len(groups)} links lead to no heading of the document: {named} …", spans)]
    for problem, (first, *others) in listed:
        related = tuple(reading.document.location(*span, "") for span in others)
        yield reading.flaw_at(FlawKind.BROKEN_REFERENCE, *first, problem, related=related)


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
