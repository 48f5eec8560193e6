"""The claims of a document: those that code detects, and those that extractors add (phase 4a).

An extractor classifies the claims that code detected and adds others. It removes none, and adds
none that a rule excludes.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise

from ..base.vocabulary import CitationState
from ..claims.classify import Classifier, bare_claim, cited_addresses
from ..claims.detect import detect_claims
from ..claims.duplicates import duplicate_groups, new_id
from ..claims.lexicon import Lexicon
from ..claims.model import Claim, ClaimCategory, Materiality, Polarity
from ..documents.model import Document
from ..documents.parse import parse_document
from ..verification.queries import is_internal
from .compiling import overlap, span_of
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
    return replace(
        claim,
        text=stated.text,
        kind=stated.kind,
        quantities=stated.quantities,
        dates=stated.dates,
        quotes=stated.quotes,
        entities=stated.entities,
        references=stated.references,
        core=stated.core,
        # No word of it is corrected, so that its place as a whole will do.
        anchors=((0, claim.location.start),),
    )


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
