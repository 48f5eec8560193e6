"""Claims, sources and assessments from plain texts, for tests of the claim engine."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from datetime import UTC, date, datetime

from foureyes.base.vocabulary import SourceState
from foureyes.claims.detect import detect_claims
from foureyes.claims.model import Claim
from foureyes.documents.parse import parse_document
from foureyes.sources.model import Snapshot, Source, SourceSet
from foureyes.verification.assessing.assess import assess_claim
from foureyes.verification.check import CheckReport, check_document
from foureyes.verification.model import ClaimAssessment
from foureyes.verification.passages.retrieval import SourceIndex
from foureyes.verification.registry import Registry, load_registry

AS_OF = date(2026, 3, 1)
PAGE = "https://example.org/page"


@functools.cache
def registry() -> Registry:
    """The packaged registry, loaded once."""
    return load_registry()


def source(
    url: str = PAGE,
    state: SourceState = SourceState.OK,
    *,
    language: str = "en",
    title: str = "",
    published: date | None = None,
) -> Source:
    """A source of `url`; with a snapshot if its state is readable."""
    if not state.readable:
        return Source(url, state, f"it is {state.value}")
    fetched = datetime(2026, 2, 1, tzinfo=UTC)
    snapshot = Snapshot(
        sha256=f"sha of {url}",
        text_sha256="",
        url_chain=(url,),
        fetched_at=fetched,
        status=200,
        media_type="text/html",
        size=1,
        title=title,
        published=published,
        language=language,
    )
    return Source(url, state, "read", snapshot)


def sources(texts: Mapping[str, str], *others: Source) -> SourceSet:
    """Readable sources with these texts; `others` are added, or replace the one of their URL."""
    found = {url: source(url) for url in texts} | {other.url: other for other in others}
    return SourceSet(found, {f"sha of {url}": text for url, text in texts.items()})


def claims_of(draft: str) -> tuple[Claim, ...]:
    """The claims of a draft."""
    return detect_claims(parse_document(draft), registry().lexicon, as_of=AS_OF)


def cited(sentence: str, *urls: str) -> str:
    """`sentence` with footnote-like citations of `urls`, by default of `PAGE`."""
    marks = " ".join(f"({url})" for url in urls or (PAGE,))
    return f"{sentence.rstrip('.')} {marks}."


def assess(
    draft: str, found: SourceSet, *, language: str = "en", written: date | None = None
) -> ClaimAssessment:
    """The assessment of the draft's only claim."""
    (claim,) = claims_of(draft)
    index = SourceIndex(found, registry().lexicon)
    return assess_claim(claim, index, registry(), as_of=AS_OF, written=written, language=language)


def judged(sentence: str, text: str) -> ClaimAssessment:
    """The assessment of a sentence that cites a page with this text."""
    return assess(cited(sentence), sources({PAGE: text}))


def check(draft: str, found: SourceSet) -> CheckReport:
    """The whole check of a draft."""
    return check_document(parse_document(draft), found, registry(), as_of=AS_OF)
