"""`foureyes check` through the command line."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
import structlog
from support.commands import execute

ROOT = Path(__file__).parents[3]
LOG = "# Log\n\nThe mean crossing took 45 minutes.\n\nThe ferry made 200 calls at Norrvik in May.\n"
DRAFT = (
    "# Ferry\n\nThe mean crossing took 65 minutes ([log](log.md)).\n\n"
    "The ferry made 200 calls at Norrvik in May ([log](log.md)).\n\n"
    "## Crew\n\nThe crew numbers 34 people.\n"
)


@pytest.fixture
def draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.md").write_text(LOG, encoding="utf-8")
    path = Path("draft.md")
    path.write_bytes(DRAFT.replace("\n", "\r\n").encode())
    return path


def check(*options: str) -> int:
    return execute(["check", "draft.md", "--sources", "log.md", *options])


def test_a_finding_has_four_lines_place_problem_source_and_the_way_out(
    draft: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check() == 1
    told = capsys.readouterr().out.splitlines()
    assert told[:7] == [
        "draft.md:3:1 high numeric_error contradicted: “The mean crossing took 65 minutes.”",
        "    problem: the number differs from the source's; source: 45 minutes; claim: 65 minutes; "
        "+44 % against the source (log.md)",
        "    source:  “The mean crossing took 45 minutes.” (log.md)",
        "    fix:     replace “65 minutes” with “45 minutes” (--fix does it)",
        "draft.md:9:1 high unsourced unverifiable: “The crew numbers 34 people.”",
        "    problem: a statistic without a source; no citation covers it",
        "    fix:     cite a source that states it, or call it your own estimate and say on what "
        "it rests, or remove it",
    ]
    assert not list(Path().glob("draft.*.md"))


def test_a_passage_that_only_comes_near_is_no_source(
    draft: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draft.write_text("The mean crossing took 45 minutes in 2019 ([log](log.md)).\n", "utf-8")
    check("--all")
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("draft.md:1:1 medium unverifiable: “The mean crossing took")
    assert told[1].startswith("    problem: the cited source does not state this; ")
    assert "does not state 2019" in told[1]
    assert told[2].startswith("    nearest: “The mean crossing took 45 minutes. ")
    assert told[3].startswith("    fix:     cite a source that states 2019, or leave that out")


def test_findings_of_one_kind_are_folded_and_all_shows_them(
    draft: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draft.write_text("".join(f"Mast {n} is {n} metres high.\n\n" for n in range(20, 27)), "utf-8")
    check()
    told = capsys.readouterr().out
    assert told.count("    problem: ") == 3
    assert (
        "4 findings more of this kind, a statistic without a source: line 7, 9, 11, 13 "
        "(--all shows them)\n" in told
    )
    check("--all")
    assert capsys.readouterr().out.count("    problem: ") == 7


def test_what_is_wrong_with_one_sentence_is_one_finding(
    draft: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draft.write_text("Sales rose from 10 to 20 euros in 2020, a rise of 50%.\n", "utf-8")
    check("--json")
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert finding["also"]


def cite(folder: Path, link: str, *given: str, file: str = "data/s.md") -> int:
    """The exit code of a check of a document in `docs` that cites `link`."""
    for name, text in ((file, "The dam is 94 metres high."), ("docs/d.md", "")):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(f"# Dam\n\n{text}\n", "utf-8")
    (folder / "docs/d.md").write_text(f"# Dam\n\nThe dam is 84 metres high ({link}).\n", "utf-8")
    return execute(["check", "docs/d.md", "--fetch", "none", *given])


@pytest.mark.parametrize(
    ("link", "given", "code", "words"),
    [
        ("[s](../data/s.md)", ("--sources", "data"), 1, "source: 94 metres; claim: 84 metres"),
        ("[s](../data/s.md)", ("--sources", "."), 1, "source: 94 metres; claim: 84 metres"),
        ("[s](../data/s.md)", ("--sources", "data/s.md"), 1, "source: 94 metres; claim: 84 metres"),
        ("[s](data/s.md)", ("--sources", "data/s.md"), 1, "source: 94 metres; claim: 84 metres"),
        ("[s](data/s.md)", ("--sources", "data"), 1, "source: 94 metres; claim: 84 metres"),
        ("[s](s.md)", ("--sources", "data"), 1, "source: 94 metres; claim: 84 metres"),
        ("[s](../data/s.md)", (), 2, "1 claim cites local files and no folder is named: "
         "add --sources data"),
        ("[s](../data/s.md)", ("--sources", "docs"), 2, "the path leads out of the folders"),
        ("[s](https://dam.example/s)", (), 2, "not fetched: https://dam.example/s"),
        ("[s](http://127.0.0.1/s)", ("--fetch", "live"), 2, "127.0.0.1 is not public"),
        ("[s](gone.md)", ("--sources", "data"), 1, "there is no such file"),
    ],
)  # fmt: skip
def test_a_check_passes_only_if_what_is_cited_was_read(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    link: str,
    given: tuple[str, ...],
    code: int,
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cite(tmp_path, link, *given) == code
    assert words in capsys.readouterr().out


def test_a_file_is_found_whichever_way_its_accents_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    composed, decomposed = "re\u0301sume\u0301.md", "r\u00e9sum\u00e9.md"
    assert cite(tmp_path, f"[s]({decomposed})", "--sources", "a", file=f"a/{composed}") == 1
    assert cite(tmp_path, f"[s]({composed})", "--sources", "b", file=f"b/{decomposed}") == 1


HARBOUR = (
    "# Harbour\n\n## Trade\n\nThe harbour handled 4.1 million tonnes in 2023{}.\n\n"
    "About 60 percent of the ships are older than 20 years{}.\n"
)


@pytest.mark.parametrize(
    ("mark", "name"),
    [
        ("", ""),
        (" ([r](report.md))", ""),
        (" ([r](./report.md#trade))", ""),
        (" ([r](../docs/report.md))", ""),
        (" ([r](report.cited.md))", "report.cited.md"),
        (" ([r](copy.md))", "copy.md"),
        ("", "other.md"),
    ],
)
def test_a_document_and_its_copies_are_no_source_of_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    mark: str,
    name: str,
) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    monkeypatch.chdir(folder)
    Path("report.md").write_text(HARBOUR.format(mark, mark), "utf-8")
    if name:
        Path(name).write_text(HARBOUR.format("", "") + "\nIt has 3 quays.\n", "utf-8")
    assert execute(["check", "report.md", "--sources", ".", "--fix"]) != 0
    assert not Path("report.fixed.md").exists()
    # What to do then is not to give it once more.
    told = capsys.readouterr().out
    assert ("cite the source that the document has it from" in told) is bool(mark)
    assert "--allowed-hosts" not in told


def test_what_a_source_may_state_in_the_part_that_was_not_read_is_unchecked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rules").mkdir()
    rules = (ROOT / "config/registry/fetch.yaml").read_text("utf-8")
    Path("rules/fetch.yaml").write_text(
        rules.replace("text_characters: 4000000", "text_characters: 2000"), "utf-8"
    )
    page = "The river is cold and the mill is old, as it was in the years before.\n\n" * 60
    Path("a.txt").write_text(page + "The Arn dam is 84 metres high.\n", "utf-8")
    Path("d.md").write_text("# L\n\nThe Arn dam is 84 metres high ([a](a.txt)).\n", "utf-8")
    given = ["--sources", "a.txt", "--registry-dir", "rules", "--all"]
    assert execute(["check", "d.md", *given]) == 2
    told = capsys.readouterr().out
    assert "the cited source was read in part, and the part that was read" in told


def test_standard_input_is_read_and_no_copy_is_written_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for options, code in (((), 1), (("--fix",), 4)):
        text = io.TextIOWrapper(io.BytesIO(b"The dam has 3 gates.\n"), encoding="utf-8")
        monkeypatch.setattr("sys.stdin", text)
        assert execute(["check", "-", *options]) == code
    told = capsys.readouterr()
    assert told.out.startswith("-:1:1 high unsourced")
    assert "'standard input' is no file" in told.err


def test_what_is_left_is_told_once_with_all_its_lines(
    draft: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draft.write_text("The crew numbers 34 people.\n\nThe mast is 9 metres high.\n", "utf-8")
    check("--fix")
    assert "    left to you, lines 1, 3: cite a source" in capsys.readouterr().out


def test_a_warning_leaves_standard_output_to_the_result(
    draft: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "taken").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "taken"))
    structlog.reset_defaults()
    check("--json")
    out, err = capfd.readouterr()
    assert json.loads(out)["exit_code"] == 1
    assert "[warning" in err


def test_json_carries_the_same(draft: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check("--json", "--fix", "--cite", "footnotes") == 1
    told = json.loads(capsys.readouterr().out)
    first, second = told["findings"]
    assert (first["location"]["line"], first["verdict"]) == (3, "contradicted")
    assert first["quotes"][0]["quote"] == "The mean crossing took 45 minutes."
    assert first["repair"]["action"] == "replace “65 minutes” with “45 minutes”"
    assert first["repair"]["automatic"]
    assert (second["verdict"], second["quotes"], second["repair"]["kind"]) == (
        "unverifiable", [], "cite",
    )  # fmt: skip
    assert [b["verification_status"] for b in told["bindings"]] == [
        "unverified", "verified", "unverified",
    ]  # fmt: skip
    assert (told["fixed"]["path"], len(told["fixed"]["made"])) == ("draft.fixed.md", 1)
    assert told["cited"] == {"path": "draft.cited.md", "marks": 1}


def test_fix_writes_a_copy_and_tells_what_it_did_and_what_is_left(
    draft: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = draft.read_bytes()
    assert check("--fix") == 1
    assert draft.read_bytes() == before
    assert Path("draft.fixed.md").read_bytes() == before.replace(b"65", b"45")
    told = capsys.readouterr().out.splitlines()
    assert told[-3:] == [
        "fixed: 1 of 2 findings: draft.fixed.md",
        "    line 3: replace “65 minutes” with “45 minutes”",
        "    left to you, line 9: cite a source that states it, or call it your own estimate and "
        "say on what it rests, or remove it",
    ]


def test_cite_marks_what_is_borne_out(draft: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check("--cite", "inline")
    assert capsys.readouterr().out.endswith("cited: 1 mark added: draft.cited.md\n")
    assert Path("draft.cited.md").read_bytes() == (
        draft.read_bytes().replace(b"May ([log](log.md)).", b"May ([log](log.md)) [1].")
        + b"\r\n[1] [Log](<log.md>)\r\n"
    )


def test_no_copy_is_written_where_nothing_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("draft.md").write_text("The crew numbers 34 people.\n", encoding="utf-8")
    assert execute(["check", "draft.md", "--fix", "--cite", "inline"]) == 1
    told = capsys.readouterr().out
    assert "fixed: 0 of 1 finding, so no copy is written\n" in told
    assert "cited: there is no mark to add, so no copy is written\n" in told
    assert [path.name for path in tmp_path.iterdir()] == ["draft.md"]


def test_html_is_read_as_a_page_and_never_copied(
    draft: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = draft.with_suffix(".html")
    page.write_text(
        "<html><head><title>Log</title><style>p { width: 77%; }</style></head><body>"
        "<p>The mean crossing took <b>65 minutes</b> (<a href='log.md'>log</a>).</p></body></html>",
        "utf-8",
    )
    assert execute(["check", str(page), "--sources", "."]) == 1
    told = capsys.readouterr()
    assert "“The mean crossing took 65 minutes.”" in told.out
    assert "77" not in told.out
    assert told.err.endswith("is HTML: lines are those of its text as Markdown\n")
    assert execute(["claims", str(page)]) == 0
    assert "1 claim, " in capsys.readouterr().out
    assert execute(["check", str(page), "--cite", "inline"]) == 4


def test_an_unknown_style_is_refused(draft: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check("--cite", "harvard") == 4
    assert "'--cite': 'harvard' is not one of 'inline', 'footnotes'" in capsys.readouterr().err


def test_a_sound_document_has_nothing_to_tell_of(
    draft: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draft.write_text("The mean crossing took 45 minutes ([log](log.md)).\n", "utf-8")
    assert check("--fix", "--cite", "inline") == 0
    told = capsys.readouterr().out
    assert "problem:" not in told
    assert "fixed: 0 of 0 findings, so no copy is written\n" in told
    assert "cited: 1 mark added: draft.cited.md" in told


def test_what_cannot_be_compared_for_its_language_is_told_of(
    draft: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draft.write_text(
        "# Die Fähre\n\nDie mittlere Überfahrt dauerte im vergangenen Jahr 45 Minuten und "
        "kostete die Reisenden zwölf Euro ([Buch](log.md)).\n",
        "utf-8",
    )
    check()
    told = capsys.readouterr().out.splitlines()
    assert told[0] == (
        "not checked: statements that are not checkable: the language, which is compared by exact "
        "words alone (line 3)"
    )


def test_sources_that_were_not_fetched_are_named(
    draft: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draft.write_text("The pier is 60 metres long (https://pier.example/a).\n", "utf-8")
    assert check("--fetch", "none") == 2
    assert "not fetched: https://pier.example/a: " in capsys.readouterr().out


OTHER = "The crew numbers 34 people.\n"


def write_other() -> None:
    Path("other.md").write_text(OTHER, encoding="utf-8")


@pytest.mark.usefixtures("draft")
def test_several_documents_are_checked_and_the_worst_code_is_theirs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("empty.md").write_text("", encoding="utf-8")
    write_other()
    assert check("other.md", "empty.md") == 4
    told = capsys.readouterr()
    assert "draft.md:3:1 high numeric_error" in told.out
    assert "other.md:1:1 high unsourced" in told.out
    heads = [line for line in told.out.splitlines() if line.endswith(".md:")]
    assert heads == ["draft.md:", "other.md:"]
    (line,) = told.err.splitlines()
    assert "'empty.md'" in line
    assert check("other.md") == 1


@pytest.mark.usefixtures("draft")
def test_sarif_has_every_document_and_says_which_could_not_be_checked() -> None:
    write_other()
    assert check("other.md", "missing.md", "--sarif", "found.sarif") == 4
    (run,) = json.loads(Path("found.sarif").read_text("utf-8"))["runs"]
    assert [one["location"]["uri"] for one in run["artifacts"]] == ["draft.md", "other.md"]
    places = [one["locations"][0]["physicalLocation"] for one in run["results"]]
    assert {one["artifactLocation"]["index"] for one in places} == {0, 1}
    (invocation,) = run["invocations"]
    assert not invocation["executionSuccessful"]
    assert "missing.md" in invocation["toolExecutionNotifications"][0]["message"]["text"]


@pytest.mark.usefixtures("draft")
def test_what_the_baseline_has_does_not_count_and_what_is_new_does(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert check("--write-baseline", "known.json") == 1
    assert check("--baseline", "known.json", "--sarif", "found.sarif") == 0
    assert "accepted in the baseline: 2 findings" in capsys.readouterr().out
    (run,) = json.loads(Path("found.sarif").read_text("utf-8"))["runs"]
    findings = [one for one in run["results"] if not one["ruleId"].startswith("failed_")]
    assert [len(one["suppressions"]) for one in findings] == [1, 1]
    Path("draft.md").write_text(DRAFT + "\nThe mast is 9 metres high.\n", encoding="utf-8")
    capsys.readouterr()
    assert check("--baseline", "known.json", "--json", "--sarif", "found.sarif") == 1
    told = json.loads(capsys.readouterr().out)
    assert len(told["accepted"]) == 2
    assert len(told["findings"]) == 3
    (run,) = json.loads(Path("found.sarif").read_text("utf-8"))["runs"]
    suppressed = [one["partialFingerprints"] for one in run["results"] if one.get("suppressions")]
    assert {one["foureyesFinding/v1"] for one in suppressed} >= set(told["accepted"])
    (new,) = {one["id"] for one in told["findings"]} - set(told["accepted"])
    assert new not in {one["foureyesFinding/v1"] for one in suppressed}


@pytest.mark.usefixtures("draft")
def test_an_accepted_claim_that_changes_counts_again() -> None:
    check("--write-baseline", "known.json")
    Path("draft.md").write_text(DRAFT.replace("34", "43"), encoding="utf-8")
    assert check("--baseline", "known.json") == 1


@pytest.mark.usefixtures("draft")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "is no baseline"),
        ('{"format": 2}', "has the format 2, known is 1"),
        ('{"findings": [{"id": "x"}]}', "is no baseline: findings.0.document: it is missing"),
        ("", "'known.json' is empty"),
        (None, "'known.json'"),
    ],
)
def test_a_baseline_that_cannot_be_read_accepts_nothing(
    text: str | None, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if text is not None:
        Path("known.json").write_text(text, encoding="utf-8")
    assert check("--baseline", "known.json") == 4
    told = capsys.readouterr()
    assert words in told.err
    assert told.out == ""
