"""What a sentence says only to deny, ask, suppose or quote it: "no record says that …"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

from ...claims.words import WordBook
from ..meaning.objection import FRAMING, Objection, ObjectionKind
from ..reading.form import Slot, Term
from ..reading.index import TextIndex
from ..reading.window import Window
from .alignment import Aligner

_STRENGTH = 0.5
# A frame holds a claim if it has this share of the words of the claim that the passage has.
_HELD = 0.5
# A whole sentence in quotation marks; a title or a term has no full stop.
_SENTENCE_QUOTED = re.compile(r"[“\"«][^“”\"«»\n]{12,400}[.!?][”\"»]")
_CLAUSE_END = re.compile(r";|(?:,|—|–) ?(?:but|yet|however|although|though|while|whereas)\b")


class _Frame(NamedTuple):
    """The words that frame, and the part of the text that they govern."""

    words: str
    start: int
    end: int


# What a sentence says only to deny, ask or suppose it is the same for every claim.
_OF_SOURCES: WeakKeyDictionary[TextIndex, dict[int, tuple[_Frame, ...]]] = WeakKeyDictionary()


def framing_objections(aligner: Aligner, window: Window) -> Iterator[Objection]:
    """The first frame that governs a figure of the claim or half of its words, as an objection.

    A claim that is so framed itself has none.
    """
    book = aligner.lexicon.words
    for frame in _frames(aligner.index, window, book):
        if _governs(frame, aligner, window):
            if not _is_framed(aligner.form.claim.text, book):
                words = frame.words
                yield Objection(ObjectionKind.TURN, "", words, guard=FRAMING, strength=_STRENGTH)
            return


def _is_framed(claim: str, book: WordBook) -> bool:
    return any(pattern.search(claim) for pattern in (book.opening_frames, book.closing_frames))


def _frames(index: TextIndex, window: Window, book: WordBook) -> Iterator[_Frame]:
    """Each frame of the window's sentences."""
    read = _OF_SOURCES.setdefault(index, {})
    for number in range(window.first, window.last + 1):
        if number not in read:
            read[number] = tuple(_frames_of(index, number, book))
        yield from read[number]


def _frames_of(index: TextIndex, number: int, book: WordBook) -> Iterator[_Frame]:
    """The frames of one sentence; one that closes may reach into the next sentence."""
    start, end = index.segments[number].start, index.segments[number].end
    own = index.text[start:end]
    for found in book.opening_frames.finditer(own):
        stop = _CLAUSE_END.search(own, found.end())
        yield _Frame(_shown(found), start + found.end(), start + stop.start() if stop else end)
    after = index.segments[number : number + 2][-1]
    reach = after.end if after.block == index.segments[number].block else end
    for found in book.closing_frames.finditer(index.text[start:reach]):
        if found.start() < len(own):
            begun = own.rfind(";", 0, found.start()) + 1
            yield _Frame(_shown(found), start + begun, start + found.end())
    yield from _mentioned(index, number, own)


def _mentioned(index: TextIndex, number: int, own: str) -> Iterator[_Frame]:
    """Sentences that segment `number` quotes and nobody says: words held out, not a statement."""
    quoted = list(_SENTENCE_QUOTED.finditer(own))
    if not quoted or any(index.cast.speech(near) for near in range(max(0, number - 1), number + 1)):
        return
    start = index.segments[number].start
    for found in quoted:
        yield _Frame("a sentence in quotation marks", start + found.start(), start + found.end())


def _shown(found: re.Match[str]) -> str:
    return " ".join(found[0].split()).strip(" ,.").lower()


def _governs(frame: _Frame, aligner: Aligner, window: Window) -> bool:
    if any(_says_only_there(slot, frame, aligner, window) for slot in aligner.form.slots):
        return True
    places = [_places(term, aligner, window) for term in aligner.form.terms if term.counts]
    held = [starts for starts in places if starts]
    inside = [starts for starts in held if _within(starts, frame)]
    return bool(held) and len(inside) >= _HELD * len(held)


def _says_only_there(slot: Slot, frame: _Frame, aligner: Aligner, window: Window) -> bool:
    """Whether the passage gives the value in the frame and nowhere else."""
    starts = [one.start for one in window.candidates if aligner.agrees(slot, one)]
    return bool(starts) and _within(starts, frame)


def _places(term: Term, aligner: Aligner, window: Window) -> Sequence[int]:
    alike = aligner.lexicon.words.alike(term.stem)
    return [token.start for token in window.tokens if token.stem in alike]


def _within(starts: Sequence[int], frame: _Frame) -> bool:
    return all(frame.start <= start < frame.end for start in starts)
