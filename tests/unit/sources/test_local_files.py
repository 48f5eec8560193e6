from __future__ import annotations

import os
from pathlib import Path

import pytest
from foureyes import SettingsError
from foureyes.datatypes import SourceState
from foureyes.sources.failure import FetchFailed
from foureyes.sources.local_files import LocalFile, LocalSources, read_local


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder of sources beside a file that is none of theirs."""
    (tmp_path / "secret.txt").write_text("secret")
    folder = tmp_path / "sources"
    (folder / "navy").mkdir(parents=True)
    (folder / "navy/ships & boats.md").write_text("# Ships")
    (folder / "notes.txt").write_text("notes")
    (folder / ".hidden.txt").write_text("hidden")
    (folder / "out.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "up").symlink_to(tmp_path)
    (folder / "in.txt").symlink_to(folder / "notes.txt")
    (folder / "ring").symlink_to(folder / "ring")
    os.mkfifo(folder / "pipe.txt")
    return folder


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("notes.txt", "notes.txt"),
        ("./notes.txt#part", "notes.txt"),
        ("notes.txt?x=1", "notes.txt"),
        ("navy/ships%20%26%20boats.md", "navy/ships & boats.md"),
        ("in.txt", "notes.txt"),
        ("sources/notes.txt", "notes.txt"),
        ("./sources/navy/ships%20%26%20boats.md", "navy/ships & boats.md"),
        ("file:{root}/notes.txt", "notes.txt"),
        ("file://{root}/navy/ships%20%26%20boats.md", "navy/ships & boats.md"),
        ("FILE://localhost{root}/notes.txt", "notes.txt"),
        ("{root.parent.name}/sources/notes.txt", "notes.txt"),
    ],
)
def test_a_path_inside_the_folder_is_found(root: Path, target: str, name: str) -> None:
    found = LocalSources([root]).find(target.format(root=root))
    assert found == LocalFile(root.resolve() / name, name, None)


@pytest.mark.parametrize(
    ("target", "state"),
    [
        ("../secret.txt", SourceState.REFUSED_BY_POLICY),
        ("%2e%2e/secret.txt", SourceState.REFUSED_BY_POLICY),
        ("navy/..%2f../secret.txt", SourceState.REFUSED_BY_POLICY),
        ("navy/../notes.txt", SourceState.REFUSED_BY_POLICY),
        ("..\\secret.txt", SourceState.REFUSED_BY_POLICY),
        ("out.txt", SourceState.REFUSED_BY_POLICY),
        ("up/secret.txt", SourceState.REFUSED_BY_POLICY),
        ("sources/out.txt", SourceState.REFUSED_BY_POLICY),
        ("sources/../secret.txt", SourceState.REFUSED_BY_POLICY),
        ("ring", SourceState.REFUSED_BY_POLICY),
        ("{root}/notes.txt", SourceState.REFUSED_BY_POLICY),
        ("/etc/hostname", SourceState.REFUSED_BY_POLICY),
        ("~/notes.txt", SourceState.REFUSED_BY_POLICY),
        ("%2fetc/hostname", SourceState.REFUSED_BY_POLICY),
        ("notes.txt%00", SourceState.REFUSED_BY_POLICY),
        ("", SourceState.REFUSED_BY_POLICY),
        ("#part", SourceState.REFUSED_BY_POLICY),
        ("file:///etc/hostname", SourceState.REFUSED_BY_POLICY),
        ("file:{root}/../secret.txt", SourceState.REFUSED_BY_POLICY),
        ("file://tarvia.example/notes.txt", SourceState.REFUSED_BY_POLICY),
        ("file://[x/notes.txt", SourceState.REFUSED_BY_POLICY),
        ("sources/gone.txt", SourceState.DEAD),
        ("source/notes.txt", SourceState.DEAD),
        ("sources", SourceState.DEAD),
        ("gone.txt", SourceState.DEAD),
        ("secret.txt", SourceState.DEAD),
        ("%252e%252e/secret.txt", SourceState.DEAD),
        ("file:{root}/gone.txt", SourceState.DEAD),
        ("navy", SourceState.UNSUPPORTED_TYPE),
        ("pipe.txt", SourceState.UNSUPPORTED_TYPE),
    ],
)
def test_nothing_else_can_be_reached(root: Path, target: str, state: SourceState) -> None:
    with pytest.raises(FetchFailed) as caught:
        LocalSources([root]).find(target.format(root=root))
    assert caught.value.state is state


def test_without_folders_no_path_is_followed() -> None:
    with pytest.raises(FetchFailed, match="no folder of sources was named"):
        LocalSources().find("notes.txt")


@pytest.mark.parametrize("target", ["https://tarvia.example/a", "mailto:ann@tarvia.example"])
def test_what_leads_elsewhere_is_left_alone(root: Path, target: str) -> None:
    assert LocalSources([root]).find(target) is None


def test_a_folder_is_known_by_the_name_of_a_link_to_it_and_what_it_holds_comes_first(
    root: Path, tmp_path: Path
) -> None:
    (tmp_path / "given").symlink_to(root)
    local = LocalSources([tmp_path / "given"])
    assert local.find("given/notes.txt") == local.find("sources/notes.txt")
    (root / "given").mkdir()
    (root / "given/notes.txt").write_text("inner notes")
    assert local.find("given/notes.txt") != local.find("sources/notes.txt")


def test_folders_are_searched_in_order(root: Path, tmp_path: Path) -> None:
    second = tmp_path / "second"
    second.mkdir()
    (second / "notes.txt").write_text("other notes")
    (second / "more.txt").write_text("more")
    local = LocalSources([root, second])
    found = [local.find("notes.txt"), local.find("more.txt")]
    assert [file.path.parent for file in found if file] == [root.resolve(), second.resolve()]


def test_a_listed_address_is_answered_by_its_file(root: Path) -> None:
    (root / "sources.yaml").write_text(
        "- {file: notes.txt, url: https://Tarvia.example/notes#top, title: Notes}\n"
    )
    local = LocalSources([root])
    by_url, by_path = local.find("https://tarvia.example/notes"), local.find("notes.txt")
    assert by_url is not None
    assert by_url == by_path
    assert by_url.listed is not None
    assert by_url.listed.title == "Notes"


@pytest.mark.parametrize(
    ("listing", "problem"),
    [
        ("- file: notes.txt\n- file: gone.txt\n", "there is no file 'gone.txt'"),
        ("- file: ../secret.txt\n", "there is no file"),
        ("- file: out.txt\n", "there is no file"),
        (
            "- {file: notes.txt, url: http://a.example}\n- {file: in.txt, url: http://a.example/}\n",
            "http://a.example/ is listed twice",
        ),
    ],
)
def test_a_listing_that_names_what_is_not_there_is_refused(
    root: Path, listing: str, problem: str
) -> None:
    (root / "sources.yaml").write_text(listing)
    with pytest.raises(SettingsError, match=problem):
        LocalSources([root])


def test_a_root_must_be_a_folder(root: Path) -> None:
    with pytest.raises(SettingsError, match="is not a folder"):
        LocalSources([root / "notes.txt"])


def test_the_files_are_given_the_listed_ones_first(root: Path) -> None:
    (root / "sources.yaml").write_text("- file: notes.txt\n")
    names = [file.name for file in LocalSources([root]).files()]
    assert names == ["notes.txt", "navy/ships & boats.md"]


@pytest.mark.parametrize("name", ["a b.md", "c#.md", "100%.txt", "what?.txt", "grün.md"])
def test_a_file_is_found_at_its_address_whatever_its_name(root: Path, name: str) -> None:
    (root / name).write_text("notes")
    local = LocalSources([root])
    file = next(file for file in local.files() if file.name == name)
    assert local.find(file.address) == file


def test_a_file_is_read_within_the_bound(root: Path) -> None:
    file = LocalFile(root / "notes.txt", "notes.txt", None)
    assert read_local(file, 5) == b"notes"
    with pytest.raises(FetchFailed, match="larger than 4 bytes"):
        read_local(file, 4)


def test_a_file_that_has_gone_is_dead(root: Path) -> None:
    with pytest.raises(FetchFailed, match="cannot be read") as caught:
        read_local(LocalFile(root / "gone.txt", "gone.txt", None), 5)
    assert caught.value.state is SourceState.DEAD


def test_a_folder_that_may_not_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Root, as which tests may run, is kept out by no rights.
    def refused(path: Path, mode: int) -> bool:
        return False

    monkeypatch.setattr("os.access", refused)
    with pytest.raises(SettingsError, match=r"cannot read .* .check the folder's rights"):
        LocalSources([tmp_path])
