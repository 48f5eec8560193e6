"""The four parts of a score, each a pure function."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import lru_cache

from ...base.counting import counted
from ..plain_text import words_of
from .model import PageFeatures, Part, ScoringInput, Site
from .rules import RelevanceRules, ScoringRegistry, ScoringRules


def authority_part(site: Site, source: ScoringInput, registry: ScoringRegistry) -> Part:
    """Points by the class of the site; a repository's owner and stars stand in the evidence."""
    entry = registry.classes[site.name]
    evidence = [site.why]
    if owner := site.owner or source.owner:
        evidence.append(f"owner {owner}")
    if source.stars is not None:
        evidence.append(counted(source.stars, "star"))
    reason = f"{entry.type} ({site.name})"
    return Part(entry.points, registry.rules.weights.authority, reason, tuple(evidence))


def date_of(source: ScoringInput, as_of: date, rules: ScoringRules) -> date | None:
    """The last day on which the source is known to have changed, not after `as_of`."""
    days = (source.modified, source.published)
    past = [day for day in days if day and (day - as_of).days <= rules.recency.ahead]
    return max(past, default=None)


def recency_part(source: ScoringInput, as_of: date, rules: ScoringRules) -> Part:
    """Points by the age in days at `as_of`."""
    most, day = rules.weights.recency, date_of(source, as_of, rules)
    if day is None:
        future = source.modified or source.published
        reason = "dated after the as-of date" if future else "no date is known"
        evidence = (future.isoformat(),) if future else ()
        return Part(rules.recency.undated, most, reason, evidence)
    age = max(0, (as_of - day).days)
    kind = "modified" if day == source.modified else "published"
    evidence = (f"{kind} {day.isoformat()}",)
    for band in rules.recency.bands:
        if age <= band.days:
            reason = f"{_days(age)} old, at most {band.days}"
            return Part(band.points, most, reason, evidence)
    reason = f"{_days(age)} old, over {rules.recency.bands[-1].days}"
    return Part(rules.recency.older, most, reason, evidence)


def _days(count: int) -> str:
    return counted(count, "day")


def completeness_part(features: PageFeatures | None, rules: ScoringRules) -> Part:
    """Points for a page that was read, for examples or data on it and for references."""
    most, table = rules.weights.completeness, rules.completeness
    if features is None:
        return Part(0, most, "the page was not read")
    shown = [
        name
        for name, there in (
            ("code examples", features.code_examples),
            ("data", features.data_tables),
        )
        if there
    ]
    points = table.read + (table.examples_or_data if shown else 0)
    if features.references:
        points += table.references
        shown.append("references")
    reason = f"read, with {' and '.join(shown)}" if shown else "read, without examples or data"
    return Part(points, most, reason, tuple(shown))


def topic_words(topic: str, rules: RelevanceRules) -> tuple[str, ...]:
    """The words of a topic that say something, each once, in their order."""
    words = words_of(topic)
    telling = [word for word in words if word not in rules.stop_words]
    return tuple(dict.fromkeys(telling or words))


def relevance_part(source: ScoringInput, words: Sequence[str], rules: ScoringRules) -> Part:
    """Points by the share of the topic's `words` in title, address and text."""
    most, table = rules.weights.relevance, rules.relevance
    if not words:
        return Part(0, most, "no topic is given")
    title = source.title.casefold()
    text = f"{title}\n{source.url.casefold()}\n{source.text[: table.characters].casefold()}"
    found = [word for word in words if _holds(text, word)]
    evidence = tuple(found)
    missing = [word for word in words if word not in found]
    if not missing and " ".join(words) in " ".join(words_of(title)):
        return Part(table.phrase_in_title, most, "the title holds the topic", evidence)
    reason = f"{len(found)} of {counted(len(words), 'topic word')}"
    if missing:
        reason += f", without {', '.join(missing[:5])}"
    share = len(found) / len(words)
    points = (band.points for band in table.bands if found and share >= band.share)
    return Part(next(points, 0), most, reason, evidence)


def _holds(text: str, word: str) -> bool:
    """Whether `text` has `word` in singular or plural.

    Letters beyond ASCII may belong to a script that puts no spaces between words: there any place
    counts.
    """
    if not word.isascii():
        return word in text
    places = (match.start() for match in _pattern(word).finditer(text))
    return any(not start or not _in_word(text[start - 1]) for start in places)


def _in_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


@lru_cache(maxsize=1024)
def _pattern(word: str) -> re.Pattern[str]:
    """Finds the word in both numbers of English; that it begins there is for the caller to see."""
    base = word
    if re.search(r"[a-z]{2}[^aeiou]ies$", word):
        base = f"{word[:-3]}y"
    elif re.search(r"[a-z]{2}[^s]s$", word):
        base = word[:-1]
    plural = f"{base[:-1]}ies" if re.search(r"[^aeiou]y$", base) else f"{base}s"
    forms = (word, base, plural, f"{base}es")
    # A pattern that begins with plain letters is found fast.
    start = base[:-1] if base.endswith("y") else base
    ends = "|".join(sorted({re.escape(form[len(start) :]) for form in forms}, reverse=True))
    return re.compile(rf"{re.escape(start)}(?:{ends})(?!\w)")
