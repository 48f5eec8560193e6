"""Passages that stand in a document twice."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..base.counting import counted
from ..documents.model import BlockKind, Sentence
from .model import Flaw, FlawKind
from .reading import Reading, Word, words_of

_Stream = Sequence[tuple[Sentence, Word]]
_GRAM = 4


@dataclass(frozen=True, slots=True)
class _Repeat:
    """`[start, end)` of the document's text repeats what `first` says, in `words` words."""

    sentence: Sentence
    start: int
    end: int
    words: int
    first: Sentence


def repetitions(reading: Reading) -> Iterator[Flaw]:
    """Passages that stand twice, word for word or nearly; the second place is the flaw.

    What two sections have in common is one flaw, however many passages it is: they were written
    alike on purpose, or one was copied.
    """
    repeats = sorted(
        (*_exact(reading), *_near(reading)), key=lambda one: (one.start, one.start - one.end)
    )
    groups: defaultdict[tuple[tuple[str, ...], ...], list[_Repeat]] = defaultdict(list)
    end = 0
    for one in repeats:
        if one.start >= end:
            groups[one.first.section, one.sentence.section].append(one)
            end = one.end
    for group in groups.values():
        one, *others = group
        more = (
            f", and {counted(len(others), 'more passage')} of this section in that one"
            if others
            else ""
        )
        related = [reading.place(one.first)]
        for other in others:
            section = " > ".join(other.sentence.section)
            related.append(reading.document.location(other.start, other.end, section))
        yield reading.flaw_at(
            FlawKind.DUPLICATED_PASSAGE,
            one.start,
            one.end,
            f"These {one.words} words stand in line {one.first.line} as well{more}.",
            sentence=one.sentence,
            related=tuple(related),
        )


def _exact(reading: Reading) -> Iterator[_Repeat]:
    """Runs of many words that stand twice, wherever they begin."""
    length = reading.rules.duplicates.words
    stream = [(one, word) for one in _sentences(reading) for word in words_of(one)]
    folded = [word.text.casefold() for _, word in stream]
    seen: dict[tuple[str, ...], int] = {}
    at = 0
    while at + length <= len(folded):
        window = tuple(folded[at : at + length])
        before = seen.setdefault(window, at)
        if before == at or at - before < length:
            at += 1
            continue
        end = at + length
        while (
            end < len(folded)
            and folded[end] == folded[before + end - at]
            and before + end - at < at
        ):
            end += 1
        yield _repeat(stream[at:end], stream[before][0])
        at = end


def _near(reading: Reading) -> Iterator[_Repeat]:
    """Sentences most of whose runs of four words stand in one earlier sentence."""
    rules = reading.rules.duplicates
    seen: defaultdict[tuple[str, ...], list[Sentence]] = defaultdict(list)
    for sentence in _sentences(reading):
        words = list(words_of(sentence))
        grams = set(_grams(word.text.casefold() for word in words))
        if len(words) >= rules.sentence_words:
            counts = Counter(one for gram in grams for one in seen[gram])
            first, count = counts.most_common(1)[0] if counts else (sentence, 0)
            if count >= rules.sentence_share * len(grams):
                yield _repeat([(sentence, word) for word in words], first)
        for gram in grams:
            seen[gram].append(sentence)


def _grams(words: Iterable[str]) -> Iterator[tuple[str, ...]]:
    listed = list(words)
    return (tuple(listed[at : at + _GRAM]) for at in range(len(listed) - _GRAM + 1))


def _sentences(reading: Reading) -> Iterable[Sentence]:
    return (one for one in reading.prose if one.kind is not BlockKind.FOOTNOTE)


def _repeat(stream: _Stream, first: Sentence) -> _Repeat:
    """The repeat that the words of `stream` are, without the few of a sentence that goes on."""
    last = stream[-1][0]
    begun = sum(one is last for one, _ in stream)
    if begun < len(stream) and 2 * begun <= len(list(words_of(last))):
        stream = stream[:-begun]
    (sentence, word), (last, last_word) = stream[0], stream[-1]
    start = sentence.source_span(word.start, word.end)[0]
    end = last.source_span(last_word.start, last_word.end)[1]
    return _Repeat(sentence, start, end, len(stream), first)
