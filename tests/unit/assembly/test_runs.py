from __future__ import annotations

import asyncio
import tempfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import foureyes
import pytest
import structlog
from foureyes import InputError, RunDirectoryError, RunStatus, resume_run, run_analysis
from foureyes.assembly.model import LoadedSettings
from foureyes.assembly.record_config import RunConfig
from foureyes.assembly.runs import RunInput, prepare_resume, prepare_run
from foureyes.assembly.settings import load_settings
from foureyes.base.files import owner_mark
from foureyes.core.run_store import RunStore
from support.runs import BRIEF, GOOD_DRAFT, write_case


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_case(tmp_path, GOOD_DRAFT)
    monkeypatch.chdir(tmp_path)


def loaded(environ: dict[str, str] | None = None, **flags: Any) -> LoadedSettings:
    return load_settings(flags, environ=environ or {})


def prepare(inputs: RunInput, settings: LoadedSettings) -> Path:
    return asyncio.run(prepare_run(inputs, settings)).run_dir


def test_the_library_runs_and_resumes(capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[str] = []
    result = run_analysis(
        draft=GOOD_DRAFT,
        sources=[Path("sources")],
        notify=lambda progress: seen.append(progress.event),
        with_fact_checker=True,
    )
    assert result.status is RunStatus.APPROVED
    assert result.run_dir is not None
    again = resume_run(result.run_dir)
    assert (again.status, again.analysis) == (RunStatus.APPROVED, GOOD_DRAFT)
    assert {"examining", "examined", "run_ended"} <= set(seen)
    assert capsys.readouterr().out == ""


def test_a_list_that_only_names_a_given_source_is_followed_as_in_a_check() -> None:
    Path("sources/fees.md").write_text("# Fee report\n\nThe berth fee is 4 euros a day.\n", "utf-8")
    draft = (
        "# Fees\n\nThe berth fee is 4 euros a day [1].\n\n## References\n\n1. Fee report. 2023.\n"
    )
    checked = foureyes.check(draft, sources=["sources"])
    result = run_analysis(draft=draft, sources=["sources"], with_fact_checker=True)
    assert (checked.findings, result.status) == ((), RunStatus.APPROVED)
    assert result.analysis == draft


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def approved() -> Path:
    result = run_analysis(draft=GOOD_DRAFT, sources=[Path("sources")], with_fact_checker=True)
    assert result.run_dir is not None
    return result.run_dir


def test_resuming_an_ended_run_changes_nothing() -> None:
    run_dir = approved()
    before = contents(run_dir)
    again = resume_run(run_dir)
    assert (again.status, again.run_dir) == (RunStatus.APPROVED, run_dir)
    assert contents(run_dir) == before


def test_a_resume_too_removes_what_killed_processes_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_dir = approved()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    left = tmp_path / f"foureyes-run-{owner_mark().partition('.')[0]}.4194305-x"
    left.mkdir()
    resume_run(run_dir)
    assert not left.exists()


@pytest.mark.parametrize("lost", ["evidence_pack.zip", "report.html", "summary.md"])
def test_a_resume_writes_what_an_ended_run_lacks(lost: str) -> None:
    run_dir = approved()
    (run_dir / lost).unlink()
    assert resume_run(run_dir).status is RunStatus.APPROVED
    assert (run_dir / lost).is_file()
    assert (run_dir / "evidence_pack.zip").is_file()


def test_a_run_whose_report_cannot_be_written_is_approved_once_it_can() -> None:
    inputs = RunInput(draft=GOOD_DRAFT, sources=("sources",))
    run_dir = prepare(inputs, loaded(with_fact_checker=True))
    (run_dir / "report.html").mkdir()
    result = resume_run(run_dir)
    assert (result.status, result.exit_code) == (RunStatus.INCONCLUSIVE, 2)
    assert "the HTML report could not be written" in result.reason
    assert "inconclusive" in (run_dir / "summary.md").read_text("utf-8")
    assert not (run_dir / "evidence_pack.zip").exists()
    (run_dir / "report.html").rmdir()
    assert resume_run(run_dir).status is RunStatus.APPROVED
    assert (run_dir / "evidence_pack.zip").is_file()


@pytest.mark.parametrize("link", ["runs", ".foureyes"])
def test_a_link_that_nobody_named_is_not_written_through(link: str, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    Path(link).symlink_to(elsewhere)
    inputs = RunInput(draft=GOOD_DRAFT, sources=("sources",))
    with pytest.raises(InputError, match="is a link, and nobody named it"):
        prepare(inputs, loaded(with_fact_checker=True))
    assert list(elsewhere.iterdir()) == []
    named: dict[str, Any] = {"out": "runs"} if link == "runs" else {"memory": ".foureyes/memory.md"}
    assert prepare(inputs, loaded(with_fact_checker=True, **named)).is_dir()


def test_a_caller_that_logs_keeps_its_own_set_up() -> None:
    structlog.configure(processors=[structlog.testing.LogCapture()])
    run_analysis(BRIEF, sources=["sources"], mode="analyze")
    (processor,) = structlog.get_config()["processors"]
    assert isinstance(processor, structlog.testing.LogCapture)


def test_without_a_brief_the_draft_names_the_topic() -> None:
    run_dir = prepare(RunInput(draft=GOOD_DRAFT), loaded())
    assert RunStore.open(run_dir).inputs().brief == "# The tidal power station of Arnsund\n"


def test_single_files_and_paths_are_kept_for_a_resume_from_elsewhere(tmp_path: Path) -> None:
    Path("prompts").mkdir()
    inputs = RunInput(BRIEF, sources=("sources/arnsund.md",))
    run_dir = prepare(inputs, loaded(prompts_dir="prompts"))
    store = RunStore.open(run_dir)
    config = store.config(RunConfig)
    assert (run_dir / "given" / "arnsund.md").is_file()
    assert config.settings.prompts_dir == tmp_path / "prompts"
    assert config.folders == ()
    assert [material.url for material in store.inputs().materials] == ["arnsund.md"]


@pytest.mark.parametrize(
    ("inputs", "flags", "message"),
    [
        (RunInput(), {}, "there is no INPUT"),
        (RunInput(BRIEF), {}, "give --sources"),
        (RunInput(BRIEF, sources=("none",)), {}, "'none' does not exist"),
        (RunInput(BRIEF, sources=("sources",)), {"out": "brief.md/x"}, "brief.md"),
    ],
)
def test_what_cannot_work_leaves_no_run_directory(
    inputs: RunInput, flags: dict[str, Any], message: str
) -> None:
    with pytest.raises((InputError, foureyes.FoureyesError), match=message):
        prepare(inputs, loaded(**flags))
    assert list(Path("runs").glob("*")) == []


def test_claude_may_write_without_sources() -> None:
    run_dir = prepare(RunInput(BRIEF), loaded({"ANTHROPIC_API_KEY": "k"}, backend="claude"))
    assert "ANTHROPIC_API_KEY" not in (run_dir / "config.json").read_text(encoding="utf-8")


def test_a_resumed_run_takes_address_and_budget_from_who_resumes_it() -> None:
    environ = {"ANTHROPIC_API_KEY": "k"}
    elsewhere = {"base_url": "http://127.0.0.1:1", "api_key_env": "ANTHROPIC_API_KEY"}
    run_dir = prepare(
        RunInput(BRIEF), loaded(environ, backend="claude", max_minutes="1", **elsewhere)
    )
    mine = loaded(environ, backend="claude", max_minutes="5")
    settings = asyncio.run(prepare_resume(run_dir, mine)).settings
    assert (settings.base_url, settings.api_key_env) == (None, None)
    assert (settings.max_minutes, settings.budget_usd) == (5.0, None)
    richer = loaded(environ, backend="claude", budget_usd="3", max_turns=["judge=9"])
    settings = asyncio.run(prepare_resume(run_dir, richer)).settings
    assert (settings.budget_usd, settings.max_turns) == (Decimal(3), {"judge": 9})


def test_a_run_of_another_backend_is_not_resumed_by_accident() -> None:
    run_dir = prepare(RunInput(BRIEF), loaded({"ANTHROPIC_API_KEY": "k"}, backend="claude"))
    with pytest.raises(RunDirectoryError, match="add --backend claude"):
        asyncio.run(prepare_resume(run_dir, loaded({"ANTHROPIC_API_KEY": "k"})))


def test_the_limits_of_research_stay_when_a_run_goes_on() -> None:
    frontier = {"with_fact_checker": True, "research_mode": "frontier"}
    inputs = RunInput(draft=GOOD_DRAFT)
    run_dir = prepare(inputs, loaded({}, **frontier))
    for again in ({}, frontier):
        settings = asyncio.run(prepare_resume(run_dir, loaded({}, **again))).settings
        assert settings.research_mode == "frontier"
    other = loaded({}, with_fact_checker=True, research_mode="discovery")
    with pytest.raises(RunDirectoryError, match="--research-mode cannot change the limits"):
        asyncio.run(prepare_resume(run_dir, other))


def test_the_library_checks_a_text_or_a_file() -> None:
    # Half of a sentence of the source would depend on how sure the reader is.
    shares = GOOD_DRAFT.index(" The municipality")
    draft = GOOD_DRAFT[:shares] + GOOD_DRAFT[GOOD_DRAFT.index("\n\n## Sources") :]
    Path("draft.md").write_text(draft, encoding="utf-8")
    text = foureyes.check(draft, sources=["sources"])
    file = foureyes.check("draft.md", sources=["sources"])
    path = foureyes.check(Path("draft.md"), sources=["sources"])
    assert text.findings == file.findings == path.findings == ()
    assert (text.path, file.path, file.not_fetched) == ("", "draft.md", ())
    with pytest.raises(InputError, match=r"'none.md' does not exist"):
        foureyes.check("none.md")
