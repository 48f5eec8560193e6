"""Answers to questions: found in the snapshots by code, and compared with what a claim says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from ...base.vocabulary import Stance, Verdict
from ...claims.classify import bare_claim
from ...claims.entities import names_of
from ...claims.lexicon import Lexicon
from ...claims.model import Claim, DateSpan, Granularity, Quantity, QuantityKind
from ...claims.quantities import find_slots
from ...claims.spans import overlaps
from ..exact.comparison import compare_dates, compare_quantities
from ..judge import judge
from ..model import Evidence, SlotOutcome
from ..passages.figures import find_figures
from ..passages.retrieval import SourceIndex, SourceText
from ..passages.units import terms
from ..registry import Registry
from .model import Answer, AnswerOutcome, Asked, CheckedAnswer, Probe, Question, Reply

SNAPSHOTS = "snapshots"
"""The name of code as an answerer and a searcher."""

# A date that needs another day to be one: it may be the very one that is asked for.
_POINTING = re.compile(
    r"\b(?:this|last|next|that|the same|the following|the previous) "
    r"(?:year|month|quarter|week|spring|summer|autumn|fall|winter|season)\b",
    re.IGNORECASE,
)
_Value = Quantity | DateSpan


def find_answers(question: Question, sources: SourceIndex, registry: Registry) -> Iterator[Answer]:
    """An answer from each of the likeliest sources that gives just one.

    An answer is a value with which the question makes a statement that the engine finds supported.
    Who does what cannot be told by rule as surely as how many and when.

    Raises:
        SnapshotError: A readable source has no text.
    """
    if question.asks is not Asked.NAME:
        for url in sources.likely(question.bare):
            answer = _answer_of(question, url, sources, registry)
            if answer is not None:
                yield answer


def _answer_of(
    question: Question, url: str, sources: SourceIndex, registry: Registry
) -> Answer | None:
    readable = sources.readable(url)
    if readable is None:
        return None
    snapshot, source = readable
    found: Answer | None = None
    for words, certain in _candidates(question, source, registry).items():
        filled = bare_claim(question.filled(words), registry.lexicon)
        judgement = judge(filled, source, registry)
        place = judgement.start, judgement.end
        quote = source.text[slice(*place)]
        supported = judgement.verdict is Verdict.SUPPORTED and judgement.decided
        if not supported or words not in quote:
            continue
        if found is not None:
            if not _agree(words, found.said, registry):
                return None
            continue
        evidence = Evidence(url, snapshot.sha256, quote, *place, Stance.NEUTRAL)
        found = Answer(
            question.id, SNAPSHOTS, Reply.FOUND, said=words, evidence=evidence, certain=certain
        )
    return found


def _candidates(question: Question, source: SourceText, registry: Registry) -> dict[str, bool]:
    """Values from passages near the question, each with whether it is certain.

    A candidate is certain only in a passage about the question that states no other value of the
    sort.
    """
    policy, lexicon = registry.challenge, registry.lexicon
    shown = [value.text for value in find_figures(question.bare, lexicon)]
    wanted = set(terms(question.bare))
    candidates: dict[str, bool] = {}
    for unit in source.best_units(question.bare, policy.units):
        written = source.text[unit.start : unit.end]
        values = {
            value.text: value
            for value in find_figures(written, lexicon)
            if _is_asked_for(question, value)
            and not any(_agree(value.text, words, registry) for words in shown)
        }
        covered = len(wanted & set(terms(unit.text))) >= policy.coverage * len(wanted) > 0
        vague = question.asks is Asked.DATE and _POINTING.search(written)
        certain = len(values) == 1 and covered and not vague
        for words, value in values.items():
            # A date counted from another one is no answer in itself.
            if isinstance(value, Quantity) or not value.yearless:
                candidates[words] = certain or candidates.get(words, False)
    return candidates


def _is_asked_for(question: Question, value: _Value) -> bool:
    if isinstance(value, DateSpan):
        return question.asks is Asked.DATE
    return question.asks is Asked.NUMBER and value.kind is question.kind


def _agree(words: str, other: str, registry: Registry) -> bool:
    """Whether two values as written can be one: equal, or one the other rounded."""
    ones, others = (
        [value for values in find_slots(text, registry.lexicon) for value in values]
        for text in (words, other)
    )
    pairs = (*product(ones, others), *product(others, ones))
    compared = (_compare(one, two, registry) for one, two in pairs)
    return any(outcome is not None and outcome.is_found for outcome in compared)


def check_answer(
    probe: Probe, answer: Answer, sources: SourceIndex, registry: Registry
) -> CheckedAnswer:
    """`answer` beside what the claim says there.

    An answer whose quote is not in its snapshot, or does not hold what it is said to say, is
    unclear: it shows nothing.

    Raises:
        SnapshotError: The source of the answer has no text.
    """
    outcome = AnswerOutcome.UNCLEAR
    if answer.reply is Reply.NOT_STATED:
        outcome = AnswerOutcome.SILENT
    elif answer.reply is Reply.FOUND and (quote := _proved_quote(answer, sources)):
        confirms, differs = _held_against(probe.claimed, answer.said, quote, registry)
        if confirms:
            outcome = AnswerOutcome.CONFIRMS
        elif differs and answer.certain:
            outcome = AnswerOutcome.DIFFERS
    return CheckedAnswer(answer, outcome)


def _proved_quote(answer: Answer, sources: SourceIndex) -> str:
    item = answer.evidence
    if item is None or not answer.said or answer.said not in item.quote:
        return ""
    readable = sources.readable(item.url)
    if readable is None or readable[0].sha256 != item.sha256:
        return ""
    return item.quote if readable[1].text[item.start : item.end] == item.quote else ""


def _held_against(
    claimed: _Value | str, words: str, quote: str, registry: Registry
) -> tuple[bool, bool]:
    """Whether `words` of `quote` say what is claimed, and whether they say something else."""
    if isinstance(claimed, str):
        named = any(token.capital for token in registry.lexicon.words.tokens(words))
        return same_words(claimed, words, registry.lexicon), named
    said: set[SlotOutcome | None] = set()
    beside: set[SlotOutcome | None] = set()
    at = quote.find(words)
    for values in find_slots(quote, registry.lexicon):
        for value in values:
            inside = value.start < at + len(words) and at < value.end
            (said if inside else beside).add(_compare(claimed, value, registry))
    # Words that state what the claim says as well do not settle which of the two was asked for.
    confirms, settles = (any(one and one.is_found for one in found) for found in (said, beside))
    return confirms, SlotOutcome.MISMATCH in said and not settles


def _compare(claimed: _Value, found: _Value, registry: Registry) -> SlotOutcome | None:
    """How two values relate; None if they measure different things."""
    if isinstance(claimed, DateSpan) and isinstance(found, DateSpan):
        comparable = claimed.fiscal == found.fiscal and not found.yearless
        return compare_dates(claimed, found).outcome if comparable else None
    if isinstance(claimed, DateSpan) or isinstance(found, DateSpan):
        return None
    stem = registry.lexicon.words.stem
    counts = claimed.kind is QuantityKind.COUNT and claimed.unit and found.unit
    if counts and stem(claimed.unit) != stem(found.unit):
        return None
    numbers = registry.verification.numbers
    comparison = compare_quantities(claimed, found, registry.lexicon, numbers)
    return comparison.outcome if comparison else None


def same_words(name: str, other: str, lexicon: Lexicon) -> bool:
    """Whether two names may be one: a word in common, or one the initials of the other."""
    book = lexicon.words
    own, theirs = ([t for t in book.tokens(words) if t.capital] for words in (name, other))
    if {token.stem for token in own} & {token.stem for token in theirs}:
        return True
    initials = {"".join(token.word[0] for token in tokens) for tokens in (own, theirs)}
    return bool(initials & {token.word for token in (*own, *theirs)})


_CELLS = " | "
# A date after one of these is part of a name: "the 1932 agreement".
_NAMING = re.compile(r"\b(?:the|an?|its|his|her|their|our|this|that)\s$", re.IGNORECASE)
_ARTICLE = re.compile(r"\b(?:the|an?)\s$", re.IGNORECASE)
_KINDS = {
    QuantityKind.MONEY: "how much money",
    QuantityKind.PERCENT: "what percentage",
    QuantityKind.PERCENTAGE_POINTS: "how many percentage points",
    QuantityKind.BASIS_POINTS: "how many basis points",
    QuantityKind.COUNT: "how many",
}
_TIMES = {
    Granularity.DAY: "which date",
    Granularity.MONTH: "which month",
    Granularity.QUARTER: "which quarter",
    Granularity.YEAR: "which year",
}
_NAME = "who or what"
# A source that states another average or total would be a wrong answer that looks right.
_DERIVED = re.compile(
    r"\b(?:average|mean|median|total|together|combined|altogether|overall|sum|difference|gap)\b",
    re.IGNORECASE,
)
_ABSOLUTE = (QuantityKind.MONEY, QuantityKind.COUNT, QuantityKind.MEASURE)
_LONGEST_LEAD = 24


class _Blank(NamedTuple):
    """The part of a claim that a question asks for, and the words that ask."""

    start: int
    end: int
    words: str
    claimed: Quantity | DateSpan | str


def build_probes(claim: Claim, lexicon: Lexicon, most: int) -> tuple[Probe, ...]:
    """At most `most` questions about a claim: its numbers and dates first, then its names.

    Nothing is asked where the question would give the answer away, of a table row, or of a claim
    with a quotation, whose words are compared as they are.
    """
    text = claim.text.strip().rstrip(".!")
    if claim.exclusion or claim.quotes or _CELLS in text:
        return ()
    probes: list[Probe] = []
    for blank in (*_values(text, lexicon), *_names(text, lexicon)):
        probe = Probe(claim.id, _question(f"{claim.id}/{len(probes) + 1}", text, blank), blank[3])
        left = f"{text[: blank.start]} {text[blank.end :]}"
        if not shows(left, probe.words, lexicon):
            probes.append(probe)
    return tuple(probes[:most])


def _values(text: str, lexicon: Lexicon) -> Iterator[_Blank]:
    """The values of a claim, each with the words that qualify it: "at least 30 km"."""
    quantities, dates = find_slots(text, lexicon)
    for value in sorted((*quantities, *dates), key=lambda one: one.start):
        words = _question_words(value, text)
        if words:
            lead = max(0, value.start - _LONGEST_LEAD)
            before = lexicon.modifier_before.search(text[lead : value.start].lower())
            start = lead + before.start(1) if before else value.start
            yield _Blank(start, value.end, words, value)


def _question_words(value: Quantity | DateSpan, text: str) -> str:
    if isinstance(value, DateSpan):
        vague = value.fiscal or value.yearless
        named = _NAMING.search(text[: value.start])
        return "" if vague or named else _TIMES.get(value.granularity, "")
    if value.kind in _ABSOLUTE and _DERIVED.search(text):
        return ""
    if value.kind is QuantityKind.COUNT and not value.text[:1].isdigit():
        # A small count in words may be put in other words altogether.
        return ""
    if value.kind is QuantityKind.MEASURE:
        return f"how many {value.unit}s"
    return _KINDS.get(value.kind, "")


def _names(text: str, lexicon: Lexicon) -> Iterator[_Blank]:
    """The names of a claim that has several: what is left names what the question is about."""
    hidden = [value for values in find_slots(text, lexicon) for value in values]
    names = [name for name in names_of(text, lexicon) if not overlaps(name, hidden)]
    for name in names if len(names) > 1 else ():
        article = _ARTICLE.search(text[: name.start])
        start = article.start() if article else name.start
        yield _Blank(start, name.end, _NAME, name.text)


def _question(id_: str, text: str, blank: _Blank) -> Question:
    start, end, words, claimed = blank
    # What a question begins with is written with a capital.
    words = words if start else words[:1].upper() + words[1:]
    asked = f"{text[:start]}{words}{text[end:]}?"
    place = start, start + len(words)
    if isinstance(claimed, DateSpan):
        return Question(id_, Asked.DATE, asked, *place)
    if isinstance(claimed, str):
        return Question(id_, Asked.NAME, asked, *place)
    return Question(id_, Asked.NUMBER, asked, *place, claimed.kind, claimed.unit)


def shows(text: str, words: str, lexicon: Lexicon) -> bool:
    """Whether `text` has a figure or a name of `words`, or all of them."""
    present = {token.stem for token in lexicon.words.tokens(text)}
    own = lexicon.words.tokens(words)
    telling = {token.stem for token in own if token.word[0].isdigit() or token.capital}
    return bool(telling & present) or {token.stem for token in own} <= present
