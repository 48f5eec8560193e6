from __future__ import annotations

from pathlib import Path

import pytest
from foureyes import InputError
from foureyes.assembly.materials import (
    MAX_MATERIALS,
    GivenSources,
    open_fetcher,
    read_materials,
    sort_sources,
    stage,
)
from foureyes.assembly.model import Settings
from foureyes.datatypes import FetchMode, Material
from foureyes.sources.local_files import LocalSources
from foureyes.sources.snapshot_store import SnapshotStore

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 64


async def read(folder: Path, work: Path, urls: tuple[str, ...] = ()) -> tuple[Material, ...]:
    local, settings = LocalSources([folder]), Settings(fetch=FetchMode.NONE)
    async with open_fetcher(work, settings, local) as fetcher:
        return await read_materials(fetcher, SnapshotStore(work), local, urls)


def test_sources_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "a.md").touch()
    given = sort_sources([str(tmp_path / "notes"), str(tmp_path / "a.md"), "HTTPS://x.example/a"])
    assert given == GivenSources(
        (tmp_path / "notes",), (tmp_path / "a.md",), ("HTTPS://x.example/a",)
    )


def test_a_source_that_is_missing_is_named() -> None:
    with pytest.raises(InputError, match=r"'none.md' does not exist"):
        sort_sources(["none.md"])


def test_single_files_are_copied_so_that_nothing_beside_them_is_open(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("text", encoding="utf-8")
    (tmp_path / "secret.md").write_text("secret", encoding="utf-8")
    (folder,) = stage([tmp_path / "a.md"], tmp_path / "given")
    assert [path.name for path in folder.iterdir()] == ["a.md"]
    assert stage([], tmp_path / "none") == ()
    assert not (tmp_path / "none").exists()


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.md").write_text(folder, encoding="utf-8")
    with pytest.raises(InputError, match=r"two sources are called 'a.md'"):
        stage([tmp_path / "x/a.md", tmp_path / "y/a.md"], tmp_path / "given")


async def test_what_can_be_read_is_read_and_the_rest_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("# Wells\n\nThe well is 30 metres deep.\n", encoding="utf-8")
    (folder / "b.png").write_bytes(PNG)
    (material,) = await read(folder, tmp_path / "work", ("https://x.example/",))
    assert (material.url, "30 metres" in material.text) == ("a.md", True)
    told = capsys.readouterr().out
    assert "b.png" in told
    assert "https://x.example/" in told


async def test_if_nothing_can_be_read_the_first_reason_is_told(tmp_path: Path) -> None:
    (tmp_path / "b.png").write_bytes(PNG)
    with pytest.raises(InputError, match=r"no source can be read; 'b.png': "):
        await read(tmp_path, tmp_path / ".work")


async def test_a_folder_of_too_many_files_is_refused(tmp_path: Path) -> None:
    for number in range(MAX_MATERIALS + 1):
        (tmp_path / f"{number}.md").touch()
    with pytest.raises(InputError, match="501 files, more than 500"):
        await read(tmp_path, tmp_path / ".work")
