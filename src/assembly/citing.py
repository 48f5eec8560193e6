"""The sources of a run or of a document as citations."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..base.files import read_document
from ..base.vocabulary import Verdict
from ..sources.addresses import address_key
from ..sources.scoring.appraisal import Appraisal
from ..sources.scoring.citations import CitationFormat, CitedSource, choose_format, cited_source
from ..sources.scoring.rules import ScoringRegistry
from .model import LoadedSettings
from .source_scores import run_rules, run_scores, score_urls, scoring_rules
from .sources import run_ledger


@dataclass(frozen=True, slots=True)
class Citations:
    """Sources in the order of their first mention; `form` is the YAML format that suits them."""

    sources: tuple[CitedSource, ...]
    form: CitationFormat


def run_citations(run_dir: Path, loaded: LoadedSettings) -> Citations:
    """What the delivered draft of a run cites.

    Raises:
        RunDirectoryError: It is no run directory, or is damaged.
        SnapshotError: A stored snapshot is missing or was changed.
        RegistryError: A rule file is broken.
    """
    ledger = run_ledger(run_dir)
    entries = ledger.entries if ledger else ()
    disputed = any(entry.verdict is Verdict.DISPUTED for entry in entries)
    return _cited(run_scores(run_dir, loaded), run_rules(run_dir, loaded), disputed=disputed)


async def document_citations(path: Path, loaded: LoadedSettings) -> Citations:
    """What the document `path` cites, fetched as `foureyes check` does.

    Raises:
        InputError: The document, a setting or a registry file cannot be used.
    """
    # Loaded here because `import foureyes.assembly` must not bring the parsers.
    from ..documents.parse import parse_document

    document = parse_document(read_document(path))
    scored = await score_urls(document.cited_urls(), loaded, topic=document.title)
    return _cited(scored.appraisal, scoring_rules(loaded), disputed=False)


def _cited(appraisal: Appraisal, registry: ScoringRegistry, *, disputed: bool) -> Citations:
    # Addresses that differ in spelling alone are one source.
    first = {address_key(rated.source.url): rated for rated in reversed(appraisal.rated)}
    in_order = [rated for rated in appraisal.rated if rated in first.values()]
    sources = tuple(cited_source(rated.given, rated.score, registry) for rated in in_order)
    return Citations(sources, choose_format(sources, registry.rules.citations, disputed=disputed))
