"""The knowledge base over real folders: what goes in, what leaves, what is found."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from foureyes import InputError, SearchUnavailable, StorageError
from foureyes.base.registry import load_registry_file
from foureyes.sources.knowledge.base import KnowledgeBase, KnowledgeSearch
from foureyes.sources.local_files import Skipped
from foureyes.sources.policy import FETCH_FILE, SEARCH_FILE, FetchPolicy, SearchPolicy, TextKind
from foureyes.sources.reading import extract
from foureyes.sources.snapshot_store import sha256_hex
from hypothesis import given
from hypothesis import strategies as st
from support.pdf import pdf

HARBOUR = "# Port Ostrava\n\nThe harbour was dredged to 14 metres in 2019.\n"
PAGE = (
    "<html><head><title>Lanes</title></head><body><article><h1>Lanes</h1>"
    "<p>The city built 42 kilometres of bicycle lanes in 2024.</p></article></body></html>"
)


@pytest.fixture(scope="module")
def policy() -> FetchPolicy:
    return load_registry_file(FetchPolicy, FETCH_FILE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return fill(tmp_path / "documents")


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory, policy: FetchPolicy) -> KnowledgeBase:
    """The documents of `folder`, for tests that only search."""
    root = tmp_path_factory.mktemp("indexed")
    base = KnowledgeBase(root / "kb.sqlite3")
    base.add(fill(root / "documents"), policy)
    return base


def fill(folder: Path) -> Path:
    """Put one document of each kind into `folder`."""
    (folder / "below").mkdir(parents=True)
    put(folder / "port.md", HARBOUR)
    put(folder / "below" / "lanes.html", PAGE)
    put(folder / "below" / "bridge.pdf", pdf([["The bridge was closed in 1987."]]))
    put(folder / "mill.txt", "The mill burned down.\n\nIt had employed ninety women.\n")
    return folder


@pytest.fixture
def base(tmp_path: Path) -> KnowledgeBase:
    return KnowledgeBase(tmp_path / "index" / "kb.sqlite3")


def put(path: Path, content: str | bytes, age_s: float = 60) -> None:
    """Write a file that looks `age_s` seconds old."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    when = time.time() - age_s
    os.utime(path, (when, when))


def paths(base: KnowledgeBase, question: str) -> list[str]:
    return [passage.path for passage in base.search(question, 5)]


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("In 2019 the harbour was dredged to 14 metres", "port.md"),
        ("kilometres of bicycle lane built", "below/lanes.html"),
        ("When were the bridges closed? 1987", "below/bridge.pdf"),
        ("ninety women worked at the mill", "mill.txt"),
    ],
)
def test_a_claim_finds_the_document_that_holds_it(
    indexed: KnowledgeBase, question: str, path: str
) -> None:
    assert paths(indexed, question)[0] == path


def test_a_passage_stands_in_the_extracted_text_of_its_document(
    base: KnowledgeBase, folder: Path, policy: FetchPolicy
) -> None:
    base.add(folder, policy)
    (found, *_) = base.search("harbour dredged to 14 metres", 5)
    body = (folder / "port.md").read_bytes()
    text = extract(body, TextKind.MARKDOWN, policy).text
    assert (found.root, found.title) == (str(folder.resolve()), "Port Ostrava")
    assert found.sha256 == sha256_hex(body)
    assert text[found.start : found.end] == found.text
    assert "14 metres" in found.text
    assert 0 < found.score <= 1


def test_only_what_changed_is_read_again(
    base: KnowledgeBase, folder: Path, policy: FetchPolicy
) -> None:
    first = base.add(folder, policy)
    assert (first.indexed, first.unchanged, first.removed, first.skipped) == (4, 0, 0, ())
    put(folder / "port.md", HARBOUR.replace("14", "15"), age_s=50)
    (folder / "mill.txt").unlink()
    second = base.add(folder, policy)
    assert (second.indexed, second.unchanged, second.removed) == (1, 2, 1)
    assert base.search("harbour dredged metres", 1)[0].text.endswith("15 metres in 2019.")
    assert "mill.txt" not in paths(base, "ninety women worked at the mill")


def test_a_touched_file_is_read_once_more(
    base: KnowledgeBase, folder: Path, policy: FetchPolicy
) -> None:
    base.add(folder, policy)
    put(folder / "port.md", HARBOUR, age_s=30)
    assert [base.add(folder, policy).unchanged for _ in range(2)] == [3, 4]


def test_a_file_written_just_now_is_read_again_though_its_time_stays(
    base: KnowledgeBase, folder: Path, policy: FetchPolicy
) -> None:
    put(folder / "new.md", "The quay has 3 cranes.\n", age_s=0)
    status = (folder / "new.md").stat()
    base.add(folder, policy)
    put(folder / "new.md", "The quay has 9 cranes.\n")
    os.utime(folder / "new.md", ns=(status.st_atime_ns, status.st_mtime_ns))
    assert base.add(folder, policy).indexed == 1
    assert base.search("quay cranes", 1)[0].text == "The quay has 9 cranes."


def test_what_cannot_be_indexed_is_told_with_the_reason(
    base: KnowledgeBase, folder: Path, policy: FetchPolicy, tmp_path: Path
) -> None:
    put(tmp_path / "outside.md", "The secret is 4711.\n")
    (folder / "a-link.md").symlink_to(tmp_path / "outside.md")
    (folder / "b-inside.md").symlink_to(folder / "port.md")
    (folder / "c-loop.md").symlink_to(folder / "c-loop.md")
    (folder / "d-folder").symlink_to(tmp_path)
    put(folder / "e-locked.pdf", pdf([["Hull"]], encrypted=True))
    put(folder / "f-binary.txt", b"abc\x00\x01\x02")
    put(folder / "g-picture.bin", b"\x89PNG\r\n\x1a\n\x00\x00")
    put(folder / "h-empty.md", "")
    put(folder / "i-large.txt", "")
    os.truncate(folder / "i-large.txt", policy.limits.decoded_bytes + 1)
    os.mkfifo(folder / "j-pipe.txt")
    put(folder / ".hidden.md", "The secret is 4711.\n")
    report = base.add(folder, policy)
    reasons = {skipped.path: skipped.reason for skipped in report.skipped}
    assert sorted(reasons) == [
        "a-link.md", "c-loop.md", "d-folder", "e-locked.pdf", "f-binary.txt", "g-picture.bin",
        "h-empty.md", "i-large.txt", "j-pipe.txt",
    ]  # fmt: skip
    assert "encrypted" in reasons["e-locked.pdf"]
    assert "binary" in reasons["f-binary.txt"]
    assert "larger than" in reasons["i-large.txt"]
    assert not any("\n" in reason for reason in reasons.values())
    assert report.indexed == 4
    assert base.search("secret 4711", 5) == ()


def test_a_document_that_can_no_longer_be_read_leaves(
    base: KnowledgeBase, folder: Path, policy: FetchPolicy
) -> None:
    base.add(folder, policy)
    put(folder / "port.md", b"\x00\x00", age_s=10)
    report = base.add(folder, policy)
    assert (report.removed, len(report.skipped)) == (1, 1)
    assert paths(base, "harbour dredged") == []


def test_names_are_kept_whatever_they_hold(
    base: KnowledgeBase, folder: Path, policy: FetchPolicy
) -> None:
    names = ["a b.md", "ä.md", "x'; DROP TABLE documents;--.md", "%2e.md"]
    for number, name in enumerate(names):
        put(folder / name, f"The quay number {number} has cranes.\n")
    assert base.add(folder, policy).indexed == 8
    assert sorted(set(paths(base, "quay cranes"))) == sorted(names)


def test_a_name_that_is_no_text_is_skipped(
    base: KnowledgeBase, folder: Path, policy: FetchPolicy
) -> None:
    (Path(os.fsdecode(os.fsencode(folder) + b"/\xff.md"))).write_text("x", encoding="utf-8")
    (skipped,) = base.add(folder, policy).skipped
    assert skipped == Skipped("\\udcff.md", "its name is not valid text")


@pytest.mark.parametrize(
    "question",
    ["", "   ", '"', "'", "harbour OR", "NEAR(a b)", "harbour*", "text:harbour", "-harbour",
     "(((", "^x", "a AND NOT b", "{x}", "\x00", "🙂", "\udcff", "x" * 100_000, "a " * 50_000],
)  # fmt: skip
def test_no_question_is_a_query_of_the_index(indexed: KnowledgeBase, question: str) -> None:
    found = indexed.search(question, 5)
    assert bool(found) == ("harbour" in question)


@given(question=st.text(max_size=300))
def test_any_text_may_be_asked(indexed: KnowledgeBase, question: str) -> None:
    assert all(0 < passage.score <= 1 for passage in indexed.search(question, 3))


def test_of_one_document_at_most_three_passages_come_and_of_two_copies_one(
    base: KnowledgeBase, folder: Path, policy: FetchPolicy
) -> None:
    text = "\n\n".join(f"Quay {n} has cranes. " + "filler words here " * 50 for n in range(9))
    put(folder / "many.md", text)
    put(folder / "copy.md", text)
    base.add(folder, policy)
    found = base.search("quay cranes", 9)
    assert len(found) == 3
    assert len({passage.start for passage in found}) == 3


def test_several_folders_are_searched_together(
    base: KnowledgeBase, folder: Path, policy: FetchPolicy, tmp_path: Path
) -> None:
    (tmp_path / "more").mkdir()
    put(tmp_path / "more" / "port.md", "The port of Danzig has 60 cranes.\n")
    base.add(folder, policy)
    base.add(tmp_path / "more", policy)
    assert base.roots() == (folder.resolve(), (tmp_path / "more").resolve())
    assert {passage.root for passage in base.search("port harbour cranes", 5)} == {
        str(root) for root in base.roots()
    }


def test_what_was_never_made_is_empty(base: KnowledgeBase) -> None:
    assert base.roots() == ()
    with pytest.raises(InputError, match="the knowledge base is empty"):
        base.search("harbour", 5)


def test_a_file_is_no_folder(base: KnowledgeBase, folder: Path, policy: FetchPolicy) -> None:
    with pytest.raises(InputError, match="is not a folder"):
        base.add(folder / "port.md", policy)


def test_an_index_that_is_no_index_says_what_to_do(tmp_path: Path, policy: FetchPolicy) -> None:
    path = tmp_path / "kb.sqlite3"
    path.write_bytes(b"no database" * 100)
    with pytest.raises(StorageError, match="that `foureyes sources index` has made"):
        KnowledgeBase(path).search("harbour", 5)


def test_an_index_of_another_version_is_not_touched(
    base: KnowledgeBase, folder: Path, policy: FetchPolicy, tmp_path: Path
) -> None:
    base.add(folder, policy)
    index = sqlite3.connect(tmp_path / "index" / "kb.sqlite3")
    index.execute("PRAGMA user_version = 99")
    index.close()
    with pytest.raises(StorageError, match="of another version"):
        base.add(folder, policy)


ADD = """
import sys
from pathlib import Path
from foureyes.base.registry import load_registry_file
from foureyes.sources.knowledge.base import KnowledgeBase
from foureyes.sources.policy import FETCH_FILE, FetchPolicy
policy = load_registry_file(FetchPolicy, FETCH_FILE)
print("ready", flush=True)
KnowledgeBase(Path(sys.argv[1])).add(Path(sys.argv[2]), policy)
"""


def many(folder: Path, count: int) -> Path:
    folder.mkdir()
    for number in range(count):
        put(folder / f"{number:04}.txt", f"Quay number{number} has cranes.\n\n" + "filler " * 400)
    return folder


def adding(tmp_path: Path, folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", ADD, str(tmp_path / "kb.sqlite3"), str(folder)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_two_processes_may_index_the_same_folder(tmp_path: Path) -> None:
    folder = many(tmp_path / "many", 300)
    both = [adding(tmp_path, folder) for _ in range(2)]
    assert [process.wait(60) for process in both] == [0, 0]
    for process in both:
        process.communicate()
    with sqlite3.connect(tmp_path / "kb.sqlite3") as index:
        assert index.execute("SELECT count(*) FROM documents").fetchone() == (300,)
        assert index.execute("SELECT count(*) FROM places").fetchone() == (
            index.execute("SELECT count(*) FROM passages").fetchone()
        )
        index.execute("INSERT INTO passages(passages) VALUES ('integrity-check')")
    index.close()
    assert paths(KnowledgeBase(tmp_path / "kb.sqlite3"), "number123 cranes")[0] == "0123.txt"


def test_a_killed_process_loses_no_more_than_its_batch(tmp_path: Path, policy: FetchPolicy) -> None:
    folder = many(tmp_path / "many", 4000)
    process = adding(tmp_path, folder)
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(0.25)
    process.kill()
    process.communicate()
    base = KnowledgeBase(tmp_path / "kb.sqlite3")
    report = base.add(folder, policy)
    assert report.indexed + report.unchanged == 4000
    assert report.unchanged % 200 == 0
    assert paths(base, "number777 cranes")[0] == "0777.txt"


async def test_the_knowledge_base_is_a_search_provider(
    base: KnowledgeBase, folder: Path, policy: FetchPolicy
) -> None:
    put(folder / "a b.md", "The lighthouse is 31 metres high.\n")
    base.add(folder, policy)
    search = KnowledgeSearch(base, load_registry_file(SearchPolicy, SEARCH_FILE))
    (hit, *_) = (await search.search("lighthouse 31 metres", 5)).hits
    assert (hit.url, hit.excerpt) == ("a%20b.md", "The lighthouse is 31 metres high.")
    assert (len(hit.sha256), hit.start) == (64, 0)
    assert (search.name, search.local) == ("knowledge_base", True)


async def test_a_damaged_knowledge_base_is_no_answer(tmp_path: Path) -> None:
    (tmp_path / "kb").write_bytes(b"no database" * 100)
    policy = load_registry_file(SearchPolicy, SEARCH_FILE)
    with pytest.raises(SearchUnavailable, match="that `foureyes sources index` has made"):
        await KnowledgeSearch(KnowledgeBase(tmp_path / "kb"), policy).search("harbour", 5)


async def test_an_empty_knowledge_base_is_no_answer(base: KnowledgeBase) -> None:
    search = KnowledgeSearch(base, load_registry_file(SearchPolicy, SEARCH_FILE))
    with pytest.raises(SearchUnavailable, match="foureyes sources index FOLDER"):
        await search.search("harbour", 5)
