"""Addresses to stored snapshots: guarded fetch, source states, snapshot store, text extraction.

policy = load_registry_file(FetchPolicy, FETCH_FILE)
store = SnapshotStore(run_folder / "sources")
async with Fetcher(store, policy, Guard(policy), local=LocalSources([folder])) as fetcher:
    sources = await fetcher.fetch_all(document.cited_urls(), limit=200)
found = store.source_set(sources)

`shared=SharedStore(folder, policy.cache)` lets runs share what they fetch, `robots=True` honours
robots.txt, and `diff_sources` compares a run's snapshots with the live pages.
"""

from .addresses import address_key
from .drift import Change, QuoteNow, SourceDrift, diff_sources
from .failure import AddressRefused, FetchFailed
from .fetcher import Fetcher
from .guard import Guard, Judgement, Resolver, system_resolver
from .listing import ListedFile
from .local_files import LocalFile, LocalSources
from .model import PageMetadata, Snapshot, Source, SourceSet
from .policy import FETCH_FILE, FetchPolicy
from .shared_store import SharedStore
from .snapshot_store import SnapshotStore

__all__ = [
    "FETCH_FILE",
    "AddressRefused",
    "Change",
    "FetchFailed",
    "FetchPolicy",
    "Fetcher",
    "Guard",
    "Judgement",
    "ListedFile",
    "LocalFile",
    "LocalSources",
    "PageMetadata",
    "QuoteNow",
    "Resolver",
    "SharedStore",
    "Snapshot",
    "SnapshotStore",
    "Source",
    "SourceDrift",
    "SourceSet",
    "address_key",
    "diff_sources",
    "system_resolver",
]
