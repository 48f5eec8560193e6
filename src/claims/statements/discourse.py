"""Subjects of the sentences before a claim, to which its pronouns may refer."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator

from ...documents.model import BlockKind, Document, Sentence
from ..entities import Slots, Spelling, entities_of
from ..lexicon import Lexicon
from ..model import Claim, DateSpan, Referent
from ..temporal.dates import find_dates
from ..temporal.relative_dates import ReferenceDay, find_relative_dates, is_counted
from .coreference import Earlier, Mention, find_mentions, refer
from .parts import subject_of
from .statements import speaks_english

# The antecedent stands at most so many sentences back.
_REACH = 2
# A longer sentence is none.
_LONGEST = 2000
_NO_SLOTS = Slots((), (), ())
_INNER = re.compile(r" (?:it|they|he|she|that|which|who)\b")
_TALK = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.FOOTNOTE)


class Discourse:
    """The sentences of a document with what each of them is about."""

    def __init__(self, document: Document, lexicon: Lexicon, spelling: Spelling) -> None:
        self._sentences = document.sentences
        self._readable = speaks_english(document)
        self._lexicon = lexicon
        self._spelling = spelling
        self._known: dict[int, Earlier] = {}

    def referents(self, claim: Claim) -> tuple[Referent, ...]:
        """The words of a claim that stand for something of the sentences before."""
        sentence = self._sentences[claim.sentence]
        words, lists = self._lexicon.referents, self._lexicon.clauses
        if not self._reads(claim.text) or sentence.kind not in _TALK:
            return ()
        if not words.mention.search(claim.text):
            return ()
        mentions = find_mentions(claim.text, subject_of(claim.text, lists), words, lists)
        found = (
            refer(mention, self._before(claim, sentence, mention), words)
            for mention in mentions
            if not any(quote.start <= mention.start < quote.end for quote in claim.quotes)
        )
        return tuple(one for one in found if one)

    def relative_dates(self, claim: Claim, today: ReferenceDay) -> tuple[DateSpan, ...]:
        """The dates of a claim that are counted from `today`, or from one named before."""
        if not self._reads(claim.text) or not is_counted(claim.text):
            return ()
        sentence = self._sentences[claim.sentence]
        before = (find_dates(one.text, self._lexicon) for one in self._preceding(sentence))
        last = next((dates[-1] for dates in before if dates), None)
        return find_relative_dates(claim.text, claim.dates, last, today, self._lexicon)

    def _reads(self, text: str) -> bool:
        return self._readable and len(text) <= _LONGEST

    def _before(self, claim: Claim, sentence: Sentence, mention: Mention) -> list[Earlier]:
        """The nearest first; of a part of a sentence the parts before it come first of all."""
        own = bisect.bisect_left(sentence.offsets, claim.location.start)
        carried = claim.source_span(mention.start, mention.end)[0] < claim.location.start
        before = [self._about(sentence, sentence.text[:own])] if own and not carried else []
        before.extend(self._of(other) for other in self._preceding(sentence))
        return before[:_REACH]

    def _preceding(self, sentence: Sentence) -> Iterator[Sentence]:
        for index in range(sentence.index - 1, max(-1, sentence.index - 1 - _REACH), -1):
            other = self._sentences[index]
            if other.kind not in _TALK or other.section != sentence.section:
                return
            yield other

    def _of(self, sentence: Sentence) -> Earlier:
        if sentence.index not in self._known:
            self._known[sentence.index] = self._about(sentence, sentence.text)
        return self._known[sentence.index]

    def _about(self, sentence: Sentence, text: str) -> Earlier:
        """The subject of `text`, if a pronoun what that stands for, and the names in it."""
        lexicon = self._lexicon
        names = entities_of(text, lexicon, _NO_SLOTS, self._spelling)
        span = subject_of(text, lexicon.clauses)
        subject = text[slice(*span)] if span else ""
        if lexicon.clauses.openers.match(subject) or _INNER.search(subject):
            subject = ""
        match = lexicon.referents.mention.fullmatch(subject)
        if match is None or span is None:
            return Earlier(subject, names)
        noun = (match["noun"] or "").lower()
        kind = "" if noun else lexicon.referents.kinds[subject.lower()]
        before = [self._of(other) for other in self._preceding(sentence)]
        mention = Mention(*span, subject, kind, noun, placed=True)
        found = refer(mention, before, lexicon.referents)
        if found and found.certain:
            return Earlier(found.antecedent, names)
        return Earlier(subject if noun else "", names)
