from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from foureyes import SnapshotError, StorageError
from foureyes.datatypes import Snapshot, Source, SourceState
from foureyes.sources.snapshot_store import SnapshotStore, sha256_hex

URL = "https://tarvia.example/a"
BODY, TEXT = b"<p>62 m", "62 m"


def snapshot(body: bytes = BODY, text: str = TEXT, url: str = URL) -> Snapshot:
    return Snapshot(
        sha256_hex(body),
        sha256_hex(text.encode()),
        (url, f"{url}/"),
        datetime(2026, 11, 1, 12, tzinfo=UTC),
        200,
        "text/html",
        len(body),
        title="Kestrel",
        published=date(2025, 6, 20),
        headers=(("etag", '"7"'),),
        pages=(0, 4),
    )


def source(state: SourceState = SourceState.OK, url: str = URL) -> Source:
    return Source(url, state, "a reason", snapshot() if state.readable else None)


def test_what_was_put_is_given_back(store: SnapshotStore) -> None:
    stored = store.put(BODY, TEXT, snapshot())
    assert stored == snapshot()
    sha256 = stored.sha256
    assert (store.get(sha256), store.text(sha256)) == (BODY, TEXT)
    assert store.snapshot(sha256) == snapshot()


def test_an_address_leads_to_what_it_gave_under_any_spelling(store: SnapshotStore) -> None:
    store.record(source())
    assert store.lookup(URL) == source()
    assert store.lookup("https://TARVIA.example/a#part") == source(
        url="https://TARVIA.example/a#part"
    )
    assert store.lookup("https://tarvia.example/b") is None


def test_a_later_process_reads_the_same(store: SnapshotStore, tmp_path: Path) -> None:
    store.put(BODY, TEXT, snapshot())
    store.record(source())
    later = SnapshotStore(tmp_path / "sources")
    assert later.source_set([source()]) == store.source_set([source()])
    assert later.lookup(URL) == source()


@pytest.mark.parametrize(
    ("states", "kept"),
    [
        ([SourceState.TIMEOUT, SourceState.DEAD], SourceState.DEAD),
        ([SourceState.TIMEOUT, SourceState.OK], SourceState.OK),
        ([SourceState.OK, SourceState.DEAD], SourceState.OK),
        ([SourceState.MOVED, SourceState.OK], SourceState.MOVED),
    ],
)
def test_a_source_that_was_read_stays_read(
    store: SnapshotStore, states: list[SourceState], kept: SourceState
) -> None:
    for state in states:
        store.record(source(state))
    found = store.lookup(URL)
    assert found is not None
    assert found.state is kept


@pytest.mark.parametrize(
    ("first", "second", "kept"), [("", "62 m", "62 m"), ("62 m", "", "62 m"), ("a", "b", "a")]
)
def test_equal_bytes_have_one_text(
    store: SnapshotStore, first: str, second: str, kept: str
) -> None:
    store.put(BODY, first, snapshot(text=first))
    stored = store.put(BODY, second, snapshot(text=second, url="https://tarvia.example/b"))
    assert store.text(stored.sha256) == kept
    assert stored.text_sha256 == sha256_hex(kept.encode())
    assert stored.url_chain[0] == "https://tarvia.example/b"


def test_only_readable_sources_bring_their_text(store: SnapshotStore) -> None:
    stored = store.put(BODY, TEXT, snapshot())
    walled = Source("https://tarvia.example/b", SourceState.PAYWALLED, "teaser", stored)
    found = store.source_set([source(), walled, source(SourceState.DEAD, "https://x.example/")])
    assert found.texts == {stored.sha256: TEXT}
    assert found.readable(URL) == (stored, TEXT)
    assert found.readable(walled.url) is None
    assert found.source("https://y.example/").state is SourceState.NOT_FETCHED


@pytest.mark.parametrize("suffix", ["", ".txt"])
def test_a_changed_file_is_noticed(store: SnapshotStore, tmp_path: Path, suffix: str) -> None:
    sha256 = store.put(BODY, TEXT, snapshot()).sha256
    (tmp_path / "sources" / f"{sha256}{suffix}").write_text("63 m")
    read: Callable[[str], object] = store.text if suffix else store.get
    with pytest.raises(SnapshotError, match=f"{sha256}{suffix} does not match its hash"):
        read(sha256)


@pytest.mark.parametrize("suffix", ["", ".txt", ".json"])
def test_a_missing_file_is_noticed(store: SnapshotStore, tmp_path: Path, suffix: str) -> None:
    sha256 = store.put(BODY, TEXT, snapshot()).sha256
    (tmp_path / "sources" / f"{sha256}{suffix}").unlink()
    with pytest.raises(SnapshotError, match="cannot be read"):
        assert store.text(sha256) == store.get(sha256).decode()


def test_damaged_metadata_is_noticed(store: SnapshotStore, tmp_path: Path) -> None:
    store.record(source())
    entry = next((tmp_path / "sources/index").iterdir())
    entry.write_text("{}")
    with pytest.raises(SnapshotError, match="is damaged"):
        store.lookup(URL)


@pytest.mark.parametrize("name", ["", "../../secret", "A" * 64, "0" * 63, "0" * 65])
def test_only_the_name_of_a_snapshot_is_read(store: SnapshotStore, name: str) -> None:
    with pytest.raises(SnapshotError, match="not the name of a snapshot"):
        store.get(name)


def test_a_folder_that_cannot_be_made_is_a_storage_error(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(StorageError):
        SnapshotStore(tmp_path / "taken").put(BODY, TEXT, snapshot())
    with pytest.raises(StorageError):
        SnapshotStore(tmp_path / "taken/sources").record(source())


PUT_MANY = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from foureyes.base.vocabulary import SourceState
from foureyes.sources.model import Snapshot, Source
from foureyes.sources.snapshot_store import SnapshotStore, sha256_hex
store, name, url = SnapshotStore(Path(sys.argv[1])), sha256_hex(b"text"), "https://tarvia.example/a"
for number in range(30):
    body = str(number % 5).encode()
    put = Snapshot(sha256_hex(body), name, (url,), datetime.now(UTC), 200, "text/plain", 1)
    store.put(body, "text", put)
    state = SourceState.OK if number % 2 else SourceState.TIMEOUT
    store.record(Source(url, state, "a reason", put))
"""


def test_processes_may_share_a_folder(tmp_path: Path, store: SnapshotStore) -> None:
    folder = tmp_path / "sources"
    command = [sys.executable, "-c", PUT_MANY, str(folder)]
    running = [subprocess.Popen(command) for _ in range(2)]
    assert [process.wait(60) for process in running] == [0, 0]
    assert [store.text(sha256_hex(str(number).encode())) for number in range(5)] == ["text"] * 5
    found = store.lookup(URL)
    assert found is not None
    assert found.state is SourceState.OK
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []
