"""An ONNX model of the user's, through the real libraries where the extra is installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from foureyes.base.errors import InputError
from foureyes.cli.app import execute
from foureyes.verification.assessing.onnx_model import OnnxEntailment
from support.tiny_model import write_model


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "model"
    path.mkdir()
    return path


LABELS = (
    ("CONTRADICTION", "ENTAILMENT", "NEUTRAL"),
    ("contradiction", "entailment", "neutral"),
)


@pytest.mark.parametrize("labels", LABELS)
def test_a_model_tells_how_likely_each_leaning_is(folder: Path, labels: tuple[str, ...]) -> None:
    model = OnnxEntailment(write_model(folder, labels=labels))
    assert model("it affirms", "x").entails == pytest.approx(0.98, abs=0.01)
    assert model("it denies", "x").contradicts == pytest.approx(0.98, abs=0.01)
    neither = model("nothing", "x")
    assert neither.neutral > 0.9
    assert sum((neither.entails, neither.neutral, neither.contradicts)) == pytest.approx(1)


def test_a_long_premise_is_cut(folder: Path) -> None:
    model = OnnxEntailment(write_model(folder))
    assert model("word " * 600 + "affirms", "x").neutral > 0.9
    assert model("affirms " + "word " * 5000, "x").entails > 0.9


def test_a_model_with_other_labels_or_inputs_is_refused(folder: Path) -> None:
    with pytest.raises(InputError, match="the labels are neg, neu, pos"):
        OnnxEntailment(write_model(folder, labels=("neg", "neu", "pos")))
    with pytest.raises(InputError, match="asks for 'pixels'"):
        OnnxEntailment(write_model(folder, inputs=("pixels",)))


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json"])
def test_a_broken_or_missing_file_is_named(folder: Path, name: str) -> None:
    write_model(folder)
    (folder / name).write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="model"):
        OnnxEntailment(folder)
    (folder / name).unlink()
    with pytest.raises(InputError, match=f"has no {name}"):
        OnnxEntailment(folder)


def test_without_the_extra_it_is_told_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("model.onnx", "tokenizer.json", "config.json"):
        (tmp_path / name).write_text("{}", encoding="utf-8")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(InputError, match=r"foureyes\[onnx\]"):
        OnnxEntailment(tmp_path)


def test_check_hears_the_model(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_model(folder)
    monkeypatch.chdir(folder.parent)
    Path("log.md").write_text("The log denies that all took long. It took 45 minutes.\n", "utf-8")
    Path("draft.md").write_text("It took 45 minutes ([log](log.md)).\n", "utf-8")
    command = ["check", "draft.md", "--sources", "log.md"]
    assert execute(command) == 0
    Path("log.md").write_text("It took 45 minutes and denies nothing.\n", "utf-8")
    Path("draft.md").write_text("It took 45 minutes and denies nothing ([l](log.md)).\n", "utf-8")
    assert execute(command) == 0
    capsys.readouterr()
    assert execute([*command, "--entailment-model", "model"]) == 1
    assert "an entailment model takes the source to contradict it" in capsys.readouterr().out
    assert execute([*command, "--entailment-model", "nowhere"]) == 4
