"""Who is highest or lowest by the values that a passage gives for each of several."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from ...claims.model import Quantity, QuantityKind
from ...claims.words import Token
from ..reading.form import ClaimForm, covered
from ..reading.window import Candidate, Window

_HIGHEST = frozenset({
    "highest", "most", "largest", "biggest", "greatest", "longest", "tallest", "heaviest",
    "dearest", "costliest", "deepest", "widest", "oldest", "richest", "busiest",
})  # fmt: skip
_LOWEST = frozenset({
    "lowest", "fewest", "least", "smallest", "shortest", "lightest", "cheapest", "youngest",
    "narrowest", "shallowest", "poorest",
})  # fmt: skip
# "Not the lowest", "the second highest", "one of the largest", "at least", "most of them".
_TURNED = frozenset({
    "not", "no", "never", "nor", "second", "third", "fourth", "fifth", "next", "among", "one", "at",
    "nearly", "almost", "former", "once",
})  # fmt: skip
# "More" must count what the passage counts; "more slowly" and "less often" compare another way.
_HIGHER = frozenset({
    "more", "higher", "larger", "bigger", "greater", "longer", "taller", "heavier", "dearer",
    "costlier", "deeper", "wider", "older", "richer", "busier",
})  # fmt: skip
_LOWER = frozenset({
    "less", "fewer", "lower", "smaller", "shorter", "lighter", "cheaper", "younger", "narrower",
    "shallower", "poorer",
})  # fmt: skip
_OF_MEASURES = frozenset({
    "longer", "shorter", "taller", "deeper", "wider", "narrower", "shallower", "heavier", "lighter",
    "older", "younger",
})  # fmt: skip
_NOBODY = frozenset({"no", "none", "nobody"})
_OTHERS = frozenset({"other", "others"})
_DENYING = frozenset({"not", "never", "no", "none", "nobody", "hardly", "neither"})
_COMPARED_WITHIN = 8
_LOOK_BACK, _FEWEST, _PAIR = 3, 3, 2
# "8.1 % at Varde": the name follows the value.
_NAMED_AFTER = re.compile(r"^\W{0,2}(?:at|in|for|by|among|on)\b")
_LABEL_END = re.compile(r"[,;.()\n]|\b(?:to|and|while|whereas|but|against)\b")
_BREAK = re.compile(r"[;.\n]\s")
# A bound on a time, as in "more than an hour".
_A_TIME = re.compile(r"(?:an?|half an?) (?:minute|hour|day|week|fortnight|month|year|decade)\b")
_SENTENCE_END = re.compile(r"[.!?]\s|\n")


class RelationOutcome(StrEnum):
    """What the values of a passage do to a comparison."""

    CONFIRMED = "confirmed"
    DENIED = "denied"


@dataclass(frozen=True, slots=True)
class RelationCheck:
    """A superlative of a claim held against the values of a passage.

    `claimed` is its word, `found` shows the values; `[start, end)` is where they stand.
    """

    outcome: RelationOutcome
    claimed: str
    found: str
    start: int
    end: int


class Entry(NamedTuple):
    """A value of a passage with the stems of the words that say whose it is.

    `named` says that a name is among them.
    """

    quantity: Quantity
    label: frozenset[str]
    named: bool


def check_extremes(form: ClaimForm, window: Window, text: str) -> tuple[RelationCheck, ...]:
    """Each superlative of the claim that the values of the passage decide.

    They do where three or more of one sort each stand by a name of their own, and one of them by a
    name of the claim. A claim is confirmed only if it says how many there are, since a passage may
    leave some out. `text` is that of the source.
    """
    words = list(_superlatives(form.tokens))
    comparison = _comparison(form)
    if not words and not comparison:
        return ()
    values = sorted((c for c in window.candidates if not c.in_row), key=lambda c: c.start)
    if comparison:
        checks = [
            check
            for group in _sentences(values, text)
            if _is_of(comparison, group, window, text)
            and (check := _compared(comparison, _entries(group, window, text)))
        ]
        return tuple(checks) if len(checks) == 1 else ()
    entries = _entries(values, window, text)
    own = [entry for entry in entries if any(_names(entry, name.stems) for name in form.names)]
    if len(entries) < _FEWEST or len(own) != 1 or not all(entry.named for entry in entries):
        return ()
    complete = any(
        isinstance(slot.value, Quantity)
        and slot.value.kind is QuantityKind.COUNT
        and slot.value.low == len(entries)
        for slot in form.slots
    )
    found = [_checked(word, highest, own[0], entries) for word, highest in words]
    return tuple(one for one in found if complete or one.outcome is RelationOutcome.DENIED)


class _Comparison(NamedTuple):
    """A comparative of the claim, what it compares with what, and what it counts, if it says so.

    `right` is empty where `left` is compared with all others.
    """

    word: str
    higher: bool
    left: frozenset[str]
    right: frozenset[str]
    counted: frozenset[str]
    names: frozenset[str]


def _comparison(form: ClaimForm) -> _Comparison | None:
    """The one plain comparison with "than" of a claim."""
    tokens = [token for token in form.tokens if not covered(token, form.apart)]
    words = [token.word for token in tokens]
    if words.count("than") != 1:
        return None
    than = words.index("than")
    at = next(
        (
            n
            for n in range(than - 1, max(-1, than - 1 - _COMPARED_WITHIN), -1)
            if words[n] in _HIGHER or words[n] in _LOWER
        ),
        -1,
    )
    bound = than + 1 < len(words) and covered(tokens[than + 1], form.hidden)
    # "More than an hour late" compares with nobody.
    if at < 0 or bound or _A_TIME.match(" ".join(words[than + 1 : than + 4])):
        return None
    terms = frozenset(term.stem for term in form.terms if term.counts)
    left = frozenset(token.stem for token in tokens[:at]) & terms
    right = frozenset(token.stem for token in tokens[than + 1 :]) & terms
    higher = words[at] in _HIGHER
    counted = frozenset(token.stem for token in tokens[at + 1 : than]) & terms - {"high"}
    if not _OTHERS.isdisjoint(words[than + 1 :]):
        right = frozenset[str]()
    elif not _NOBODY.isdisjoint(words[:at]):
        left, right = right, frozenset[str]()
    elif not _DENYING.isdisjoint(words):
        return None
    names = frozenset(stem for name in form.names for stem in name.stems)
    return _Comparison(words[at], higher, left - right, right - left, counted, names)


def _sentences(values: Sequence[Candidate], text: str) -> Iterator[list[Candidate]]:
    """The values sentence by sentence: those of another may be of another matter."""
    group: list[Candidate] = []
    for one in values:
        if group and _SENTENCE_END.search(text, group[-1].end, one.start):
            yield group
            group = []
        group.append(one)
    if group:
        yield group


def _compared(asked: _Comparison, entries: Sequence[Entry]) -> RelationCheck | None:
    """What the values of two entries, or of one and all others, say of a comparison."""
    own = _owner(entries, asked.left, asked.names)
    other = _owner(entries, asked.right, asked.names)
    measured = own is not None and own.quantity.kind is QuantityKind.MEASURE
    if own is None or (asked.word in _OF_MEASURES and not measured):
        return None
    if not asked.right:
        return _checked(asked.word, asked.higher, own, entries) if len(entries) > _PAIR else None
    if other is None or other is own or own.quantity.low == other.quantity.low:
        return None
    outcome = RelationOutcome.CONFIRMED
    if (own.quantity.low > other.quantity.low) is not asked.higher:
        outcome = RelationOutcome.DENIED
    start, end = sorted((own.quantity.start, other.quantity.start))
    found = f"{own.quantity.text} and {other.quantity.text}"
    return RelationCheck(outcome, asked.word, found, start, end)


def _is_of(asked: _Comparison, group: Sequence[Candidate], window: Window, text: str) -> bool:
    """Whether a sentence has a word of what is compared: of "lower marks" the marks."""
    ends = [m.end() for m in _SENTENCE_END.finditer(text, window.start, group[0].start)]
    stop = _SENTENCE_END.search(text, group[-1].end, window.end)
    start, end = ends[-1] if ends else window.start, stop.start() if stop else window.end
    said = {token.stem for token in window.tokens if start <= token.start < end}
    return not asked.counted or not asked.counted.isdisjoint(said)


def _owner(entries: Sequence[Entry], wanted: frozenset[str], names: frozenset[str]) -> Entry | None:
    """The one entry that has words of `wanted` for itself, a name rather than another word."""
    counts = Counter(word for entry in entries for word in entry.label)
    own = [
        (entry, {word for word in entry.label & wanted if counts[word] == 1}) for entry in entries
    ]
    held = [entry for entry, words in own if words & names] or [one for one, words in own if words]
    return held[0] if len(held) == 1 else None


def _superlatives(tokens: Sequence[Token]) -> Iterator[tuple[str, bool]]:
    """The superlatives that are said plainly, and whether each means the highest value."""
    for place, token in enumerate(tokens):
        if token.word not in _HIGHEST and token.word not in _LOWEST:
            continue
        before = {one.word for one in tokens[max(0, place - _LOOK_BACK) : place]}
        after = tokens[place + 1].word if place + 1 < len(tokens) else ""
        if before.isdisjoint(_TURNED) and after != "of":
            yield token.word, token.word in _HIGHEST


def _checked(word: str, highest: bool, own: Entry, entries: Sequence[Entry]) -> RelationCheck:
    values = [entry.quantity.low for entry in entries]
    extreme = max(values) if highest else min(values)
    is_extreme = own.quantity.low == extreme and values.count(extreme) == 1
    outcome = RelationOutcome.CONFIRMED if is_extreme else RelationOutcome.DENIED
    found = ", ".join(entry.quantity.text for entry in entries)
    quantities = [entry.quantity for entry in entries]
    return RelationCheck(
        outcome,
        word,
        f"{own.quantity.text} of {found}",
        min(one.start for one in quantities),
        max(one.end for one in quantities),
    )


def _names(entry: Entry, stems: tuple[str, ...]) -> bool:
    return bool(stems) and all(word in entry.label for word in stems)


def _entries(values: Sequence[Candidate], window: Window, text: str) -> list[Entry]:
    """The values of the commonest sort, each with its own words."""
    known = _sorts(values, text)
    sorts = Counter(sort for sort in known.values() if sort)
    if not sorts:
        return []
    wanted = sorts.most_common(1)[0][0]
    entries: list[Entry] = []
    done = window.start
    for one in values:
        value = one.value
        if not isinstance(value, Quantity) or known[one.start] != wanted:
            # "Lund 412 votes, Oster 388": what stands before the 412 is not of the 388.
            done = max(done, one.end) if _is_count(one) else done
            continue
        after = text[one.end : window.end]
        if _NAMED_AFTER.match(after):
            stop = _LABEL_END.search(after, 1)
            start = one.end
            stop_at = done = one.end + (stop.start() if stop else len(after))
        else:
            breaks = [m.end() for m in _BREAK.finditer(text, done, one.start)]
            start, stop_at = breaks[-1] if breaks else done, one.start
            # "Mean marks: libraries 7.7": the words before the colon are of all values.
            colon = text.rfind(": ", start, stop_at)
            start = colon + 1 if colon > 0 and text[colon + 1 : stop_at].strip() else start
            done = one.end
        words = [t for t in window.tokens if start <= t.start and t.end <= stop_at]
        label = frozenset(token.stem for token in words)
        entries.append(Entry(value, label, any(token.capital for token in words)))
    return entries


def _is_count(one: Candidate) -> bool:
    return isinstance(one.value, Quantity) and one.value.kind is QuantityKind.COUNT


def _sorts(values: Sequence[Candidate], text: str) -> dict[int, tuple[QuantityKind, str] | None]:
    """The sort of each value; "3.2 kilometres, the other 4.7" gives two lengths."""
    found: dict[int, tuple[QuantityKind, str] | None] = {}
    last: tuple[QuantityKind, str] | None = None
    end = 0
    for one in values:
        sort = _sort(one)
        bare = sort == (QuantityKind.COUNT, "") and not _BREAK.search(text, end, one.start)
        if bare and last and last[0] is QuantityKind.MEASURE:
            sort = last
        found[one.start] = last = sort
        end = one.end
    return found


def _sort(candidate: Candidate) -> tuple[QuantityKind, str] | None:
    value = candidate.value
    if not isinstance(value, Quantity) or value.low != value.high:
        return None
    return None if value.kind is QuantityKind.ORDINAL else (value.kind, value.unit)
