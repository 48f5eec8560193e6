"""Sources of a run, a review or a document as citations."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..base.errors import InputError
from ..base.files import read_document
from ..base.vocabulary import SourceState, Verdict
from ..documents.parse import parse_document
from ..documents.words import load_document_words
from ..review.store import ReviewStore
from ..review.types import ReviewPhase, WebChecked
from ..sources.addresses import address_key
from ..sources.scoring.appraisal import appraise
from ..sources.scoring.citations import CitationFormat, CitedSource, choose_format, cited_source
from ..sources.scoring.model import Appraisal
from ..sources.scoring.rules import ScoringRegistry, load_scoring
from ..sources.snapshot_store import SnapshotStore
from .model import LoadedSettings
from .record_config import ReviewRunConfig
from .sources import run_ledger, run_rules, run_scores, score_urls


@dataclass(frozen=True, slots=True)
class Citations:
    """Sources in the order of their first mention; `form` is the YAML format that suits them.

    `unread` are the addresses that were asked and gave nothing to read: nobody can vouch for them.
    """

    sources: tuple[CitedSource, ...]
    form: CitationFormat
    unread: tuple[str, ...] = ()


def run_citations(run_dir: Path, loaded: LoadedSettings) -> Citations:
    """Citations of the delivered draft of a run.

    Raises:
        RunDirectoryError: It is no run directory, or is damaged.
        SnapshotError: A stored snapshot is missing or was changed.
        RegistryError: A rule file is broken.
    """
    ledger = run_ledger(run_dir)
    entries = ledger.entries if ledger else ()
    disputed = any(entry.verdict is Verdict.DISPUTED for entry in entries)
    return _cited(run_scores(run_dir, loaded), run_rules(run_dir, loaded), disputed=disputed)


def review_citations(review_dir: Path, loaded: LoadedSettings) -> Citations:
    """Citations of the sources that a document review read.

    Raises:
        InputError: It has looked nothing up.
        RunDirectoryError: It is no review directory, or is damaged.
        SnapshotError: A stored snapshot is missing or was changed.
        RegistryError: A rule file is broken.
    """
    store = ReviewStore.open(review_dir)
    web = store.phase(ReviewPhase.WEB, WebChecked)
    if web is None:
        raise InputError(
            f"the review in {str(review_dir)!r} has looked nothing up",
            "go on with it, without --no-web",
        )
    mine, theirs = loaded.settings, store.config(ReviewRunConfig).settings
    rules = load_scoring(mine.registry_dir or theirs.registry_dir)
    appraisal = appraise(
        SnapshotStore(store.sources).source_set(web.sources),
        rules,
        as_of=mine.as_of or store.manifest.as_of,
        topic=mine.topic or theirs.topic or store.manifest.title,
    )
    return _cited(appraisal, rules, disputed=False)


async def document_citations(path: Path, loaded: LoadedSettings) -> Citations:
    """Citations of the document `path`, fetched as `foureyes check` does.

    Raises:
        InputError: The document, a setting or a registry file cannot be used.
    """
    words = load_document_words(loaded.settings.registry_dir)
    document = parse_document(read_document(path), words)
    appraisal, _ = await score_urls(document.cited_urls(), loaded, topic=document.title)
    return _cited(appraisal, load_scoring(loaded.settings.registry_dir), disputed=False)


def _cited(appraisal: Appraisal, registry: ScoringRegistry, *, disputed: bool) -> Citations:
    # Addresses that differ in spelling alone are one source.
    first = {address_key(rated.source.url): rated for rated in reversed(appraisal.rated)}
    sources: list[CitedSource] = []
    unread: list[str] = []
    for rated in appraisal.rated:
        state = rated.source.state
        if rated not in first.values():
            continue
        if state.readable or state is SourceState.NOT_FETCHED:
            sources.append(cited_source(rated.given, rated.score, registry))
        else:
            unread.append(rated.source.url)
    form = choose_format(sources, registry.rules.citations, disputed=disputed)
    return Citations(tuple(sources), form, tuple(unread))
