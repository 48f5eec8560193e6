from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from foureyes import InputError
from foureyes.batch.planning import TextInput, read_entries
from foureyes.report.batch import BatchTask


def write(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("A text.\n", encoding="utf-8")


def ids(folder: Path, *sources: Path) -> list[str]:
    return [entry.id for entry in read_entries(folder, BatchTask.CHECK, sources)]


def test_a_folder_gives_its_documents_by_path_and_nothing_that_is_hidden_ours_or_a_source(
    tmp_path: Path,
) -> None:
    write(tmp_path, "b.md", "a/z.TXT", "a/b.html", "a.pdf", "c.docx", "notes.odt", "Makefile")
    write(tmp_path, ".hidden.md", ".git/x.md", "sources/s.md", "a/more/d.markdown")
    for name in ("run.json", "review.json", "batch.json", "experiment.json", "check.json"):
        write(tmp_path, f"of {name}/{name}", f"of {name}/inner/report.md")
    assert ids(tmp_path, tmp_path / "sources") == [
        *("a.pdf", "a/b.html", "a/more/d.markdown", "a/z.TXT", "b.md", "c.docx"),
    ]


def test_copies_that_a_check_wrote_are_left_out_beside_what_they_are_copies_of(
    tmp_path: Path,
) -> None:
    write(tmp_path, "a.md", "a.fixed.md", "a.cited.md", "a.fixed.cited.md", "b.fixed.md")
    write(tmp_path, "c.txt", "c.fixed.md", "sub/a.cited.md")
    assert ids(tmp_path) == ["a.md", "b.fixed.md", "c.fixed.md", "c.txt", "sub/a.cited.md"]


def test_links_that_lead_out_are_refused_and_those_within_are_read(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md", "docs/sub/b.md", "outside/secret.md")
    docs = tmp_path / "docs"
    (docs / "out.md").symlink_to(tmp_path / "outside/secret.md")
    (docs / "folder").symlink_to(tmp_path / "outside")
    (docs / "within.md").symlink_to(docs / "a.md")
    (docs / "again").symlink_to(docs / "sub")
    (docs / "gone.md").symlink_to(docs / "nothing.md")
    found = {entry.id: entry.refused for entry in read_entries(docs, BatchTask.CHECK, ())}
    out = "it is a link that leads out of the folder"
    assert found == {
        **{"a.md": "", "sub/b.md": "", "within.md": "", "gone.md": ""},
        **{"out.md": out, "folder": out},
    }


def test_what_cannot_be_named_or_listed_is_told_of(tmp_path: Path) -> None:
    write(tmp_path, "a.md")
    with open(os.fsencode(tmp_path) + b"/caf\xe9.md", "wb") as file:
        file.write(b"A text.")
    found = {entry.id: entry for entry in read_entries(tmp_path, BatchTask.CHECK, ())}
    assert found["caf\\udce9.md"].refused == "its name is not UTF-8: rename it"
    assert found["caf\\udce9.md"].document is None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("empty", "'empty' holds no document"),
        ("one.md", "'one.md' is one document (use `foureyes check`"),
        ("blank.jsonl", "'blank.jsonl' is empty"),
        ("gone.jsonl", "'gone.jsonl' does not exist"),
    ],
)
def test_input_without_documents_is_refused(
    given: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    write(tmp_path, "one.md")
    (tmp_path / "blank.jsonl").write_text("\n \n")
    with pytest.raises(InputError) as raised:
        read_entries(Path(given), BatchTask.CHECK, ())
    assert said in str(raised.value)


def lines(folder: Path, *records: object) -> Path:
    path = folder / "documents.jsonl"
    path.write_text("\n".join(json.dumps(record) for record in records) + "\n", encoding="utf-8")
    return path


def test_lines_give_texts_and_files_beside_them(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "s/x.md")
    path = lines(
        tmp_path,
        {"id": "file", "document_file": "a.md", "sources": ["s", "https://tarvia.example/"]},
        {"id": "text", "document": "It is 62 m long."},
    )
    file, text = read_entries(path, BatchTask.REVIEW, ())
    assert (file.name, file.document) == (str(tmp_path / "a.md"), TextInput(tmp_path / "a.md"))
    assert file.sources == (str((tmp_path / "s").resolve()), "https://tarvia.example/")
    assert (text.name, text.document) == ("text", TextInput(None, "It is 62 m long."))
    path = lines(tmp_path, {"id": "r", "brief": "What?", "draft_file": "a.md"})
    (run,) = read_entries(path, BatchTask.RUN, ())
    assert (run.brief, run.document) == (TextInput(None, "What?"), TextInput(tmp_path / "a.md"))


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"document": "x"}, "id: it is missing"),
        ({"id": "a", "text": "x"}, "text: there is no such key"),
        ({"id": "a", "document": "x", "document_file": "x.md"}, "both document and document_file"),
        ({"id": "a"}, "a check takes a document, and nothing else"),
        ({"id": "a", "document": "x", "brief": "x"}, "a check takes a document"),
        ({"id": "a", "draft": "x"}, "a check takes a document"),
        ({"id": "a", "document": "x", "sources": ["gone"]}, "the source"),
        ({"id": "first", "document": "x"}, "there is another 'first'"),
        ("no object", "Input should be keys with values"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(record: object, said: str, tmp_path: Path) -> None:
    path = lines(tmp_path, {"id": "first", "document": "x"}, record)
    with pytest.raises(InputError) as raised:
        read_entries(path, BatchTask.CHECK, ())
    assert f"{path}, line 2: " in str(raised.value)
    assert said in str(raised.value)


def test_a_run_takes_no_document(tmp_path: Path) -> None:
    path = lines(tmp_path, {"id": "a", "document": "x"})
    with pytest.raises(InputError, match="a run takes a brief, a draft or both"):
        read_entries(path, BatchTask.RUN, ())
