"""Smoke tests: whether a finding or a claim says what the document says (phases 3 and 4a-v)."""

from __future__ import annotations

import bisect
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache, cached_property
from pathlib import Path

from ..base.registry import RegistryModel, load_registry_file
from ..base.vocabulary import Verdict
from ..claims.lexicon import Lexicon
from ..claims.model import Claim, Polarity
from ..claims.routing import polarity_of
from ..documents.model import Document
from ..redteam.model import Words
from ..verification.exact.words import missing_identifiers
from ..verification.judge import judge
from ..verification.model import SlotOutcome
from ..verification.passages.retrieval import SourceText
from ..verification.registry import Registry
from .compiling import line_of, span_of
from .extraction import detect_document_claims, read_statement
from .types import DetectedClaims, ExtractedClaim

_CONTRACTED = re.compile(r"(?<!\bca)(?<!\bwo)(?<!\bsha)(?<=\w)n['\u2019]t\b", re.IGNORECASE)
_CANNOT = re.compile(r"\b(can)(?:not|['\u2019]t)\b", re.IGNORECASE)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_POINT = re.compile(r"\d\|[.,]\d|\d[.,]\|\d")
_CLAUSE_END = re.compile(r"[.;:!?]\s")
_FOUND = (SlotOutcome.MATCH, SlotOutcome.ROUNDED)


class LimitRules(RegistryModel):
    """`smoke.yaml`: words that limit the word behind them, and those that limit the one before."""

    ahead: tuple[Words, ...]
    behind: tuple[Words, ...]


@cache
def load_limits(folder: Path | None = None) -> LimitRules:
    """The word lists of the package, of which `folder` may hold another version.

    Raises:
        RegistryError: The file cannot be read or does not validate.
    """
    return load_registry_file(LimitRules, "smoke.yaml", folder)


@dataclass(frozen=True, slots=True)
class _Place:
    """The sentences around a quote, what rules read as stated there, and with what polarity."""

    sentences: tuple[str, ...]
    statements: tuple[str, ...]
    polarities: tuple[Polarity, ...]


@dataclass(frozen=True)
class SmokeTest:
    """Tests what is said of `document` against its words.

    `as_of` is the day at which relative dates of a claim are read; `limits` are words that a claim
    may not leave out.
    """

    document: Document
    registry: Registry
    as_of: date
    limits: LimitRules = field(default_factory=load_limits)

    @property
    def lexicon(self) -> Lexicon:
        """The word lists of the registry."""
        return self.registry.lexicon

    def quote_fault(self, quote: str, line: int) -> str:
        """Why `quote` does not stand in `line` of the document, "" if it does.

        It stands there in whole words and numbers.
        """
        span = span_of(quote, line, self.document)
        if span is None:
            return "its quote is not in the document"
        if any(_is_inside(self.document.text, offset) for offset in span):
            return "its quote begins or ends inside a word or a number"
        found = line_of(span[0], self.document)
        return "" if found == line else f"its quote is in line {found}, not in line {line}"

    def claim_fault(self, claim: ExtractedClaim) -> str:
        """Why `claim` is not what the document says, "" if it is.

        Its quote must stand at its line. The statement may say less than the sentences that the
        quote is taken from, but every figure and date of it must be in them as exactly as it is
        stated, no qualifier of theirs may be missing, no word of the statement may turn them
        round, and its polarity must be that of the place.
        """
        if fault := self.quote_fault(claim.quote, claim.line):
            return fault
        place = self._find_place(claim.quote, claim.line)
        if claim.polarity not in place.polarities:
            known = " or ".join(place.polarities)
            return f"the document's words are {known}, not {claim.polarity}"
        quoted = place.sentences
        whole = (*quoted, *place.statements, " ".join(quoted))
        if _fold(claim.statement) in map(_fold, whole):
            return ""
        if left_out := next(self._dropped_limits(claim.statement, " ".join(quoted)), ""):
            return f"it leaves out {left_out!r}"
        found = read_statement(claim.statement, self.lexicon, self.as_of)
        said = [one for one in found if not one.exclusion] or found
        if not said:
            return "its statement states no fact"
        quote = SourceText("\n".join(quoted), self.lexicon)
        return next(filter(None, (self._difference(one, quote) for one in said)), "")

    def polarity(self, claim: ExtractedClaim) -> Polarity:
        """The claim's polarity if it is that of its place, else the place's own."""
        polarities = self._find_place(claim.quote, claim.line).polarities
        return claim.polarity if claim.polarity in polarities else polarities[0]

    def _find_place(self, quote: str, line: int) -> _Place:
        """The whole sentences that a quote touches, as it may leave out what turns it.

        Where rules see claims in them, the polarity is that of the claims that the quote touches;
        the sentence after them may turn it.
        """
        if known := self._places.get((quote, line)):
            return known
        start, end = span_of(quote, line, self.document) or (0, 0)
        sentences = self.document.sentences
        first = bisect.bisect_right(sentences, start, key=lambda one: one.start) - 1
        after = bisect.bisect_left(sentences, end, key=lambda one: one.start)
        within = sentences[max(first, 0) : after]
        begin = min(start, within[0].start) if within else start
        until = max(end, within[-1].end) if within else end
        following = ""
        if 0 < after < len(sentences) and sentences[after].block == sentences[after - 1].block:
            following = sentences[after].text
        text = self.document.text[begin:until]
        said = polarity_of(" ".join(text.split()), following, self.lexicon)
        claims = [one for sentence in within for one in self._claims.get(sentence.index, ())]
        touched = [
            one.polarity for one in claims if one.location.start < end and start < one.location.end
        ]
        turned = said is Polarity.REFUTED and bool(following)
        found = self._places[quote, line] = _Place(
            tuple(sentence.text for sentence in within),
            tuple(one.text for one in claims),
            (said,) if turned or not touched else tuple(dict.fromkeys(touched)),
        )
        return found

    @cached_property
    def _places(self) -> dict[tuple[str, int], _Place]:
        """Those that were read; a claim's is asked for twice."""
        return {}

    @cached_property
    def detected(self) -> DetectedClaims:
        """The claims that rules find."""
        return detect_document_claims(self.document, self.lexicon, as_of=self.as_of)

    @cached_property
    def _claims(self) -> Mapping[int, Sequence[Claim]]:
        """Those and the excluded ones by the index of their sentence."""
        found: defaultdict[int, list[Claim]] = defaultdict(list)
        for claim in (*self.detected.claims, *self.detected.excluded):
            found[claim.sentence].append(claim)
        return found

    def _dropped_limits(self, statement: str, quote: str) -> Iterator[str]:
        """The words of `quote` that limit a word of `statement`, which leaves them out.

        A claim may leave out whole facts of its quote, with what limits them.
        """
        book = self.lexicon.words
        said = {token.stem for token in book.tokens(statement)}
        for nearest, patterns in ((0, self.limits.ahead), (-1, self.limits.behind)):
            for pattern in patterns:
                for found in pattern.finditer(quote) if not pattern.search(statement) else ():
                    before, after = quote[: found.start()], quote[found.end() :]
                    beside = _CLAUSE_END.split(before if nearest else after)[nearest]
                    words = [one for one in book.tokens(beside) if one.word not in book.stop_words]
                    if words and words[nearest].stem in said:
                        yield found[0]

    def _difference(self, claim: Claim, quote: SourceText) -> str:
        """Difference between the statement and its quote, "" if there is none.

        A reader has to find the statement in the quote. Without a reader hardly any rewording can
        be confirmed: then only what is compared exactly counts.
        """
        missing = missing_identifiers(claim.text, quote.text)
        if missing:
            return f"its quote does not state {', '.join(missing)}"
        found = judge(claim, quote, self.registry)
        if found.verdict is Verdict.SUPPORTED:
            return ""
        differs = found.verdict is Verdict.CONTRADICTED or found.sure
        lacking = any(slot.outcome not in _FOUND for slot in found.slots)
        if self.registry.reader.available or differs or lacking:
            return f"its quote: {found.reason}"
        return ""


def _fold(text: str) -> str:
    """`text` as it may be written otherwise: "doesn't" for "does not", "1400" for "1,400"."""
    text = _THOUSANDS.sub("", _CANNOT.sub(r"\1 not", _CONTRACTED.sub(" not", text)))
    return " ".join(text.casefold().split()).rstrip(".;,")


def _is_inside(text: str, offset: int) -> bool:
    """Whether a cut at `offset` goes through a word or a number."""
    before, behind = text[max(0, offset - 2) : offset], text[offset : offset + 2]
    if not before or not behind:
        return False
    if before[-1].isalnum() and behind[0].isalnum():
        return True
    return bool(_POINT.search(before + "|" + behind))
