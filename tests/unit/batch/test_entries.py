from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from support.commands import foureyes_here


def write(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("A text.\n", encoding="utf-8")


def planned(given: Path, *options: str | Path) -> list[dict[str, Any]]:
    """The documents of a batch of `given`, in the order of its plan; `file` is the copy of each."""
    out = given.parent / f"batches of {given.name}"
    quick = ("--fetch", "none", "--reader", "none", "--json", "--quiet")
    done = foureyes_here("batch", "run", given, *options, *quick, "--out", out, cwd=given.parent)
    assert done.stdout, done.stderr
    (batch,) = out.iterdir()
    documents = json.loads((batch / "plan.json").read_bytes())["documents"]
    return [{**one, "file": batch / "documents" / one["document"]} for one in documents]


def ids(folder: Path, *options: str | Path) -> list[str]:
    return [one["id"] for one in planned(folder, *options)]


def refusal(given: Path, *options: str) -> str:
    """The one line by which the command refuses `given`."""
    done = foureyes_here("batch", "run", given, *options, cwd=given.parent)
    assert (done.returncode, done.stdout) == (4, "")
    (line,) = done.stderr.splitlines()
    return line


def test_a_folder_gives_its_documents_by_path_and_nothing_that_is_hidden_ours_or_a_source(
    tmp_path: Path,
) -> None:
    docs = tmp_path / "docs"
    write(docs, "b.md", "a/z.TXT", "a/b.html", "a.pdf", "c.docx", "notes.odt", "Makefile")
    write(docs, ".hidden.md", ".git/x.md", "sources/s.md", "a/more/d.markdown")
    for name in ("run.json", "review.json", "batch.json", "experiment.json", "check.json"):
        write(docs, f"of {name}/{name}", f"of {name}/inner/report.md")
    assert ids(docs, "--sources", docs / "sources") == [
        *("a.pdf", "a/b.html", "a/more/d.markdown", "a/z.TXT", "b.md", "c.docx"),
    ]


def test_copies_that_a_check_wrote_are_left_out_beside_what_they_are_copies_of(
    tmp_path: Path,
) -> None:
    docs = tmp_path / "docs"
    write(docs, "a.md", "a.fixed.md", "a.cited.md", "a.fixed.cited.md", "b.fixed.md")
    write(docs, "c.txt", "c.fixed.md", "sub/a.cited.md")
    assert ids(docs) == ["a.md", "b.fixed.md", "c.fixed.md", "c.txt", "sub/a.cited.md"]


def test_links_that_lead_out_are_refused_and_those_within_are_read(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md", "docs/sub/b.md", "outside/secret.md")
    docs = tmp_path / "docs"
    (docs / "out.md").symlink_to(tmp_path / "outside/secret.md")
    (docs / "folder").symlink_to(tmp_path / "outside")
    (docs / "within.md").symlink_to(docs / "a.md")
    (docs / "again").symlink_to(docs / "sub")
    (docs / "gone.md").symlink_to(docs / "nothing.md")
    found = {one["id"]: one["failed"] for one in planned(docs)}
    out = "it is a link that leads out of the folder"
    assert found == {
        **{"a.md": "", "sub/b.md": "", "within.md": ""},
        "gone.md": f"'{docs / 'gone.md'}' does not exist (check the path)",
        **{"out.md": out, "folder": out},
    }


def test_what_cannot_be_named_or_listed_is_told_of(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    write(docs, "a.md")
    with open(os.fsencode(docs) + b"/caf\xe9.md", "wb") as file:
        file.write(b"A text.")
    found = {one["id"]: one for one in planned(docs)}
    assert found["caf\\udce9.md"]["failed"] == "its name is not UTF-8: rename it"
    assert found["caf\\udce9.md"]["document"] == ""


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("empty", "'empty' holds no document"),
        ("one.md", "'one.md' is one document (use `foureyes check`"),
        ("blank.jsonl", "'blank.jsonl' is empty"),
        ("gone.jsonl", "'gone.jsonl' does not exist"),
    ],
)
def test_input_without_documents_is_refused(given: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    write(tmp_path, "one.md")
    (tmp_path / "blank.jsonl").write_text("\n \n")
    done = foureyes_here("batch", "run", given, cwd=tmp_path)
    assert (done.returncode, said in done.stderr) == (4, True)


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
    file, text = planned(path)
    assert (file["name"], file["path"]) == (str(tmp_path / "a.md"),) * 2
    assert file["sources"] == [str((tmp_path / "s").resolve()), "https://tarvia.example/"]
    assert (text["name"], text["path"]) == ("text", "")
    assert [one["file"].read_text("utf-8") for one in (file, text)] == [
        *("A text.\n", "It is 62 m long."),
    ]


def test_a_line_of_a_run_gives_a_brief_and_a_draft(tmp_path: Path) -> None:
    write(tmp_path, "a.md")
    path = lines(tmp_path, {"id": "r", "brief": "What?", "draft_file": "a.md"})
    (run,) = planned(path, "--task", "run", "--mode", "analyze", "--max-iterations", "1")
    assert run["file"].read_text("utf-8") == "A text.\n"
    brief = run["file"].parents[2] / run["brief"]
    assert (brief.read_text("utf-8"), run["path"]) == ("What?", str(tmp_path / "a.md"))


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
    line = refusal(path)
    assert f"{path}, line 2: " in line
    assert said in line


def test_a_run_takes_no_document(tmp_path: Path) -> None:
    path = lines(tmp_path, {"id": "a", "document": "x"})
    assert "a run takes a brief, a draft or both" in refusal(path, "--task", "run")
