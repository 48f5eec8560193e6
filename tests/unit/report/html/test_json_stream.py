from __future__ import annotations

import json
from pathlib import Path

import pytest
from foureyes.base.errors import RunDirectoryError
from foureyes.report.html.json_stream import elements, items, value_at

LARGE = {
    "number": 12,
    "skipped": [{"deep": [1, [2, {"x": "]}"}]]}, "text", 3],
    "empty": [],
    "list": [{"n": n, "text": 'ü\u2028"\\' + "x" * n} for n in range(3_000)],
    "none": {},
    "object": {f"key {n}": [n] for n in range(1_000)},
    "last": "end",
}


@pytest.mark.parametrize("indent", [None, 2])
def test_elements_come_one_by_one_as_a_whole_reading_gives_them(
    tmp_path: Path, indent: int | None
) -> None:
    path = tmp_path / "large.json"
    path.write_text(json.dumps(LARGE, indent=indent, ensure_ascii=False), encoding="utf-8")
    assert path.stat().st_size > 2**22
    assert list(elements(path, "list")) == LARGE["list"]
    assert dict(items(path, "object")) == LARGE["object"]
    assert list(elements(path, "empty")) == []
    assert list(elements(path, "missing", optional=True)) == []
    assert [*items(path, "none")] == []
    assert [value_at(path, name) for name in ("number", "last", "missing")] == [12, "end", None]


@pytest.mark.parametrize(
    "text",
    ["", "[1]", "{}", '{"list": [1, 2', '{"list": [1 2]}', '{"list": {}}', "{'list': []}", "\xff"],
)
def test_a_damaged_file_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "claims.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(RunDirectoryError, match=r"claims\.json"):
        list(elements(path, "list"))


def test_a_number_at_the_edge_of_what_is_in_memory_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "numbers.json"
    for blanks in range(12):
        head = '{"a": "' + "x" * (2**18 - 20 + blanks) + '", "list": [1234567890'
        path.write_text(f"{head}, 5]}}", encoding="utf-8")
        assert list(elements(path, "list")) == [1234567890, 5]
