"""The statements of a compound sentence, each as spans of the sentence's text.

Without a parser, so only where the words leave no doubt: a clause with a verb of its own after
"and", "but", "while" or a semicolon, with its own subject or that of the clause before; a relative
clause after a comma whose antecedent is certain; and what follows a citation in mid-sentence.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .clauses import ClauseWords, Finite, Word
from .model import DateSpan, Quantity, QuantityKind
from .relatives import Span, find_relatives

# A longer sentence is a list or no sentence.
_MOST_WORDS = 120
_FEWEST_WORDS = 3
_LONGEST_LEAD = 14
_LONGEST_SUBJECT = 12
_LONGEST_MODIFIER = 16
_WORD = re.compile(r"[^\W_]+(?:[.,'’/&-][^\W_]+)*%?|[$€£¥%]|[,;:—–()]")
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|\([^()]*\)|\[[^\[\]]*\]")
_JOINT = re.compile(
    r"[;:] |\b(?:and|but)\b"
    r"|, (?:which|who|while|whereas|up|down|as|compared|against|versus|rather)\b"
)
_UP_FROM = re.compile(
    r"[,;] (?:up|down|(?:as )?(?:compared|against)(?: with| to)?|versus|rather than)(?: from)? "
)
_AT = (" in ", " for ", " on ", " during ")
_ENDS = " .!;,:"
# After a noun they begin a clause that says which: "the tools you can use".
_BE = frozenset({"is", "are", "was", "were", "be", "been", "being"})
_SPEAKERS = frozenset({"i", "you", "we", "they", "he", "she", "it", "one"})


@dataclass(frozen=True, slots=True)
class Part:
    """A statement of a sentence: `pieces`, in reading order, say all of it.

    Some may be shared with other parts, such as the subject; `own` is the stretch that is its own.
    `counted` is the noun of a count that has none of its own.
    """

    pieces: tuple[Span, ...]
    own: Span
    counted: str = ""


@dataclass(frozen=True, slots=True)
class Held:
    """What a sentence holds beside words.

    `others` are the spans of what else must not be torn apart; `cuts` are the offsets at which the
    sentence is cited.
    """

    quantities: Sequence[Quantity] = ()
    dates: Sequence[DateSpan] = ()
    others: Sequence[Span] = ()
    cuts: Sequence[int] = ()


@dataclass(slots=True)
class _Clause:
    """Words `first` to `end` with the verb at `verb`; the subject may stand elsewhere."""

    first: int
    verb: int
    end: int
    subject: tuple[int, int]
    carried: list[Span] = field(default_factory=list[Span])
    after: list[Span] = field(default_factory=list[Span])


def split_sentence(text: str, slots: Held, lists: ClauseWords) -> tuple[Part, ...]:
    """The statements of a sentence, in order of their own words; () if it is a single one.

    Every quantity and date of the sentence lies within a piece of some part.
    """
    if not (slots.cuts[:-1] or _JOINT.search(text)):
        return ()
    if text.rstrip(" \"'”’)").endswith("?") or lists.conditions.search(text):
        return ()
    words = _words(text)
    if not _FEWEST_WORDS * 2 <= len(words) <= _MOST_WORDS:
        return ()
    parts = sorted(_Splitter(text, words, slots, lists).parts(), key=lambda part: part.own)
    whole = len(parts) > 1 and all(_says_something(text, part) for part in parts)
    bare = not any(part.counted for part in parts) and _is_bare(slots)
    return tuple(parts) if whole and _keeps_all(parts, slots) and not bare else ()


def subject_of(text: str, lists: ClauseWords) -> Span | None:
    """The subject of a sentence's main clause; None where it cannot be told."""
    words = _words(text)
    if len(words) > _MOST_WORDS:
        return None
    return _Splitter(text, words, Held(), lists).subject()


def _words(text: str) -> list[Word]:
    hidden = [match.span() for match in _QUOTED.finditer(text)]
    starts = [start for start, _ in hidden]
    found: list[Word] = []
    for match in _WORD.finditer(text):
        at = bisect.bisect_right(starts, match.start()) - 1
        if at < 0 or match.start() >= hidden[at][1]:
            low = match[0].lower().replace("’", "'")
            found.append(Word(low, match.start(), match.end(), match[0][0].isupper()))
    return found


def _says_something(text: str, part: Part) -> bool:
    words = sum(len(text[start:end].split()) for start, end in part.pieces)
    return words >= _FEWEST_WORDS and part.own[0] < part.own[1]


def _keeps_all(parts: Sequence[Part], slots: Held) -> bool:
    pieces = [piece for part in parts for piece in part.pieces]
    kept = [(one.start, one.end) for one in (*slots.quantities, *slots.dates)]
    return all(
        any(start <= first and last <= end for start, end in pieces)
        for first, last in (*kept, *slots.others)
    )


def _is_bare(slots: Held) -> bool:
    """Whether a count has no noun of its own: "and Olm has 4,000"."""
    counts = [one for one in slots.quantities if one.kind is QuantityKind.COUNT]
    return any(not one.unit for one in counts[1:])


class _Splitter:
    def __init__(self, text: str, words: Sequence[Word], slots: Held, lists: ClauseWords) -> None:
        self._text = text
        self._slots = slots
        self._lists = lists
        self._file = lists.file
        relatives = list(find_relatives(words, lists))
        self._relatives = [Part(pieces, hole) for pieces, hole in relatives]
        self._holes = [hole for _, hole in relatives]
        self._words = [word for word in words if not self._in_hole(word)]

    def subject(self) -> Span | None:
        """The subject of the main clause."""
        first, _ = self._lead()
        last = self._main_verb(first, len(self._words))
        while last is not None and last - 1 > first and self._is_adverb(last - 1):
            last -= 1
        if last is None or last <= first:
            return None
        return self._words[first].start, self._words[last - 1].end

    def parts(self) -> Iterator[Part]:
        """The statements, in no order."""
        yield from self._relatives
        first, lead = self._lead()
        if not first:
            first, lead = self._attributed()
        verb = self._main_verb(first, len(self._words))
        if verb is None:
            yield from self._whole()
            return
        for clause in self._clauses(first, verb, lead):
            yield from self._tails(clause)

    def _whole(self) -> Iterator[Part]:
        if self._relatives and self._words:
            pieces = self._pieces(self._words[0].start, self._words[-1].end)
            yield Part(pieces, (pieces[0][0], pieces[-1][1]))

    def _in_hole(self, word: Word) -> bool:
        return any(start <= word.start < end for start, end in self._holes)

    def _pieces(self, start: int, end: int) -> tuple[Span, ...]:
        """`[start, end)` without what stands in holes."""
        pieces: list[Span] = []
        for low, high in self._holes:
            if start < high and low < end:
                pieces.append((start, low))
                start = high
        pieces.append((start, end))
        return tuple(span for span in map(self._stripped, pieces) if span[0] < span[1])

    def _stripped(self, span: Span) -> Span:
        piece = self._text[slice(*span)]
        return span[0] + len(piece) - len(piece.lstrip(" ,;")), span[0] + len(piece.rstrip(" ,;"))

    # The beginning

    def _lead(self) -> tuple[int, list[Span]]:
        """Where the first clause begins, and the phrase before it that holds for all of them."""
        words, opener = self._words, self._lists.openers.match(self._text)
        comma = next((at for at, word in enumerate(words[:_LONGEST_LEAD]) if word.low == ","), 0)
        before = range(comma)
        whole = not any(self._lists.finite(words, at) is Finite.YES for at in before)
        if comma and whole and not any(words[at].low in self._file.subordinators for at in before):
            if opener and not self._lists.connectives.match(self._text):
                return comma + 1, [(words[0].start, words[comma].end)]
            if opener or (comma == 1 and not words[0].low[0].isdigit()):
                return 2, []
        if opener:
            for one in self._slots.dates:
                if one.start <= opener.end() + 1:
                    first = next((i for i, w in enumerate(words) if w.start >= one.end), 0)
                    return first, [(words[0].start, one.end)] if first else []
        return 0, []

    def _attributed(self) -> tuple[int, list[Span]]:
        """A sentence that says what somebody says: "The board said that"."""
        words = self._words
        for at, word in enumerate(words[1:_LONGEST_LEAD], start=1):
            if word.low == "that":
                told = words[at - 1].low in self._file.reporting
                return (at + 1, [(words[0].start, word.end)]) if told else (0, [])
        return 0, []

    def _main_verb(self, first: int, end: int) -> int | None:
        """The verb of the clause that begins at `first`; None where a clause hangs before it."""
        commas, halves = 0, self._file.half_subordinators
        perhaps: int | None = None
        for at in range(first, end):
            word = self._words[at]
            commas += word.low == ","
            if word.low in self._file.subordinators or word.low in ";:":
                return perhaps
            if at and word.low in self._file.pronouns and self._words[at - 1].low in halves:
                return perhaps
            finite = self._lists.finite(self._words, at)
            if finite is Finite.YES and at > first and not commas % 2:
                return at
            if finite is Finite.PERHAPS and perhaps is None and at > first and not commas % 2:
                perhaps = at
        return perhaps

    # Coordination

    def _clauses(self, first: int, verb: int, lead: list[Span]) -> list[_Clause]:
        words = self._words
        attributed = bool(lead) and self._text[slice(*lead[0])].endswith("that")
        joints = ("and",) if attributed else (";", ":", ",", *self._file.joining)
        current = _Clause(first, verb, len(words), (first, verb), list(lead))
        found = [current]
        at = verb + 1
        while at < len(words):
            if words[at].low in joints and self._may_cut(current, at):
                right = at + 1 + (words[at].low == ",")
                following = self._own_subject(current, at, right)
                if following is None and not attributed and words[at].low in self._file.joining:
                    following = self._same_subject(current, at, right)
                if following is not None:
                    current.end = at - (words[at - 1].low == ",")
                    self._carry(current, following, lead)
                    found.append(following)
                    current = following
                    at = following.verb
            at += 1
        return found

    def _may_cut(self, clause: _Clause, at: int) -> bool:
        words = self._words
        word, following = words[at].low, [one.low for one in words[at + 1 : at + 2]]
        if not following or (word == "," and following[0] not in ("while", "whereas")):
            return False
        if words[at - 1].low in self._file.prepositions:
            return False
        if word == ":" and not self._text[words[at].end].isspace():
            return False
        return word in ";:" or not (self._hangs(clause.verb + 1, at) or self._pairs(clause, at))

    def _hangs(self, first: int, end: int) -> bool:
        """Whether a subordinate clause has begun."""
        for at in range(first, end):
            low = self._words[at].low
            if low in self._file.subordinators:
                return True
            if low in self._file.half_subordinators:
                rest = range(at + 1, end)
                if any(self._lists.finite(self._words, i) is not Finite.NO for i in rest):
                    return True
        return False

    def _pairs(self, clause: _Clause, at: int) -> bool:
        """Whether an "and" belongs to "between" or "both"."""
        low = [word.low for word in self._words[clause.first : at]]
        for pair in ("between", "both"):
            if pair in low and "and" not in low[low.index(pair) :]:
                return True
        return False

    def _own_subject(self, clause: _Clause, at: int, right: int) -> _Clause | None:
        words, file = self._words, self._file
        if words[clause.verb].low in file.reporting or right >= len(words):
            return None
        verb = self._next_verb(right) if self._begins_subject(right) else None
        if verb is None or self._is_elliptic(right, verb):
            return None
        opens = self._lists.opens_object(words, right) or words[right].low in file.pronouns
        sure = self._lists.finite(words, clause.verb) is Finite.YES
        comma = words[at - 1].low == "," or words[at].low in ",;"
        if not ((opens and (sure or comma)) or (sure and comma)) and not (
            sure and self._plain(verb)
        ):
            return None
        return _Clause(right, verb, len(words), (right, verb))

    def _begins_subject(self, at: int) -> bool:
        low, file = self._words[at].low, self._file
        if low in file.prepositions or low in file.subordinators or low in self._lists.base:
            return False
        if self._is_adverb(at):
            return False
        return self._lists.finite(self._words, at) is Finite.NO

    def _plain(self, verb: int) -> bool:
        low = self._words[verb].low
        return low in self._file.auxiliaries or low in self._file.past

    def _next_verb(self, right: int) -> int | None:
        words, file = self._words, self._file
        hanging = file.subordinators | file.half_subordinators | _SPEAKERS
        for at in range(right + 1, min(len(words), right + _LONGEST_SUBJECT)):
            if words[at].is_mark and words[at].low not in "%$€£¥":
                return None
            if words[at].low in hanging or self._is_infinitive(at):
                return None
            if self._lists.finite(words, at) is Finite.YES:
                return at
        return None

    def _is_elliptic(self, first: int, verb: int) -> bool:
        """Whether a subject is nothing without a noun of the clause before: "five", "the rest"."""
        low = [word.low for word in self._words[first:verb] if word.low not in self._file.adverbs]
        if not low or " ".join(low) in self._file.elliptic_subjects:
            return True
        if low[0] in self._file.elliptic_subjects and low[1:2] == ["of"]:
            return True
        numeral = low[0][0].isdigit() or low[0] in self._file.determiners
        return (len(low) == 1 and numeral) or not any(char.isalpha() for char in "".join(low))

    def _same_subject(self, clause: _Clause, at: int, right: int) -> _Clause | None:
        words, file, lists = self._words, self._file, self._lists
        left = at - (words[at - 1].low == ",")
        verb = next((i for i in range(right, len(words)) if not self._is_adverb(i)), len(words))
        if verb >= len(words) or left - clause.verb < 2 or self._is_coordinated(left):
            return None
        finite, chain = lists.finite(words, verb), self._chain(clause)
        base = self._is_base(clause, left, verb)
        if finite is Finite.NO and not base:
            return None
        if finite is Finite.PERHAPS and not self._goes_on(clause, left, verb):
            return None
        if self._has_second_verb(verb + 1) or self._is_elliptic(*clause.subject):
            return None
        following = _Clause(right, verb, len(words), clause.subject)
        following.carried = list(self._subject(clause))
        passive = finite is Finite.PERHAPS and self._is_passive(clause, verb)
        perfect = words[clause.verb].low in ("has", "have", "had") and finite is not Finite.YES
        if chain and (base or passive or perfect):
            if any(words[i].low in file.negations for i in chain):
                return None
            following.carried.append((words[chain[0]].start, words[chain[-1]].end))
        return following

    def _is_base(self, clause: _Clause, left: int, verb: int) -> bool:
        """Whether a verb after "and" hangs on the "will" or "can" of a clause."""
        words, file = self._words, self._file
        if words[clause.verb].low not in file.modals or words[verb].low not in self._lists.base:
            return False
        between = range(clause.verb, left)
        if any(self._is_infinitive(i) or words[i].low in file.causative for i in between):
            return False
        following = words[verb + 1].low if verb + 1 < len(words) else "."
        goes_on = following in file.prepositions - {"of"}
        return goes_on or self._lists.opens_object(words, verb + 1)

    def _is_passive(self, clause: _Clause, verb: int) -> bool:
        """Whether the "was" of a clause belongs to the past form after its "and" too."""
        words, chain = self._words, self._chain(clause)
        if not chain or words[chain[-1]].low not in _BE or verb + 1 >= len(words):
            return False
        agent = words[verb + 1].low == "by"
        if words[verb].low in self._file.intransitive or self._lists.opens_object(words, verb + 1):
            return agent
        rest = range(chain[-1] + 1, clause.end)
        first = next((i for i in rest if not self._is_adverb(i)), verb)
        noun = self._lists.opens_object(words, first)
        return agent or not noun or words[verb].low in self._file.naming

    def _is_adverb(self, at: int) -> bool:
        low = self._words[at].low
        return low in self._file.adverbs or (len(low) > 4 and low.endswith("ly"))

    def _is_coordinated(self, left: int) -> bool:
        """Whether a participle stands right before the "and": "trained and certified"."""
        return self._lists.is_participle(self._words[left - 1].low)

    def _goes_on(self, clause: _Clause, left: int, verb: int) -> bool:
        """Whether a past form after "and" goes on with what the clause says."""
        words = self._words
        following = words[verb + 1].low if verb + 1 < len(words) else "."
        if following not in self._file.prepositions and following not in ".,;":
            return False
        chain = self._chain(clause)
        first = (chain[-1] if chain else clause.verb) + 2
        return not any(self._lists.finite(words, at) is Finite.PERHAPS for at in range(first, left))

    def _chain(self, clause: _Clause) -> list[int]:
        """The auxiliaries of a clause: "has been", "will not"."""
        chain: list[int] = []
        for at in range(clause.verb, clause.end):
            low = self._words[at].low
            if low in self._file.auxiliaries or low in ("be", "been", "being"):
                chain.append(at)
            elif not (chain and low in self._file.negations):
                break
            else:
                chain.append(at)
        return chain

    def _has_second_verb(self, first: int) -> bool:
        """Whether the clause after an "and" has one verb too many to be what it seems."""
        for at in range(first, len(self._words)):
            low = self._words[at].low
            if low in self._file.subordinators or low in self._file.joining or low in ",;:":
                return False
            if self._lists.finite(self._words, at) is Finite.YES:
                return True
        return False

    def _subject(self, clause: _Clause) -> tuple[Span, ...]:
        first, verb = clause.subject
        return self._pieces(self._words[first].start, self._words[verb].start)

    def _carry(self, before: _Clause, clause: _Clause, lead: list[Span]) -> None:
        """Give a clause the phrase that opens the sentence, and the period of the one before."""
        dated = self._dates(clause)
        if lead and not (dated and self._dates_in(lead[0])):
            clause.carried[:0] = lead
        amounts = self._file.amount_verbs
        verbs = {self._words[one.verb].low for one in (before, clause)}
        period = self._dates(before)
        if clause.subject[1] == clause.verb and verbs <= amounts and not dated and len(period) == 1:
            preposition = self._word_before(period[0].start)
            if preposition and preposition.low in ("in", "for", "during"):
                clause.after.append((preposition.start, period[0].end))

    def _dates(self, clause: _Clause) -> list[DateSpan]:
        words = self._words
        if clause.first >= len(words):
            return []
        return self._dates_in((words[clause.first].start, words[clause.end - 1].end))

    def _dates_in(self, span: Span) -> list[DateSpan]:
        return [one for one in self._slots.dates if span[0] <= one.start and one.end <= span[1]]

    def _word_before(self, offset: int) -> Word | None:
        before = [word for word in self._words if word.end <= offset]
        return before[-1] if before else None

    # Citations in mid-sentence

    def _tails(self, clause: _Clause) -> Iterator[Part]:
        """The part of a clause, and of what follows a citation in it."""
        start, end = self._words[clause.first].start, self._words[clause.end - 1].end
        end = self._whole_end(clause, end)
        before = self._before_value(clause, end)
        if before:
            yield before
            end = before.own[0]
        for cut in self._slots.cuts:
            if start < cut < end:
                at = self._tail_start(clause, cut)
                head = self._tail_head(clause, cut, at) if at < clause.end else ()
                if head:
                    tail = self._pieces(self._words[at].start, end)
                    yield Part((*head, *tail), (tail[0][0], tail[-1][1]))
                    end = cut
                    break
        own = self._pieces(start, end)
        said = self._pieces(start, self._words[clause.end - 1].end) if clause.after else own
        yield Part((*clause.carried, *said, *clause.after), (own[0][0], own[-1][1]))

    def _before_value(self, clause: _Clause, end: int) -> Part | None:
        """What ", up from 40 in 2023" says: the clause with the other value and time in place."""
        start, verb = self._words[clause.first].start, self._words[clause.verb]
        match = _UP_FROM.search(self._text, verb.end, end)
        if match is None or verb.low in self._file.amount_verbs:
            return None
        values = [one for one in self._slots.quantities if verb.end < one.start < end]
        days = [one for one in self._slots.dates if start <= one.start < end]
        if len(values) < 2 or len(days) != 2 or values[0].kind is not values[-1].kind:
            return None
        now, then, (today, day) = values[0], values[-1], days
        ordered = now.end < today.start < match.start() < match.end() <= then.start < day.start
        gap, rest = self._text[then.end : day.start], self._text[day.end : end]
        if not ordered or gap not in _AT or rest.strip(_ENDS):
            return None
        if then.start - match.end() > _LONGEST_MODIFIER or today.start - now.end < len(gap):
            return None
        time = self._text.rindex(" ", 0, today.start - 1)
        if self._text[time : today.start] not in _AT:
            return None
        said = (start, now.start), (then.start, then.end), (now.end, time), (then.end, day.end)
        pieces = [piece for span in said for piece in self._pieces(*span)]
        noun = now.unit if now.kind is QuantityKind.COUNT else ""
        return Part((*clause.carried, *pieces), (match.start(), end), noun)

    def _whole_end(self, clause: _Clause, end: int) -> int:
        """The end of a clause with a closing quotation mark or bracket after its last word."""
        if clause.end < len(self._words):
            return max(end, len(self._text[: self._words[clause.end].start].rstrip(_ENDS)))
        last = next((low for low, _ in self._holes if low >= end), len(self._text))
        return max(end, last) if last == len(self._text) else end

    def _tail_start(self, clause: _Clause, cut: int) -> int:
        """The first word after a citation and a comma or "and"; the clause's end without these."""
        words, joints = self._words, (",", *self._file.joining)
        at = next((i for i in range(clause.verb, clause.end) if words[i].end > cut), clause.end)
        while at < clause.end and words[at].low in joints:
            at += 1
        return at if words[at - 1].low in joints else clause.end

    def _tail_head(self, clause: _Clause, cut: int, at: int) -> tuple[Span, ...]:
        """What has to stand before the words after a citation to make a statement of them."""
        words = self._words
        start = words[clause.first].start
        if words[at].low == "to":
            first = next((i for i in range(clause.verb, at) if self._is_infinitive(i)), None)
            head = self._pieces(start, words[first].start) if first else ()
            return (*clause.carried, *head) if head else ()
        amount = self._amount_before(cut)
        if amount is not None and any(
            0 <= q.start - words[at].start <= 16 for q in self._slots.quantities
        ):
            return (*clause.carried, *self._pieces(start, amount))
        chain = self._chain(clause)
        last = chain[-1] + 1 if chain else 0
        passive = last and last < clause.end and self._lists.is_participle(words[last].low)
        adverb = words[at].low in self._file.prepositions or self._is_adverb(at)
        adverb = adverb or words[at].low in ("most", "probably", "likely")
        if passive and adverb:
            return (*self._subject(clause), (words[chain[0]].start, words[last].end))
        return ()

    def _is_infinitive(self, at: int) -> bool:
        following = self._words[at + 1].low if at + 1 < len(self._words) else ""
        return self._words[at].low == "to" and following in self._lists.base

    def _amount_before(self, cut: int) -> int | None:
        """Where the amount begins with which a clause ends at `cut`."""
        for one in self._slots.quantities:
            if one.end <= cut and not self._text[one.end : cut].strip(_ENDS):
                return one.start
        return None
