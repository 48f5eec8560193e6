"""The run directory: whole, resumable, held by one process, and readable later."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from foureyes import (
    ArtefactFile,
    FactCheckerConfig,
    PipelineConfig,
    PipelineMode,
    RunDirectoryError,
    RunStatus,
    StorageError,
    TurnUsage,
)
from foureyes.base.files import owner_mark, scratch_folder
from foureyes.core.record_folder import LAYOUT, slug
from foureyes.core.run_store import RunInputs, RunStore, brief_title
from foureyes.datatypes import Material, RunEvent
from hypothesis import given
from hypothesis import strategies as st
from support.kills import ends_before_write
from support.loop_agents import AS_OF, BRIEF, new_store
from support.programs import Program

NOW = datetime(2025, 3, 1, 12, 30, 5, tzinfo=UTC)
CONFIG = PipelineConfig(max_iterations=7, fact_checker=FactCheckerConfig(max_webfetches=3))
MATERIAL = Material("a.md", "A", "0" * 64, "text\r\nwith \u2028 and \U0001f6b2")
INPUTS = RunInputs(BRIEF, AS_OF, (MATERIAL,), "# A draft\r\n")


def create(root: Path, inputs: RunInputs = INPUTS) -> RunStore:
    return RunStore.create(root, inputs, CONFIG, mode=PipelineMode.FULL_EVALUATION, now=NOW)


def test_a_run_directory_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    number, survived = 0, False
    while not survived:
        number += 1
        root = tmp_path / str(number)
        root.mkdir()
        survived = ends_before_write(number, partial(create, root))
        for path in root.glob("[!.]*"):
            assert RunStore.open(path).inputs() == INPUTS
        # The next start removes what the killed one had begun.
        create(root)
        assert list(root.glob(".*")) == []
    assert number > 10


def test_folders_of_killed_processes_are_removed_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    machine = owner_mark().partition(".")[0]
    gone = [tmp_path / f"foureyes-{kind}-{machine}.4194305-x" for kind in ("run", "mcp")]
    living = tmp_path / "foureyes-run-other"
    for folder in (*gone, living):
        folder.mkdir()
    with scratch_folder("run") as mine:
        assert mine.is_dir()
        assert [folder for folder in gone if folder.exists()] == []
    assert list(tmp_path.iterdir()) == [living]


def test_a_run_directory_holds_all_that_made_the_run(tmp_path: Path) -> None:
    store = RunStore.open(create(tmp_path / "new" / "runs").path)
    assert store.inputs() == INPUTS
    assert store.config(PipelineConfig) == CONFIG
    manifest = store.manifest
    assert (manifest.layout, manifest.mode) == (LAYOUT, PipelineMode.FULL_EVALUATION)
    assert (manifest.as_of, manifest.started, manifest.status) == (AS_OF, NOW, None)
    assert store.sources.is_dir()
    assert sorted(path.name for path in store.path.iterdir()) == [
        "brief.md",
        "config.json",
        "draft.md",
        "iterations",
        "journal",
        "materials.json",
        "run.json",
        "sources",
        "turns",
        "verify",
    ]


def test_a_run_without_a_draft_has_none(tmp_path: Path) -> None:
    store = create(tmp_path, RunInputs(BRIEF, AS_OF))
    assert store.inputs() == RunInputs(BRIEF, AS_OF)


def test_the_folder_is_named_by_time_title_and_a_random_id(tmp_path: Path) -> None:
    first, second = create(tmp_path), create(tmp_path)
    assert first.path.name == f"20250301T123005Z_bicycle-lanes_{first.manifest.id}"
    assert first.path != second.path


@pytest.mark.parametrize(
    ("brief", "title", "folder"),
    [
        ("# Überfällige Größe: 50 %!\n\nx", "Überfällige Größe: 50 %!", "uberfallige-groe-50"),
        ("\n\n## ../../etc/passwd\n", "../../etc/passwd", "etc-passwd"),
        ("自転車", "自転車", "run"),
        ("", "untitled", "untitled"),
        ("###\n \n", "untitled", "untitled"),
        ("a" * 500, "a" * 120, "a" * 40),
    ],
)
def test_any_title_makes_a_safe_folder_name(brief: str, title: str, folder: str) -> None:
    assert brief_title(brief) == title
    assert slug(title) == folder


@given(st.text())
def test_a_slug_is_never_empty_or_unsafe(title: str) -> None:
    name = slug(title)
    assert name
    assert len(name) <= 40
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert not name.startswith("-")


def test_an_update_is_on_disk_and_in_memory(tmp_path: Path) -> None:
    store = create(tmp_path)
    store.update(status=RunStatus.APPROVED, best_iteration=2, ended=NOW)
    again = RunStore.open(store.path).manifest
    assert again == store.manifest
    assert (again.status, again.best_iteration) == (RunStatus.APPROVED, 2)


def test_files_keep_their_bytes(tmp_path: Path) -> None:
    store = create(tmp_path)
    store.write("iterations/analysis_iteration_1.md", "a\r\nb\u2028")
    assert store.read("iterations/analysis_iteration_1.md") == "a\r\nb\u2028"


def test_earlier_conclusions_move_aside(tmp_path: Path) -> None:
    store = create(tmp_path)
    for _ in range(2):  # a resumed run writes them again
        store.write_verify(
            [ArtefactFile("gate.json", "1"), ArtefactFile("x.json", "1")], previous=None
        )
        store.write_verify([ArtefactFile("gate.json", "2")], previous=1)
        store.write_verify([ArtefactFile("gate.json", "3")], previous=2)
    files = {str(p.relative_to(store.path)) for p in (store.path / "verify").rglob("*.json")}
    assert files == {
        "verify/gate.json",
        "verify/iteration_1/gate.json",
        "verify/iteration_1/x.json",
        "verify/iteration_2/gate.json",
    }
    assert [store.read(name) for name in sorted(files)] == ["3", "1", "1", "2"]


def test_events_are_kept_in_order_and_a_torn_last_line_is_dropped(tmp_path: Path) -> None:
    store = create(tmp_path)
    assert list(store.events()) == []
    first = RunEvent(NOW, "drafted", "analyst", 1, "line\nbreak")
    second = RunEvent(NOW, "turn", "analyst", 1, usage=TurnUsage(messages=1), outcome="ok")
    store.append(first)
    store.append(second)
    with (store.path / "events.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"at": "2025-')
    assert list(store.events()) == [first, second]
    store.tidy()
    store.append(first)
    assert list(store.events()) == [first, second, first]


def test_half_written_files_are_swept_away_and_nothing_else(tmp_path: Path) -> None:
    store = create(tmp_path)
    (store.path / "verify/iteration_1").mkdir()
    with store.lock():
        before = sorted(store.path.rglob("*"))
        for name in (".run.json.a1", "journal/.x.json.b2", "verify/iteration_1/.g.json.c3"):
            store.write(name, "half")
        store.tidy()
        assert sorted(store.path.rglob("*")) == before


def damage_manifest(path: Path) -> None:
    (path / "run.json").write_text("{", encoding="utf-8")


def newer_layout(path: Path) -> None:
    raw = json.loads((path / "run.json").read_text(encoding="utf-8"))
    raw |= {"layout": LAYOUT + 1, "what_came_later": True}
    (path / "run.json").write_text(json.dumps(raw), encoding="utf-8")


def unknown_status(path: Path) -> None:
    raw = json.loads((path / "run.json").read_text(encoding="utf-8"))
    (path / "run.json").write_text(json.dumps(raw | {"status": "great"}), encoding="utf-8")


def a_list(path: Path) -> None:
    (path / "run.json").write_text("[]", encoding="utf-8")


def a_deep_list(path: Path) -> None:
    (path / "run.json").write_text("[" * 100_000, encoding="utf-8")


def no_manifest(path: Path) -> None:
    (path / "run.json").unlink()


def a_folder_for_a_manifest(path: Path) -> None:
    no_manifest(path)
    (path / "run.json").mkdir()


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (no_manifest, "is not a run directory"),
        (damage_manifest, "is damaged"),
        (a_list, "is damaged"),
        (a_deep_list, "is damaged"),
        (unknown_status, "is damaged: .*status"),
        (newer_layout, "was written by a newer version"),
        (a_folder_for_a_manifest, "is damaged"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_cannot_be_opened_is_refused_in_one_line(
    tmp_path: Path, spoil: Callable[[Path], None], message: str
) -> None:
    store = create(tmp_path)
    spoil(store.path)
    with pytest.raises(RunDirectoryError, match=message) as caught:
        RunStore.open(store.path)
    assert "\n" not in str(caught.value)
    assert caught.value.hint


@pytest.mark.parametrize("name", ["materials.json", "config.json", "brief.md", "events.jsonl"])
def test_a_damaged_file_is_named(tmp_path: Path, name: str) -> None:
    store = create(tmp_path)
    (store.path / name).write_bytes(b"\xff\xfe{\n")
    with pytest.raises(RunDirectoryError, match=name):
        _ = (store.inputs(), store.config(PipelineConfig), list(store.events()))


def test_a_root_that_is_a_file_is_a_storage_error(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("", encoding="utf-8")
    with pytest.raises(StorageError, match="cannot create"):
        create(tmp_path / "runs")


def test_a_second_holder_is_told_who_holds_it(tmp_path: Path) -> None:
    store = create(tmp_path)
    again = RunStore.open(store.path)
    refused = pytest.raises(RunDirectoryError, match=f"in use by pid {os.getpid()}")
    with store.lock(), refused, again.lock():
        pass
    with again.lock():
        pass


def test_a_holder_that_left_no_name_is_unknown(tmp_path: Path) -> None:
    store = create(tmp_path)
    refused = pytest.raises(RunDirectoryError, match="in use by pid unknown")
    with store.lock():
        (store.path / ".owner").unlink()
        with refused, RunStore.open(store.path).lock():
            pass


HOLD = """
import sys
from pathlib import Path
from foureyes.core.run_store import RunStore
with RunStore.open(Path(sys.argv[1])).lock():
    print("held", flush=True)
    sys.stdin.read()
"""


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    command = [sys.executable, "-c", HOLD, str(store.path)]
    with Program[bytes](command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        refused = pytest.raises(RunDirectoryError, match=f"in use by pid {holder.pid}")
        with refused, store.lock():
            pass
        holder.kill()
        holder.wait()
    with store.lock():
        assert (store.path / ".owner").read_text(encoding="utf-8") == str(os.getpid())
