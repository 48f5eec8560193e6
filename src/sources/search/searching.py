"""The searches of a run: counted, logged, and answered from what is kept where that is enough."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby
from typing import NamedTuple

import anyio
import anyio.to_thread
import structlog

from ...base.errors import StorageError
from ..addresses import address_key
from ..policy import LikenessWords, SearchPolicy
from .answers import RunAnswers, SearchRecord, SharedAnswers
from .model import SearchAnswer, SearchProvider, SearchUnavailable

_TOKEN = re.compile(
    r"(?P<number>(?<![\w.])[-−+]?[$€£¥]?\d+(?:[.,]\d+)*)"
    r"|(?P<word>[^\W\d_]+(?:['’&][^\W_]+)*[+#]*|[^\W_]+)"
    r"|(?P<sign>[%‰$€£¥₹₽°<>=≤≥±])"
)
_THOUSANDS = re.compile(r"[$€£¥+−-]{0,2}\d{1,3}(?:,\d{3})+")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")


class _Word(NamedTuple):
    """A word or number of a query. `text` is in lower case where case does not matter."""

    text: str
    number: bool
    capital: bool


class Likeness:
    """Compares queries by the lists of `search.yaml`."""

    def __init__(self, words: LikenessWords) -> None:
        self._words = words
        openings = "|".join(map(re.escape, words.openings))
        self._opening = re.compile(rf"(?:{openings})\s+", re.IGNORECASE)

    def key(self, query: str) -> str:
        """The key of all queries with the same words; they may still ask different things."""
        return " ".join(sorted(self._singular(word.text) for word in self._read(query)))

    def same(self, left: str, right: str) -> bool:
        """Whether two queries ask the same.

        They do if they have the same words and numbers in the same order, capitals, punctuation,
        fillers and plurals of ordinary words aside. A single name and a single year may stand
        elsewhere if all other words name measures.
        """
        one, other = self._read(left), self._read(right)
        names = _names(one, other)
        return self._form(one, names) == self._form(other, names)

    def _read(self, query: str) -> list[_Word]:
        text = unicodedata.normalize("NFC", query).strip()
        opening = self._opening.match(text)
        text = text[opening.end() :] if opening else text
        if any(unicodedata.category(character).startswith("M") for character in text):
            # Vowel signs of other scripts are no letters to `re`, and without them words fall
            # together.
            return [_Word(word, False, False) for word in text.split()]
        words: list[_Word] = []
        for match in _TOKEN.finditer(text):
            unit = bool(words) and words[-1].number
            word = self._word(match, unit=unit, first=not words)
            if word.text not in self._words.fillers or word.text != match[0]:
                words.append(word)
        if len(words) > 1 and words[0].text == "the" and not words[1].capital:
            del words[0]
        return words

    def _word(self, match: re.Match[str], *, unit: bool, first: bool) -> _Word:
        text = match[0]
        if match["sign"]:
            return _Word("percent" if text == "%" else text, False, False)
        if match["number"]:
            digits = text.replace(",", "") if _THOUSANDS.fullmatch(text) else text
            return _Word(digits.replace("−", "-"), True, False)
        low = text.lower().replace("’", "'")
        capital = text != text.lower()
        acronym = text.isupper() and len(text) > 1
        # "5 mW" is not "5 MW", and "WHO" is not "who".
        if unit and len(text) <= 3:
            return _Word(text, False, False)
        if capital and low in self._words.case_matters and (acronym or not first):
            return _Word(text, False, True)
        return _Word(low, False, capital)

    def _singular(self, word: str) -> str:
        if len(word) < 4 or not word.isalpha() or word in self._words.not_plural:
            return word
        if word.endswith(("ss", "us", "is")) or not word.endswith("s"):
            return word
        return word[:-3] + "y" if word.endswith("ies") and len(word) > 4 else word[:-1]

    def _form(self, words: Sequence[_Word], names: frozenset[str] | None) -> tuple[str, ...]:
        """The words in a spelling and order that equal questions share; None: any may be a name."""
        if names is None:
            return tuple(word.text for word in words)
        spelled = tuple(
            word.text if word.text in names else self._singular(word.text) for word in words
        )
        rest = [text for text in spelled if text not in names and not _YEAR.fullmatch(text)]
        runs = sum(1 for is_name, _ in groupby(text in names for text in spelled) if is_name)
        years = sum(1 for text in spelled if _YEAR.fullmatch(text))
        if runs > 1 or years > 1 or not self._words.measures.issuperset(rest):
            return spelled
        return (
            *(text for text in spelled if text in names),
            "|",
            *(text for text in spelled if _YEAR.fullmatch(text)),
            "|",
            *rest,
        )


def _names(one: Sequence[_Word], other: Sequence[_Word]) -> frozenset[str] | None:
    """The words that are names in either query; None if neither has any capital."""
    capitals = {word.text for word in (*one, *other) if word.capital}
    if not capitals:
        return None
    ordinary = {
        word.text
        for words in (one, other)
        if any(word.capital for word in words)
        for word in words
        if not (word.capital or word.number)
    }
    return frozenset(capitals - ordinary)


class Searching:
    """Asks one provider for a run, one question at a time.

    Args:
        provider: Who is asked.
        policy: `search.yaml`.
        run: The run's own answers.
        shared: Answers of other runs, for web providers; the run goes on if it cannot be used.
        limit: How many questions the run may put to the provider; answers at hand are free.
    """

    def __init__(
        self,
        provider: SearchProvider,
        policy: SearchPolicy,
        run: RunAnswers,
        *,
        shared: SharedAnswers | None = None,
        limit: int,
    ) -> None:
        self.provider = provider
        self._policy = policy
        self._run = run
        # What a folder of documents holds changes with the folder.
        self._shared = None if provider.local else shared
        self.query_characters = policy.query_characters
        self._likeness = Likeness(policy.likeness)
        self._limit = limit
        self._failed: dict[str, str] = {}
        self._turn = anyio.Lock()

    @property
    def unanswered(self) -> tuple[str, ...]:
        """Why the provider could not be asked, each reason once; empty if it answered all."""
        return tuple(dict.fromkeys(self._failed.values()))

    async def search(self, query: str) -> SearchAnswer:
        """The hits for `query`, or those that a near-equal query got.

        Raises:
            SearchUnavailable: The query is empty or too long, the run's searches are used up, or
                the provider gave no answer.
            StorageError: An answer could not be kept.
            SnapshotError: A kept answer is damaged.
        """
        if not 0 < len(query) <= self.query_characters:
            raise SearchUnavailable(self.provider.name, "the query is empty or too long")
        async with self._turn:
            record = await anyio.to_thread.run_sync(self._at_hand, query)
            log = structlog.get_logger()
            if record is not None:
                log.info("search shared", query=query, asked=record.query)
                return record.answer
            if self._limit <= 0:
                raise SearchUnavailable(
                    self.provider.name, "no more questions may be put in this run"
                )
            self._limit -= 1
            log.info("search", provider=self.provider.name, query=query)
            try:
                answer = await self.provider.search(query, self._policy.hits)
            except SearchUnavailable as error:
                self._failed[query] = str(error)
                log.warning("search unavailable", provider=self.provider.name, reason=str(error))
                raise
            self._failed.pop(query, None)
            record = self._record(query, answer)
            await anyio.to_thread.run_sync(self._keep, record)
        return answer

    def returned(self, url: str) -> bool:
        """Whether a search of this run gave `url`."""
        key = address_key(url)
        hits = (hit for record in self._run.all() for hit in record.answer.hits)
        return any(address_key(hit.url) == key for hit in hits)

    def found(self) -> tuple[str, ...]:
        """The addresses that searches of this run gave: the best hit of each, then the second.

        Raises:
            SnapshotError: A kept answer is damaged.
        """
        return interleaved(record.answer for record in reversed(self._run.all()))

    def _record(self, query: str, answer: SearchAnswer) -> SearchRecord:
        name, limit = self.provider.name, self._policy.hits
        return SearchRecord(
            name, query, self._likeness.key(query), limit, datetime.now(UTC), answer
        )

    def _at_hand(self, query: str) -> SearchRecord | None:
        name, key = self.provider.name, self._likeness.key(query)
        record = self._same(self._run.find(name, key), query)
        if record is None and self._shared is not None:
            try:
                record = self._same(self._shared.find(name, key), query)
            except StorageError as error:
                self._do_without_cache(error)
            if record is not None:
                # The run stays complete without the cache.
                self._run.add(replace(record, query=query))
        return record

    def _same(self, records: Iterable[SearchRecord], query: str) -> SearchRecord | None:
        fitting = (record for record in records if record.limit == self._policy.hits)
        return next((r for r in fitting if self._likeness.same(r.query, query)), None)

    def _keep(self, record: SearchRecord) -> None:
        self._run.add(record)
        if self._shared is not None:
            try:
                self._shared.add(record)
            except StorageError as error:
                self._do_without_cache(error)

    def _do_without_cache(self, error: StorageError) -> None:
        structlog.get_logger().warning("searches are not shared", reason=str(error))
        self._shared = None


def interleaved(answers: Iterable[SearchAnswer]) -> tuple[str, ...]:
    """The addresses of all hits, each once: the best of each answer, then the second of each."""
    ranked = sorted(
        ((rank, hit.url) for answer in answers for rank, hit in enumerate(answer.hits)),
        key=lambda one: one[0],
    )
    found: dict[str, str] = {}
    for _, url in ranked:
        found.setdefault(address_key(url), url)
    return tuple(found.values())
