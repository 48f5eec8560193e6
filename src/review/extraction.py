"""The claims of a document: those that code detects, and those that extractors add (phase 4a).

An extractor classifies the claims that code detected and adds others. It removes none, and adds
none that a rule excludes.
"""

from __future__ import annotations

import bisect
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path

from ..base.registry import RegistryModel, load_registry_file
from ..base.vocabulary import CitationState, Verdict
from ..claims.classify import Classifier, bare_claim, cited_addresses
from ..claims.detect import detect_claims
from ..claims.duplicates import duplicate_groups, new_id
from ..claims.lexicon import Lexicon
from ..claims.model import Claim, ClaimCategory, Materiality, Polarity
from ..claims.routing import polarity_of
from ..documents.model import Document
from ..documents.parse import parse_document
from ..redteam.model import Words
from ..verification.exact.words import missing_identifiers
from ..verification.judge import judge
from ..verification.model import SlotOutcome
from ..verification.passages.retrieval import SourceText
from ..verification.queries import is_internal
from ..verification.registry import Registry
from .compiling import line_of, overlap, span_of
from .types import (
    ClaimExtractorConfig,
    DetectedClaims,
    ExcludedClaim,
    ExtractedClaim,
    Extraction,
    ExtractionInput,
)

DATE_LINE = "date_line"
"""The rule by which a line that only dates the document is no claim."""

_LONGEST_LABEL = 2
_STATED = ("text", "kind", "quantities", "dates", "quotes", "entities", "references", "core")
"""The fields of a claim that follow from its text."""


def extracted_claim(claim: Claim, document: Document) -> ExtractedClaim:
    """`claim`, which was found in `document`, with the document's words that state it."""
    start, end = stated_span(claim)
    cited = claim.citation_state is CitationState.DIRECT
    return ExtractedClaim(
        id=claim.id,
        statement=claim.text,
        quote=" ".join(document.text[start:end].split()),
        line=document.position(start)[0],
        topic=claim.topic,
        # What is cited as evidence bears load (review spec, materiality filter).
        materiality=Materiality.LOAD_BEARING if cited else claim.materiality,
        temporality=claim.temporality,
        polarity=claim.polarity,
        by_rules=True,
    )


def stated_span(claim: Claim) -> tuple[int, int]:
    """The stretch of the document that holds every word of `claim`."""
    start, end = claim.location.start, claim.location.end
    if claim.anchors and claim.text:
        places = [claim.source_span(at, at + 1) for at, _ in claim.anchors]
        lasts = [at - 1 for at, _ in claim.anchors[1:]] + [len(claim.text) - 1]
        start = min(start, *(place[0] for place in places))
        end = max(end, *(claim.source_span(at, at + 1)[1] for at in lasts))
    return start, end


def detect_document_claims(document: Document, lexicon: Lexicon, *, as_of: date) -> DetectedClaims:
    """The claims of `document` by rules, statements of fact without a number among them.

    A line that only dates the document is none.
    """
    found = [
        replace(claim, exclusion=DATE_LINE) if _is_date_line(claim) else claim
        for claim in detect_claims(document, lexicon, as_of=as_of, statements=True)
    ]
    claims = tuple(claim for claim in found if not claim.exclusion)
    excluded = tuple(claim for claim in found if claim.exclusion)
    return DetectedClaims(document, lexicon, as_of, claims, excluded)


def _is_date_line(claim: Claim) -> bool:
    """Whether nothing but a label stands beside a date: "Date: 2026-02-01"."""
    if claim.quantities or claim.quotes or not claim.dates or " | " in claim.text:
        return False
    rest = list(claim.text)
    for span in claim.dates:
        rest[span.start : span.end] = " " * (span.end - span.start)
    return len("".join(rest).split()) <= _LONGEST_LABEL


# --- parts -------------------------------------------------------------------------------------


def extraction_inputs(
    detected: DetectedClaims, config: ClaimExtractorConfig
) -> tuple[ExtractionInput, ...]:
    """The document in parts within the limits of `config`, which together are the whole of it.

    Parts end between paragraphs where they can, else between sentences; a sentence that is longer
    than any part stands alone.
    """
    document = detected.document
    claims = sorted(detected.claims, key=lambda claim: claim.location.start)
    places = [claim.location.start for claim in claims]
    cuts = [0, *_cuts(document, places, config), len(document.text)]
    ends = [bisect.bisect_left(places, cut) for cut in cuts]
    return tuple(
        ExtractionInput(document, tuple(claims[first:last]), start, end)
        for (first, last), (start, end) in zip(pairwise(ends), pairwise(cuts), strict=True)
    )


def _cuts(document: Document, places: Sequence[int], config: ClaimExtractorConfig) -> Iterator[int]:
    """Where parts end and begin; `places` are those of the claims, ascending."""

    def fits(start: int, end: int) -> bool:
        count = bisect.bisect_left(places, end) - bisect.bisect_left(places, start)
        return end - start <= config.part_chars and count <= config.part_claims

    sentences = document.sentences
    ends = [sentence.start for sentence in sentences[1:]] + [len(document.text)]
    begun = paragraph = 0
    for sentence, end in zip(sentences, ends, strict=False):
        before = sentences[sentence.index - 1] if sentence.index else None
        if before is None or before.block != sentence.block:
            # Where the line of a paragraph's first sentence begins, with its marks.
            line = document.line_starts[sentence.line - 1]
            paragraph = max(line, before.end) if before else line
        for cut in (paragraph, sentence.start):
            if cut > begun and not fits(begun, end):
                begun = cut
                yield cut


# --- merging -------------------------------------------------------------------------


def merge_extraction(detected: DetectedClaims, answered: Iterable[ExtractedClaim]) -> Extraction:
    """Merge the extractors' answers into the detected claims.

    A detected claim without an answer, because its part failed, keeps code's classification. An
    added claim is left out if it repeats another one at its place, or if code excludes its words.
    """
    document = detected.document
    claims = {claim.id: extracted_claim(claim, document) for claim in detected.claims}
    spans = {claim.id: stated_span(claim) for claim in detected.claims}
    added: list[ExtractedClaim] = []
    for claim in answered:
        own = claims.get(claim.id) if claim.by_rules else None
        if own:
            # Its words stay code's own.
            words = own.statement, own.quote, own.line
            claims[claim.id] = replace(claim, statement=words[0], quote=words[1], line=words[2])
        else:
            added.append(claim)
    shown = ((extracted_claim(one, document), one.exclusion) for one in detected.excluded)
    excluded = [ExcludedClaim(one.statement, one.quote, one.line, rule) for one, rule in shown]
    rules = {_folded(text): one for one in excluded for text in (one.statement, one.quote)}
    duplicates = 0
    for claim in sorted(added, key=lambda one: one.line):
        if rule := rules.get(_folded(claim.statement)):
            if (rule.line, rule.quote) != (claim.line, claim.quote):
                excluded.append(ExcludedClaim(claim.statement, claim.quote, claim.line, rule.rule))
            continue
        span = span_of(claim.quote, claim.line, document)
        beside = (claims[id_] for id_, other in spans.items() if span and overlap(other, span))
        if any(_says_the_same(claim, one, detected) for one in beside):
            duplicates += 1
            continue
        if claim.id in claims:
            claim = replace(claim, id=new_id(f"{claim.statement} {claim.line}", claims))
        claims[claim.id] = claim
        if span is not None:
            spans[claim.id] = span
    return Extraction(
        tuple(sorted(claims.values(), key=lambda one: (one.line, not one.by_rules))),
        tuple(sorted(excluded, key=lambda one: one.line)),
        duplicates,
    )


def _says_the_same(one: ExtractedClaim, other: ExtractedClaim, detected: DetectedClaims) -> bool:
    if _folded(one.statement) == _folded(other.statement):
        return True
    lexicon, as_of = detected.lexicon, detected.as_of
    stated = [stated_claim(each.statement, lexicon, as_of) for each in (one, other)]
    return bool(duplicate_groups(stated, lexicon.words))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".;,")


def read_statement(text: str, lexicon: Lexicon, as_of: date) -> Sequence[Claim]:
    """The claims of `text`, which is read as if it cited a source, so that it is a claim."""
    line = f"{' '.join(text.split()).rstrip('.')} (https://example.org/).\n"
    return detect_claims(parse_document(line, lexicon.document_words), lexicon, as_of=as_of)


def stated_claim(text: str, lexicon: Lexicon, as_of: date) -> Claim:
    """`text`, an extractor's own words, as a claim without a place or a citation of its own."""
    found = read_statement(text, lexicon, as_of)
    claim = found[0] if len(found) == 1 else bare_claim(text, lexicon)
    return replace(claim, cited=(), anchors=(), exclusion="", load_bearing=False)


def reword(claim: Claim, text: str, lexicon: Lexicon, as_of: date) -> Claim:
    """`claim` with what `text` states, at its place and with its citations."""
    stated = stated_claim(text, lexicon, as_of)
    changed = {name: getattr(stated, name) for name in _STATED}
    # No word of it is corrected, so that its place as a whole will do.
    return replace(claim, anchors=((0, claim.location.start),), **changed)


# --- claims for the engine ------------------------------------------------------------------


def claims_to_check(
    detected: DetectedClaims, extracted: Iterable[ExtractedClaim]
) -> Mapping[str, Claim]:
    """The extracted claims as the engine compares them, by id, with the extractors' classes.

    An added claim has the citations of its place. It is internal, so that no query about it leaves
    the machine, if anything in its sentences is.
    """
    own = {claim.id: claim for claim in detected.claims}
    checked: dict[str, Claim] = {}
    for one in extracted:
        claim = own.get(one.id) if one.by_rules else None
        if claim is None:
            claim = _claim_at_its_place(one, detected)
        checked[one.id] = replace(
            claim,
            topic=one.topic,
            load_bearing=one.materiality is Materiality.LOAD_BEARING,
            temporality=one.temporality,
            polarity=one.polarity,
        )
    return checked


def _claim_at_its_place(one: ExtractedClaim, detected: DetectedClaims) -> Claim:
    """What `one` states, at its place and with what that cites."""
    document, classifier = detected.document, Classifier(detected.lexicon)
    claim = stated_claim(one.statement, detected.lexicon, detected.as_of)
    start, end = span_of(one.quote, one.line, document) or (0, 0)
    sentences = [
        item for item in document.sentences if overlap((item.start, item.end), (start, end))
    ]
    scopes = [scope for item in sentences for scope in document.scopes[item.index]]
    internal = {item.sentence for item in detected.claims if is_internal(item)}
    own = any(
        item.index in internal
        or classifier.is_own_result(item.text)
        or classifier.is_own_estimate(item.text)
        for item in sentences
    )
    section = " > ".join(sentences[0].section) if sentences else ""
    return replace(
        claim,
        id=one.id,
        location=document.location(start, end, section),
        sentence=sentences[0].index if sentences else 0,
        cited=cited_addresses(document, scopes),
        # No word of it is corrected, so that its place as a whole will do.
        anchors=((0, start),),
        category=ClaimCategory.OWN_RESULT if own else claim.category,
    )


_THAT = re.compile(r"\bthat (?=\S)", re.IGNORECASE)
_CONTRARY = re.compile(r"\W*contrary to\b", re.IGNORECASE)
_FEWEST_WORDS = 3


def restate_refuted(claim: Claim, lexicon: Lexicon, *, as_of: date) -> Claim:
    """`claim`, or if it is refuted, the statement that the document refutes, at the same place.

    "Critics say that it cost 4 million, but it cost 2" argues against "It cost 4 million", and "It
    is a myth that it leaks" against "It leaks".
    """
    if claim.polarity is not Polarity.REFUTED:
        return claim
    stated_text = _state_opposite(claim.text, lexicon)
    if stated_text == claim.text or len(stated_text.split()) < _FEWEST_WORDS:
        return claim
    return reword(claim, stated_text, lexicon, as_of)


def _state_opposite(text: str, lexicon: Lexicon) -> str:
    words = lexicon.routing
    refuting = words.refuted.search(text)
    if refuting is None:
        contrast = words.contrasted.search(text)
        stated_text = text[: contrast.start()] if contrast else text
        speaker = words.speaker.search(stated_text)
        return _sentence(stated_text[speaker.end() :] if speaker else stated_text)
    that = _THAT.search(text, refuting.start())
    if that is None:
        return _sentence(text[: refuting.start()].removeprefix("That "))
    stated_text = text[that.end() :]
    return _sentence(stated_text.partition(",")[0] if _CONTRARY.match(text) else stated_text)


def _sentence(text: str) -> str:
    text = text.strip(" ,;.").removeprefix("that ")
    return f"{text[:1].upper()}{text[1:]}."


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
        return _Place(
            tuple(sentence.text for sentence in within),
            tuple(one.text for one in claims),
            (said,) if turned or not touched else tuple(dict.fromkeys(touched)),
        )

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
