"""Whether a passage gives the words to the one to whom the claim gives them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..reading.cast import Cast
from ..reading.form import ClaimForm, covered
from ..reading.index import TextIndex
from ..reading.likeness import Likeness, likeness
from ..reading.phrases import Party
from ..reading.speech import Speech
from ..reading.window import Window
from .objection import Objection, ObjectionKind

# How sure it is that another speaks: one with another name, somebody else by another noun, or
# somebody who only tells that the claim's speaker said so.
_NAMED, _OUTER, _NOUN = 0.8, 0.6, 0.5
# A sentence with fewer of the claim's words says something else.
_LEAST, _MOST = 2, 0.6
# So many sentences off, the claim's speaker may be found to say something else.
_NEAR = 2


class SpeakerChecks:
    """Compares the speakers of one claim with those of one source."""

    def __init__(self, form: ClaimForm, index: TextIndex) -> None:
        self._index = index
        self._cast: Cast = index.cast
        self._book = index.lexicon.words
        self._claimed = self._cast.speech_of(form.claim.text, form.tokens)
        quotes = [range(quote.start, quote.end) for quote in form.claim.quotes]
        if any(one.speaker.start in quote for one in self._claimed for quote in quotes):
            # Who is quoted speaks, and not who is spoken of.
            spans = [(quote.start, quote.stop) for quote in quotes]
            told = tuple(token for token in form.tokens if not covered(token, spans))
            self._claimed = self._cast.speech_of(form.claim.text, told)
        spoken = frozenset[str]().union(*(one.speaker.stems for one in self._claimed))
        stops = self._book.stop_words | self._book.weak_words
        said = (token.stem for token in form.tokens if not covered(token, form.apart))
        self._content = set(said) - stops - spoken

    def objections(self, window: Window) -> Iterator[Objection]:
        """The speaker of the passage who is not the claim's, or whom the claim leaves out."""
        number = self._nearest(window)
        theirs = self._cast.speech(number) if number is not None else ()
        if number is None or not theirs:
            return
        if not self._claimed:
            yield from self._left_out(theirs)
            return
        speaker = self._claimed[0].speaker
        same = [self._same(speaker, one, number) for one in theirs]
        if not any(same):
            yield from self._other(speaker, theirs[-1].speaker, number)
        elif not same[0] and theirs[0].doubtful and len(self._claimed) == 1:
            yield self._objection(speaker, theirs[0].speaker, _OUTER)

    def _left_out(self, theirs: Sequence[Speech]) -> Iterator[Objection]:
        """Somebody who only holds what the claim states as a fact."""
        for one in theirs:
            if one.doubtful and not self._content & one.speaker.stems:
                yield Objection(
                    ObjectionKind.TURN, "", one.verb, guard="attribution", strength=_OUTER
                )

    def clash(self, windows: Sequence[Window]) -> tuple[Window, Objection] | None:
        """The passage in which somebody of another name says what the claim's speaker says.

        None if any of the passages gives such words to the claim's speaker.
        """
        found: list[tuple[Window, Objection]] = []
        for window in windows:
            number = self._nearest(window, share=_MOST)
            theirs = self._cast.speech(number) if number is not None else ()
            if number is None or not theirs or len(self._claimed) != 1:
                continue
            speaker = self._claimed[0].speaker
            if any(self._same(speaker, one, number) for one in theirs):
                return None
            named = self._other(speaker, theirs[-1].speaker, number)
            found += [(window, objection) for objection in named if objection.replaced]
        return found[0] if found else None

    def _nearest(self, window: Window, share: float = 0.0) -> int | None:
        """The sentence of a passage that has most of what the claim says was said."""
        held = {
            number: sum(t.stem in self._content for t in self._index.facts(number).tokens)
            for number in range(window.first, window.last + 1)
        }
        best = max(held, key=lambda number: held[number])
        return best if held[best] >= max(_LEAST, share * len(self._content)) else None

    def _same(self, speaker: Party, speech: Speech, number: int) -> bool:
        other = speech.speaker
        if likeness(speaker, other, number, self._cast, self._book) is Likeness.SAME:
            return True
        return other.text.lower() in ("we", "i") or not speaker.stems.isdisjoint(other.stems)

    def _other(self, speaker: Party, other: Party, number: int) -> Iterator[Objection]:
        compared = likeness(speaker, other, number, self._cast, self._book)
        if compared is Likeness.OTHER:
            known = any(self._index.knows(word) for name in speaker.names for word in name)
            yield self._objection(speaker, other, _NAMED if known else _OUTER)
        elif not speaker.names and self._index.knows(speaker.head):
            heard = bool(other.stems) and self._speaks_elsewhere(speaker, number)
            yield self._objection(speaker, other, _NAMED if heard else _NOUN)

    def _speaks_elsewhere(self, speaker: Party, number: int) -> bool:
        """Whether the claim's speaker says something else in a sentence near by."""
        last = len(self._index.segments) - 1
        return any(
            speech.speaker.head == speaker.head
            for near in range(max(0, number - _NEAR), min(last, number + _NEAR) + 1)
            if near != number
            for speech in self._cast.speech(near)
        )

    def _objection(self, speaker: Party, other: Party, strength: float) -> Objection:
        return Objection(
            ObjectionKind.NAME,
            speaker.text,
            other.text,
            guard="speaker",
            replaced=strength >= _NAMED,
            strength=strength,
        )
