"""What keeps a claim from being supported by a passage that shares its words and numbers."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...claims.labels import labels, told_apart
from ...claims.model import DateSpan, Quantity
from ...claims.words import NEGATION, Key, Token, Turn
from ..meaning.objection import Objection, ObjectionKind
from ..meaning.polarity import Parity, Statement
from ..meaning.relations import RelationCheck, RelationOutcome, check_extremes
from ..meaning.trend import direction_objections, portion_objections
from ..meaning.turns import Turns
from ..reading.form import ClaimForm, covered
from ..reading.rows import split_cells
from ..reading.window import Window
from ..values.limits import limit_objections
from .alignment import Aligner, Alignment
from .beside import beside_objections
from .doers import doer_objections
from .framing import framing_objections
from .left_open import left_open
from .name_checks import name_objections, order_objections
from .told import Told
from .universal import universal_objections

# Words this far from the claim's words turn them; what else the passage says does not matter.
_MARGIN = 3
_SUPERLATIVE = re.compile(r"[a-z]{2,}est$")
_ADJECTIVE = re.compile(r"(?:ing|ed|ive|al|ous|ful|[ai]ble|ant|ent|ic|ly|ary|less)$")
_SUBJECT = re.compile(r"the|an?|it|they|he|she|we|you|this|that|these|those|all|its|their|\d.*")
_EXTREMES = frozenset({"first", "last", "most", "least", "best", "worst"})
# "Last year" is no extreme, "only 5" no exclusion, "every two years" not all of anything.
_TIMES = frozenset(
    {"year", "month", "week", "quarter", "season", "night", "summer", "winter", "spring", "autumn"}
    | {"january", "february", "march", "april", "may", "june", "july", "august", "september"}
    | {"october", "november", "december", "decade", "century", "time", "day", "hour", "minute"}
    | {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "weekend"}
    | {"years", "quarters", "seasons", "months", "weeks", "days", "hours", "minutes", "other"}
)
_CLAUSE_OPENERS = frozenset(
    {"the", "it", "he", "she", "they", "we", "you", "this", "that", "these", "those", "there"}
    | {"its", "his", "her", "their", "our", "your", "all", "both", "no", "opened", "installed"}
)
_BEFORE_NUMBER = 2
# A label and its value.
_ENTRY_CELLS = 2
_ANY, _DUTY = "any", ("modality", "must")
# What a claim says of a value that it has worked out: it is "still" left, or "thus" so much.
_WORKED = frozenset({"currency", "cause"})
_PART_AND_WHOLE = 2
_NOBODY = frozenset({"no one", "nobody", "none", "no"})
# What somebody had to do was done.
_DONE = {"had to", ""}
_NO_LONGER = "no longer"
LABEL = "label"
"""The guard of what is told from others of its sort by a number or letter."""
# How sure it is that another value is higher or lower than that of the claim's name.
_BY_VALUES = 0.6


def objections(aligner: Aligner, alignment: Alignment) -> tuple[Objection, ...]:
    """Every difference of meaning that the words and numbers alone do not show."""
    window, own = alignment.window, aligner.statement
    near = _stretch(aligner.form, window)
    named = near | _label(aligner, window)
    stretch = [token for place, token in enumerate(window.tokens) if place in named]
    theirs = aligner.passage(window)
    counted, portions = portion_objections(own, theirs, window.candidates)
    turns = list(_turns(aligner, theirs, alignment, near))
    moves = aligner.moves(window)
    checks = check_extremes(aligner.form, window, aligner.index.text, aligner.lexicon)
    confirmed = any(check.outcome is RelationOutcome.CONFIRMED for check in checks)
    borne_out = {own.tokens[place].word for place in moves.borne_out}
    if confirmed:
        # "No one more than Reddle" denies nothing that the values show.
        borne_out |= _NOBODY
    parity = [one for one in Parity(own, theirs).objections() if one.claimed not in borne_out]
    denials = (*parity, *moves.objections())
    if any(match.working for match in alignment.slots):
        # What is still left is what a difference gives.
        turns = [turn for turn in turns if turn.guard not in _WORKED or turn.found]
    if _shows_most(alignment):
        turns = [turn for turn in turns if turn.claimed != "most"]
    return (
        *(turn for turn in turns if not (counted and turn.guard == "quantifier")),
        *portions,
        *(denials or direction_objections(own, theirs, window.candidates)),
        *name_objections(aligner, window, stretch),
        *_label_objections(aligner, window),
        *(() if confirmed else order_objections(aligner, alignment)),
        *beside_objections(aligner, alignment),
        *doer_objections(aligner, alignment),
        *left_open(aligner, alignment),
        *framing_objections(aligner, window),
        *universal_objections(aligner, alignment),
        *aligner.roles.objections(window),
        *aligner.speakers.objections(window),
        *_extremes(checks, window, aligner),
        *limit_objections(aligner.form, own, window, aligner.index.text, aligner.lexicon),
    )


def is_labelled_apart(aligner: Aligner, window: Window) -> bool:
    """Whether a passage is about lot 4 alone, and the claim about lot 5."""
    passage = aligner.index.text[window.start : window.end]
    return told_apart(aligner.form.claim.text, passage, aligner.lexicon)


def _label_objections(aligner: Aligner, window: Window) -> Iterator[Objection]:
    if is_labelled_apart(aligner, window):
        own = labels(aligner.form.claim.text, aligner.lexicon)
        told = sorted(f"{noun} {mark}" for noun, marks in own.items() for mark in marks)
        yield Objection(ObjectionKind.NAME, ", ".join(told), "", guard=LABEL)


def _distance(position: float, hits: Sequence[float]) -> float:
    at = bisect.bisect_left(hits, position)
    return min(abs(position - hit) for hit in hits[max(0, at - 1) : at + 1])


def _turns(
    aligner: Aligner, theirs: Statement, alignment: Alignment, near: frozenset[int]
) -> Iterator[Objection]:
    form, window = aligner.form, alignment.window
    dated = any(isinstance(candidate.value, DateSpan) for candidate in window.candidates)
    told = Told(aligner, theirs, alignment)
    turns = Turns(
        _groups(aligner.statement, form.hidden, aligner.statement.turns),
        _groups(theirs, window.numbers(), told.turns(near)),
        _groups(theirs, window.numbers(), theirs.turns),
        reports=form.reports,
        dated=dated or bool(aligner.index.heading_dates),
    )
    unmet = [] if form.reports else list(told.unmet())
    yield from unmet
    known = {objection.found for objection in unmet}
    exempts = aligner.lexicon.words.exempting.search(_around(aligner, window))
    for objection in turns.objections():
        if {objection.claimed, objection.found} == _DONE:
            continue
        if objection.found == _NO_LONGER and _says_it_ended(aligner):
            continue
        if objection.guard == "modality" and objection.flipped and exempts:
            # Who is exempt from a rule need not keep it, whatever the rule says of the others.
            objection = replace(objection, flipped=False)
        planned = objection.guard == "forecast" and not objection.claimed
        if (planned and objection.found in told.rules) or _is_of_rule(objection, theirs):
            continue
        if not (planned and objection.found in known):
            yield replace(objection, flipped=True) if planned and told.claims_done else objection


def _says_it_ended(aligner: Aligner) -> bool:
    """Whether the claim says of a thing that it ended: who stopped accepting no longer accepts."""
    ending = aligner.lexicon.words.ending
    return any(token.stem in ending for token in aligner.statement.tokens)


def _around(aligner: Aligner, window: Window) -> str:
    """The text of a passage with the sentences before and after it."""
    segments = aligner.index.segments
    first, last = max(0, window.first - 1), min(len(segments) - 1, window.last + 1)
    return aligner.index.text[segments[first].start : segments[last].end]


def _is_of_rule(objection: Objection, theirs: Statement) -> bool:
    """Whether the claim only says "any" of whom the passage lays down a rule for."""
    return objection.claimed == _ANY and any(_DUTY in turn.keys for turn in theirs.turns)


def _groups(
    statement: Statement, hidden: Sequence[tuple[int, int]], turns: Sequence[Turn]
) -> dict[Key, str]:
    """The words of `turns` by class and group, those in `hidden` spans left out."""
    tokens = statement.tokens
    return {
        key: turn.word
        for turn in turns
        if not covered(tokens[turn.place], hidden)
        and not _is_other_word(turn, tokens)
        and not _is_none(turn, statement)
        and not _is_of_limit(turn, tokens, hidden)
        for key in turn.keys
        if key[0] != NEGATION and not (key[0] == "quantifier" and _counts(turn, tokens, hidden))
    }


def _is_of_limit(turn: Turn, tokens: Sequence[Token], hidden: Sequence[tuple[int, int]]) -> bool:
    """Whether it is the "may" of "may not exceed 30", which says the most there may be."""
    if not any(key[0] == "modality" for key in turn.keys) or turn.end >= len(tokens):
        return False
    after = tokens[turn.end]
    return not after.word[0].isdigit() and covered(after, hidden)


def _is_none(turn: Turn, statement: Statement) -> bool:
    """Whether an "any" only goes with a "not": "objected to not any" says "to none"."""
    return turn.word == "any" and any(
        negation.place < turn.place and turn.place in statement.clause_of(negation.place)
        for negation in statement.negations
    )


def _shows_most(alignment: Alignment) -> bool:
    """Whether the claim has a part and its whole, the first more than half of the second."""
    own = [match.slot.value for match in alignment.slots if match.filled]
    values = [value for value in own if isinstance(value, Quantity) and value.low == value.high]
    units = {value.unit for value in values} - {""}
    if len(values) != _PART_AND_WHOLE or len(units) > 1:
        return False
    part, whole = sorted(value.low for value in values)
    return whole / 2 < part < whole


def _counts(turn: Turn, tokens: Sequence[Token], hidden: Sequence[tuple[int, int]]) -> bool:
    """Whether a quantifier only leads to a number, or says of what a number is a part.

    "Only 5.4", "a majority of 1,207", "a quarter of all appointments".
    """
    after = tokens[turn.end : turn.end + _BEFORE_NUMBER]
    part = turn.place >= _BEFORE_NUMBER and tokens[turn.place - 1].word == "of"
    part = part and covered(tokens[turn.place - _BEFORE_NUMBER], hidden)
    return part or any(covered(token, hidden) for token in after)


def _stretch(form: ClaimForm, window: Window) -> frozenset[int]:
    """The places of the passage's words that stand near words of the claim."""
    hits = window.places(form.wanted)
    return frozenset(
        place
        for place, position in enumerate(window.positions)
        if not hits or _distance(position, hits) <= _MARGIN
    )


def _label(aligner: Aligner, window: Window) -> frozenset[int]:
    """The places of all words of an entry, a label with its value: whatever it names is whose."""
    index = aligner.index
    segment = index.segments[window.first]
    if segment.style is None or window.first != window.last:
        return frozenset()
    cells = split_cells(index.text, segment.start, segment.end, segment.style)
    return frozenset(range(len(window.tokens))) if len(cells) <= _ENTRY_CELLS else frozenset()


def _is_other_word(turn: Turn, tokens: Sequence[Token]) -> bool:
    """Whether it is May the month, the "most" of "most surprising", the "every" of "every year"."""
    following = tokens[turn.end].word if turn.end < len(tokens) else ""
    if turn.word == "most":
        return bool(_ADJECTIVE.search(following))
    if turn.word == "every":
        return following in _TIMES
    if turn.word == "once":
        # "Once the fee is paid", "once £12 is owed" say when, "once a week" how often.
        after = tokens[turn.end + 1].word if turn.end + 1 < len(tokens) else ""
        when = _SUBJECT.fullmatch(following) and after not in _TIMES
        return bool(when) or following in _CLAUSE_OPENERS or tokens[turn.place].capital
    return turn.word == "may" and tokens[turn.place].capital


def _is_greatest(place: int, tokens: Sequence[Token]) -> bool:
    before = tokens[place - 1].word if place else ""
    after = tokens[place + 1].word if place + 1 < len(tokens) else ""
    return before == "the" or bool(_ADJECTIVE.search(after))


def _extremes(
    checks: Sequence[RelationCheck], window: Window, aligner: Aligner
) -> Iterator[Objection]:
    form, book = aligner.form, aligner.lexicon.words
    words = {token.word for token in window.tokens}
    settled: set[str] = set()
    for check in checks:
        settled.update(check.claimed.split())
        if check.outcome is RelationOutcome.DENIED:
            kind, strength = ObjectionKind.EXTREME, _BY_VALUES
            yield Objection(
                kind, check.claimed, check.found, flipped=True, strength=strength, by_values=True
            )
    for place, token in enumerate(form.tokens):
        # "At most 5" is a limit.
        if place and form.tokens[place - 1].word == "at":
            continue
        if token.word in ("last", "first") and _leads_to_time(form.tokens[place + 1 :]):
            continue
        superlative = _SUPERLATIVE.match(token.word) and token.word not in book.not_superlative
        extreme = superlative or token.word in _EXTREMES
        if token.word in settled or covered(token, form.hidden):
            continue
        # What is most of all is another thing than most of them, which is a share.
        if token.word == "most" and not _is_greatest(place, form.tokens):
            continue
        if extreme and token.word not in words:
            yield Objection(ObjectionKind.EXTREME, token.word, "")


def _leads_to_time(after: Sequence[Token]) -> bool:
    """Whether "last" only says when it was: "last year", "the last two quarters"."""
    near = [token.word for token in after[:_BEFORE_NUMBER]]
    return near[:1] != [] and (near[0] in _TIMES or (near[-1] in _TIMES and near[-1].endswith("s")))
