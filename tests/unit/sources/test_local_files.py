"""Sources in folders that the user has named, and nothing outside of them."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

import pytest
from foureyes import SettingsError
from foureyes.datatypes import RatedSource, SourceState
from foureyes.sources.local_files import LocalSources
from support.checking import checked


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder of sources beside a file that is none of theirs."""
    (tmp_path / "secret.txt").write_text("secret")
    folder = tmp_path / "sources"
    (folder / "navy").mkdir(parents=True)
    (folder / "navy/ships & boats.md").write_text("the ships")
    (folder / "notes.txt").write_text("the notes")
    (folder / ".hidden.txt").write_text("hidden")
    (folder / "out.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "up").symlink_to(tmp_path)
    (folder / "in.txt").symlink_to(folder / "notes.txt")
    (folder / "ring.txt").symlink_to(folder / "ring.txt")
    (folder / "deep.txt").mkdir()
    os.mkfifo(folder / "pipe.txt")
    return folder


def found(target: str, *folders: Path) -> RatedSource:
    """What a check makes of a source that a document cites by `target`."""
    text = f"The quay is old, as [it](<{target}>) says.\n"
    (rated,) = checked(text, folders).appraisal.rated
    return rated


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("notes.txt", "the notes"),
        ("./notes.txt#part", "the notes"),
        ("notes.txt?x=1", "the notes"),
        ("navy/ships%20%26%20boats.md", "the ships"),
        ("in.txt", "the notes"),
        ("sources/notes.txt", "the notes"),
        ("./sources/navy/ships%20%26%20boats.md", "the ships"),
        ("file:{root}/notes.txt", "the notes"),
        ("file://{root}/navy/ships%20%26%20boats.md", "the ships"),
        ("FILE://localhost{root}/notes.txt", "the notes"),
        ("{root.parent.name}/sources/notes.txt", "the notes"),
    ],
)
def test_a_path_inside_the_folder_is_found(root: Path, target: str, text: str) -> None:
    rated = found(target.format(root=root), root)
    assert (rated.source.state, rated.given.text.strip()) == (SourceState.OK, text)


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
        ("ring.txt", SourceState.REFUSED_BY_POLICY),
        ("{root}/notes.txt", SourceState.REFUSED_BY_POLICY),
        ("/etc/hostname", SourceState.REFUSED_BY_POLICY),
        ("~/notes.txt", SourceState.REFUSED_BY_POLICY),
        ("%2fetc/hostname", SourceState.REFUSED_BY_POLICY),
        ("notes.txt%00", SourceState.REFUSED_BY_POLICY),
        ("file:///etc/hostname", SourceState.REFUSED_BY_POLICY),
        ("file:{root}/../secret.txt", SourceState.REFUSED_BY_POLICY),
        ("file://tarvia.example/notes.txt", SourceState.REFUSED_BY_POLICY),
        ("file://[x/notes.txt", SourceState.REFUSED_BY_POLICY),
        ("sources/gone.txt", SourceState.DEAD),
        ("source/notes.txt", SourceState.DEAD),
        ("gone.txt", SourceState.DEAD),
        ("secret.txt", SourceState.DEAD),
        ("%252e%252e/secret.txt", SourceState.DEAD),
        ("file:{root}/gone.txt", SourceState.DEAD),
        ("deep.txt", SourceState.UNSUPPORTED_TYPE),
        ("pipe.txt", SourceState.UNSUPPORTED_TYPE),
    ],
)
def test_nothing_else_can_be_reached(root: Path, target: str, state: SourceState) -> None:
    rated = found(target.format(root=root), root)
    assert (rated.source.state, rated.given.text) == (state, "")


def test_without_folders_no_path_is_followed() -> None:
    source = found("notes.txt").source
    assert source.state is SourceState.REFUSED_BY_POLICY
    assert "no folder of sources was named" in source.reason


def test_what_leads_elsewhere_is_left_alone(root: Path) -> None:
    source = found("https://tarvia.example/a", root).source
    assert (source.state, source.reason) == (
        SourceState.NOT_FETCHED,
        "fetching is switched off",
    )


def text_of(target: str, *folders: Path) -> str:
    return found(target, *folders).given.text.strip()


def test_what_a_folder_holds_comes_before_its_own_name(root: Path) -> None:
    assert text_of("sources/notes.txt", root) == "the notes"
    (root / "sources").mkdir()
    (root / "sources/notes.txt").write_text("inner notes")
    assert text_of("sources/notes.txt", root) == "inner notes"


@pytest.mark.parametrize(
    "names",
    [
        ("run.json", "versions.json"),
        ("review.json", "versions.json"),
        ("batch.json", "plan.json"),
        ("experiment.yaml", "plan.json"),
    ],
)
def test_what_this_program_wrote_about_a_document_is_no_source(
    root: Path, names: tuple[str, ...]
) -> None:
    known = LocalSources([root]).files()
    record = root / "runs/2026_olm"
    (record / "sources").mkdir(parents=True)
    for name in (*names, "report.md", "sources/a.txt"):
        (record / name).write_text("It rose by 5 %.")
    assert LocalSources([root]).files() == known
    assert LocalSources([record]).files() != ()


def test_folders_are_searched_in_order(root: Path, tmp_path: Path) -> None:
    second = tmp_path / "second"
    second.mkdir()
    (second / "notes.txt").write_text("other notes")
    (second / "more.txt").write_text("more")
    assert text_of("notes.txt", root, second) == "the notes"
    assert text_of("more.txt", root, second) == "more"


def test_a_listed_address_is_answered_by_its_file(root: Path) -> None:
    (root / "sources.yaml").write_text(
        "- {file: notes.txt, url: https://Tarvia.example/notes#top, title: Notes}\n"
    )
    for target in (
        "https://tarvia.example/notes",
        "http://tarvia.example/notes/",
        "https://tarvia.example/n%6Ftes?utm_source=chatgpt.com#:~:text=the",
        "notes.txt",
    ):
        given = found(target, root).given
        assert (given.title, given.text.strip()) == ("Notes", "the notes")
    assert LocalSources([root]).find("https://tarvia.example/notes?page=2") is None


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
        checked("", [root])


@pytest.mark.parametrize("name", ["a b.md", "c#.md", "100%.txt", "what?.txt", "grün.md"])
def test_a_file_is_found_at_its_address_whatever_its_name(root: Path, name: str) -> None:
    (root / name).write_text("named notes")
    assert text_of(quote(name), root) == "named notes"


def test_a_folder_that_may_not_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Root, as which tests may run, is kept out by no rights.
    def refused(path: Path, mode: int) -> bool:
        return False

    monkeypatch.setattr("os.access", refused)
    with pytest.raises(SettingsError, match=r"cannot read .* .check the folder's rights"):
        checked("", [tmp_path])
