"""Sentences that carry no citation, because what they say is the document's own matter."""

from __future__ import annotations

import re

from ..base.vocabulary import CitationState
from ..documents.model import Document, Sentence
from .classify import cited_addresses
from .model import CitedAddress

# The key words of RFC 2119, by which a document lays down requirements of its own.
_REQUIRES = re.compile(r"\b(?:MUST|SHALL|SHOULD|REQUIRED|MAY)\b")
# "(Handbook 9.4)", "(Policy 12, Section 4)": a work without an address is named.
_WORK = r"[A-Z][\w.-]{1,30}(?: [\w.-]{1,30}){0,3}"
_NAMED_WORK = re.compile(
    rf"\((?:see )?{_WORK}(?: \d+\.\d[\d.]*|, (?:[Ss]ection|[Cc]hapter|§) ?\d[\w.]*)\)"
)


class CarriedCitations:
    """Tells which sentences of `document` carry the citation that stands before them."""

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
        return bool(
            self._holds_code(sentence)
            or (sentence.table is not None and sentence.table in self._listings)
            or _REQUIRES.search(sentence.text)
            or _NAMED_WORK.search(sentence.text)
        )

    def _holds_code(self, sentence: Sentence) -> bool:
        return "`" in self._document.text[sentence.start : sentence.end]
