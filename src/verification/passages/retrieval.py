"""The passages of a source that are most about a claim.

The score of a passage is the idf-weighted share of the claim's words that it has, plus a share for
its figures and its names. It only ranks: no score of words tells support from contradiction
(AUC .38 to .64 on public pairs).
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from ...claims.lexicon import Lexicon
from ...claims.model import Claim, Figure, Quantity
from ...documents.language import reads_english
from ...sources.model import Snapshot, SourceSet, is_marked_retracted, opens_retracted
from ..model import Passage
from ..policy import VerificationPolicy
from .figures import column_totals, find_figures, find_row_figures
from .units import (
    MAX_UNIT,
    Unit,
    UnitKind,
    comments,
    framed,
    speaks_of_frames,
    split_units,
    terms,
    unstated,
    without_struck,
)

# Heading and previous sentence count a third of the claim's own words; figures and names count
# again, since a passage on the matter nearly always repeats them.
CONTEXT_WEIGHT = 0.33
FIGURE_WEIGHT = 0.25
NAME_WEIGHT = 0.15
SURROUNDING_WORDS = 110
"""Words of a page that are read round a window, its opening and end among them.

With the claim they fit the reader's 448 tokens, but for tables; pages were trained in this length.
"""
_OPENING, _END = 2, 2
JOINT = "\n\n"
"""What stands between two sources that are read as one."""
# Reading costs seconds; the right source is nearly always among the first by words.
_COMPARED = 2
# Share of the claim's words that a source has to know, 0-1.
_KNOWN = 0.6
# Numbers of so few digits stand everywhere.
_COMMON_DIGITS = 2
_MOST_RANKED = 8  # the checks of a claim ask several times, with its context and without
Numbers = NDArray[np.int64]
Scores = NDArray[np.float64]
_NOWHERE: Numbers = np.zeros(0, np.int64)
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][\w-]+")


@dataclass(frozen=True, slots=True)
class Window:
    """Neighbouring units of one section, `[first, last]` by number; `score` ranks it for a claim.

    `centre` is the unit that it is built round.
    """

    first: int
    last: int
    centre: int
    score: float


class SourceText:
    """One source text with its units, in which of them each word stands, and their figures.

    Units that state nothing (questions, talk about a claim) are found by no word; readers'
    comments, exercises, stories and what is taken back only for a claim that says so itself.
    `stated` is the text with what it has struck out blanked, so that places are the same in both.

    Args:
        text: The extracted text of a snapshot.
        lexicon: What numbers, units and dates are read by.
        retracted: Whether its publisher has taken it back, so that none of it supports anything but
            what is said of that.
    """

    def __init__(self, text: str, lexicon: Lexicon, *, retracted: bool = False) -> None:
        stated = without_struck(text)
        units = split_units(stated)
        silent = unstated(stated, units, lexicon.words)
        within = comments(stated, units) | framed(stated, units, lexicon.words)
        if retracted:
            within = frozenset(range(len(units)))
        self.retracted = retracted
        self._index(text, stated, units, silent, within, lexicon)

    @classmethod
    def joined(cls, texts: Sequence[SourceText]) -> SourceText:
        """Several sources as one text, each with its own headings and frames.

        A source begins where the text before it ends, `JOINT` between them.
        """
        units: list[Unit] = []
        silent, within, start = set[int](), set[int](), 0
        for one in texts:
            silent |= {len(units) + number for number in one._unstated}
            within |= {len(units) + number for number in one._framed}
            units += (unit.moved(start) for unit in one.units)
            start += len(one.text) + len(JOINT)
        whole = cls.__new__(cls)
        whole.retracted = any(one.retracted for one in texts)
        whole._index(
            JOINT.join(one.text for one in texts),
            JOINT.join(one.stated for one in texts),
            tuple(units),
            frozenset(silent),
            frozenset(within),
            texts[0].lexicon,
        )
        return whole

    @classmethod
    def of_units(cls, units: Sequence[Unit], lexicon: Lexicon) -> SourceText:
        """`units` of any texts, each of which states something; only their scores are of use."""
        chosen = cls("", lexicon)
        chosen._index("", "", tuple(units), frozenset(), frozenset(), lexicon)
        return chosen

    def _index(
        self,
        text: str,
        stated: str,
        units: tuple[Unit, ...],
        silent: frozenset[int],
        within: frozenset[int],
        lexicon: Lexicon,
    ) -> None:
        self.text, self.stated, self.units = text, stated, units
        self.lexicon, self._book = lexicon, lexicon.words
        self._unstated, self._framed = silent, within
        self._figures: dict[tuple[str, bool], tuple[Figure, ...]] = {}
        places: dict[str, list[int]] = defaultdict(list)
        paths = dict[tuple[str, ...], int]()
        # The section of each unit; one that states nothing is of none.
        self._sections = np.full(len(units), -1)
        for number, unit in enumerate(units):
            if number in silent:
                continue
            self._sections[number] = paths.setdefault(unit.path, len(paths))
            for term in set(terms(" ".join((*unit.path, unit.text)))):
                places[term].append(number)
        self._places = {term: np.array(numbers) for term, numbers in places.items()}
        self._near: dict[str, Numbers] = {}
        self._ranked: dict[tuple[str, str, bool], tuple[Numbers, Scores]] = {}

    def states_within(self, start: int, end: int) -> bool:
        """Whether a unit in `[start, end)` states something, and not only asks or talks of it."""
        silent = self._unstated | self._framed
        return any(
            unit.start < end and start < unit.end and number not in silent
            for number, unit in enumerate(self.units)
        )

    def figures(self, unit: Unit) -> tuple[Figure, ...]:
        """The figures of a unit and of the headings above it; offsets are of no use here."""
        above = (value for title in unit.path for value in self._found(title))
        return (*self.figures_in(unit), *above)

    def has_digits(self, written: str) -> bool:
        """Whether the text has a number of three digits or more exactly as it is written.

        As part of something else, it may be no figure: "0.0.0.0:8440". One with a point may be a
        version, of which a longer number is a release: "2.3" and "2.3.1".
        """
        version = "." in written
        if sum(map(str.isdigit, written)) <= _COMMON_DIGITS and not version:
            return False
        after = r"(?!\d|,\d)" if version else r"(?![\d]|[.,]\d)"
        return bool(re.search(rf"(?<![\d.,]){re.escape(written)}{after}", self.stated))

    def figures_in(self, unit: Unit) -> tuple[Figure, ...]:
        """The figures of a unit alone, with their places in its text."""
        return self._found(unit.text, unit.kind is UnitKind.ROW)

    @cached_property
    def numbers(self) -> Mapping[Unit, int]:
        """The number of each unit."""
        return {unit: number for number, unit in enumerate(self.units)}

    @cached_property
    def totals(self) -> tuple[Quantity, ...]:
        """The sums of whole columns of its tables, as far as these state something."""
        silent = self._unstated | self._framed
        stating = (unit for at, unit in enumerate(self.units) if at not in silent)
        return column_totals(stating, self.lexicon)

    def _found(self, text: str, is_row: bool = False) -> tuple[Figure, ...]:
        known = self._figures.get((text, is_row))
        if known is None:
            find = find_row_figures if is_row else find_figures
            known = self._figures[text, is_row] = find(text, self.lexicon)
        return known

    def rank(self, claim: str, k: int, *, context: str = "") -> tuple[Window, ...]:
        """The `k` best passages for `claim`, best first, with centres that are not neighbours.

        `context` are words that tell what the claim is about without being part of it.
        """
        order, scores = self._in_order(claim, context, near=True)
        chosen: list[Window] = []
        for centre in map(int, order):
            if len(chosen) == k:
                break
            if all(abs(centre - one.centre) > 1 for one in chosen):
                chosen.append(self._window(centre, float(scores[centre])))
        return tuple(chosen)

    def _in_order(self, claim: str, context: str, *, near: bool) -> tuple[Numbers, Scores]:
        """The units with words of the claim (`near`: or of neighbours), best first; all scores."""
        key = (claim, context, near)
        known = self._ranked.get(key)
        if known is None:
            if len(self._ranked) >= _MOST_RANKED:
                self._ranked = {}
            scores = np.zeros(len(self.units))
            for term, weight in self._weights(claim, context).items():
                scores[self._centres(term) if near else self._places.get(term, _NOWHERE)] += weight
            if self._framed and not speaks_of_frames(claim, self._book):
                scores[list(self._framed)] = 0
            found = np.flatnonzero(scores)
            known = found[np.argsort(-scores[found], kind="stable")], scores
            self._ranked[key] = known
        return known

    def _weights(self, claim: str, context: str) -> dict[str, float]:
        """Weight of each word of claim and context in the score of a window that contains it."""
        shares = dict.fromkeys(terms(claim), 1.0)
        for term in terms(context):
            shares.setdefault(term, CONTEXT_WEIGHT)
        total = len(self.units)
        rarity = {
            term: share * math.log(1 + total / (0.5 + len(self._centres(term))))
            for term, share in shares.items()
        }
        whole = sum(rarity.values()) or 1.0
        weights = {term: value / whole for term, value in rarity.items()}
        figures = [term for term in shares if term[0].isdigit()]
        names = {term for name in _NAME.findall(claim) for term in terms(name)}
        for bonus, members in ((FIGURE_WEIGHT, figures), (NAME_WEIGHT, names)):
            for term in members:
                weights[term] = weights.get(term, 0.0) + bonus / len(members)
        return weights

    def _centres(self, term: str) -> Numbers:
        """The units round which a window has `term`."""
        if term not in self._near:
            places, last = self._places.get(term, _NOWHERE), len(self.units) - 1
            steps = [(places[places > 0], -1), (places, 0), (places[places < last], 1)]
            same = (at[self._sections[at] == self._sections[at + by]] + by for at, by in steps)
            self._near[term] = np.unique(np.concatenate(list(same)))
        return self._near[term]

    def _window(self, centre: int, score: float) -> Window:
        path, most = self.units[centre].path, len(self.units) - 1
        first = centre - (centre > 0 and self.units[centre - 1].path == path)
        last = centre + (centre < most and self.units[centre + 1].path == path)
        return Window(first, last, centre, score)

    def span(self, window: Window) -> tuple[int, int]:
        """Where the window stands in the text; with the header row if it begins in a table."""
        first = self.units[window.first]
        start = first.header[0] if first.header and first.kind is UnitKind.ROW else first.start
        end = self.units[window.last].end
        return (start, end) if end - start <= 2 * MAX_UNIT else (first.start, end)

    def surroundings(self, window: Window) -> str:
        """The page round a window as it is written, with its opening and its end.

        What a sentence is worth is often said elsewhere on the page: in the byline, a heading, a
        note below. At most `SURROUNDING_WORDS` words besides the window; a short page is whole, but
        for what is asked or told in a story, which the reader takes for stated. The opening and the
        end keep what is said there about the page.
        """
        last = len(self.units) - 1
        edges = [*range(_OPENING), *range(last, last - _END, -1)]
        near = [
            at
            for step in range(1, SURROUNDING_WORDS)
            for at in (window.first - step, window.last + step)
        ]
        framed = frozenset[int]() if window.centre in self._framed else self._framed
        said = set(edges) - set(range(window.first, window.last + 1))
        left_out = framed | (self._unstated - said)
        chosen = set(range(window.first, window.last + 1)) - left_out
        room = SURROUNDING_WORDS
        for at in (*edges, *near):
            if room <= 0:
                break
            if 0 <= at <= last and at not in chosen | left_out:
                chosen.add(at)
                room -= len(self.units[at].text.split())
        return "\n\n".join(self._stretches(sorted(chosen)))

    def _stretches(self, numbers: Sequence[int]) -> Iterator[str]:
        """The written text of neighbouring units, each stretch under its headings."""
        first = 0
        for at, number in enumerate(numbers):
            if at + 1 < len(numbers) and numbers[at + 1] == number + 1:
                continue
            begun = self.units[numbers[first]]
            written = self.stated[begun.start if numbers[first] else 0 : self.units[number].end]
            shown = not first or self.units[numbers[first - 1]].path == begun.path
            above = "" if shown else " > ".join(begun.path) + ".\n"
            yield above + written.strip()
            first = at + 1

    def knows(self, term: str) -> bool:
        """Whether the text or one of its headings has a word, as `terms` gives it."""
        return term in self._places

    def scores(self, claim: str) -> Scores:
        """The score of each unit by itself for `claim`."""
        return self._in_order(claim, "", near=False)[1]

    def best_units(self, claim: str, k: int, *, context: str = "") -> tuple[Unit, ...]:
        """The `k` units with the highest scores, in the order of the text."""
        order, _ = self._in_order(claim, context, near=False)
        return tuple(self.units[at] for at in sorted(map(int, order[:k])))


def render(units: Sequence[Unit]) -> str:
    """Units as one passage; the headings are written where they change."""
    return "\n".join(_lines(units))


def _lines(units: Iterable[Unit]) -> Iterator[str]:
    last: tuple[str, ...] | None = None
    for unit in units:
        if unit.path != last:
            known = last or ()
            new = [
                title
                for level, title in enumerate(unit.path)
                if level >= len(known) or known[level] != title
            ]
            if new:
                yield " > ".join(new) + "."
            last = unit.path
        yield unit.text


MOST_JOINED = 400_000
"""Characters of sources that are read as one."""


@dataclass(frozen=True, slots=True)
class JoinedSources:
    """Several sources as one text, and where in it each begins."""

    text: SourceText
    starts: tuple[int, ...]

    def place(self, start: int, end: int) -> tuple[int, int, int]:
        """The number of the source that has `start`, and the range in its own text."""
        number = bisect_right(self.starts, start) - 1
        begin = self.starts[number]
        after = self.starts[number + 1 : number + 2]
        end = min(end, after[0] - len(JOINT)) if after else end
        return number, start - begin, end - begin


class SourceIndex:
    """The readable sources of an iteration.

    Keep one beside a `SourceSet` and pass it to every call; it holds no other state.
    """

    def __init__(self, sources: SourceSet, lexicon: Lexicon) -> None:
        self.sources = sources
        self.lexicon = lexicon
        self._texts: dict[str, SourceText] = {}
        self._joined: dict[tuple[str, ...], JoinedSources] = {}

    def readable(self, url: str) -> tuple[Snapshot, SourceText] | None:
        """Snapshot and indexed text of `url`, or None when there is nothing to compare with.

        Raises:
            SnapshotError: The source is readable but its text is missing.
        """
        found = self.sources.readable(url)
        if found is None:
            return None
        snapshot, text = found
        if snapshot.sha256 not in self._texts:
            retracted = is_marked_retracted(snapshot.title) or opens_retracted(text)
            self._texts[snapshot.sha256] = SourceText(text, self.lexicon, retracted=retracted)
        return snapshot, self._texts[snapshot.sha256]

    def joined(self, texts: Sequence[SourceText]) -> JoinedSources | None:
        """Sources read as one, None if that were longer than `MOST_JOINED`."""
        written = tuple(one.text for one in texts)
        if sum(map(len, written)) > MOST_JOINED:
            return None
        if written not in self._joined:
            starts = accumulate((len(one) + len(JOINT) for one in written[:-1]), initial=0)
            self._joined[written] = JoinedSources(SourceText.joined(texts), tuple(starts))
        return self._joined[written]

    @cached_property
    def _english(self) -> tuple[str, ...]:
        """The addresses of the readable English sources, in order."""
        readable = ((url, self.sources.readable(url)) for url in sorted(self.sources.sources))
        return tuple(url for url, found in readable if found and reads_english(found[0].language))

    def likely(self, text: str, *, besides: Collection[str] = ()) -> list[str]:
        """The addresses of the few English sources that know most words of `text`, best first.

        Raises:
            SnapshotError: A readable source has no text.
        """
        wanted = set(terms(text))
        found: list[tuple[float, str]] = []
        seen: set[str] = set()
        for url in self._english:
            readable = self.readable(url) if url not in besides else None
            if readable is None:
                continue
            snapshot, source = readable
            known = sum(map(source.knows, wanted)) / len(wanted) if wanted else 0.0
            if snapshot.sha256 in seen or known < _KNOWN:
                continue
            seen.add(snapshot.sha256)
            best = source.rank(text, 1)
            found.append((-best[0].score if best else 0.0, url))
        return [url for _, url in sorted(found)[:_COMPARED]]


def find_passages(
    claim: Claim, sources: SourceIndex, policy: VerificationPolicy, *, k: int | None = None
) -> tuple[Passage, ...]:
    """The `k` passages of the claim's readable sources that are most about it, best first.

    `k` is the policy's number if not given. Ids are ``P1``, ``P2`` … and stay the same for the same
    claim and sources. Passages of one source do not overlap in their middle.

    Raises:
        SnapshotError: A readable source has no text.
    """
    most = policy.search.passages if k is None else k
    context = f"{claim.heading} {claim.previous}"
    found: list[Passage] = []
    seen: set[str] = set()
    for address in claim.cited:
        readable = sources.readable(address.target) if address.target else None
        if readable is None or address.target is None or readable[0].sha256 in seen:
            continue
        snapshot, source = readable
        seen.add(snapshot.sha256)
        for window in source.rank(claim.text, most, context=context):
            start, end = source.span(window)
            text = source.text[start:end]
            score = min(1.0, window.score)
            found.append(Passage("", address.target, snapshot.sha256, start, end, text, score))
    found.sort(key=lambda passage: (-passage.score, passage.url, passage.start))
    return tuple(
        replace(passage, id=f"P{number}", score=round(passage.score, 4))
        for number, passage in enumerate(found[:most], 1)
    )
