"""Settings to the provider that a run asks for sources, and to what it keeps of the answers."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from pydantic import SecretStr

from ..base.errors import SettingsError
from ..base.registry import load_registry_file
from ..base.vocabulary import FetchMode, SearchName
from ..core.record_folder import ManifestT, RecordFolder
from ..core.source_tools import SourceReader
from ..sources.fetcher import Fetcher
from ..sources.knowledge.base import KnowledgeBase, KnowledgeSearch
from ..sources.policy import SEARCH_FILE, SearchPolicy
from ..sources.search.model import SearchProvider
from ..sources.search.searching import OwnSearch, RunAnswers, Searching, SharedAnswers
from ..sources.search.web import Anthropic, Brave, Searxng, Tavily
from ..sources.snapshot_store import SnapshotStore
from .model import LoadedSettings, Settings
from .settings import knowledge_base_file, source_cache
from .user_code import load_part, require_shape

SEARCHES_FOLDER = "searches"


def build_provider(
    loaded: LoadedSettings, own: SearchProvider | str | None = None
) -> SearchProvider | None:
    """The provider that the settings choose, None for none; `own` is the user's as an object.

    Raises:
        SettingsError: Its key is not set, its address cannot be used, or it cannot be found.
        RegistryError: `search.yaml` is broken.
    """
    settings = loaded.settings
    policy, limiter = search_policy(settings), loaded.limiter
    match settings.search:
        case SearchName.NONE:
            return None
        case SearchName.KNOWLEDGE_BASE:
            return KnowledgeSearch(knowledge_base(settings), policy)
        case SearchName.SEARXNG:
            return Searxng(policy, settings.search_url or "", limiter=limiter)
        case SearchName.TAVILY:
            return Tavily(policy, settings.search_url or "", search_key(loaded), limiter)
        case SearchName.BRAVE:
            return Brave(policy, settings.search_url or "", search_key(loaded), limiter)
        case SearchName.ANTHROPIC:
            return Anthropic(policy, settings.search_url or "", search_key(loaded), limiter)
        case name:
            needs = "name, local and async search(query, limit)"
            found = load_part(loaded, "search", name if own is None else own)
            provider = require_shape(found, SearchProvider, "a search provider", needs)
            return OwnSearch(provider, policy, limiter)


def search_key(loaded: LoadedSettings) -> SecretStr:
    """The provider's key.

    Raises:
        SettingsError: Its variable is not set.
    """
    if loaded.search_key is None:
        variable = loaded.search_key_variable
        raise SettingsError(
            f"search with {loaded.settings.search} has no key: {variable} is not set",
            f"set {variable}, or name another variable with --search-key-env",
        )
    return loaded.search_key


def search_policy(settings: Settings) -> SearchPolicy:
    """`search.yaml`.

    Raises:
        RegistryError: It is broken.
    """
    return load_registry_file(SearchPolicy, SEARCH_FILE, settings.registry_dir)


def open_searching(provider: SearchProvider, settings: Settings, folder: Path) -> Searching:
    """The searches of a run, which keeps its answers in `folder`.

    Without live fetching no question leaves this machine; the run's answers stay at hand.
    """
    policy = search_policy(settings)
    cache = source_cache(settings)
    shared = None
    # The user's own provider decides how long its answers hold.
    if cache is not None and not isinstance(provider, OwnSearch):
        beside = cache.with_name(f"{cache.name}-searches")
        shared = SharedAnswers(beside, timedelta(days=policy.cache_days))
    may_ask = provider.local or settings.fetch is FetchMode.LIVE
    limit = settings.max_searches if may_ask else 0
    return Searching(provider, policy, RunAnswers(folder), shared=shared, limit=limit)


def knowledge_base(settings: Settings) -> KnowledgeBase:
    """The user's knowledge base.

    Raises:
        SettingsError: There is no place for it.
    """
    return KnowledgeBase(knowledge_base_file(settings))


def knowledge_roots(settings: Settings) -> tuple[Path, ...]:
    """The folders of the knowledge base, whose files may then be read as sources.

    Raises:
        StorageError: The index cannot be read.
    """
    if settings.search is not SearchName.KNOWLEDGE_BASE:
        return ()
    return knowledge_base(settings).roots()


def source_reader(
    folder: RecordFolder[ManifestT],
    fetcher: Fetcher,
    provider: SearchProvider | None,
    settings: Settings,
) -> SourceReader:
    """The reader through which agents get sources; answers of `provider` are kept in `folder`."""
    searching = None
    if provider is not None:
        searching = open_searching(provider, settings, folder.path / SEARCHES_FOLDER)
    return SourceReader(fetcher, SnapshotStore(folder.sources), settings.allowed_hosts, searching)
