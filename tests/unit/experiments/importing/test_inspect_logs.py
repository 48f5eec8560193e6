"""Real logs of Inspect are read as it wrote them; broken and hostile ones end in one line.

`logs/` are two evaluations of six sums by inspect_ai 0.3.285 with its mock model, one of them with
a sample that crashed, in both formats. Events and tracebacks were taken out.
"""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import zstandard
from foureyes.base.errors import InputError
from foureyes.experiments.importing.inspect_logs import read_eval_log, read_json_log
from foureyes.experiments.importing.model import ImportedResults, Wanted
from foureyes.experiments.importing.zipped import MOST_MEMBER_BYTES
from foureyes.experiments.trials import TrialOutcome

LOGS = Path(__file__).parent / "logs"
WANTED = Wanted(("match",), ("kind",))


def deflated(source: Path, target: Path, changes: Mapping[str, bytes | None] | None = None) -> Path:
    """A copy of a log as older Inspects write it, with other members; None leaves one out."""
    members: dict[str, bytes | None] = {}
    with zipfile.ZipFile(source) as archive, source.open("rb") as file:
        for info in archive.infolist():
            file.seek(info.header_offset + 26)
            skipped = int.from_bytes(file.read(2), "little") + int.from_bytes(
                file.read(2), "little"
            )
            file.seek(skipped, 1)
            packed = file.read(info.compress_size)
            members[info.filename] = zstandard.ZstdDecompressor().decompressobj().decompress(packed)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {**members, **(changes or {})}.items():
            if data is not None:
                archive.writestr(name, data)
    return target


def read(path: Path) -> ImportedResults:
    reader = read_eval_log if path.suffix == ".eval" else read_json_log
    return reader(path, "", WANTED)


@pytest.mark.parametrize("name", ["good.eval", "good.json"])
def test_both_formats_are_read_as_they_were_scored(name: str) -> None:
    found = read(LOGS / name)
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


def test_a_log_of_either_compression_holds_the_same(tmp_path: Path) -> None:
    made = read(deflated(LOGS / "poor.eval", tmp_path / "poor.eval"))
    assert replace(made, file=(known := read(LOGS / "poor.eval")).file) == known
    assert [one.values["match"] for one in known.trials] == [1, 0, 0, 0, 0, 0]


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


def cut(folder: Path) -> Path:
    path = folder / "cut.eval"
    path.write_bytes((LOGS / "good.eval").read_bytes()[:3000])
    return path


def no_zip(folder: Path) -> Path:
    path = folder / "words.eval"
    path.write_text("words")
    return path


def broken_off(folder: Path) -> Path:
    return deflated(LOGS / "good.eval", folder / "a.eval", {"header.json": None})


def bomb(folder: Path) -> Path:
    zeros = b" " * (MOST_MEMBER_BYTES + 1)
    return deflated(LOGS / "good.eval", folder / "a.eval", {"samples/q9_epoch_1.json": zeros})


def zstandard_bomb(folder: Path) -> Path:
    """One member of zeros behind a header that tells of none of them."""
    path = folder / "a.eval"
    packed = zstandard.ZstdCompressor().compress(bytes(MOST_MEMBER_BYTES + 1))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", packed)
    data = path.read_bytes()
    stored, method = b"\0\0", (93).to_bytes(2, "little")
    at = data.index(b"PK\x01\x02") + 10
    assert data[at : at + 2] == stored
    path.write_bytes(data[:8] + method + data[10:at] + method + data[at + 2 :])
    return path


def flipped(folder: Path) -> Path:
    """A log with another byte in the middle of a member."""
    path = folder / "a.eval"
    data = bytearray((LOGS / "good.eval").read_bytes())
    data[80] ^= 0xFF
    path.write_bytes(data)
    return path


def wrong(name: str, data: bytes) -> Callable[[Path], Path]:
    return lambda folder: deflated(LOGS / "good.eval", folder / "a.eval", {name: data})


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (cut, "no zip that can be read"),
        (no_zip, "no zip that can be read"),
        (broken_off, "was broken off"),
        (bomb, "unpack to more than"),
        (zstandard_bomb, "unpack to more than"),
        (flipped, "no zip that can be read"),
        (wrong("header.json", b"{"), "header.json: no log of Inspect"),
        (wrong("header.json", b'{"eval": {}}'), "eval.model: it is missing"),
        (wrong("samples/q1_epoch_1.json", b"[]"), "q1_epoch_1.json: no log of Inspect"),
        (wrong("samples/q1_epoch_1.json", b"[" * 100_000), "q1_epoch_1.json: no log of Inspect"),
        (wrong("samples/q1_epoch_1.json", b'{"id": ""}'), "an item's id has 0 characters"),
    ],
)
def test_what_is_no_log_ends_in_one_line(
    make: Callable[[Path], Path], expected: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=expected) as refused:
        read(make(tmp_path))
    assert "\n" not in str(refused.value)
    assert refused.value.hint


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(InputError, match=r"needs an extra \(pip install 'foureyes\[inspect\]'"):
        read(LOGS / "good.eval")


@pytest.mark.parametrize("text", ["{", "[]", '{"eval": 1}', '{"samples": []}', "\x00\xff"])
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
    told: list[str] = []
    for name in ("good.eval", "good.json"):
        path, data = tmp_path / name, (LOGS / name).read_bytes()
        for at in range(0, len(data), 61):
            path.write_bytes(data[:at] + bytes([data[at] ^ 0x15]) + data[at + 1 :])
            try:
                assert read(path).trials
            except InputError as error:
                told.append(str(error))
    assert len(told) > 100
    assert [one for one in told if "\n" in one] == []
