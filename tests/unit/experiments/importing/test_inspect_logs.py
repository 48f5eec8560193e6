"""Real logs of Inspect are read as it wrote them; broken and hostile ones end in one line.

`logs/` are two evaluations of six sums by inspect_ai 0.3.285 with its mock model, one of them with
a sample that crashed. Events and tracebacks were taken out.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from foureyes import InputError
from foureyes.datatypes import TrialOutcome
from foureyes.experiments.importing.tables import ImportedResults, ImportSelection, read_json_log

LOGS = Path(__file__).parent / "logs"
SELECTION = ImportSelection(("match",), ("kind",))


def read(path: Path) -> ImportedResults:
    return read_json_log(path, "", SELECTION)


def test_a_log_is_read_as_it_was_scored() -> None:
    found = read(LOGS / "good.json")
    assert (found.arm, found.each, found.items) == (
        *("mockllm-good", 1),
        ("q1", "q2", "q3", "q4", "q5", "q6"),
    )
    first, crashed = found.trials[:2]
    assert first.values["match"] == 1
    assert first.values["length"] == 1
    assert (first.tokens_in, first.tokens_out, first.cost_usd) == (11, 3, None)
    assert (first.slices, first.error) == ({"kind": "small"}, "")
    assert (crashed.outcome, crashed.values) == (TrialOutcome.ERROR, {})
    assert crashed.error.startswith("RuntimeError('the tool crashed")
    others = [one.outcome for one in found.trials if one.item != "q2"]
    assert others == [TrialOutcome.FINISHED] * 5


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
    values = read(path).trials[0].values
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
    both, one = read(path).trials[:2]
    assert (both.cost_usd, both.values["cost_usd"], one.cost_usd) == (0.75, 0.75, None)


@pytest.mark.parametrize(
    "text", ["{", "[]", "[" * 100_000, '{"eval": 1}', '{"samples": []}', "\x00\xff"]
)
def test_json_that_is_no_log_ends_in_one_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(InputError, match="no log of Inspect") as refused:
        read(path)
    assert "\n" not in str(refused.value)


def test_a_log_that_was_written_without_samples_is_refused(tmp_path: Path) -> None:
    log = json.loads((LOGS / "poor.json").read_text())
    path = tmp_path / "log.json"
    path.write_text(json.dumps({**log, "samples": None}))
    with pytest.raises(InputError, match="has no samples"):
        read(path)
    # One that failed before its first sample has none, and all of them are missing.
    path.write_text(json.dumps({**log, "samples": None, "status": "error"}))
    assert (read(path).trials, len(read(path).items)) == ((), 6)


def test_a_log_with_any_byte_changed_is_read_or_refused(tmp_path: Path) -> None:
    refused: list[str] = []
    path, data = tmp_path / "good.json", (LOGS / "good.json").read_bytes()
    for at in range(0, len(data), 61):
        path.write_bytes(data[:at] + bytes([data[at] ^ 0x15]) + data[at + 1 :])
        try:
            assert read(path).trials
        except InputError as error:
            refused.append(str(error))
    assert refused
    assert [one for one in refused if "\n" in one] == []
