from __future__ import annotations

import asyncio
import importlib.metadata
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from foureyes.assembly import diagnosis
from foureyes.assembly.diagnosis import report_reader
from foureyes.assembly.model import LoadedSettings, ReaderName
from foureyes.assembly.settings import load_settings
from foureyes.verification.reader.onnx_reader import OnnxModel, models_folder


def diagnosed(loaded: LoadedSettings, reader: ReaderName = ReaderName.NONE) -> diagnosis.Diagnosis:
    """The diagnosis, without the time that a reader takes to load."""
    settings = loaded.settings.model_copy(update={"reader": reader})
    return asyncio.run(diagnosis.diagnose(replace(loaded, settings=settings)))


def test_offline_needs_nothing_and_says_what_it_means(tmp_path: Path) -> None:
    found = diagnosed(load_settings(environ={}, folder=tmp_path))
    assert (found.backend, found.missing) == ("offline", ())
    assert "nothing chose another" in found.why
    assert any("approval is by rules only" in note for note in found.notes)
    assert any(part.name == "pydantic" and part.version for part in found.parts)


@pytest.mark.parametrize(
    ("flags", "said"), [({}, "at most"), ({"max_parallel": "5"}, "at most 5 ")]
)
def test_claude_says_how_many_sessions_run_at_once(
    tmp_path: Path, flags: dict[str, str], said: str
) -> None:
    loaded = load_settings({"backend": "claude", **flags}, environ={}, folder=tmp_path)
    (note,) = diagnosed(loaded).notes
    assert note.startswith(said)
    assert note.endswith(" model sessions at once")


def test_claude_without_a_key_says_what_is_missing(tmp_path: Path) -> None:
    loaded = load_settings({"backend": "claude"}, environ={}, folder=tmp_path)
    found = diagnosed(loaded)
    assert found.why == "--backend says so"
    assert found.missing == (
        "the claude backend has no key: ANTHROPIC_API_KEY is not set (set ANTHROPIC_API_KEY, or "
        "name another variable with --api-key-env)",
    )


def test_a_server_that_does_not_answer_is_told_and_no_key_shown(tmp_path: Path) -> None:
    flags = {"backend": "claude", "base_url": "http://127.0.0.1:9", "api_key_env": "LOCAL_KEY"}
    flags |= {"model": "local"}
    loaded = load_settings(flags, environ={"LOCAL_KEY": "sk-secret"}, folder=tmp_path)
    found = diagnosed(loaded)
    assert found.missing
    assert all(line.startswith("http://127.0.0.1:9: no answer") for line in found.missing)
    assert "sk-secret" not in "\n".join(diagnosis.diagnosis_lines(found))


def test_each_setting_is_told_with_its_origin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "foureyes.yaml").write_text("max_iterations: 5", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    environ = {"FOUREYES_MODE": "analyze"}
    flags = {"fetch": "none", "allowed_hosts": ["a", "b:1"], "require_approval": True}
    found = diagnosed(load_settings(flags, environ=environ))
    told = {line.name: (line.value, line.origin, line.place) for line in found.settings}
    assert told["fetch"] == ("none", "flag", "--fetch")
    assert told["mode"] == ("analyze", "environment", "FOUREYES_MODE")
    assert told["max_iterations"][:2] == ("5", "working folder")
    assert told["base_url"] == ("-", "default", "")
    assert told["allowed_hosts"][0] == "a, b:1"
    assert (told["require_approval"][0], told["with_fact_checker"][0]) == ("on", "off")
    assert any("foureyes.yaml" in note for note in found.notes)


def test_a_search_provider_without_its_key_is_told(tmp_path: Path) -> None:
    loaded = load_settings({"search": "brave"}, environ={}, folder=tmp_path)
    (line,) = diagnosed(loaded).missing
    assert line.startswith("search with brave has no key: BRAVE_API_KEY is not set")


def test_a_missing_package_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needed = ["pydantic>=2", "no-such>=1"]
    monkeypatch.setattr(importlib.metadata, "requires", {"foureyes": needed}.get)
    (line,) = diagnosed(load_settings(environ={}, folder=tmp_path)).missing
    assert line == "no-such is not installed: pip install no-such"


def test_a_limit_in_dollars_without_a_price_is_told(tmp_path: Path) -> None:
    flags = {"backend": "claude", "model": ["local"], "max_cost_usd": ["judge=1"]}
    loaded = load_settings(flags, environ={"ANTHROPIC_API_KEY": "k"}, folder=tmp_path)
    (told,) = diagnosed(loaded).missing
    assert told.startswith("--max-cost-usd: the price of the judge is unknown")


def test_the_reader_is_shown_with_its_files_and_speed(tmp_path: Path) -> None:
    found = diagnosed(load_settings(environ={}, folder=tmp_path), ReaderName.PACKAGED)
    reader = found.reader
    assert reader is not None
    assert {"model.onnx", "tokenizer.json"} < {file.name for file in reader.files}
    assert reader.load_seconds is not None
    assert reader.ms_a_pair is not None
    assert reader.ms_a_pair > 0
    text = "\n".join(diagnosis.diagnosis_lines(found))
    assert f"reader: {reader.name} {reader.identity[:12]}" in text
    assert "ms a pair" in text
    assert all(file.sha256 in text for file in reader.files)


def test_a_reader_that_cannot_be_loaded_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = load_settings(environ={}, folder=tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(diagnosis, "packaged_model", lambda: OnnxModel(tmp_path))
        (line,) = diagnosed(loaded, ReaderName.PACKAGED).missing
    assert "cannot load the reader" in line
    assert "card.json" in line
    shutil.copy(models_folder() / "card.json", tmp_path)
    report = report_reader(OnnxModel(tmp_path))
    assert report.files
    assert "No such file" in report.problem
    found = replace(diagnosed(loaded, ReaderName.PACKAGED), reader=report)
    assert not any("ms a pair" in line for line in diagnosis.diagnosis_lines(found))


def test_without_a_reader_none_is_loaded(tmp_path: Path) -> None:
    found = diagnosed(load_settings({"reader": "none"}, environ={}, folder=tmp_path))
    assert found.reader is None
    assert "reader: none (meaning is not read)" in list(diagnosis.diagnosis_lines(found))
