"""Detection of asides: text about the document itself, the author's plans."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from ..base.vocabulary import CitationState
from ..documents.citing import is_attribution
from ..documents.model import BlockKind, Document, Sentence
from ..documents.words import packaged_words
from .classify import HARD_KINDS, Classifier, Statement, cited_addresses
from .clauses import is_advice, is_verbless
from .lexicon import Lexicon
from .model import CitedAddress

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
        requires = len(_REQUIRES.findall(document.text))
        self._requires = _MUST if requires >= LEAST_REQUIREMENTS else None

    def rule(self, sentence: Sentence, statement: Statement) -> str:
        """The rule for `statement`, which is `sentence` or a part of it; "" if there is none."""
        if _is_literal(sentence):
            return CODE
        shares = any(one.kind in HARD_KINDS for one in statement.quantities)
        if sentence.block in self._heads and not shares:
            return METADATA
        return self._own_matter(sentence, statement) or self._aside(sentence, statement)

    def _own_matter(self, sentence: Sentence, statement: Statement) -> str:
        if self._is_requirement(statement):
            return REQUIREMENT
        changes = sentence.kind is BlockKind.LIST_ITEM and any(
            map(_CHANGELOG.match, sentence.section)
        )
        return CHANGELOG if changes else ""

    def _aside(self, sentence: Sentence, statement: Statement) -> str:
        if self._is_pointer(statement):
            return POINTER
        if self._is_framing(sentence, statement):
            return FRAMING
        if self._is_advice(sentence, statement):
            return INSTRUCTION
        return ATTRIBUTION if is_attribution(statement.text, packaged_words()) else ""

    def _is_requirement(self, statement: Statement) -> bool:
        """Whether it lays down a rule of its own: "A key MUST have 256 bits"."""
        if _REQUIRES.search(statement.text):
            return True
        return self._requires is not None and self._requires.search(statement.text) is not None

    def _is_framing(self, sentence: Sentence, statement: Statement) -> bool:
        scopes = self._document.scopes[sentence.index]
        cited = any(one.state is CitationState.DIRECT for one in scopes)
        hard = any(map(self._classifier.is_hard, statement.quantities))
        framed = self._lexicon.framing.framing.match(statement.text.lower())
        return framed is not None and not (cited or hard or statement.quotes)

    def _is_pointer(self, statement: Statement) -> bool:
        """Whether it only says where something stands: "See [a](a.md) for the method."."""
        text = statement.text.strip()
        if (
            statement.dates
            or statement.quotes
            or any(map(self._classifier.is_hard, statement.quantities))
        ):
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


def _is_literal(sentence: Sentence) -> bool:
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


# The key words of RFC 2119, by which a document lays down requirements of its own.
_LAYS_DOWN = re.compile(r"\b(?:MUST|SHALL|SHOULD|REQUIRED|MAY)\b")
# "(Handbook 9.4)", "(Policy 12, Section 4)": a work without an address is named.
_WORK = r"[A-Z][\w.-]{1,30}(?: [\w.-]{1,30}){0,3}"
_NAMED_WORK = re.compile(
    rf"\((?:see )?{_WORK}(?: \d+\.\d[\d.]*|, (?:[Ss]ection|[Cc]hapter|§) ?\d[\w.]*)\)"
)


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
