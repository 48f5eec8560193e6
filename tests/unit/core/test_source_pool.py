"""Which found sources may be offered for a document, and which of them count."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from foureyes.claims.detect import detect_claims
from foureyes.core._source_pool import AvailableSources, SourcePool
from foureyes.core.evidence_parts import EvidenceParts
from foureyes.core.iteration import Recovery
from foureyes.datatypes import Appraisal, Source, SourceSet
from foureyes.documents.parse import parse_document
from foureyes.sources.scoring.appraisal import appraise
from foureyes.sources.scoring.rules import load_scoring
from support.claim_kit import registry
from support.evidence_run import open_reader
from support.http_site import HttpSite
from support.loop_agents import AS_OF

SAYS = "The Arnsund tidal power station has 24 turbines.\n"
TEXT = f"# Arnsund\n\n{SAYS[:-2]} (https://cited.example/).\n\n" + "\n\n".join(
    f"The council of Arnsund counted {number} boats in the harbour that day."
    for number in range(20, 40)
)
PAGES = {"/good.txt": SAYS, "/poor.txt": SAYS + "It hums.\n", "/copy.txt": TEXT}


def scored(sources: SourceSet) -> Appraisal:
    """The scores of `sources` with points that go by the page."""
    found = appraise(sources, load_scoring(), as_of=AS_OF)
    rated = (
        replace(
            one,
            score=replace(
                one.score,
                reliable=one.source.url.endswith("/good.txt"),
                low_reliability=one.source.url.endswith("/bad.txt"),
            ),
        )
        for one in found.rated
    )
    return replace(found, rated=tuple(rated))


async def found_for(
    folder: Path, *, scores: bool
) -> tuple[SourcePool, AvailableSources, list[Source]]:
    """The sources available after a search found every page and a cited one."""
    async with HttpSite() as site, open_reader(folder, site) as reader:
        for path, text in (*PAGES.items(), ("/bad.txt", SAYS + "It stinks.\n")):
            site.page(path, text, media_type="text/plain")
        urls = [site.url(path) for path in (*PAGES, "/bad.txt")]
        read = await reader.fetcher.fetch_all(urls, limit=9)
        appraiser, scoring = (scored, load_scoring()) if scores else (None, None)
        parts = EvidenceParts(reader, registry(), as_of=AS_OF, appraise=appraiser, scoring=scoring)
        found = SourcePool(parts)
        found.add(Recovery(found=tuple(read)))
        return found, found.available(parse_document(TEXT)), list(read)


def names(sources: tuple[Source, ...]) -> list[str]:
    return [source.url.rpartition("/")[2] for source in sources]


async def test_neither_bad_sources_nor_copies_of_the_document_are_offered(tmp_path: Path) -> None:
    found, at_hand, read = await found_for(tmp_path, scores=True)
    assert names(at_hand.sources) == ["good.txt", "poor.txt"]
    assert names(at_hand.reliable) == ["good.txt"]
    assert not any(found.is_untried(source.url) for source in read)
    claims = detect_claims(parse_document(TEXT), registry().lexicon, as_of=AS_OF)
    corroboration = found.corroboration(claims, at_hand, "en")
    assert names(corroboration.sources) == ["good.txt"]
    assert [[one.url for one in shown] for shown in corroboration.shown.values()] == [
        [at_hand.reliable[0].url]
    ]
    assert found.corroboration(claims, at_hand, "de").shown == {}


async def test_unscored_sources_may_be_offered_and_count_for_nothing(tmp_path: Path) -> None:
    _, at_hand, _ = await found_for(tmp_path, scores=False)
    assert names(at_hand.sources) == ["good.txt", "poor.txt", "copy.txt", "bad.txt"]
    assert at_hand.reliable == ()
