"""The strategic lens: what a plan has to speak of and does not."""

from __future__ import annotations

from collections.abc import Iterator

from .model import Flaw, FlawKind
from .reading import Reading, words_of
from .rules import word_pattern


def strategic_flaws(reading: Reading) -> Iterator[Flaw]:
    """A flaw for each topic of the checklist that the document is silent on, at its first line.

    A document that proposes nothing, or that has only a few words, is asked nothing.
    """
    checklist, sentences = reading.rules.checklist, reading.document.sentences
    length = sum(sum(1 for _ in words_of(sentence)) for sentence in reading.prose)
    text = " ".join(sentence.text for sentence in sentences)
    if length < checklist.fewest_words or not word_pattern(checklist.proposes).search(text):
        return
    for topic in checklist.topics:
        if not topic.pattern.search(text):
            yield reading.flaw(
                FlawKind.MISSING_TOPIC,
                sentences[0],
                f"It says nothing on {topic.name}: {topic.asks}",
            )
