"""What a document answers to flaws of its reasoning."""

from __future__ import annotations

from ..documents.model import BlockKind, Sentence
from .rebuttal import Case, Rebuttal, numbers, of_other_years

_HALF = 0.5
_FOLLOWING = 6


def statistic(case: Case) -> Rebuttal | None:
    """Its source stands beside it, at the same figure elsewhere, or covers the whole document."""
    rules, sentence = case.rules, case.sentence
    before, after = case.beside(sentence, -1), case.beside(sentence, 1)
    if after and rules.source.match(after.text):
        return case.answer(after, "Its source is named right after it.", whole=True)
    follows = before is not None and case.is_cited(before)
    if before and follows and rules.continues.match(sentence.text):
        return case.answer(before, "It goes on from the source cited before it.", whole=True)
    if found := _sourced_elsewhere(case):
        return found
    for other in case.others():
        if rules.covers.search(other.text) and (
            case.is_cited(other) or rules.source.search(other.text)
        ):
            return case.answer(other, "The document names the source of its figures.", whole=True)
    if rules.names_source.search(sentence.text):
        return case.answer(sentence, "It names whose figure it is, but not where.", whole=False)
    if before and follows and _alike(case, before):
        return case.answer(before, "The sentence before it is sourced.", whole=False)
    return None


def _sourced_elsewhere(case: Case) -> Rebuttal | None:
    """The same figures on the same thing, with a citation or in a table."""
    figures, words = numbers(case.sentence.text), case.reading.weight(case.sentence.text)
    if not figures:
        return None
    in_table: Sentence | None = None
    for other in case.others():
        if not figures <= numbers(other.text):
            continue
        if other.kind is BlockKind.TABLE_ROW:
            in_table = in_table or other if words & case.reading.weight(other.text) else in_table
        elif case.is_cited(other) and _shares(case, words, other):
            return case.answer(other, "The same figure is sourced here.", whole=True)
    if in_table is None:
        return None
    cited = case.is_cited(in_table)
    argument = "A table with a source has it." if cited else "A table of the document has it."
    return case.answer(in_table, argument, whole=cited)


def number(case: Case) -> Rebuttal | None:
    """The document tells why there are two values: another state, scope or year."""
    other = case.other
    if other is None:
        return None
    rules, place = case.rules, case.flaw.related[0]
    ours = numbers(case.flaw.quote)
    theirs = numbers(case.reading.document.text[place.start : place.end])
    for sentence in case.sentences:
        found = numbers(sentence.text)
        if ours | theirs <= found and ours != theirs and rules.differs.search(sentence.text):
            return case.answer(sentence, "It gives both and tells them apart.", whole=True)
    here, there = case.heading_of(case.sentence), case.heading_of(other)
    if here and there and of_other_years(here, there):
        return case.answer(here, "The parts are on different years.", whole=True)
    for sentence in (case.sentence, other):
        if rules.differs.search(sentence.text):
            return case.answer(sentence, "It hints at another state or scope.", whole=False)
    return None


def reckoning(case: Case) -> Rebuttal | None:
    """The document says that its figures are rounded or left some out; the error stays."""
    for sentence in case.sentences:
        if case.rules.rounding.search(sentence.text):
            return case.answer(sentence, "It says that figures need not add up.", whole=False)
    return None


def conclusion(case: Case) -> Rebuttal | None:
    """What it rests on stands after it."""
    rules = case.reading.rules
    opener = rules.conclusions.pattern.match(case.sentence.text)
    weighed = case.reading.weight(case.sentence.text[opener.end() if opener else 0 :])
    partial: Rebuttal | None = None
    for sentence in case.sentences[case.sentence.index + 1 :][:_FOLLOWING]:
        if sentence.section != case.sentence.section:
            break
        shared = len(weighed & case.reading.weight(sentence.text))
        if not weighed or shared < rules.conclusions.shared * len(weighed):
            continue
        if case.is_cited(sentence) or rules.premises.ground.search(sentence.text):
            return case.answer(sentence, "What it rests on stands right after it.", whole=True)
        partial = partial or case.answer(sentence, "What follows speaks of it.", whole=False)
    return partial


def premise(case: Case) -> Rebuttal | None:
    """It was confirmed in between, or its condition is stated again beside it."""
    hedged, sentence = case.other, case.sentence
    if hedged is not None:
        words = case.reading.weight(hedged.text)
        for between in case.sentences[hedged.index + 1 : sentence.index]:
            if case.rules.confirms.search(between.text) and _shares(case, words, between):
                return case.answer(between, "It was confirmed meanwhile.", whole=True)
    for step in (1, -1):
        beside = case.beside(sentence, step)
        if beside and case.rules.conditions.search(beside.text):
            return case.answer(beside, "Its condition is stated beside it.", whole=False)
    return None


def share(case: Case) -> Rebuttal | None:
    """The document says that these are two shares, or they are of different years."""
    sentence, other = case.sentence, case.other
    if case.rules.distinct.search(sentence.text):
        return case.answer(sentence, "It says that it is another share.", whole=True)
    if other and of_other_years(sentence, other):
        return case.answer(sentence, "It is the share of another year.", whole=True)
    return None


def _alike(case: Case, other: Sentence) -> bool:
    """Whether the flaw's sentence and `other` have a word of weight in common."""
    return bool(case.reading.weight(case.sentence.text) & case.reading.weight(other.text))


def _shares(case: Case, words: frozenset[str], other: Sentence) -> bool:
    """Whether `other` has at least half of `words`."""
    return bool(words) and len(words & case.reading.weight(other.text)) >= _HALF * len(words)
