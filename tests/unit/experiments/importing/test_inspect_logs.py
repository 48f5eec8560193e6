"""Real logs of Inspect are read as it wrote them; broken and hostile ones end in one line.

`logs/` are two evaluations of six sums by inspect_ai 0.3.285 with its mock model, one of them with
a sample that crashed. Events and tracebacks were taken out.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from unit.experiments.importing.importing import Imported, import_results, refusal

LOGS = Path(__file__).parent / "logs"
POOR = LOGS / "poor.json"
MATCH = {"primary": "match", "direction": "higher", "scale": "binary"}


def read(path: Path, folder: Path) -> Imported:
    """The log at `path`, compared with the poor one."""
    return import_results(folder, f"read={path}", f"poor={POOR}", **MATCH)


def test_a_log_is_read_as_it_was_scored(tmp_path: Path) -> None:
    found = import_results(tmp_path, LOGS / "good.json", POOR, **MATCH, slice="kind")
    arm = "mockllm-good"
    good = {one["trial"]["item"]: one for one in found.trials if one["trial"]["arm"] == arm}
    assert list(good) == ["q1", "q2", "q3", "q4", "q5", "q6"]
    first, crashed = good["q1"], good.pop("q2")
    values = first["values"]
    assert (first["trial"]["number"], values["match"], values["length"]) == (1, 1, 1)
    assert (first["tokens_in"], first["tokens_out"], first["cost_usd"]) == (11, 3, None)
    assert first["error"] == ""
    assert {one["slice"] for one in found.analysis["slices"]} == {"kind=small", "kind=large"}
    assert (crashed["outcome"], crashed["values"]) == ("error", {})
    assert crashed["error"].startswith("RuntimeError('the tool crashed")
    assert {one["outcome"] for one in good.values()} == {"finished"}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("C", 1),
        ("P", 0.5),
        ("N", 0),
        ("YES", 1),
        ("0.25", 0.25),
        (True, 1),
        (3, 3),
        (float("nan"), None),
        (float("inf"), None),
        ("maybe", None),
        ([1, 2], None),
        (None, None),
    ],
)
def test_scores_count_as_inspect_counts_them(
    value: object, expected: float | None, tmp_path: Path
) -> None:
    log = json.loads((LOGS / "poor.json").read_text())
    log["samples"][0]["scores"] = {"pkg/my scorer": {"value": value}, "both": {"value": {"a": "C"}}}
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log))
    values = read(path, tmp_path).trial("q1", "read")["values"]
    assert values.get("pkg-my-scorer") == expected
    assert values["both.a"] == 1


def test_costs_are_known_if_every_model_has_one(tmp_path: Path) -> None:
    log = json.loads((LOGS / "poor.json").read_text())
    for at, costs in enumerate([(0.5, 0.25), (0.5, None)]):
        log["samples"][at]["model_usage"] = {
            str(n): {"input_tokens": 1, "total_cost": cost} for n, cost in enumerate(costs)
        }
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log))
    found = read(path, tmp_path)
    both, one = found.trial("q1", "read"), found.trial("q2", "read")
    assert (both["cost_usd"], both["values"]["cost_usd"]) == (0.75, 0.75)
    assert one["cost_usd"] is None


@pytest.mark.parametrize(
    "text", ["{", "[]", "[" * 100_000, '{"eval": 1}', '{"samples": []}', "\x00\xff"]
)
def test_json_that_is_no_log_ends_in_one_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    assert "no log of Inspect" in refusal(tmp_path, path, POOR, **MATCH)


def test_a_log_that_was_written_without_samples_is_refused(tmp_path: Path) -> None:
    log = json.loads((LOGS / "poor.json").read_text())
    path = tmp_path / "log.json"
    path.write_text(json.dumps({**log, "samples": None}))
    assert "has no samples" in refusal(tmp_path, path, f"poor={POOR}", **MATCH)
    # One that failed before its first sample has none, and all of them are missing.
    path.write_text(json.dumps({**log, "samples": None, "status": "error"}))
    found = read(path, tmp_path)
    assert [one["errors"] for one in found.analysis["arms"]] == [6, 0]


def test_a_log_with_any_byte_changed_is_read_or_refused_in_one_line(tmp_path: Path) -> None:
    path, data = tmp_path / "good.json", (LOGS / "good.json").read_bytes()
    said: list[str] = []
    for at in range(0, len(data), 61):
        path.write_bytes(data[:at] + bytes([data[at] ^ 0x15]) + data[at + 1 :])
        said.append(refusal(tmp_path, path, **MATCH))
    # One log alone is no comparison, which is said of those that can be read.
    alone = ["there is 1 arm" in line for line in said]
    assert any(alone)
    assert not all(alone)
