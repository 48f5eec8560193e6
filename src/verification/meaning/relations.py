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
from ..reading.form import ClaimForm
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
_LOOK_BACK, _FEWEST = 3, 3
# "8.1 % at Varde": the name follows the value.
_NAMED_AFTER = re.compile(r"^\W{0,2}(?:at|in|for|by|among|on)\b")
_LABEL_END = re.compile(r"[,;.()\n]|\b(?:to|and|while|whereas|but|against)\b")
_BREAK = re.compile(r"[;.\n]\s")


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
    if not words:
        return ()
    entries = _entries(window, text)
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


def _entries(window: Window, text: str) -> list[Entry]:
    """The values of the commonest sort in the passage, each with its own words."""
    values = sorted((c for c in window.candidates if not c.in_row), key=lambda c: c.start)
    sorts = Counter(sort for one in values if (sort := _sort(one)))
    if not sorts:
        return []
    wanted = sorts.most_common(1)[0][0]
    entries: list[Entry] = []
    done = window.start
    for one in values:
        value = one.value
        if not isinstance(value, Quantity) or _sort(one) != wanted:
            continue
        after = text[one.end : window.end]
        if _NAMED_AFTER.match(after):
            stop = _LABEL_END.search(after, 1)
            start = one.end
            stop_at = done = one.end + (stop.start() if stop else len(after))
        else:
            breaks = [m.end() for m in _BREAK.finditer(text, done, one.start)]
            start, stop_at = breaks[-1] if breaks else done, one.start
            done = one.end
        words = [t for t in window.tokens if start <= t.start and t.end <= stop_at]
        label = frozenset(token.stem for token in words)
        entries.append(Entry(value, label, any(token.capital for token in words)))
    return entries


def _sort(candidate: Candidate) -> tuple[QuantityKind, str] | None:
    value = candidate.value
    if not isinstance(value, Quantity) or value.low != value.high:
        return None
    return None if value.kind is QuantityKind.ORDINAL else (value.kind, value.unit)
