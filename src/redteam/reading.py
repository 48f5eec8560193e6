"""A document read once for all rules: its prose, its words, and where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from ..base.vocabulary import Location
from ..claims.arithmetic.checks import CheckedSum, Figures, check_arithmetic, read_figures
from ..claims.lexicon import Lexicon
from ..claims.words import content_stems
from ..documents.model import BlockKind, Document, Sentence
from .model import Flaw, FlawKind, RedTeamRules

Span: TypeAlias = tuple[int, int]
Places: TypeAlias = tuple[Location, ...]

PROSE = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.FOOTNOTE})
WORD = re.compile(r"[^\W_]+(?:['’.\u2010\u2011-][^\W_]+)*")
"""A word, hyphened ones as one."""
_DIGITS = re.compile(r"\d")
NUMBER = r"[0-9]{1,3}(?:\.[0-9]{1,3})*|[A-Z](?=\b(?!\.[a-z]))"
"""The number of a section, table or annex, as a pattern."""
_HEADING_NUMBER = re.compile(
    rf"(?:[A-Za-z]+\.? (?P<named>{NUMBER})"
    r"|(?P<number>[0-9]{1,3}(?:\.[0-9]{1,3})*|[A-Z](?=[.:)])))"
    r"[.:)]?(?:[\s<&—–-]|$)"
)
_PART = re.compile(r"(?:appendix|annex|chapter) (?!1\b)(?:[0-9]{1,3}|[A-Z])\b", re.IGNORECASE)
_ANCHOR = re.compile(r"\]\(#(?P<slug>[^)\s]{1,200})\)")
_ANCHOR_SET = re.compile(
    r"(?:\bid|\bname)=[\"']?(?P<id>[\w.-]{1,200})|\{#(?P<attr>[\w.-]{1,200})\}"
)
_NOT_SLUG = re.compile(r"[^\w\- ]")
_FEWEST_LINKS = 3
# Behind a participle it names who did it.
_AGENT = frozenset({"by"})
_LONGEST_LINK = 300


@dataclass(frozen=True)
class Reading:
    """A document with what the rules need to read it."""

    document: Document
    lexicon: Lexicon
    rules: RedTeamRules

    @cached_property
    def prose(self) -> tuple[Sentence, ...]:
        """The author's sentences in running text, lists and footnotes."""
        return tuple(
            sentence
            for sentence in self.document.sentences
            if sentence.kind in PROSE and sentence.text
        )

    @cached_property
    def figures(self) -> tuple[Figures, ...]:
        """Every sentence with its quantities and dates."""
        return read_figures(self.document, self.lexicon)

    @cached_property
    def sums(self) -> tuple[CheckedSum, ...]:
        """Every result that the document states about its own figures, worked again."""
        return check_arithmetic(self.document, self.figures, self.lexicon)

    @cached_property
    def is_excerpt(self) -> bool:
        """Whether this is a part of a longer document, which may say what this one does not.

        It is if its numbered headings begin later than 1, if it is an appendix, or if most of its
        links to its own headings lead nowhere.
        """
        document = self.document
        numbers = heading_numbers(document)
        if len(numbers) > 1 and all(number.split(".")[0] != "1" for number in numbers):
            return True
        if document.sections and _PART.match(document.sections[0].title):
            return True
        links = {found["slug"] for found in _ANCHOR.finditer(document.text)}
        broken = {slug for slug, _, _ in broken_links(document)}
        return len(broken) >= _FEWEST_LINKS and 2 * len(broken) > len(links)

    @cached_property
    def weightless(self) -> frozenset[str]:
        """The stems of verbs that say no more than that there is something."""
        return frozenset(map(self.lexicon.words.stem, self.rules.restatement.weightless))

    @cached_property
    def dimensions(self) -> Mapping[str, str]:
        """The stems of adjectives of size, each with the stem of what it measures."""
        stem = self.lexicon.words.stem
        return {stem(one): stem(name) for one, name in self.rules.restatement.dimensions.items()}

    @cached_property
    def scope(self) -> frozenset[str]:
        """The stems of words that set one statement apart from another."""
        return frozenset(map(self.lexicon.words.stem, self.rules.restatement.scope))

    @cached_property
    def limits(self) -> frozenset[str]:
        """Those of them that limit what stands beside them, and neither name nor measure it."""
        return self.scope - _AGENT - self.dimensions.keys()

    def weight(self, text: str) -> frozenset[str]:
        """The stems of the words of weight in `text`, without figures."""
        stems = content_stems(text, self.lexicon.words)
        return frozenset(stem for stem in stems if not _DIGITS.search(stem))

    def flaw(
        self, kind: FlawKind, sentence: Sentence, problem: str, span: Span, related: Places = ()
    ) -> Flaw:
        """A flaw at `span` of the text of `sentence`."""
        place, section = sentence.source_span(*span), " > ".join(sentence.section)
        return self.flaw_at(kind, place, problem, related, section)

    def flaw_at(
        self, kind: FlawKind, span: Span, problem: str, related: Places = (), section: str = ""
    ) -> Flaw:
        """A flaw at `span` of the document's text."""
        quote, location = self.document.text[slice(*span)], self.document.location(*span, section)
        return Flaw(kind, quote, location, problem, self.rules.severity[kind], related=related)

    def place(self, sentence: Sentence) -> Location:
        """Where `sentence` stands."""
        return self.document.location(sentence.start, sentence.end, " > ".join(sentence.section))


def heading_numbers(document: Document) -> set[str]:
    """The numbers of its headings: 1, 2.3, A."""
    found = (_HEADING_NUMBER.match(section.title) for section in document.sections)
    return {one["number"] or one["named"] for one in found if one}


def broken_links(document: Document) -> Iterator[tuple[str, int, int]]:
    """The links to headings that it does not have: the name of the heading, and the link's span."""
    bare = (_NOT_SLUG.sub("", one.title.casefold()).strip() for one in document.sections)
    slugs = {title.replace(" ", "-") for title in bare}
    slugs |= {found["id"] or found["attr"] for found in _ANCHOR_SET.finditer(document.text)}
    folded = {slug.casefold() for slug in slugs}
    for found in _ANCHOR.finditer(document.text):
        if found["slug"].casefold() not in folded and not found["slug"][-1].isdigit():
            yield found["slug"], _start(document.text, found.start()), found.end()


def _start(text: str, closing: int) -> int:
    """Where the bracket opens that closes at `closing`, or `closing` if it is nowhere near."""
    depth = 0
    for at in range(closing, max(closing - _LONGEST_LINK, -1), -1):
        depth += (text[at] == "]") - (text[at] == "[")
        if depth == 0:
            return at
    return closing
