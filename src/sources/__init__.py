"""Addresses to stored snapshots: guarded fetch, source states, snapshot store, text extraction.

policy = load_registry_file(FetchPolicy, FETCH_FILE)
store = SnapshotStore(run_folder / "sources")
async with Fetcher(store, policy, Guard(policy), local=LocalSources([folder])) as fetcher:
    sources = await fetcher.fetch_all(document.cited_urls(), limit=200)
found = store.source_set(sources)
"""

from .addresses import address_key
from .failure import AddressRefused, FetchFailed
from .fetcher import Fetcher
from .guard import Guard, Judgement, Resolver, system_resolver
from .listing import ListedFile
from .local_files import LocalFile, LocalSources
from .model import Snapshot, Source, SourceSet
from .policy import FETCH_FILE, FetchPolicy
from .shared_store import SharedStore
from .snapshot_store import SnapshotStore

__all__ = [
    "FETCH_FILE",
    "AddressRefused",
    "FetchFailed",
    "FetchPolicy",
    "Fetcher",
    "Guard",
    "Judgement",
    "ListedFile",
    "LocalFile",
    "LocalSources",
    "Resolver",
    "SharedStore",
    "Snapshot",
    "SnapshotStore",
    "Source",
    "SourceSet",
    "address_key",
    "system_resolver",
]
