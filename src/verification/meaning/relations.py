"""Who is highest or lowest by the values that a passage gives for each of several."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile
from typing import NamedTuple

from ...claims.degrees import Degree, Degrees
from ...claims.lexicon import Lexicon
from ...claims.model import Quantity, QuantityKind
from ...claims.words import Token, WordBook
from ..reading.form import ClaimForm, covered
from ..reading.window import Candidate, Window

# "Not the lowest", "the second highest", "one of the largest", "at least", "most of them".
_TURNED = frozenset({
    "not", "no", "never", "nor", "second", "third", "fourth", "fifth", "next", "among", "one", "at",
    "nearly", "almost", "former", "once",
})  # fmt: skip
_BARE = ("most", "least", "fewest")
_SHARE = "share"
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
# "Upper Arn 52 per cent, Lower Arn 47": a unit is said once.
_WITH_UNIT = (QuantityKind.MEASURE, QuantityKind.PERCENT, QuantityKind.MONEY)
_SENTENCE_END = re.compile(r"[.!?]\s|\n")


class RelationOutcome(StrEnum):
    """What the values of a passage do to a comparison."""

    CONFIRMED = "confirmed"
    DENIED = "denied"


@dataclass(frozen=True, slots=True)
class RelationCheck:
    """A superlative of a claim held against the values of a passage.

    `claimed` is its word, `found` shows the values, of which there are `among`; `[start, end)` is
    where they stand.
    """

    outcome: RelationOutcome
    claimed: str
    found: str
    start: int
    end: int
    among: int = _PAIR


class Entry(NamedTuple):
    """A value of a passage with the stems of the words that say whose it is.

    `named` says that a name is among them.
    """

    quantity: Quantity
    label: frozenset[str]
    named: bool


def check_extremes(
    form: ClaimForm, window: Window, text: str, lexicon: Lexicon
) -> tuple[RelationCheck, ...]:
    """Each superlative of the claim that the values of the passage decide.

    They do where three or more of one sort each stand by a name of their own, and one of them by a
    name of the claim. A claim is confirmed only if it says how many there are, since a passage may
    leave some out. `text` is that of the source.
    """
    words = list(_superlatives(form.tokens, lexicon.words))
    comparison = _comparison(form, lexicon.words.degrees)
    if not words and not comparison:
        return ()
    values = sorted((c for c in window.candidates if not c.in_row), key=lambda c: c.start)
    if comparison:
        checks = [
            check
            for group in sentences_of(values, text)
            if (said := words_of(group, window, text))
            and (not comparison.counted or not comparison.counted.isdisjoint(said))
            and (check := _compared(comparison, entries_of(group, window, text), said, lexicon))
        ]
        return tuple(checks) if len(checks) == 1 else ()
    groups = [
        _extreme(form, words, group, window, text, lexicon)
        for group in (values, *sentences_of(values, text))
    ]
    found = next((checks for checks in groups if checks), ())
    # The fastest over the course need not be so on each stretch of it.
    outcomes = {check.outcome for checks in groups for check in checks}
    complete = any(_counts_all(form, check) for check in found)
    if len(outcomes) > 1 or not (complete or outcomes == {RelationOutcome.DENIED}):
        return ()
    return found


def _extreme(
    form: ClaimForm,
    words: Sequence[_Superlative],
    values: Sequence[Candidate],
    window: Window,
    text: str,
    lexicon: Lexicon,
) -> tuple[RelationCheck, ...]:
    """What a list of values says of the superlatives of a claim."""
    entries = entries_of(values, window, text)
    own = [entry for entry in entries if any(_names(entry, name.stems) for name in form.names)]
    if len(entries) < _FEWEST or len(own) != 1 or not all(entry.named for entry in entries):
        return ()
    said = words_of(values, window, text)
    signs = [(one.word, one.sign(own[0], said, lexicon)) for one in words]
    return tuple(_checked(word, sign > 0, own[0], entries) for word, sign in signs if sign)


def _counts_all(form: ClaimForm, check: RelationCheck) -> bool:
    """Whether the claim says how many there are, and the passage gives the values of so many."""
    return any(
        isinstance(slot.value, Quantity)
        and slot.value.kind is QuantityKind.COUNT
        and slot.value.low == check.among
        for slot in form.slots
    )


class _Comparison(NamedTuple):
    """A comparative of the claim, what it compares with what, and what it counts, if it says so.

    `right` is empty where `left` is compared with all others.
    """

    word: str
    degree: Degree
    left: frozenset[str]
    right: frozenset[str]
    counted: frozenset[str]
    names: frozenset[str]


def _comparison(form: ClaimForm, degrees: Degrees) -> _Comparison | None:
    """The one plain comparison with "than" of a claim."""
    tokens = [token for token in form.tokens if not covered(token, form.apart)]
    words = [token.word for token in tokens]
    if words.count("than") != 1:
        return None
    than = words.index("than")
    before = range(than - 1, max(-1, than - 1 - _COMPARED_WITHIN), -1)
    known = ((n, degree) for n in before if (degree := degrees.at(words, n)))
    at, degree = next(((n, d) for n, d in known if not d.superlative), (-1, None))
    bound = than + 1 < len(words) and covered(tokens[than + 1], form.hidden)
    # "More than an hour late" compares with nobody.
    if degree is None or bound or _A_TIME.match(" ".join(words[than + 1 : than + 4])):
        return None
    terms = frozenset(term.stem for term in form.terms if term.counts)
    left = frozenset(token.stem for token in tokens[:at]) & terms
    right = frozenset(token.stem for token in tokens[than + 1 :]) & terms
    after = tokens[at + degree.length : than]
    counted = frozenset(token.stem for token in after) & terms - {"high"}
    if not _OTHERS.isdisjoint(words[than + 1 :]):
        right = frozenset[str]()
    elif not _NOBODY.isdisjoint(words[:at]):
        left, right = right, frozenset[str]()
    elif not _DENYING.isdisjoint(words):
        return None
    names = frozenset(stem for name in form.names for stem in name.stems)
    said = " ".join(words[at : at + degree.length])
    return _Comparison(said, degree, left - right, right - left, counted, names)


def sentences_of(values: Sequence[Candidate], text: str) -> Iterator[list[Candidate]]:
    """The values sentence by sentence: those of another may be of another matter."""
    group: list[Candidate] = []
    for one in values:
        if group and _SENTENCE_END.search(text, group[-1].end, one.start):
            yield group
            group = []
        group.append(one)
    if group:
        yield group


def _compared(
    asked: _Comparison, entries: Sequence[Entry], said: frozenset[str], lexicon: Lexicon
) -> RelationCheck | None:
    """What the values of two entries, or of one and all others, say of a comparison.

    `said` are the words beside them.
    """
    own = _owner(entries, asked.left, asked.names)
    other = _owner(entries, asked.right, asked.names)
    sign = asked.degree.sign(lexicon.dimension(own.quantity), said) if own else 0
    if own is None or not sign:
        return None
    if not asked.right:
        return _checked(asked.word, sign > 0, own, entries) if len(entries) > _PAIR else None
    if other is None or other is own or own.quantity.low == other.quantity.low:
        return None
    outcome = RelationOutcome.CONFIRMED
    if (own.quantity.low > other.quantity.low) is not (sign > 0):
        outcome = RelationOutcome.DENIED
    start, end = sorted((own.quantity.start, other.quantity.start))
    found = f"{own.quantity.text} and {other.quantity.text}"
    return RelationCheck(outcome, asked.word, found, start, end)


def words_of(group: Sequence[Candidate], window: Window, text: str) -> frozenset[str]:
    """The words of the sentences that give some values."""
    if not group:
        return frozenset()
    ends = [m.end() for m in _SENTENCE_END.finditer(text, window.start, group[0].start)]
    stop = _SENTENCE_END.search(text, group[-1].end, window.end)
    start, end = ends[-1] if ends else window.start, stop.start() if stop else window.end
    return frozenset(token.stem for token in window.tokens if start <= token.start < end)


def _owner(entries: Sequence[Entry], wanted: frozenset[str], names: frozenset[str]) -> Entry | None:
    """The one entry that has words of `wanted` for itself, a name rather than another word."""
    counts = Counter(word for entry in entries for word in entry.label)
    own = [
        (entry, {word for word in entry.label & wanted if counts[word] == 1}) for entry in entries
    ]
    held = [entry for entry, words in own if words & names] or [one for one, words in own if words]
    return held[0] if len(held) == 1 else None


class _Superlative(NamedTuple):
    """A superlative that is said plainly, and the nouns right behind it."""

    word: str
    degree: Degree
    nouns: frozenset[str]

    def sign(self, own: Entry, said: frozenset[str], lexicon: Lexicon) -> int:
        """Whether it means the highest (1) or the lowest value (-1), 0 if it is of another thing.

        Of many things something may be "the largest": the noun must be among the words `said`.
        """
        if self.degree.plain and not self.word.startswith(_BARE):
            shares = own.quantity.kind is QuantityKind.PERCENT and not self.nouns.isdisjoint(
                lexicon.words.alike(lexicon.words.stem(_SHARE))
            )
            if not shares and self.nouns.isdisjoint(said):
                return 0
        return self.degree.sign(lexicon.dimension(own.quantity), said)


def _superlatives(tokens: Sequence[Token], book: WordBook) -> Iterator[_Superlative]:
    """The superlatives that are said plainly."""
    words = [token.word for token in tokens]
    for place in range(len(words)):
        degree = book.degrees.at(words, place)
        if degree is None or not degree.superlative:
            continue
        end = place + degree.length
        before, after = words[max(0, place - _LOOK_BACK) : place], words[end : end + 1]
        # "Most of them" is a share.
        said = " ".join(words[place:end])
        if not _TURNED.isdisjoint(before) or (said in _BARE and after == ["of"]):
            continue
        nouns = takewhile(lambda t: t.stem not in book.stop_words, tokens[end:])
        named = frozenset(name for noun in nouns for name in book.alike(noun.stem))
        yield _Superlative(said, degree, named)


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
        len(quantities),
    )


def _names(entry: Entry, stems: tuple[str, ...]) -> bool:
    return bool(stems) and all(word in entry.label for word in stems)


def entries_of(values: Sequence[Candidate], window: Window, text: str) -> list[Entry]:
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
    # "All four: Alto 41, Brenna 38": the count of a list is none of its values.
    written = [entry for entry in entries if entry.quantity.text[:1].isdigit()]
    return written if len(written) > _PAIR else entries


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
        if bare and last and last[0] in _WITH_UNIT:
            sort = last
        found[one.start] = last = sort
        end = one.end
    return found


def _sort(candidate: Candidate) -> tuple[QuantityKind, str] | None:
    value = candidate.value
    if not isinstance(value, Quantity) or value.low != value.high:
        return None
    return None if value.kind is QuantityKind.ORDINAL else (value.kind, value.unit)
