"""The calls that check texts and sources by rules: no model, no run directory."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import quote

from ..agents.reading import UntrustedText
from ..assembly.check import check_text
from ..assembly.check_result import CheckResult
from ..assembly.materials import sort_sources, source_names
from ..assembly.sources import fetch_sources, score_urls
from ..base.errors import InputError
from ..base.vocabulary import Severity, Verdict
from ..claims.detect import detect_claims
from ..claims.lexicon import load_lexicon
from ..claims.model import Claim
from ..documents.parse import parse_document
from ..report.wording import source_notes
from ..sources.local_files import LocalSources
from ..sources.scoring.model import RatedSource
from .inputs import CheckDocument, FetchSource, ListClaims, ScoreSource, VerifyClaim
from .outputs import (
    ClaimsListed,
    ClaimVerdict,
    ClaimVerified,
    DocumentChecked,
    ListedClaim,
    ReadSource,
    SourceFetched,
    SourceScored,
)
from .service import CallContext

MOST_SOURCES = 50
"""Most sources that one claim is compared with, and that one answer lists."""

_WORST_FIRST = (
    Verdict.CONTRADICTED,
    Verdict.DISPUTED,
    Verdict.SOURCE_UNAVAILABLE,
    Verdict.UNVERIFIABLE,
    Verdict.PARTIALLY_SUPPORTED,
    Verdict.SUPPORTED,
    Verdict.NOT_CHECKABLE,
)


async def check_document(call: CheckDocument, context: CallContext) -> DocumentChecked:
    """Check a document against what it cites.

    Raises:
        InputError: The document or a source cannot be used.
    """
    text = context.text("document", call.text, call.path)
    sources = context.sources(call.sources, call.texts)
    path = str(context.file(call.path)) if call.path else ""
    loaded = context.loaded(topic=call.topic, as_of=call.as_of)
    result = await check_text(text, path, sources, loaded)
    report, limit = result.report, call.limit
    rated = result.appraisal.rated
    return DocumentChecked(
        gate=result.gate,
        accuracy=report.accuracy,
        coverage=report.coverage,
        verdicts=Counter(one.verdict for one in report.assessments),
        severities={severity: report.severity_counts.get(severity, 0) for severity in Severity},
        findings=result.findings[:limit],
        more_findings=max(0, len(result.findings) - limit),
        claims=tuple(_verdicts(result))[:limit],
        more_claims=max(0, len(report.claims) - limit),
        sources=tuple(map(_read, rated[:MOST_SOURCES])),
        more_sources=max(0, len(rated) - MOST_SOURCES),
    )


async def list_claims(call: ListClaims, context: CallContext) -> ClaimsListed:
    """List what a document claims.

    Raises:
        InputError: The document cannot be used.
    """
    lexicon = load_lexicon(context.service.loaded.settings.registry_dir)
    text = context.text("document", call.text, call.path)
    document = parse_document(text, lexicon.document_words)
    day = context.day(call.as_of)
    claims = detect_claims(document, lexicon, as_of=day, statements=call.statements)
    end = call.offset + call.limit
    return ClaimsListed(
        total=len(claims),
        not_checkable=sum(bool(claim.exclusion) for claim in claims),
        claims=tuple(map(_listed, claims[call.offset : end])),
        next_offset=end if end < len(claims) else None,
    )


async def verify_claim(call: VerifyClaim, context: CallContext) -> ClaimVerified:
    """Hold a claim against sources, as if it cited each of them.

    Raises:
        InputError: There is no source, there are too many, or one cannot be used.
    """
    sources = context.sources(call.sources, call.texts)
    named = tuple(_citations(sources))
    if not named:
        raise InputError("there is nothing to hold the claim against", "give sources or texts")
    if len(named) > MOST_SOURCES:
        raise InputError(
            f"{len(named)} sources are more than a claim is held against ({MOST_SOURCES})",
            "name fewer, or a smaller folder",
        )
    marks = " ".join(f"[{number}](<{name}>)" for number, name in enumerate(named, start=1))
    text = f"{' '.join(call.claim.split())} {marks}\n"
    result = await check_text(text, "", sources, context.loaded(as_of=call.as_of))
    claims = tuple(_verdicts(result))
    worst = min(claims, key=lambda one: _WORST_FIRST.index(one.verdict), default=None)
    return ClaimVerified(
        verdict=worst.verdict if worst else Verdict.NOT_CHECKABLE,
        reason=worst.reason if worst else "this is no statement of a fact",
        claims=claims,
        sources=tuple(map(_read, result.appraisal.rated)),
    )


def _citations(sources: Sequence[str]) -> Iterator[str]:
    """How each of `sources` is cited, with what a link cannot hold percent-encoded."""
    given = sort_sources(sources)
    yield from (quote(file.name) for file in given.files)
    yield from (_in_link(name) for name in source_names(LocalSources(given.folders)))
    yield from map(_in_link, given.urls)


def _in_link(name: str) -> str:
    return quote(name, safe="/:?#[]@!$&'()*+,;=%~")


def _verdicts(result: CheckResult) -> Iterable[ClaimVerdict]:
    """Every claim with its verdict, in the order of the document."""
    report = result.report
    answers = zip(report.claims, report.assessments, strict=True)
    bindings = {binding.claim_id: binding for binding in result.bindings}
    for claim, answer in answers:
        binding = bindings.get(claim.id)
        yield ClaimVerdict.of(
            claim,
            answer,
            line=claim.location.line,
            citation=answer.citation_state,
            tier=binding.tier if binding else None,
            confidence=binding.aggregated_confidence if binding else None,
        )


def _listed(claim: Claim) -> ListedClaim:
    place = claim.location
    return ListedClaim.of(
        claim, line=place.line, section=place.section, citation=claim.citation_state
    )


def _read(rated: RatedSource) -> ReadSource:
    snapshot = rated.source.snapshot
    return ReadSource.of(
        rated.source,
        title=rated.given.title,
        tier=rated.score.tier.name,
        sha256=snapshot.sha256 if snapshot else None,
    )


async def score_source(call: ScoreSource, context: CallContext) -> SourceScored:
    """Fetch a source and score it.

    Raises:
        InputError: A registry file is broken.
    """
    loaded = context.loaded(topic=call.topic, as_of=call.as_of)
    rated = (await score_urls([call.url], loaded))[0].rated[0]
    source, score = rated.source, rated.score
    return SourceScored.of(
        source,
        score,
        title=rated.given.title,
        score=score.total,
        tier=score.tier.name,
        authority_class=score.site.name,
        remarks=tuple(source_notes(rated)),
    )


async def fetch_source(call: FetchSource, context: CallContext) -> SourceFetched:
    """Fetch a source and give a part of its text.

    Raises:
        InputError: The offset is behind the end, or a registry file is broken.
    """
    found = await fetch_sources([call.url], context.loaded())
    source = found.source(call.url)
    readable = found.readable(call.url)
    snapshot, text = readable or (source.snapshot, "")
    if call.offset and call.offset >= len(text):
        raise InputError(
            f"the offset {call.offset:,} is behind the end of the text ({len(text):,} characters)",
            "begin at 0",
        )
    end = min(len(text), call.offset + call.max_chars)
    part = text[call.offset : end]
    # A page cannot know a code that is drawn for each answer anew.
    fence = UntrustedText.of(secrets.token_hex(16))
    return SourceFetched.of(
        source,
        snapshot,
        address=snapshot.url_chain[-1] if snapshot else "",
        length=len(text),
        offset=call.offset,
        next_offset=end if end < len(text) else None,
        text=fence.mark(part) if part else "",
    )
