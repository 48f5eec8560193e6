"""Addresses to stored snapshots: guarded fetch, source states, snapshot store, text extraction.

policy = load_registry_file(FetchPolicy, FETCH_FILE)
store = SnapshotStore(run_folder / "sources")
async with Fetcher(store, policy, Guard(policy), local=LocalSources([folder])) as fetcher:
    sources = await fetcher.fetch_all(document.cited_urls(), limit=200)
found = store.source_set(sources)

`shared=SharedStore(folder, policy.cache)` lets runs share what they fetch, `robots=True` honours
robots.txt, and `diff_sources` compares a run's snapshots with the live pages.
"""
