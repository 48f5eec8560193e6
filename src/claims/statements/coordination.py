"""The clauses of a sentence: what "and", "but", "while" or a semicolon joins to the first one."""

from __future__ import annotations

from dataclasses import replace

from ..model import DateSpan
from .clause_reader import Clause, ClauseReader
from .clauses import Finite, Word
from .relatives import Span

_LONGEST_SUBJECT = 12
_LONGEST_STATEMENT = 8
# After a noun they begin a clause that says which: "the tools you can use".
_BE = frozenset({"is", "are", "was", "were", "be", "been", "being"})
_SPEAKERS = frozenset({"i", "you", "we", "they", "he", "she", "it", "one"})


class Coordination(ClauseReader):
    """Finds the clauses that a sentence puts side by side, where the words leave no doubt."""

    def clauses(self, first: int, verb: int, lead: list[Span]) -> list[Clause]:
        """The clauses, in order; the first begins at word `first` and has its verb at `verb`.

        `lead` stands before them and holds for all.
        """
        words = self.words
        attributed = bool(lead) and self.text[slice(*lead[0])].endswith("that")
        joints = ("and",) if attributed else (";", ":", ",", *self.file.joining)
        current = Clause(first, verb, len(words), (first, verb), tuple(lead))
        found: list[Clause] = []
        at = verb + 1
        while at < len(words):
            if words[at].low in joints and self._may_cut(current, at):
                right = at + 1 + (words[at].low == ",")
                following = self._own_subject(current, at, right)
                if following is None and not attributed and words[at].low in self.file.joining:
                    following = self._same_subject(current, at, right)
                if following is not None:
                    current = replace(current, end=at - (words[at - 1].low == ","))
                    found.append(current)
                    current = self._carrying(current, following, lead)
                    at = current.verb
            at += 1
        return [*found, current]

    def _may_cut(self, clause: Clause, at: int) -> bool:
        words = self.words
        word, following = words[at].low, [one.low for one in words[at + 1 : at + 2]]
        if not following or (word == "," and following[0] not in ("while", "whereas")):
            return False
        if words[at - 1].low in self.file.prepositions:
            return False
        if word == ":" and not self._explains(clause, at):
            return False
        return word in ";:" or not (self._hangs(clause.verb + 1, at) or self._pairs(clause, at))

    def _explains(self, clause: Clause, at: int) -> bool:
        """Whether a colon joins a short statement with what it rests on: "Crews are short: …"."""
        left = [word.low for word in self.words[clause.first : at]]
        whole = len(left) <= _LONGEST_STATEMENT and at - clause.verb > 1
        spaced = self.text[self.words[at].end].isspace()
        return whole and spaced and self.file.introducing.isdisjoint(left)

    def _hangs(self, first: int, end: int) -> bool:
        """Whether a subordinate clause has begun."""
        for at in range(first, end):
            low = self.words[at].low
            if low in self.file.subordinators:
                return True
            if low in self.file.half_subordinators:
                rest = range(at + 1, end)
                if any(self.lists.finite(self.words, i) is not Finite.NO for i in rest):
                    return True
        return False

    def _pairs(self, clause: Clause, at: int) -> bool:
        """Whether an "and" belongs to "between" or "both"."""
        low = [word.low for word in self.words[clause.first : at]]
        for pair in ("between", "both"):
            if pair in low and "and" not in low[low.index(pair) :]:
                return True
        return False

    def _own_subject(self, clause: Clause, at: int, right: int) -> Clause | None:
        words, file = self.words, self.file
        if words[clause.verb].low in file.reporting or right >= len(words):
            return None
        verb = self._next_verb(right) if self._begins_subject(right) else None
        if verb is None or self._is_elliptic(right, verb):
            return None
        opens = self.lists.opens_object(words, right) or words[right].low in file.pronouns
        sure = self.lists.finite(words, clause.verb) is Finite.YES
        comma = words[at - 1].low == "," or words[at].low in ",;"
        if not ((opens and (sure or comma)) or (sure and comma)) and not (
            sure and self._plain(verb)
        ):
            return None
        return Clause(right, verb, len(words), (right, verb))

    def _begins_subject(self, at: int) -> bool:
        low, file = self.words[at].low, self.file
        if low in file.prepositions or low in file.subordinators or low in self.lists.base:
            return False
        if self.is_adverb(at):
            return False
        return self.lists.finite(self.words, at) is Finite.NO

    def _plain(self, verb: int) -> bool:
        low = self.words[verb].low
        return low in self.file.auxiliaries or low in self.file.past

    def _next_verb(self, right: int) -> int | None:
        words, file = self.words, self.file
        hanging = file.subordinators | file.half_subordinators | _SPEAKERS
        for at in range(right + 1, min(len(words), right + _LONGEST_SUBJECT)):
            if words[at].is_mark and words[at].low not in "%$€£¥":
                return None
            if words[at].low in hanging or self.is_infinitive(at):
                return None
            if self.lists.finite(words, at) is Finite.YES:
                return at
        return None

    def _is_elliptic(self, first: int, verb: int) -> bool:
        """Whether a subject is nothing without a noun of the clause before: "five", "the rest"."""
        low = [word.low for word in self.words[first:verb] if word.low not in self.file.adverbs]
        if not low or " ".join(low) in self.file.elliptic_subjects:
            return True
        if low[0] in self.file.elliptic_subjects and low[1:2] == ["of"]:
            return True
        numeral = low[0][0].isdigit() or low[0] in self.file.determiners
        return (len(low) == 1 and numeral) or not any(char.isalpha() for char in "".join(low))

    def _same_subject(self, clause: Clause, at: int, right: int) -> Clause | None:
        words, file, lists = self.words, self.file, self.lists
        left = at - (words[at - 1].low == ",")
        verb = next((i for i in range(right, len(words)) if not self.is_adverb(i)), len(words))
        if verb >= len(words) or left - clause.verb < 2 or self._is_coordinated(left):
            return None
        finite, chain = lists.finite(words, verb), self.chain(clause)
        base = self._is_base(clause, left, verb)
        if finite is Finite.NO and not base:
            return None
        if finite is Finite.PERHAPS and not self._goes_on(clause, left, verb):
            return None
        if self._has_second_verb(verb + 1) or self._is_elliptic(*clause.subject):
            return None
        carried = tuple(self.subject_of(clause))
        passive = finite is Finite.PERHAPS and self._is_passive(clause, verb)
        perfect = words[clause.verb].low in ("has", "have", "had") and finite is not Finite.YES
        if chain and (base or passive or perfect):
            if any(words[i].low in file.negations for i in chain):
                return None
            carried = (*carried, (words[chain[0]].start, words[chain[-1]].end))
        return Clause(right, verb, len(words), clause.subject, carried)

    def _is_base(self, clause: Clause, left: int, verb: int) -> bool:
        """Whether a verb after "and" hangs on the "will" or "can" of a clause."""
        words, file = self.words, self.file
        if words[clause.verb].low not in file.modals or words[verb].low not in self.lists.base:
            return False
        between = range(clause.verb, left)
        if any(self.is_infinitive(i) or words[i].low in file.causative for i in between):
            return False
        following = words[verb + 1].low if verb + 1 < len(words) else "."
        goes_on = following in file.prepositions - {"of"}
        return goes_on or self.lists.opens_object(words, verb + 1)

    def _is_passive(self, clause: Clause, verb: int) -> bool:
        """Whether the "was" of a clause belongs to the past form after its "and" too."""
        words, chain = self.words, self.chain(clause)
        if not chain or words[chain[-1]].low not in _BE or verb + 1 >= len(words):
            return False
        agent = words[verb + 1].low == "by"
        if words[verb].low in self.file.intransitive or self.lists.opens_object(words, verb + 1):
            return agent
        rest = range(chain[-1] + 1, clause.end)
        first = next((i for i in rest if not self.is_adverb(i)), verb)
        noun = self.lists.opens_object(words, first)
        return agent or not noun or words[verb].low in self.file.naming

    def _is_coordinated(self, left: int) -> bool:
        """Whether a participle stands right before the "and": "trained and certified"."""
        return self.lists.is_participle(self.words[left - 1].low)

    def _goes_on(self, clause: Clause, left: int, verb: int) -> bool:
        """Whether a past form after "and" goes on with what the clause says."""
        words = self.words
        following = words[verb + 1].low if verb + 1 < len(words) else "."
        if following not in self.file.prepositions and following not in ".,;":
            return False
        chain = self.chain(clause)
        first = (chain[-1] if chain else clause.verb) + 2
        return not any(self.lists.finite(words, at) is Finite.PERHAPS for at in range(first, left))

    def _has_second_verb(self, first: int) -> bool:
        """Whether the clause after an "and" has one verb too many to be what it seems."""
        for at in range(first, len(self.words)):
            low = self.words[at].low
            if low in self.file.subordinators or low in self.file.joining or low in ",;:":
                return False
            if self.lists.finite(self.words, at) is Finite.YES:
                return True
        return False

    def _carrying(self, before: Clause, clause: Clause, lead: list[Span]) -> Clause:
        """A clause with the phrase that opens the sentence, and the period of the one before."""
        dated = self._dates(clause)
        if lead and not (dated and self._dates_in(lead[0])):
            clause = replace(clause, carried=(*lead, *clause.carried))
        amounts = self.file.amount_verbs
        verbs = {self.words[one.verb].low for one in (before, clause)}
        period = self._dates(before)
        if clause.subject[1] == clause.verb and verbs <= amounts and not dated and len(period) == 1:
            preposition = self._word_before(period[0].start)
            if preposition and preposition.low in ("in", "for", "during"):
                return replace(clause, after=((preposition.start, period[0].end),))
        return clause

    def _dates(self, clause: Clause) -> list[DateSpan]:
        words = self.words
        if clause.first >= len(words):
            return []
        return self._dates_in((words[clause.first].start, words[clause.end - 1].end))

    def _dates_in(self, span: Span) -> list[DateSpan]:
        return [one for one in self.held.dates if span[0] <= one.start and one.end <= span[1]]

    def _word_before(self, offset: int) -> Word | None:
        before = [word for word in self.words if word.end <= offset]
        return before[-1] if before else None
