"""Stored snapshots read again from their bytes."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from foureyes.base.registry import load_registry_file
from foureyes.sources.local_files import ListedFile
from foureyes.sources.policy import FETCH_FILE, FetchPolicy
from foureyes.sources.reading import Answer, Reader, reread, same_reading
from foureyes.sources.snapshot_store import SnapshotStore

POLICY = load_registry_file(FetchPolicy, FETCH_FILE)
LATIN = "Die Brücke von Arnsund trägt seit dem Jahr 1931 vierzig Tonnen.".encode("latin-1")
PAGE = (
    b"<!doctype html><html lang=en><head><title>The crane of Arnsund</title>"
    b"<meta property='article:published_time' content='2024-05-06'></head><body><article>"
    b"<h1>The crane of Arnsund</h1><p>The crane of Arnsund lifts 40 tonnes, which is more than any "
    b"other crane of the harbour has lifted since 1931.</p></article></body></html>"
)
ANSWERS = {
    "page": Answer(
        ("https://a.example/crane",), 200, PAGE, headers=(("content-type", "text/html"),)
    ),
    "charset": Answer(
        ("https://a.example/b.txt",),
        200,
        LATIN,
        headers=(("content-type", "text/plain; charset=latin-1"),),
    ),
    "listed": Answer(
        ("crane.md",),
        None,
        b"# The crane\n\nThe crane lifts 40 tonnes and was built in the year 1931.\n",
        listed=ListedFile(file="crane.md", title="Mine", published=date(2020, 1, 2)),
    ),
    "empty": Answer(("https://a.example/e",), 200, b"<html><body></body></html>"),
}


@pytest.mark.parametrize("name", ANSWERS)
async def test_text_and_metadata_follow_from_the_bytes(name: str, tmp_path: Path) -> None:
    answer = ANSWERS[name]
    store = SnapshotStore(tmp_path)
    source = await Reader(store, POLICY).read(answer.url_chain[0], answer)
    assert source.snapshot is not None
    stored = store.snapshot(source.snapshot.sha256)
    text, again = reread(store.get(stored.sha256), stored, POLICY)
    assert (text, again) == (store.text(stored.sha256), stored)


async def test_what_the_bytes_do_not_say_is_found(tmp_path: Path) -> None:
    store = SnapshotStore(tmp_path)
    source = await Reader(store, POLICY).read("https://a.example/crane", ANSWERS["page"])
    assert source.snapshot is not None
    stored = source.snapshot
    later = replace(stored, published=date(2026, 1, 1))
    _, again = reread(PAGE, later, POLICY)
    assert again.published == date(2024, 5, 6)
    assert not same_reading(later, again)
    assert same_reading(stored, again)


async def test_equal_bytes_of_another_address_are_read_alike(tmp_path: Path) -> None:
    store = SnapshotStore(tmp_path)
    source = await Reader(store, POLICY).read("https://a.example/crane", ANSWERS["page"])
    assert source.snapshot is not None
    moved = replace(
        source.snapshot,
        url_chain=("https://b.example/",),
        canonical="https://b.example/",
        fetched_at=datetime(2025, 1, 1, tzinfo=UTC),
        pages=(3,),
    )
    assert same_reading(moved, reread(PAGE, moved, POLICY)[1])
