"""Classification of sentences: the kind of a claim, or no claim (decisions 8 and 26)."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from ..base.vocabulary import ClaimKind, Location
from ..documents.model import BlockKind, Document, Quote, ScopedCitation, Sentence
from .lexicon import Lexicon
from .model import (
    CitedAddress,
    Claim,
    ClaimCategory,
    ClaimQuote,
    ClaimTopic,
    DateSpan,
    Quantity,
    QuantityKind,
    RegulatoryReference,
)
from .quantities import find_slots
from .regulations import find_regulations

_FIRST_WORDS = re.compile(r"\W*([A-Za-z]+)(?:[ \u00a0]([\w']+))?")
_WILL = re.compile(r"\b(?:will|shall|won't|going to)\b", re.IGNORECASE)
HARD_KINDS = frozenset(
    {
        QuantityKind.PERCENT,
        QuantityKind.PERCENTAGE_POINTS,
        QuantityKind.BASIS_POINTS,
        QuantityKind.MONEY,
        QuantityKind.RATIO,
    }
)
"""Kinds of which every figure is a statistic."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence with what was found in it; `in_list` marks a list item."""

    text: str
    in_list: bool
    quantities: tuple[Quantity, ...]
    dates: tuple[DateSpan, ...]
    quotes: tuple[ClaimQuote, ...]
    references: tuple[RegulatoryReference, ...] = ()

    @property
    def has_number(self) -> bool:
        """Whether a quantity or a date is stated."""
        return bool(self.quantities or self.dates)


class Classifier:
    """The rules that use the phrase lists of the lexicon."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._words = lexicon.file
        self._routing = lexicon.routing

    def is_own_result(self, text: str) -> bool:
        """Whether the sentence reports a finding of the author's own."""
        return bool(self._words.own_result.search(text))

    def is_own_estimate(self, text: str) -> bool:
        """Whether the sentence calls a number the author's own estimate and states its basis."""
        return bool(
            self._words.estimate.phrases.search(text) and self._words.estimate.basis.search(text)
        )

    def counts(
        self, quantities: Sequence[Quantity], references: Sequence[RegulatoryReference]
    ) -> tuple[Quantity, ...]:
        """`quantities` without those that count parts of the text or belong to a reference."""
        return tuple(
            quantity
            for quantity in quantities
            if quantity.unit not in self._words.discourse_nouns
            and not _touches(quantity, references)
        )

    def is_hard(self, quantity: Quantity) -> bool:
        """Whether a quantity is a statistic, rather than a small count in words."""
        if quantity.kind in HARD_KINDS:
            return True
        if quantity.kind is QuantityKind.ORDINAL:
            return False
        return quantity.text[:1].isdigit() or quantity.high > self._words.small_count

    def category(self, statement: Statement) -> ClaimCategory:
        """Category of the claim, used if it has no source."""
        text = statement.text
        if self.is_own_result(text):
            return ClaimCategory.OWN_RESULT
        hard = [quantity for quantity in statement.quantities if self.is_hard(quantity)]
        if not hard:
            return ClaimCategory.GENERAL
        if self._words.market.search(text):
            return ClaimCategory.MARKET
        share = any(q.kind in (QuantityKind.PERCENT, QuantityKind.RATIO) for q in hard)
        if not share and self._words.company_metric.search(text):
            return ClaimCategory.COMPANY_METRIC
        return ClaimCategory.STATISTICAL

    def kind(self, statement: Statement) -> ClaimKind:
        """The claim's kind by its most checkable part (decision 26)."""
        if statement.quotes:
            return ClaimKind.QUOTATION
        if statement.quantities:
            return ClaimKind.QUANTITATIVE
        if statement.references:
            return ClaimKind.REGULATORY
        if statement.dates:
            return ClaimKind.TEMPORAL
        for kind, pattern in self._words.kind_words.items():
            if pattern.search(statement.text):
                return kind
        past = self._routing.topics[ClaimTopic.HISTORICAL].search(statement.text)
        return ClaimKind.HISTORICAL if past else ClaimKind.NAMED_ENTITY

    def exclusion(self, statement: Statement, as_of: date) -> str:
        """The rule by which the sentence is no claim of fact; "" when it is one."""
        text = statement.text
        form = self._form(text)
        if form or self.is_own_result(text):
            return form
        if self._is_instruction(statement):
            return "instruction"
        if self._is_undefined(statement):
            return "interpretive"
        if self._is_share(statement):
            return ""
        if self._words.own_future.search(text) or self._is_plan(statement, as_of):
            return "recommendation" if self._routing.recommendation.search(text) else "future"
        # A statistic stays a statistic behind "in my view" or "as shown below".
        if any(self.is_hard(quantity) for quantity in statement.quantities):
            return ""
        return self._view(text)

    def _form(self, text: str) -> str:
        if text.rstrip("\"'”’) ").endswith("?"):
            return "question"
        return "hypothetical" if self._words.hypothetical.match(text.lstrip("\"'“\u2018( ")) else ""

    def _view(self, text: str) -> str:
        for rule, phrases in self._routing.exclusions.items():
            if phrases.search(text):
                return rule
        if self._words.opinion.search(text):
            return "opinion"
        return "cross_reference" if self._words.cross_reference.search(text) else ""

    def _is_share(self, statement: Statement) -> bool:
        """Whether the sentence states a share or something of a market, which no plan excuses."""
        shares = (QuantityKind.PERCENT, QuantityKind.RATIO)
        return any(q.kind in shares for q in statement.quantities) or self.is_market(statement)

    def is_market(self, statement: Statement) -> bool:
        """Whether the sentence gives a figure for a market, which no plan excuses."""
        return bool(statement.quantities) and bool(self._words.market.search(statement.text))

    def is_order(self, text: str, *, advises: bool) -> bool:
        """Whether the sentence begins as an order does: "Take Olm", not "Share prices".

        Where the section `advises`, any verb may begin one, and its object needs no name.
        """
        words = _FIRST_WORDS.match(text)
        following = (words[2] or "") if words else ""
        if words is None or following[:1].isupper():
            return words is not None and (advises or words[1].lower() in self._words.imperatives)
        return advises and following[:1].islower() and following != "of"

    def _is_undefined(self, statement: Statement) -> bool:
        text, words = statement.text, self._routing
        undefined = words.interpretive.search(text) and not words.defined_by.search(text)
        return bool(undefined and statement.quantities)

    def _is_instruction(self, statement: Statement) -> bool:
        words = _FIRST_WORDS.match(statement.text)
        if not words or words[1].lower() not in self._words.imperatives:
            return False
        following = (words[2] or "").lower()
        is_object = following in self._words.verb_objects or following[:1].isdigit()
        return statement.in_list or not following or is_object

    def _is_plan(self, statement: Statement, as_of: date) -> bool:
        """Whether the sentence only says what will be, at dates that have not come."""
        if not statement.dates or not _WILL.search(statement.text):
            return False
        return all(span.first > as_of for span in statement.dates)


def _touches(quantity: Quantity, references: Sequence[RegulatoryReference]) -> bool:
    """Whether a quantity stands in one of `references`, which are in order and do not overlap."""
    at = bisect.bisect_right(references, quantity.start, key=lambda one: one.end)
    return at < len(references) and references[at].start < quantity.end


def read_statement(
    sentence: Sentence, quotes: Iterable[Quote], lexicon: Lexicon, classifier: Classifier
) -> Statement:
    """The whole sentence as one statement; `quotes` are those of the document in it."""
    quantities, dates = find_slots(sentence.text, lexicon)
    if sentence.literal:
        quantities = tuple(one for one in quantities if not _is_literal(one, sentence))
        dates = tuple(one for one in dates if not _is_literal(one, sentence))
    references = find_regulations(sentence.text, lexicon.regulations)
    located = (_in_sentence(quote, sentence) for quote in quotes)
    return Statement(
        sentence.text,
        sentence.kind is BlockKind.LIST_ITEM,
        classifier.counts(quantities, references),
        dates,
        tuple(quote for quote in located if quote),
        references,
    )


def _is_literal(one: Quantity | DateSpan, sentence: Sentence) -> bool:
    return any(start < one.end and one.start < end for start, end in sentence.literal)


def _in_sentence(quote: Quote, sentence: Sentence) -> ClaimQuote | None:
    """`quote` with offsets into the sentence's text; None if it starts in another sentence."""
    start = bisect.bisect_left(sentence.offsets, quote.start)
    end = bisect.bisect_left(sentence.offsets, quote.end)
    return ClaimQuote(quote.text, start, end) if start < end else None


def speaks_english(document: Document) -> bool:
    """Whether the word lists are for the document's language; unknown counts as English."""
    return document.language.partition("-")[0] in ("en", "und")


def cited_addresses(
    document: Document, scopes: Sequence[ScopedCitation]
) -> tuple[CitedAddress, ...]:
    """Addresses that the citations `scopes` of a sentence lead to, each once for each state."""
    addresses = {
        (citation.target, scoped.state): CitedAddress(citation.target, scoped.state, citation.label)
        for scoped in reversed(scopes)
        for citation in (document.citations[scoped.citation],)
    }
    return tuple(reversed(addresses.values()))


def bare_claim(text: str, lexicon: Lexicon) -> Claim:
    """`text` as a claim without a place, a citation or an id."""
    quantities, dates = find_slots(text, lexicon)
    kind, category = ClaimKind.NAMED_ENTITY, ClaimCategory.GENERAL
    nowhere = Location(1, 1, 0, 0)
    return Claim("", text, nowhere, 0, kind, category, quantities=quantities, dates=dates)
