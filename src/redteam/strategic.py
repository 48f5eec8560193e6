"""The strategic lens: what a plan has to speak of and does not."""

from __future__ import annotations

from collections.abc import Iterator

from .model import Flaw, FlawKind
from .reading import Reading, words_of
from .rules import word_pattern

_PLAIN_TOPICS = 2


def strategic_flaws(reading: Reading) -> Iterator[Flaw]:
    """A flaw for each topic of the checklist that the document is silent on, at its first line.

    A document that is no plan, that is an excerpt, or that has only a few words, is asked nothing.
    """
    checklist, sentences = reading.rules.checklist, reading.document.sentences
    length = sum(sum(1 for _ in words_of(sentence)) for sentence in reading.prose)
    text = " ".join(sentence.text for sentence in sentences)
    if length < checklist.fewest_words or reading.is_excerpt or not _is_plan(reading):
        return
    for topic in checklist.topics:
        if not topic.pattern.search(text):
            yield reading.flaw(
                FlawKind.MISSING_TOPIC,
                sentences[0],
                f"It says nothing on {topic.name}: {topic.asks}",
            )


def _is_plan(reading: Reading) -> bool:
    checklist = reading.rules.checklist
    titles = [section.title for section in reading.document.sections]
    if any(map(word_pattern(checklist.titles).search, titles)):
        return True
    if any(word_pattern(checklist.proposes).search(one.text) for one in reading.prose):
        return True
    named = sum(any(map(topic.pattern.search, titles)) for topic in checklist.topics)
    return named >= _PLAIN_TOPICS
