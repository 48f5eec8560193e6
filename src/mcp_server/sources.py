"""The calls about one source: how good it is, and what it says."""

from __future__ import annotations

import secrets

from ..agents.untrusted_text import UntrustedText
from ..assembly.source_scores import score_urls
from ..assembly.sources import fetch_sources
from ..base.errors import InputError
from ..report.wording import source_notes
from ..sources.scoring.model import Part
from .context import CallContext
from .inputs import FetchSource, ScoreSource
from .outputs import ScorePart, SourceFetched, SourceScored


async def score_source(call: ScoreSource, context: CallContext) -> SourceScored:
    """Fetch a source and score it.

    Raises:
        InputError: A registry file is broken.
    """
    loaded = context.loaded(topic=call.topic, as_of=call.as_of)
    rated = (await score_urls([call.url], loaded)).appraisal.rated[0]
    source, score = rated.source, rated.score
    return SourceScored(
        url=source.url,
        state=source.state,
        reason=source.reason,
        title=rated.given.title,
        dated=score.dated,
        score=score.total,
        tier=score.tier.name,
        parts={name: _part(part) for name, part in score.parts.items()},
        authority_class=score.site.name,
        weight=score.weight,
        reliable=score.reliable,
        low_reliability=score.low_reliability,
        authoritative=score.authoritative,
        remarks=tuple(source_notes(rated)),
    )


def _part(part: Part) -> ScorePart:
    return ScorePart(
        points=part.points, out_of=part.out_of, reason=part.reason, evidence=tuple(part.evidence)
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
    return SourceFetched(
        url=source.url,
        state=source.state,
        reason=source.reason,
        address=snapshot.url_chain[-1] if snapshot else "",
        title=snapshot.title if snapshot else "",
        author=snapshot.author if snapshot else "",
        published=snapshot.published if snapshot else None,
        modified=snapshot.modified if snapshot else None,
        media_type=snapshot.media_type if snapshot else "",
        language=snapshot.language if snapshot else "",
        fetched_at=snapshot.fetched_at if snapshot else None,
        sha256=snapshot.sha256 if snapshot else None,
        length=len(text),
        offset=call.offset,
        next_offset=end if end < len(text) else None,
        text=fence.mark(part) if part else "",
    )
