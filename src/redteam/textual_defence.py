"""What a document answers to flaws of its text and to silence on a topic."""

from __future__ import annotations

import re

from ..documents.model import BlockKind, Sentence
from .model import Flaw
from .reading import words_of
from .rebuttal import Case, Rebuttal

_NEAR = 60
_JOINED = 40
_TREATED = 2
"""Sentences that a topic is touched on in; a single one may have the word by chance."""
_ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_SPELLED = (
    "", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
_REFERENCE = re.compile(r"(?:(?P<word>[A-Za-z]+)\.?\s+|§\s?)(?P<number>\S+)")
_NOT_LETTERS = re.compile(r"[\W_]+")
_LABEL = re.compile(r"[^\W_]+")
_CLOSING = {"“": "”", "„": "“", "«": "»", '"': '"'}


def acronym(case: Case) -> Rebuttal | None:
    """It is explained in words, in a glossary, or at least told what it is."""
    short = re.escape(case.flaw.quote.removesuffix("s"))
    named = re.compile(rf"(?<!\w){short}s?(?!\w)")
    explains = case.rules.explains.pattern
    explained = re.compile(
        rf"{explains}[\s:,“\"'(]{{1,4}}(?:(?i:the|an?) )?{short}s?(?!\w)"
        rf"|(?<!\w){short}s?[”\"',)]{{0,2}} (?:(?i:is|are|also|was) ){{0,2}}{explains}"
    )
    titled = re.search(
        rf"<abbr[^>]{{0,80}}title=[\"'][^\"'>]{{3,200}}[\"'][^>]{{0,80}}>{short}", _text(case)
    )
    if titled:
        return case.answer_at(*titled.span(), "Its markup spells it out.", whole=True)
    told: Sentence | None = None
    for sentence in case.sentences:
        found = named.search(sentence.text)
        if found is None:
            continue
        if _is_entry(sentence, short):
            return case.answer(sentence, "An entry explains it.", whole=True)
        if explained.search(sentence.text):
            return case.answer(sentence, "It is explained here.", whole=True)
        if re.search(rf"(?<!\w){short}s?, (?:an?|the|its|our|their) ", sentence.text):
            told = told or sentence
    if told is None:
        return None
    return case.answer(told, "It is told what it is, though not spelled out.", whole=False)


def _is_entry(sentence: Sentence, short: str) -> bool:
    """Whether a row or list item is about the acronym: first its name, then what it means."""
    if sentence.cells:
        cells = [sentence.text[start:end].strip() for start, end in sentence.cells]
        return bool(re.fullmatch(rf"{short}s?", cells[0])) and " " in "".join(cells[1:2])
    return bool(re.match(rf"{short}s?\s*[:=–—]\s*\w+\s+\w+", sentence.text))


def reference(case: Case) -> Rebuttal | None:
    """What it leads to is there under another form of number or another word."""
    if "](#" in case.flaw.quote:
        return _anchor(case)
    found = _REFERENCE.fullmatch(case.flaw.quote.strip())
    if found is None:
        return None
    word = (found["word"] or "section").casefold().rstrip(".").removesuffix("s")
    kinds = next((group for group in case.rules.same_parts if word in group), (word,))
    label, number = "|".join(map(re.escape, kinds)), found["number"]
    figures, spelled = _forms(number)
    caption = re.compile(
        rf"\W*(?:{label})\.?\s+(?:{figures}|{spelled})\s*(?:[.:–—-]|$)", re.IGNORECASE
    )
    numbered = re.compile(rf"(?:{figures})[.:)]?\s")
    is_section = "section" in kinds
    for sentence in case.others():
        heading = sentence.kind is BlockKind.HEADING
        captioned = heading or (sentence.kind is BlockKind.PARAGRAPH and not is_section)
        if (captioned and caption.match(sentence.text)) or (
            heading and is_section and numbered.match(sentence.text)
        ):
            return case.answer(sentence, "It leads here, under another form.", whole=True)
    image = re.search(
        rf"!\[[^\]]{{0,200}}\b(?:{label})\s+{re.escape(number)}\b[^\]]{{0,200}}\]",
        _text(case),
        re.I,
    )
    return case.answer_at(*image.span(), "The image is named so.", whole=True) if image else None


def _forms(number: str) -> tuple[str, str]:
    """Patterns of a number in Arabic and Roman figures, and of the word for it."""
    roman = number.upper()
    if number.isdigit() and 0 < int(number) < len(_ROMAN):
        return rf"{number}|{_ROMAN[int(number)]}", _SPELLED[int(number)]
    if roman in _ROMAN[1:]:
        return rf"{_ROMAN.index(roman)}|{roman}", _SPELLED[_ROMAN.index(roman)]
    return re.escape(number), re.escape(number)


def _anchor(case: Case) -> Rebuttal | None:
    wanted = _letters(case.flaw.quote.rpartition("](#")[2])
    for heading in case.headings():
        if wanted and _letters(heading.text) == wanted:
            return case.answer(
                heading, "The heading is there; its link is spelled otherwise.", whole=False
            )
    return None


def note(case: Case) -> Rebuttal | None:
    """A note that words lead to, or a mark whose note is written as an item of a list of notes."""
    label = _LABEL.search(case.flaw.quote)
    if label is None:
        return None
    name = re.escape(label[0])
    if case.flaw.quote.endswith(":"):
        led = re.compile(rf"\b(?:(?:foot|end)?notes?|nn?\.)\s?{name}(?!\w)", re.IGNORECASE)
        for sentence in case.sentences:
            if sentence.kind is not BlockKind.FOOTNOTE and led.search(sentence.text):
                return case.answer(sentence, "The text leads to it in words.", whole=True)
        return None
    item = re.compile(rf"^[ >]*(?:\(?{name}[.)]|\[{name}\])\s+\S.{{7,400}}$", re.MULTILINE)
    for section in case.reading.document.sections:
        listed = item.search(_text(case), section.start, section.end)
        if listed and case.rules.notes.search(section.title):
            return case.answer_at(*listed.span(), "The note stands in the list.", whole=True)
    return None


def name(case: Case) -> Rebuttal | None:
    """The document says that both are spellings of one name, or names two people."""
    rare = case.flaw.quote
    common = _other_spelling(case)
    if common is None:
        return None
    both = re.compile(
        rf"\b(?:{re.escape(rare)}\b.{{0,{_JOINED}}}\b{re.escape(common)}"
        rf"|{re.escape(common)}\b.{{0,{_JOINED}}}\b{re.escape(rare)})\b"
    )
    for sentence in case.sentences:
        found = both.search(sentence.text)
        if found and re.search(r"\b(?:and|or|nor|versus)\b|&", found[0]):
            return case.answer(sentence, "It names both, side by side.", whole=True)
        if found and case.rules.spelled.search(sentence.text):
            return case.answer(sentence, "It tells that both are used.", whole=True)
    first, second = _given_names(case, rare), _given_names(case, common)
    if first and second and not first & second:
        return case.answer(case.sentence, "It may be somebody of another first name.", whole=False)
    return None


def _other_spelling(case: Case) -> str | None:
    rare, place = case.flaw.quote, case.other
    for word in words_of(place) if place else ():
        plain = re.sub(r"['’]s$", "", word.text)
        if plain != rare and plain[:2] == rare[:2] and abs(len(plain) - len(rare)) <= 1:
            return plain
    return None


def _given_names(case: Case, surname: str) -> frozenset[str]:
    given = re.compile(rf"\b([A-Z][a-z]+) {re.escape(surname)}\b")
    names = {found[1] for one in case.sentences for found in given.finditer(one.text)}
    return frozenset(one for one in names if one.casefold() not in case.rules.courtesy)


def term(case: Case) -> Rebuttal | None:
    """The other way is somebody else's word, a verb beside its noun, or said to be the same."""
    place = case.flaw.location
    for quoted in case.reading.document.quotes:
        if quoted.start <= place.start and place.end <= quoted.end:
            return case.answer(case.sentence, "It is the word of a quotation.", whole=True)
    before = _text(case)[max(0, place.start - _NEAR) : place.start]
    verb = re.compile(rf"{case.rules.verb_openers.pattern}\s+$", re.IGNORECASE)
    if " " in case.flaw.quote and verb.search(before):
        return case.answer(case.sentence, "It is a verb here, elsewhere a noun.", whole=True)
    if case.rules.spelled.search(case.sentence.text):
        return case.answer(case.sentence, "It tells that both are used.", whole=True)
    return None


def repetition(case: Case) -> Rebuttal | None:
    """The passage is announced as a summary or as something said before."""
    sentence, before = case.sentence, case.beside(case.sentence, -1)
    opening = _text(case)[sentence.start : case.flaw.location.start]
    if case.rules.repeats.search(opening):
        return case.answer(sentence, "It is announced as a repetition.", whole=True)
    if before and case.rules.repeats.search(before.text):
        return case.answer(before, "It is announced as a repetition.", whole=True)
    here = case.heading_of(sentence)
    there = case.heading_of(case.other) if case.other else None
    for heading in (here, there):
        if heading and here is not there and case.rules.summaries.search(heading.text):
            return case.answer(heading, "One of both stands in a summary.", whole=True)
    return None


def quotation(case: Case) -> Rebuttal | None:
    """It runs over several paragraphs, each opened by a mark and the last one closed at its end."""
    after = [one for one in case.sentences[case.sentence.index :] if one.text]
    following = next((one for one in after if one.block != case.sentence.block), None)
    mark = case.flaw.quote[:1]
    if following is None or mark not in _CLOSING or not following.text.startswith(mark):
        return None
    text = " ".join(one.text for one in after if one.block == following.block)
    if _CLOSING[mark] in text[1:].rstrip()[:-1]:
        return None
    return case.answer(following, "The quotation goes on in the next paragraph.", whole=True)


def topic(case: Case) -> Rebuttal | None:
    """The topic is treated in other words than those of the checklist."""
    words = case.rules.topics.get(_topic_name(case.flaw))
    if words is None:
        return None
    for heading in case.headings():
        if heading.text != case.reading.document.title and words.search(heading.text):
            return case.answer(heading, "A part of the document is on it.", whole=True)
    told = [sentence for sentence in case.reading.prose if words.search(sentence.text)]
    if len(told) < _TREATED:
        return None
    return case.answer(told[0], "It touches on it in other words.", whole=False)


def _topic_name(flaw: Flaw) -> str:
    found = re.search(r" on ([^:]+):", flaw.problem)
    return found[1] if found else ""


def _letters(text: str) -> str:
    return _NOT_LETTERS.sub("", text.casefold())


def _text(case: Case) -> str:
    return case.reading.document.text
