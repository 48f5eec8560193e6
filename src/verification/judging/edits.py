"""Small changes in a sentence that otherwise follows the source word for word.

A paraphrase has other words throughout. Where a claim keeps the source's words on both sides of a
change, the change is what the claim says differently: one word, one "not", two names, a number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from ...claims.lexicon import Lexicon
from ...claims.model import Quantity, QuantityKind
from ...claims.thesaurus import Relation
from ...claims.words import NEGATION, Key, Token, WordBook
from ..meaning.introduced import introduces
from ..meaning.polarity import FREE
from ..meaning.scope import governed
from ..reading.form import ClaimForm, Slot, covered
from ..reading.index import TextIndex
from ..reading.records import Record
from ..reading.sentence import Sentence
from ..reading.window import Candidate, Window, build_window
from ..structure.enumeration import clause_of, records
from .alignment import FIRST_PERSON, Aligner, Alignment

# Longer changes are another way of saying it and no slip.
_LONGEST = 3
# So many words may be put in between without being another way of saying it.
_ADDED = 6
# So many of the claim's words have to be the source's, in order.
_ARTICLES = frozenset({"a", "an"})
_DUTY = ("modality", "must")
_FOLLOWS = 0.6
# A claim repeats a sentence, but for a word, if it has so many words and so many of them are left.
_REPEATS, _LEAST_WORDS = 0.8, 8
# A source that says one of these of a thing says the word itself.
_IMPLYING = frozenset({Relation.SYNONYM, Relation.DERIVED, Relation.NARROWER})
# So many unchanged words have to stand around a change.
_ANCHOR = 3


@dataclass(frozen=True, slots=True)
class Edit:
    """Words of the claim (`claimed`) that stand for words of the passage (`found`)."""

    claimed: tuple[Token, ...]
    found: tuple[Token, ...]


def is_altered(aligner: Aligner, alignment: Alignment) -> bool:
    """Whether the claim follows a sentence of the passage closely and changes what matters."""
    window, index, form = alignment.window, aligner.index, aligner.form
    claimed = Sentence(form.claim.text, form.tokens, aligner.lexicon, index.is_always_capital)
    unknown = frozenset(term.stem for term in alignment.unknown)
    # What is worked out, or taken for known, stands nowhere, and so in no other number's place.
    worked = frozenset(
        match.slot.value.start
        for match in alignment.slots
        if match.working or (match.found is None and introduces(form.claim.text, match.slot.value))
    )
    for number in range(window.first, window.last + 1):
        if index.segments[number].header:
            continue
        tokens = index.facts(number).tokens
        found = Sentence(index.text, tokens, aligner.lexicon, index.is_always_capital)
        moved = moved_words(form, tokens)
        comparison = _Comparison(aligner, window, claimed, found, unknown, moved, worked)
        if any(comparison.changes_meaning(edit) for edit in find_edits(form, tokens)):
            return True
    return False


def replaced_in(aligner: Aligner, number: int) -> Edit | None:
    """The one change between a claim and a sentence that it repeats and so contradicts.

    A word that the source has elsewhere is another thing to it; one that it lacks may be a synonym.
    """
    index, form, book = aligner.index, aligner.form, aligner.lexicon.words
    tokens = index.facts(number).tokens
    if index.segments[number].header or not _repeats(form, tokens):
        return None
    claimed = Sentence(form.claim.text, form.tokens, aligner.lexicon, index.is_always_capital)
    found = Sentence(index.text, tokens, aligner.lexicon, index.is_always_capital)
    comparison = _Comparison(aligner, build_window(index, number, number), claimed, found)
    changes = [edit for edit in find_edits(form, tokens) if comparison.changes_meaning(edit)]
    if len(changes) != 1 or not (changes[0].claimed and changes[0].found):
        return None
    if any(found.is_pronoun(tokens.index(token)) for token in changes[0].found):
        return None
    if _is_described(changes[0], aligner.lexicon):
        return None
    if any(_is_counted(form, token) for token in changes[0].claimed):
        return None
    if _is_left_open(aligner, number, changes[0]):
        return None
    # What the sentence has in another place it may say of the claim's matter there.
    if {token.stem for token in changes[0].claimed} <= {token.stem for token in tokens}:
        return None
    opposed = _are_opposed(changes[0], book)
    known = all(_is_another(token, claimed, index, book) for token in changes[0].claimed)
    denied = _denials(_guards(changes[0].claimed, book)) != _denials(
        _guards(changes[0].found, book)
    )
    return changes[0] if known or opposed or denied else None


def _is_described(edit: Edit, lexicon: Lexicon) -> bool:
    """Whether "the company" stands in the place of a name; it may be the one that is named."""
    noun = " ".join(token.word for token in edit.found if token.word != "the")
    named = any(token.capital for token in edit.claimed)
    return named and noun in lexicon.referents.descriptions


def _is_left_open(aligner: Aligner, number: int, edit: Edit) -> bool:
    """Whether the source only says that nobody has to: "not required to accept" lets refuse."""
    passage = aligner.passage(build_window(aligner.index, number, number))
    free = [turn for turn in passage.turns if FREE in turn.keys]
    left = {passage.tokens[n].start for turn in free for n in governed(passage, turn)}
    return any(token.start in left for token in edit.found)


def _is_another(token: Token, sentence: Sentence, index: TextIndex, book: WordBook) -> bool:
    """Whether a word is a thing or quality that the source knows, and tells from another."""
    if token.stem in book.stop_words or token.word in book.guards:
        return False
    at = sentence.tokens.index(token)
    acts = _is_action(token, sentence) or sentence.word(at - 1) == "to"
    return index.knows(token.stem) and not acts


def _is_counted(form: ClaimForm, token: Token) -> bool:
    """Whether a number says how many of `token`; as many cars as passengers may have come."""
    return any(
        isinstance(slot.value, Quantity)
        and slot.value.kind is QuantityKind.COUNT
        and slot.value.unit in (token.word, token.stem)
        for slot in form.slots
    )


def _repeats(form: ClaimForm, theirs: Sequence[Token]) -> bool:
    """Whether nearly all words of the claim stand in the sentence in the same order."""
    own = [token.stem for token in form.tokens if not covered(token, form.apart)]
    stems = {token.stem for token in theirs}
    least = _REPEATS * len(own)
    if len(own) < _LEAST_WORDS or sum(stem in stems for stem in own) < least:
        return False
    matcher = SequenceMatcher(None, own, [token.stem for token in theirs], autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks()) >= least


def moved_words(form: ClaimForm, theirs: Sequence[Token]) -> frozenset[str]:
    """The words that a claim and a sentence both have, in places that do not agree."""
    own = _said(form)
    *blocks, _ = _matcher(own, theirs).get_matching_blocks()
    kept = {place for block in blocks for place in range(block.a, block.a + block.size)}
    there = {place for block in blocks for place in range(block.b, block.b + block.size)}
    left = {token.stem for place, token in enumerate(own) if place not in kept}
    return frozenset(t.stem for n, t in enumerate(theirs) if n not in there and t.stem in left)


def _said(form: ClaimForm) -> tuple[Token, ...]:
    return tuple(token for token in form.tokens if not covered(token, form.apart))


def _matcher(own: Sequence[Token], theirs: Sequence[Token]) -> SequenceMatcher[str]:
    stems = [token.stem for token in own], [token.stem for token in theirs]
    return SequenceMatcher(None, *stems, autojunk=False)


def find_edits(form: ClaimForm, theirs: Sequence[Token]) -> Iterator[Edit]:
    """The changes between a claim and a sentence that it follows closely; none for a paraphrase."""
    own = _said(form)
    stems = {token.stem for token in theirs}
    if sum(term.stem in stems for term in form.terms) < _FOLLOWS * len(form.terms):
        return
    *blocks, end = _matcher(own, theirs).get_matching_blocks()
    if not blocks or sum(block.size for block in blocks) < _FOLLOWS * len(own):
        return
    first, last = blocks[0], blocks[-1]
    if first.size >= _ANCHOR:
        yield from _edit(own[: first.a], theirs[max(0, first.b - first.a) : first.b])
    for before, after in pairwise(blocks):
        if before.size + after.size >= _ANCHOR:
            claimed = own[before.a + before.size : after.a]
            yield from _edit(claimed, theirs[before.b + before.size : after.b])
    if last.size >= _ANCHOR:
        claimed, start = own[last.a + last.size : end.a], last.b + last.size
        yield from _edit(claimed, theirs[start : start + len(claimed)])


def _edit(claimed: Sequence[Token], found: Sequence[Token]) -> Iterator[Edit]:
    longest = max(len(claimed), len(found))
    if 0 < longest <= _LONGEST or (not found and longest <= _ADDED):
        yield Edit(tuple(claimed), tuple(found))


@dataclass(frozen=True, slots=True)
class _Comparison:
    """A claim and a sentence of a passage that it follows.

    `unknown` are the claim's words that the source lacks, `moved` those that the sentence has in
    another place, `worked` the starts of the claim's values that it need not state.
    """

    aligner: Aligner
    window: Window
    claimed: Sentence
    found: Sentence
    unknown: frozenset[str] = frozenset()
    moved: frozenset[str] = frozenset()
    worked: frozenset[int] = frozenset()

    def changes_meaning(self, edit: Edit) -> bool:
        """Whether a change touches more than articles, endings and words of the same meaning."""
        if len(edit.claimed) > _LONGEST:
            return self._adds(edit)
        book = self.aligner.lexicon.words
        return (
            _turns(edit, self.aligner.form.reports, book)
            or _are_opposed(edit, book)
            or self._adds_doer(edit)
            or _replaces_number(edit, self.aligner, self.window, self.worked)
            or self._replaces_word(edit)
            or self._adds(edit)
        )

    def _adds(self, edit: Edit) -> bool:
        """Whether words are put in that the source has nothing of."""
        stops = self.aligner.lexicon.words.stop_words
        added = [token.stem for token in edit.claimed if token.stem not in stops]
        return not edit.found and len(added) > 1 and self.unknown.issuperset(added)

    def _adds_doer(self, edit: Edit) -> bool:
        """Whether the claim says by whom, and the sentence that it follows does not."""
        words = [token.word for token in edit.claimed]
        named = [token for token in edit.claimed if not covered(token, self.aligner.form.hidden)]
        moved = all(token.stem in self.moved for token in named[1:])
        return not edit.found and words[:1] == ["by"] and len(named) > 1 and not moved

    def _replaces_word(self, edit: Edit) -> bool:
        """Whether a word with a meaning of its own stands for another."""
        if not FIRST_PERSON.isdisjoint(token.word for token in edit.found):
            return False
        form, book = self.aligner.form, self.aligner.lexicon.words
        spelled = self.aligner.lexicon.number_words
        own = [
            token
            for token in edit.claimed
            if not covered(token, form.hidden) and token.word not in spelled
        ]
        theirs = [token for token in edit.found if token.stem not in book.stop_words]
        # "Rose" is said by "went up", and by its "up".
        stems = {token.stem for token in edit.found}
        explained = self.aligner.explained(self.window)
        # "Consumption by households rose" and "household consumption rose" only differ in order;
        # of two words that changed places each stands for the other.
        kept = frozenset[str]() if self.moved & stems else self.moved
        replaced = (
            token
            for token in own
            if token.stem not in book.stop_words
            and token.stem not in book.weak_words
            and token.stem not in explained
            and token.stem not in kept
            and book.alike(token.stem).isdisjoint(stems)
            # "By the figures of the board" and "the report of the board says" name one source.
            and not (token.stem in book.source_nouns and stems & book.source_nouns)
        )
        return bool(theirs) and any(not self._is_reworded(token, theirs) for token in replaced)

    def _is_reworded(self, token: Token, theirs: Sequence[Token]) -> bool:
        """Whether a word of the same meaning stands in its place, or another word of reporting.

        Of a verb the roles may tell that it is the same: "stepped down" and "resigned".
        """
        book, roles = self.aligner.lexicon.words, self.aligner.lexicon.roles
        if token.stem in roles.speech:
            # Whoever reports it has found it; what is only claimed is something else.
            doubtful = token.stem in roles.doubtful
            said = (one.stem for one in theirs if one.stem in roles.speech)
            if any((stem in roles.doubtful) is doubtful for stem in said):
                return True
        if _is_action(token, self.claimed) and self.aligner.roles.hold(self.window):
            return True
        relations = (book.relation(token.stem, other.stem).relation for other in theirs)
        return any(relation in _IMPLYING for relation in relations)


def _is_action(token: Token, sentence: Sentence) -> bool:
    """Whether a word is surely a verb: a past form or one after "was" or "will"."""
    at = sentence.tokens.index(token)
    return sentence.is_past(at) or sentence.is_auxiliary(at - 1)


def _pairs(edit: Edit) -> Iterator[tuple[Token, Token]]:
    for one in edit.claimed:
        for other in edit.found:
            yield one, other


def _are_opposed(edit: Edit, book: WordBook) -> bool:
    return any(other.stem in book.opposites.get(one.stem, ()) for one, other in _pairs(edit))


def _turns(edit: Edit, reports: bool, book: WordBook) -> bool:
    """Whether a "not" comes or goes, or one "may" or "some" takes the place of another."""
    own, theirs = _guards(edit.claimed, book), _guards(edit.found, book)
    if _denials(own) != _denials(theirs):
        if not _denies_alike(edit, book):
            return True
        own, theirs = _affirmed(own), _affirmed(theirs)
    if _ARTICLES.intersection(token.word for token in edit.found):
        # What holds for "an outlet" holds for any.
        own -= Counter(key for t in edit.claimed if t.word == "any" for key in book.guards["any"])
    bound = _DUTY in own and _DUTY in theirs
    for key in list(theirs):
        # What is "shall" in a rule is "has to" in a report of it.
        if key not in own and (key[1] in book.harmless or reports or bound):
            del theirs[key]
    swap = len(edit.claimed) == len(edit.found)
    return own != theirs and (swap or bool(own and theirs))


def _denials(guards: Counter[Key]) -> int:
    return sum(count for (kind, _), count in guards.items() if kind == NEGATION)


def _denies_alike(edit: Edit, book: WordBook) -> bool:
    """Whether a verb that denies, such as "fail", stands for a "not"."""
    sides = edit.claimed, edit.found
    plain = [bool(_denials(_guards(side, book))) for side in sides]
    implied = [any(token.stem in book.implied for token in side) for side in sides]
    return (plain[0] and implied[1]) or (plain[1] and implied[0])


def _affirmed(guards: Counter[Key]) -> Counter[Key]:
    return Counter({key: count for key, count in guards.items() if key[0] != NEGATION})


def _guards(tokens: Sequence[Token], book: WordBook) -> Counter[Key]:
    return Counter(key for turn in book.turns(tokens) for key in turn.keys)


def _replaces_number(edit: Edit, aligner: Aligner, window: Window, worked: frozenset[int]) -> bool:
    """Whether another number or date stands in a number's place, or the number has moved."""
    figures = [token for token in edit.claimed if _is_figure(token, aligner.lexicon)]
    slots = [
        slot
        for slot in aligner.form.slots
        if slot.value.start not in worked
        and any(covered(token, [(slot.value.start, slot.value.end)]) for token in figures)
    ]
    there = [
        candidate
        for candidate in window.candidates
        if any(covered(token, [(candidate.start, candidate.end)]) for token in edit.found)
    ]
    # A number that stands elsewhere is no slip if it is the only one of its sort.
    rivals = there or window.candidates
    return any(
        any(type(other.value) is type(slot.value) for other in rivals)
        and not any(aligner.agrees(slot, other) for other in there)
        and not (not there and _is_alone(slot, aligner, window))
        and not _has_own_words(slot, aligner, window)
        for slot in slots
    )


def _has_own_words(slot: Slot, aligner: Aligner, window: Window) -> bool:
    """Whether the passage has the value in a clause with the claim's words, and no rival has.

    "40 were taken by the north and 60 by the south" gives the 40 to the north, in whatever order
    the claim says it.
    """
    index, wanted = aligner.index, _wanted_by(slot, aligner)
    found = [r for n in range(window.first, window.last + 1) for r in records(index, n)]
    found = [record for record in found if type(record.value) is type(slot.value)]
    holders = [record for record in found if _holds(record, slot, aligner, window.candidates)]
    rivals = [record for record in found if record not in holders]
    return len(holders) == 1 and all(
        wanted & (holders[0].words - rival.words) and not wanted & (rival.words - holders[0].words)
        for rival in rivals
    )


def _wanted_by(slot: Slot, aligner: Aligner) -> frozenset[str]:
    """The words of the claim's clause round a value, and those that mean the same."""
    form, book = aligner.form, aligner.lexicon.words
    first, last = clause_of(form, slot)
    inside = {token.stem for token in form.tokens if first <= token.start < last}
    return frozenset(w for term in form.terms if term.stem in inside for w in book.alike(term.stem))


def _holds(record: Record, slot: Slot, aligner: Aligner, candidates: Sequence[Candidate]) -> bool:
    own = (one for one in candidates if one.start == record.value.start)
    return any(aligner.agrees(slot, one) for one in own)


def _is_figure(token: Token, lexicon: Lexicon) -> bool:
    """Whether a token is a number, and not the unit beside it."""
    spelled = token.word in lexicon.number_words or token.word in lexicon.fractions
    return spelled or token.word[0].isdigit() or token.word in lexicon.file.months


def _is_alone(slot: Slot, aligner: Aligner, window: Window) -> bool:
    """Whether the passage has no second value of the slot's sort."""
    same = [other for other in window.candidates if type(other.value) is type(slot.value)]
    return sum(not aligner.agrees(slot, other) for other in same) == 0
