"""Smoke tests: whether a finding or a claim says what the document says (phases 3 and 4a-v)."""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from ..claims.detect import detect_claims
from ..claims.lexicon import Lexicon
from ..claims.model import Claim, Polarity
from ..claims.routing import polarity_of
from ..core.review_types import ExtractedClaim
from ..documents.model import Document
from ..documents.parse import parse_document
from ..verification.judging.alignment import Aligner
from ..verification.judging.guards import objections
from ..verification.policy import VerificationPolicy
from ..verification.reading.form import claim_form
from ..verification.reading.index import TextIndex
from .compiling import line_of, span_of
from .limits import limit_fault

_CONTRACTED = re.compile(r"(?<!\bca)(?<!\bwo)(?<!\bsha)(?<=\w)n['\u2019]t\b", re.IGNORECASE)
_CANNOT = re.compile(r"\b(can)(?:not|['\u2019]t)\b", re.IGNORECASE)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_PERCENT = re.compile(r"(?<=\d)\s*(?:%|per ?cent\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SmokeTest:
    """Tests what is said of `document` against its words.

    `as_of` is the day at which relative dates of a claim are read.
    """

    document: Document
    lexicon: Lexicon
    policy: VerificationPolicy
    as_of: date

    def quote_fault(self, quote: str, line: int) -> str:
        """Why `quote` does not stand in `line` of the document, "" if it does."""
        span = span_of(quote, line, self.document)
        if span is None:
            return "its quote is not in the document"
        found = line_of(span[0], self.document)
        return "" if found == line else f"its quote is in line {found}, not in line {line}"

    def claim_fault(self, claim: ExtractedClaim) -> str:
        """Why `claim` is not what the document says, "" if it is.

        Its quote must stand at its line. The statement may say less than the quote, but every
        figure and date of it must be in the quote as exactly as it is stated, no qualifier of the
        quote may be missing, no word of the statement may turn it round, and its polarity must be
        that of the place.
        """
        if fault := self.quote_fault(claim.quote, claim.line):
            return fault
        if claim.polarity is not self._polarity(claim):
            return f"the document's words are {self._polarity(claim)}, not {claim.polarity}"
        quote = parse_document(claim.quote)
        quoted = [sentence.text for sentence in quote.sentences]
        parts = [one.text for one in detect_claims(quote, self.lexicon, as_of=self.as_of)]
        whole = [*quoted, *parts, " ".join(quoted)]
        if _folded(claim.statement) in map(_folded, (*whole, *map(_turned, whole))):
            return ""
        if fault := limit_fault(claim.statement, " ".join(quoted), self.lexicon):
            return fault
        said = self._statements(_written_out(claim.statement))
        if not said:
            return "its statement states no fact"
        index = TextIndex("\n".join(quoted), self.lexicon)
        return next(filter(None, (self._difference(one, index) for one in said)), "")

    def _polarity(self, claim: ExtractedClaim) -> Polarity:
        """The polarity of the claim's place, which the sentence after it may turn."""
        span = span_of(claim.quote, claim.line, self.document)
        if span is None:
            return Polarity.ASSERTED
        sentences = self.document.sentences
        after = bisect.bisect_left(sentences, span[1], key=lambda sentence: sentence.start)
        following = ""
        if 0 < after < len(sentences) and sentences[after].block == sentences[after - 1].block:
            following = sentences[after].text
        return polarity_of(" ".join(claim.quote.split()), following, self.lexicon)

    def _statements(self, statement: str) -> Sequence[Claim]:
        document = parse_document(f"{statement.rstrip('.')} (https://example.org/).\n")
        found = detect_claims(document, self.lexicon, as_of=self.as_of)
        return [one for one in found if not one.exclusion] or found

    def _difference(self, claim: Claim, quote: TextIndex) -> str:
        """What the statement says otherwise than the quote, "" for nothing."""
        form = claim_form(claim, self.lexicon)
        aligner = Aligner(form, quote, self.lexicon, self.policy)
        best = next(iter(aligner.alignments()), None)
        if best is None:
            return "its quote says nothing of what it states"
        for match in best.slots:
            if not match.filled:
                return f"its quote does not state {match.slot.value.text!r}"
        for term in best.missing:
            if term.counts:
                return f"its quote says nothing of {term.word!r}"
        for objection in objections(aligner, best):
            return f"it says {objection.claimed!r}, its quote {objection.found!r}"
        return ""


def _turned(text: str) -> str:
    """`text` with what stands before its first comma put at its end: "It rose in May"."""
    opening, comma, rest = text.rstrip(".").partition(", ")
    return f"{rest} {opening}" if comma else text


def _folded(text: str) -> str:
    """`text` as it may be written otherwise: "doesn't" for "does not", "1400" for "1,400"."""
    text = _THOUSANDS.sub("", _PERCENT.sub(" %", _written_out(text)))
    return " ".join(text.casefold().split()).rstrip(".;,")


def _written_out(text: str) -> str:
    return _CANNOT.sub(r"\1 not", _CONTRACTED.sub(" not", text))
