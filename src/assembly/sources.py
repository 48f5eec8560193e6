"""Sources by themselves: fetched, listed from a run, compared with their live pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from ..base.files import scratch_folder
from ..base.vocabulary import FetchMode
from ..core.evidence_records import LEDGER_FILE, ClaimsFile, claims_name
from ..core.run_store import RunStore
from ..sources.drift import SourceDrift, diff_sources
from ..sources.local_files import LocalSources
from ..sources.model import SourceSet
from ..sources.snapshot_store import SnapshotStore
from ..verification.model import Ledger
from .materials import open_fetcher
from .model import LoadedSettings
from .record_config import read_record


async def fetch_sources(urls: Iterable[str], loaded: LoadedSettings) -> SourceSet:
    """The sources at `urls` with their texts, fetched as a run fetches what a draft cites.

    Raises:
        InputError: A setting or a registry file is broken.
    """
    settings = loaded.settings
    with scratch_folder("sources") as folder:
        async with open_fetcher(folder, settings, LocalSources(), loaded.limiter) as fetcher:
            found = await fetcher.fetch_all(urls, limit=settings.max_fetches)
        return SnapshotStore(folder).source_set(found)


async def diff_run(run_dir: Path, loaded: LoadedSettings) -> tuple[SourceDrift, ...]:
    """Compare the sources of a run with their live pages, and the quotes that its ledger rests on.

    Nothing in the run directory is changed, and no shared copy stands for a live page.

    Raises:
        RunDirectoryError: It is no run directory, or its ledger is damaged.
        SnapshotError: A stored snapshot is missing or was changed.
    """
    store = RunStore.open(run_dir)
    changes = {"fetch": FetchMode.LIVE, "source_cache": "none"}
    settings = loaded.settings.model_copy(update=changes)
    with scratch_folder("sources") as folder:
        async with open_fetcher(folder, settings, LocalSources(), loaded.limiter) as fetcher:
            stored, live = SnapshotStore(store.sources), SnapshotStore(folder)
            return await diff_sources(stored, live, fetcher, ledger_quotes(store.path))


def ledger_quotes(run_dir: Path) -> dict[str, list[str]]:
    """The quotes that the ledger of a run rests on, by the sha256 of their snapshot.

    Raises:
        RunDirectoryError: The ledger is damaged.
    """
    ledger = run_ledger(run_dir)
    if ledger is None:
        return {}
    quotes: dict[str, list[str]] = defaultdict(list)
    for entry in ledger.entries:
        for item in entry.evidence:
            if item.quote not in quotes[item.sha256]:
                quotes[item.sha256].append(item.quote)
    return dict(quotes)


def run_ledger(run_dir: Path) -> Ledger | None:
    """The ledger of a run's last examined draft, None in a run without a fact checker.

    Raises:
        RunDirectoryError: The ledger is damaged.
    """
    return read_record(Ledger, run_dir / "verify" / LEDGER_FILE)


def run_claims(store: RunStore) -> ClaimsFile | None:
    """Claims and sources of the draft that a run delivers, None in a run without a fact checker.

    Raises:
        RunDirectoryError: The file is damaged.
    """
    best = store.manifest.best_iteration
    return read_record(ClaimsFile, store.path / "iterations" / claims_name(best)) if best else None
