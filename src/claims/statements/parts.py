"""The statements of a compound sentence, each as spans of the sentence's text.

Without a parser, so only where the words leave no doubt: a clause with a verb of its own after
"and", "but", "while", a colon or a semicolon, with its own subject or that of the clause before; a
relative clause after a comma whose antecedent is certain; the value of another time after "up
from"; and what follows a citation in mid-sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..model import QuantityKind
from .clause_reader import Clause, ClauseReader, Held, words_of
from .clauses import ClauseWords, Word
from .coordination import Coordination
from .relatives import Span, find_relatives

# A longer sentence is a list or no sentence.
_MOST_WORDS = 120
_MOST_CHARACTERS = 2000
_FEWEST_WORDS = 3
_LONGEST_MODIFIER = 16
_JOINT = re.compile(
    r"[;:] |\b(?:and|but)\b"
    r"|, (?:which|who|while|whereas|up|down|as|compared|against|versus|rather)\b"
)
_UP_FROM = re.compile(
    r"[,;] (?:up|down|(?:as )?(?:compared|against)(?: with| to)?|versus|rather than)(?: from)? "
)
_AT = (" in ", " for ", " on ", " during ")
_ENDS = " .!;,:"


@dataclass(frozen=True, slots=True)
class Part:
    """A statement of a sentence: `pieces`, in reading order, say all of it.

    Some may be shared with other parts, such as the subject; `own` is the stretch that is its own.
    `counted` is the noun of a count that has none of its own.
    """

    pieces: tuple[Span, ...]
    own: Span
    counted: str = ""


def split_sentence(text: str, held: Held, lists: ClauseWords) -> tuple[Part, ...]:
    """The statements of a sentence, in order of their own words; () if it is a single one.

    Every quantity and date of the sentence lies within a piece of some part.
    """
    if len(text) > _MOST_CHARACTERS or not (held.cuts[:-1] or _JOINT.search(text)):
        return ()
    if text.rstrip(" \"'”’)").endswith("?") or lists.conditions.search(text):
        return ()
    words = words_of(text)
    if not _FEWEST_WORDS * 2 <= len(words) <= _MOST_WORDS:
        return ()
    parts = sorted(_Splitter(text, words, held, lists).parts(), key=lambda part: part.own)
    whole = len(parts) > 1 and all(_says_something(text, part) for part in parts)
    bare = not any(part.counted for part in parts) and _is_bare(held)
    return tuple(parts) if whole and _keeps_all(parts, held) and not bare else ()


def subject_of(text: str, lists: ClauseWords) -> Span | None:
    """The subject of a sentence's main clause; None where it cannot be told."""
    words = words_of(text[:_MOST_CHARACTERS])
    if len(words) > _MOST_WORDS:
        return None
    holes = [hole for _, hole in find_relatives(words, lists)]
    return ClauseReader(text, words, holes, Held(), lists).subject()


def _says_something(text: str, part: Part) -> bool:
    words = sum(len(text[start:end].split()) for start, end in part.pieces)
    return words >= _FEWEST_WORDS and part.own[0] < part.own[1]


def _keeps_all(parts: Sequence[Part], held: Held) -> bool:
    pieces = [piece for part in parts for piece in part.pieces]
    kept = [(one.start, one.end) for one in (*held.quantities, *held.dates)]
    return all(
        any(start <= first and last <= end for start, end in pieces)
        for first, last in (*kept, *held.others)
    )


def _is_bare(held: Held) -> bool:
    """Whether a count has no noun of its own: "and Olm has 4,000"."""
    counts = [one for one in held.quantities if one.kind is QuantityKind.COUNT]
    return any(not one.unit for one in counts[1:])


class _Splitter(Coordination):
    def __init__(self, text: str, words: Sequence[Word], held: Held, lists: ClauseWords) -> None:
        relatives = list(find_relatives(words, lists))
        self._relatives = [Part(pieces, hole) for pieces, hole in relatives]
        super().__init__(text, words, [hole for _, hole in relatives], held, lists)

    def parts(self) -> Iterator[Part]:
        """The statements, in no order."""
        yield from self._relatives
        first, lead = self.lead()
        if not first:
            first, lead = self.attributed()
        verb = self.main_verb(first, len(self.words))
        if verb is None:
            yield from self._whole()
            return
        for clause in self.clauses(first, verb, lead):
            yield from self._tails(clause)

    def _whole(self) -> Iterator[Part]:
        if self._relatives and self.words:
            pieces = self.pieces(self.words[0].start, self.words[-1].end)
            yield Part(pieces, (pieces[0][0], pieces[-1][1]))

    def _tails(self, clause: Clause) -> Iterator[Part]:
        """The part of a clause, and of what follows a citation in it."""
        start, end = self.words[clause.first].start, self.words[clause.end - 1].end
        end = self._whole_end(clause, end)
        before = self._before_value(clause, end)
        if before:
            yield before
            end = before.own[0]
        for cut in self.held.cuts:
            if start < cut < end:
                at = self._tail_start(clause, cut)
                head = self._tail_head(clause, cut, at) if at < clause.end else ()
                if head:
                    tail = self.pieces(self.words[at].start, end)
                    yield Part((*head, *tail), (tail[0][0], tail[-1][1]))
                    end = cut
                    break
        own = self.pieces(start, end)
        said = self.pieces(start, self.words[clause.end - 1].end) if clause.after else own
        yield Part((*clause.carried, *said, *clause.after), (own[0][0], own[-1][1]))

    def _before_value(self, clause: Clause, end: int) -> Part | None:
        """Earlier value in ", up from 40 in 2023": the clause with that value and time in place."""
        start, verb = self.words[clause.first].start, self.words[clause.verb]
        match = _UP_FROM.search(self.text, verb.end, end)
        if match is None or verb.low in self.file.amount_verbs:
            return None
        values = [one for one in self.held.quantities if verb.end < one.start < end]
        days = [one for one in self.held.dates if start <= one.start < end]
        if len(values) < 2 or len(days) != 2 or values[0].kind is not values[-1].kind:
            return None
        now, then, (today, day) = values[0], values[-1], days
        ordered = now.end < today.start < match.start() < match.end() <= then.start < day.start
        gap, rest = self.text[then.end : day.start], self.text[day.end : end]
        if not ordered or gap not in _AT or rest.strip(_ENDS):
            return None
        if then.start - match.end() > _LONGEST_MODIFIER or today.start - now.end < len(gap):
            return None
        time = self.text.rindex(" ", 0, today.start - 1)
        if self.text[time : today.start] not in _AT:
            return None
        said = (start, now.start), (then.start, then.end), (now.end, time), (then.end, day.end)
        pieces = [piece for span in said for piece in self.pieces(*span)]
        noun = now.unit if now.kind is QuantityKind.COUNT else ""
        return Part((*clause.carried, *pieces), (match.start(), end), noun)

    def _whole_end(self, clause: Clause, end: int) -> int:
        """The end of a clause with a closing quotation mark or bracket after its last word."""
        if clause.end < len(self.words):
            return max(end, len(self.text[: self.words[clause.end].start].rstrip(_ENDS)))
        last = next((low for low, _ in self.holes if low >= end), len(self.text))
        return max(end, last) if last == len(self.text) else end

    def _tail_start(self, clause: Clause, cut: int) -> int:
        """The first word after a citation and a comma or "and"; the clause's end without these."""
        words, joints = self.words, (",", *self.file.joining)
        at = next((i for i in range(clause.verb, clause.end) if words[i].end > cut), clause.end)
        while at < clause.end and words[at].low in joints:
            at += 1
        return at if words[at - 1].low in joints else clause.end

    def _tail_head(self, clause: Clause, cut: int, at: int) -> tuple[Span, ...]:
        """Spans to put before the words after a citation, so that both form a statement."""
        words = self.words
        start = words[clause.first].start
        if words[at].low == "to":
            first = next((i for i in range(clause.verb, at) if self.is_infinitive(i)), None)
            head = self.pieces(start, words[first].start) if first else ()
            return (*clause.carried, *head) if head else ()
        amount = self._amount_before(cut)
        if amount is not None and any(
            0 <= q.start - words[at].start <= _LONGEST_MODIFIER for q in self.held.quantities
        ):
            return (*clause.carried, *self.pieces(start, amount))
        chain = self.chain(clause)
        last = chain[-1] + 1 if chain else 0
        passive = last and last < clause.end and self.lists.is_participle(words[last].low)
        adverb = words[at].low in self.file.prepositions or self.is_adverb(at)
        adverb = adverb or words[at].low in ("most", "probably", "likely")
        if passive and adverb:
            return (*self.subject_of(clause), (words[chain[0]].start, words[last].end))
        return ()

    def _amount_before(self, cut: int) -> int | None:
        """Where the amount begins with which a clause ends at `cut`."""
        for one in self.held.quantities:
            if one.end <= cut and not self.text[one.end : cut].strip(_ENDS):
                return one.start
        return None
