"""The commands over the sources of a run: list, gaps, override, review, cite."""

from __future__ import annotations

import getpass
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.commands import execute
from support.source_run import (
    MISSING,
    MISSING_CLAIM,
    OFFICIAL,
    OFFICIAL_CLAIM,
    OLD,
    OLD_CLAIM,
    made_run,
)

GAP = "missing_official_docs"
ALL_GAPS = (GAP, "outdated_sources", "insufficient_coverage", "low_reliability")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path]]:
    """A run with good and bad sources, and one whose only source is old."""
    with pytest.MonkeyPatch.context() as patch:
        runs: list[Path] = []
        for claims in ((OFFICIAL_CLAIM, OLD_CLAIM, MISSING_CLAIM), (OLD_CLAIM,)):
            folder = tmp_path_factory.mktemp("run")
            patch.chdir(folder)
            runs.append(made_run(folder, *claims))
        yield runs[0], runs[1]


@pytest.fixture
def run(made: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The run with good and bad sources."""
    return copied(made[0], tmp_path, monkeypatch)


@pytest.fixture
def poor(made: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The run with an old source only."""
    return copied(made[1], tmp_path, monkeypatch)


def copied(run: Path, folder: Path, patch: pytest.MonkeyPatch) -> str:
    """A run of one's own in an empty working folder."""
    patch.chdir(folder)
    shutil.copytree(run, folder / "run")
    return "run"


class Command:
    """`foureyes sources`, with what it printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str) -> tuple[int, str]:
        """Exit code and output, its white space folded."""
        self._capsys.readouterr()
        code = execute(["sources", *arguments])
        told = self._capsys.readouterr()
        return code, " ".join((told.out + told.err).split())

    def json(self, *arguments: str) -> Any:
        """The JSON that was printed."""
        self._capsys.readouterr()
        execute(["sources", *arguments, "--json"])
        return json.loads(self._capsys.readouterr().out)


@pytest.fixture
def sources(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


def test_the_run_leaves_scores_gaps_and_a_line_in_a_log(made: tuple[Path, Path]) -> None:
    poor = made[1]
    kept = json.loads((poor / "verify" / "source_reliability.json").read_bytes())
    assert (kept["as_of"], kept["topic"]) == ("2026-02-03", "quay scheduling")
    assert [(each["url"], each["tier"]) for each in kept["sources"]] == [(OLD, "T5")]
    assert [gap["type"] for gap in kept["gaps"]] == list(ALL_GAPS)
    (line,) = (poor / "source_validation.log").read_text(encoding="utf-8").splitlines()
    assert f"sources=1 | avg_score=20.0 | gaps=[{','.join(ALL_GAPS)}]" in line
    summary = (poor / "summary.md").read_text(encoding="utf-8")
    assert f"| 🔴 T5 ⚠ | 20 | ok | 2020-03-01 | <{OLD}> |" in summary
    assert "- missing_official_docs: 0 of 1 source in tier 1; look for" in summary
    memory = poor.parents[1] / ".foureyes" / "memory.md"
    rows = [
        r for r in memory.read_text(encoding="utf-8").splitlines() if r.endswith("| open | - |")
    ]
    assert len(rows) == 4
    assert rows[0].startswith(f"| 2026-02-03 | {GAP} | quay scheduling | 0 of 1 source ")


def test_every_source_is_listed_with_tier_and_score(run: str, sources: Command) -> None:
    code, out = sources("list", run)
    assert code == 0
    assert f"🟢 T1 ✓✓✓ 98 ok 2026-01-25 Quay scheduling {OFFICIAL}" in out
    assert f"🔴 T5 ⚠ 20 ok 2020-03-01 The quay of Tarvia {OLD}" in out
    first = sources.json("list", run)[0]
    assert (first["url"], first["state"], first["rating"]["tier"]) == (OFFICIAL, "ok", "T1")


def test_the_topic_can_be_another(run: str, sources: Command) -> None:
    first = sources.json("list", run, "--topic", "zeppelins")[0]
    assert first["rating"]["parts"]["relevance"]["points"] == 0


def test_a_run_without_gaps_says_so(run: str, sources: Command) -> None:
    assert sources("gaps", run) == (0, "topic: quay scheduling; 3 sources no gaps")
    assert not Path(".foureyes").exists()


def test_gaps_are_shown_with_what_can_be_done_and_remembered(poor: str, sources: Command) -> None:
    code, out = sources("gaps", poor, "--memory", "kept.md")
    assert code == 1
    assert all(gap in out for gap in ALL_GAPS)
    assert "answer with --research GAP, --defer GAP [--until DAY] or --accept GAP" in out
    assert Path("kept.md").read_text(encoding="utf-8").count("| open | - |") == 4


def test_an_accepted_gap_is_not_raised_again(poor: str, sources: Command) -> None:
    answers = ("--accept", GAP, "--defer", ALL_GAPS[1], "--until", "2999-01-01")
    sources("gaps", poor, *answers, "--research", ALL_GAPS[3], "--by", "Ann", "--why", "old topic")
    again = sources.json("gaps", poor)
    assert again["open"] == ["insufficient_coverage", "low_reliability"]
    assert (again["exit_code"], again["decisions"][0]["why"]) == (1, "old topic")
    code, out = sources("gaps", poor)
    assert code == 1
    assert f"{GAP} accepted, Ann" in out
    assert "outdated_sources deferred until 2999-01-01, Ann" in out
    assert "low_reliability research more, Ann" in out
    memory = Path(".foureyes/memory.md").read_text(encoding="utf-8")
    assert "| source_gap_accepted_as_limitation | - |" in memory
    assert "| deferred | 2999-01-01 |" in memory


def test_a_gap_of_another_topic_is_raised(poor: str, sources: Command) -> None:
    sources("gaps", poor, "--accept", GAP)
    assert GAP in sources.json("gaps", poor, "--topic", "ships")["open"]


def test_a_run_whose_gaps_are_all_settled_exits_0(poor: str, sources: Command) -> None:
    answers = [word for gap in ALL_GAPS for word in ("--accept", gap)]
    assert sources("gaps", poor, *answers, "--memory", "none")[0] == 0
    assert not Path(".foureyes").exists()
    assert sources.json("gaps", poor)["decisions"][0]["by"] == getpass.getuser()


def test_gaps_of_addresses_need_no_run(
    tmp_path: Path, sources: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out = sources("gaps", "--fetch=none", OFFICIAL, "--topic", "Quay!")
    assert (code, "insufficient_coverage open 0 sources usable" in out) == (1, True)
    settled = [word for gap in (GAP, *ALL_GAPS[2:]) for word in ("--accept", gap)]
    assert sources("gaps", "--fetch=none", OFFICIAL, "--topic", "Quay!", *settled)[0] == 2
    memory = Path(".foureyes/memory.md").read_text(encoding="utf-8")
    assert memory.count("| quay | ") == 3


def test_a_persons_decision_holds_when_scores_are_computed_again(
    run: str, sources: Command
) -> None:
    code, out = sources(
        "override", run, OLD, "approve tier 2", "--why", "the port's own", "--by=Al"
    )
    assert (code, out) == (
        0,
        f"{OLD}: approved as T2 by Al (was T5 by its score of 20): the port's own",
    )
    sources("override", run, OFFICIAL, "reject source", "--why", "copied", "--by=Al")
    listed = {each["url"]: each["rating"] for each in sources.json("list", run)}
    assert (listed[OLD]["tier"], listed[OLD]["mark"], listed[OLD]["score"]) == ("T2", "✓✓", 20)
    assert listed[OLD]["override"]["by"] == "Al"
    assert listed[OFFICIAL]["rejected"]
    assert GAP in sources.json("gaps", run)["open"]
    assert "rejected 98" in sources("list", run)[1]
    assert sources.json("override", run, OLD, "use tier 3", "--why=x", "--by=Al")["tier"] == 3


def test_sources_that_need_a_person_are_listed_in_a_pipe(run: str, sources: Command) -> None:
    code, out = sources("review", run)
    assert (code, OLD in out, MISSING in out, OFFICIAL in out) == (1, True, True, False)
    assert "decide with: foureyes sources override RUN_DIR URL" in out
    assert [each["url"] for each in sources.json("review", run)] == [OLD, MISSING]
    assert f"T5 ⚠ 14 not_fetched - {MISSING}" in sources("list", run)[1]
    sources("override", run, OLD, "approve tier 4", "--why=seen", "--by=Al")
    assert [each["url"] for each in sources.json("review", run)] == [MISSING]


def test_nothing_to_review_is_said(run: str, sources: Command) -> None:
    for url in (OLD, MISSING):
        assert sources("override", run, url, "reject", "--why=seen", "--by=Al")[0] == 0
    assert sources("review", run) == (0, "no source waits for a decision")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("gaps", "run", "--accept", "x"),
            "'--accept': 'x' is not one of 'missing_off",
        ),
        (("gaps", "run", "--accept", GAP), f"there is no gap '{GAP}' (found: none)"),
        (("gaps", "run", "--until", "2999-01-01"), "--until needs --defer"),
        (("gaps", "run", "--defer", GAP, "--until", "soon"), "'soon' is not a day"),
        (("gaps", "nowhere"), "'nowhere' is neither a run directory nor an address"),
        (("gaps", "."), "is not a run directory"),
        (("override", "run", OLD, "maybe", "--why=x"), "'maybe' is no decision on a source"),
        (("override", "run", "https://x.example/", "reject", "--why=x"), "the run has no source"),
        (("override", "run", OLD, "reject"), "Missing option '--why'"),
        (("override", "run", OLD, "reject", "--why= "), "an override needs who decides and why"),
        (("cite", "run", "--format", "x"), "'--format': 'x' is not one of 'yaml', 'inline', "),
        (("cite", "run", "--citations", "x"), "'--citations': 'x' is not one of 'minimal', "),
        (("cite", "run", "--format=bibtex", "--citations=minimal"), "is for --format yaml"),
        (("cite", "missing.md"), "'missing.md' does not exist"),
    ],
)
def test_what_cannot_be_done_is_told(
    run: str, sources: Command, arguments: tuple[str, ...], said: str
) -> None:
    assert run == "run"
    code, out = sources(*arguments)
    assert (code, out.startswith("foureyes: error: "), said in out) == (4, True, True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), f"- url: {OFFICIAL} type: official documentation accessed_date: "),
        (("--citations", "auto"), "tier: T1 reliability_score: 0.98"),
        (("--citations", "minimal"), f"- {OFFICIAL} - {OLD} - {MISSING}"),
        (("--format", "inline"), f"[1] Quay scheduling. 2026-01-25. <{OFFICIAL}> (accessed "),
        (("--format", "footnotes"), f"[^2]: The quay of Tarvia. 2020-03-01. <{OLD}>"),
        (("--format", "csl-json"), '"id": "kubernetesio2026", "type": "'),
        (("--format", "bibtex"), "@misc{tarviapostexample2020, title = {{The quay of Tarvia}}"),
    ],
)
def test_citations_come_in_every_form(
    run: str, sources: Command, arguments: tuple[str, ...], said: str
) -> None:
    code, out = sources("cite", run, *arguments)
    assert (code, said in out) == (0, True), out


def test_what_could_not_be_read_is_in_no_list_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sources: Command
) -> None:
    monkeypatch.chdir(tmp_path)
    run = made_run(tmp_path, OLD_CLAIM, "The quay of Tarvia cost $30 million ([books](gone.md)).\n")
    told = "foureyes: note: left out, because it could not be read: gone.md"
    for form in ("yaml", "csl-json", "bibtex"):
        code, out = sources("cite", str(run), "--format", form)
        assert (code, OLD in out, told in out, out.count("gone.md")) == (0, True, True, 1), out


def test_a_document_is_cited_without_a_run(tmp_path: Path, sources: Command) -> None:
    draft = tmp_path / "draft.md"
    draft.write_text(f"# Quay\n\n{OLD_CLAIM}\n{OFFICIAL_CLAIM}", encoding="utf-8")
    code, out = sources("cite", str(draft), "--fetch=none", "--citations=standard")
    assert (code, f"- url: {OLD} type: unknown - url: {OFFICIAL}" in out) == (0, True)
    draft.write_text("# Quay\n\nNothing is cited.\n", encoding="utf-8")
    assert sources("cite", str(draft), "--fetch=none")[0] == 0
