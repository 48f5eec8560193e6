"""Classification of sentences: the kind of a claim, an aside, or no claim (decisions 8 and 26)."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from ..base.vocabulary import CitationState, ClaimKind, Location
from ..documents.model import BlockKind, Document, Quote, ScopedCitation, Sentence
from ..documents.scope import is_attribution
from ..documents.words import packaged_words
from ._regulations import find_regulations
from .clauses import is_advice, is_verbless
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

FRAMING, METADATA, ATTRIBUTION = "framing", "metadata", "attribution"
INSTRUCTION, POINTER = "instruction", "pointer"
CODE, REQUIREMENT, CHANGELOG = "code", "requirement", "changelog"
# The key words of RFC 2119, and those of a document that uses these.
_REQUIRES = re.compile(r"\b(?:MUST|SHALL|SHOULD|REQUIRED|RECOMMENDED|OPTIONAL|MAY)\b")
_MUST = re.compile(r"\b(?:must|shall|is required to|are required to|may only)\b")
LEAST_REQUIREMENTS = 3
_CHANGELOG = re.compile(
    r"(?:change ?logs?|release notes?|release history|version history|what['’]?s new|unreleased)\b"
    r"|\[?v?\d+\.\d+(?:\.\d+)*(?:[-.\w]*)\]?(?:\W.*)?$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{2,}")
LEAST_WORDS = 2
# Italics; what is bold may be the headline.
_EMPHASIS = re.compile(r"([*_])(?!\1)")
_POINTER = re.compile(r"(?:see|taken|drawn|compiled|adapted) (?:from )?(?:the )?\w", re.IGNORECASE)
_NUMBERING = re.compile(r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+)?")
# The key words of RFC 2119, by which a document lays down requirements of its own.
_LAYS_DOWN = re.compile(r"\b(?:MUST|SHALL|SHOULD|REQUIRED|MAY)\b")
# "(Handbook 9.4)", "(Policy 12, Section 4)": a work without an address is named.
_WORK = r"[A-Z][\w.-]{1,30}(?: [\w.-]{1,30}){0,3}"
_NAMED_WORK = re.compile(
    rf"\((?:see )?{_WORK}(?: \d+\.\d[\d.]*|, (?:[Ss]ection|[Cc]hapter|§) ?\d[\w.]*)\)"
)
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


class Asides:
    """Tells by which rule a sentence is no claim because of its place or of what it speaks of.

    Args:
        document: The sentences are its own, asked about in order.
        lexicon: The word lists.
        classifier: Tells own results and statistics.
    """

    def __init__(self, document: Document, lexicon: Lexicon, classifier: Classifier) -> None:
        self._document = document
        self._lexicon = lexicon
        self._classifier = classifier
        self._heads = frozenset(_heads(document, lexicon))
        self._requires = len(_REQUIRES.findall(document.text)) >= LEAST_REQUIREMENTS

    def rule(self, sentence: Sentence, statement: Statement) -> str:
        """The rule for `statement`, which is `sentence` or a part of it; "" if there is none."""
        if _is_code(sentence):
            return CODE
        shares = any(one.kind in HARD_KINDS for one in statement.quantities)
        if sentence.block in self._heads and not shares:
            return METADATA
        if self._is_requirement(statement.text):
            return REQUIREMENT
        changes = any(map(_CHANGELOG.match, sentence.section))
        if changes and sentence.kind is BlockKind.LIST_ITEM:
            return CHANGELOG
        if self._is_pointer(statement):
            return POINTER
        if self._is_framing(sentence, statement):
            return FRAMING
        if self._is_advice(sentence, statement):
            return INSTRUCTION
        return ATTRIBUTION if is_attribution(statement.text, packaged_words()) else ""

    def _is_requirement(self, text: str) -> bool:
        """Whether it lays down a rule of its own: "A key MUST have 256 bits"."""
        return bool(_REQUIRES.search(text) or (self._requires and _MUST.search(text)))

    def _is_framing(self, sentence: Sentence, statement: Statement) -> bool:
        scopes = self._document.scopes[sentence.index]
        cited = any(one.state is CitationState.DIRECT for one in scopes)
        hard = bool(self._classifier.hard(statement))
        framed = self._lexicon.framing.framing.match(statement.text.lower())
        return framed is not None and not (cited or hard or statement.quotes)

    def _is_pointer(self, statement: Statement) -> bool:
        """Whether it only says where something stands: "See [a](a.md) for the method."."""
        text = statement.text.strip()
        if statement.dates or statement.quotes or self._classifier.hard(statement):
            return False
        title = text.endswith(":") and is_verbless(text, self._lexicon.clauses)
        return title or _POINTER.match(text) is not None

    def _is_advice(self, sentence: Sentence, statement: Statement) -> bool:
        text, lists = statement.text, self._lexicon.clauses
        advises = any(
            _NUMBERING.sub("", title).strip(" .:").casefold()
            in self._lexicon.framing.advice_sections
            for title in sentence.section
        )
        if self._classifier.is_order(text, advises=advises):
            return is_advice(text, lists) if advises else is_verbless(text, lists)
        return False


def _is_code(sentence: Sentence) -> bool:
    if not sentence.literal:
        return False
    rest, at = "", 0
    for start, end in sentence.literal:
        rest, at = f"{rest} {sentence.text[at:start]}", end
    return len(_WORD.findall(rest + sentence.text[at:])) < LEAST_WORDS


def _heads(document: Document, lexicon: Lexicon) -> Iterator[int]:
    """The blocks over the first sentence with a verb that say who made the text, and when."""
    headings = 0
    for block, members in groupby(document.sentences, key=lambda one: one.block):
        sentences = list(members)
        kind = sentences[0].kind
        if kind is BlockKind.HEADING:
            headings += 1
        elif kind.makes_claims:
            verbless = all(is_verbless(one.text, lexicon.clauses) for one in sentences)
            if headings > 1 or kind is not BlockKind.PARAGRAPH or not verbless:
                return
            if _is_head(document, sentences, lexicon):
                yield block


def _is_head(document: Document, sentences: Sequence[Sentence], lexicon: Lexicon) -> bool:
    """Whether a block is a line of metadata: labelled, "Prepared for …", or in italics."""
    if lexicon.framing.head.match(sentences[0].text.lower()):
        return True
    source = document.text[sentences[0].start : sentences[-1].end]
    mark = _EMPHASIS.match(source)
    return mark is not None and source.endswith(mark[0])


_LEADING_WORDS = 3
"""At most so many words stand before the subject of a sentence: "However, in the end our tests"."""


class CarriedCitations:
    """Tells which sentences of `document` carry no citation: rules, code and works of its own."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._listings = frozenset(
            sentence.table
            for sentence in document.sentences
            if sentence.table is not None and self._holds_code(sentence)
        )

    def of(self, sentence: Sentence) -> tuple[CitedAddress, ...]:
        """What `sentence` cites; nothing if it only carries that and is the author's own."""
        cited = cited_addresses(self._document, self._document.scopes[sentence.index])
        carried = all(one.state is CitationState.CARRIED for one in cited)
        return () if carried and self._is_own(sentence) else cited

    def _is_own(self, sentence: Sentence) -> bool:
        """Whether it lays down a rule, shows code, or names a work of its own."""
        listed = sentence.table is not None and sentence.table in self._listings
        named = _LAYS_DOWN.search(sentence.text) or _NAMED_WORK.search(sentence.text)
        return listed or bool(named) or self._holds_code(sentence)

    def _holds_code(self, sentence: Sentence) -> bool:
        return "`" in self._document.text[sentence.start : sentence.end]


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
        """Whether the sentence reports a finding of the author's own.

        It begins with that, or states a figure: "so that we can modify our data" reports none. What
        only leads to the results, "Our benchmarks show an improvement:", reports none either.
        """
        found = self._words.own_result.search(text)
        if found is None:
            return False
        leads = len(text[: found.start()].split()) <= _LEADING_WORDS and not text.endswith(":")
        return leads or any(map(str.isdigit, text))

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

    def hard(self, statement: Statement) -> tuple[Quantity, ...]:
        """Its statistics, without small counts in words or in compounds: "the 2-clause licence"."""
        return tuple(one for one in statement.quantities if self._is_hard(one, statement.text))

    def _is_hard(self, quantity: Quantity, text: str) -> bool:
        if quantity.kind in HARD_KINDS:
            return True
        if quantity.kind is QuantityKind.ORDINAL:
            return False
        # "Debian 1.1 Buzz", which "was first called 1.1".
        version = rf"\b[A-Z]\w{{1,30}}[ \u00a0]{re.escape(quantity.text)}"
        if not quantity.unit and "." in quantity.text and re.search(version, text):
            return False
        is_part = text[quantity.end : quantity.end + 1] == "-"
        counted = quantity.text[:1].isdigit() and not is_part
        return counted or quantity.high > self._words.small_count

    def category(self, statement: Statement) -> ClaimCategory:
        """Category of the claim, used if it has no source."""
        text = statement.text
        if self.is_own_result(text):
            return ClaimCategory.OWN_RESULT
        hard = self.hard(statement)
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
        if self.hard(statement):
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
        """Whether the sentence states a share or a figure of a market, which no plan excuses."""
        shares = (QuantityKind.PERCENT, QuantityKind.RATIO)
        market = bool(statement.quantities and self._words.market.search(statement.text))
        return market or any(one.kind in shares for one in statement.quantities)

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
