"""The deterministic check of one document: no model, no run directory."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ..base.files import read_document
from ..base.finding import Finding
from ..base.vocabulary import SourceState
from ..sources.local_files import LocalSources
from ..sources.model import Source
from ..sources.scoring.appraisal import Appraisal
from ..sources.scoring.rules import load_scoring
from ..sources.snapshot_store import SnapshotStore
from ..verification.check import CheckReport, check_document
from ..verification.model import GateResult
from ..verification.registry import load_registry
from .appraising import SourceAppraiser
from .materials import open_fetcher, sort_sources, stage
from .model import LoadedSettings
from .settings import load_settings


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What the check found. `path` is the document's, "" for a text.

    `appraisal` tells how good the sources are; it changes no finding.
    """

    path: str
    report: CheckReport
    sources: tuple[Source, ...]
    appraisal: Appraisal

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding, in document order."""
        return self.report.findings

    @property
    def gate(self) -> GateResult:
        """The gate's answer by the profile ``document``."""
        return self.report.gate

    @property
    def not_fetched(self) -> tuple[Source, ...]:
        """Cited addresses left out for mode, limit or network (decision 17), with the reason."""
        missing = SourceState.NOT_FETCHED
        return tuple(source for source in self.sources if source.state is missing)


async def check_text(
    text: str, path: str, sources: Iterable[str], loaded: LoadedSettings
) -> CheckResult:
    """Check `text` against what it cites.

    Raises:
        InputError: A source that was named cannot be used, or a registry file is broken.
    """
    # The parsers are loaded here because `import foureyes.assembly` must not bring them.
    from ..documents.parse import parse_document

    settings = loaded.settings
    given = sort_sources(sources)
    registry = load_registry(settings.registry_dir)
    scoring = load_scoring(settings.registry_dir)
    document = parse_document(text)
    with tempfile.TemporaryDirectory(prefix="foureyes-check-") as name:
        folder = Path(name)
        local = LocalSources([*given.folders, *stage(given.files, folder / "given")])
        async with open_fetcher(folder / "sources", settings, local) as fetcher:
            found = await fetcher.fetch_all(document.cited_urls(), limit=settings.max_fetches)
        source_set = SnapshotStore(folder / "sources").source_set(found)
        as_of = settings.as_of or datetime.now(UTC).date()
        report = check_document(document, source_set, registry, as_of=as_of)
        appraiser = SourceAppraiser(scoring, as_of=as_of, topic=settings.topic or document.title)
        appraisal = appraiser(source_set)
    return CheckResult(path, report, found, appraisal)


async def check_async(
    document: str | Path, *, sources: Iterable[str | Path] = (), **settings: object
) -> CheckResult:
    """Check the facts of a document against what it cites, as `foureyes check` does.

    Args:
        document: The text itself, or a file: a `Path`, or a line that ends in ``.md``,
            ``.markdown`` or ``.txt``.
        sources: Folders and files that relative citations may lead to.
        settings: Settings by name (``fetch="none"``).

    Raises:
        InputError: The document, a source or a setting cannot be used.
    """
    loaded = load_settings(settings)
    named = [str(source) for source in sources]
    path = named_file(document)
    if path is not None:
        return await check_text(read_document(path), str(path), named, loaded)
    return await check_text(str(document), "", named, loaded)


def named_file(document: str | Path) -> Path | None:
    """The file that `document` names, None if it is the text itself."""
    if isinstance(document, Path):
        return document
    one_word = "\n" not in document and document.endswith((".md", ".markdown", ".txt"))
    return Path(document) if one_word else None


def check(
    document: str | Path, *, sources: Iterable[str | Path] = (), **settings: object
) -> CheckResult:
    """`check_async` for callers without an event loop."""
    return asyncio.run(check_async(document, sources=sources, **settings))
