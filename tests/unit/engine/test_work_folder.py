from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from foureyes import InputError
from foureyes.engine.work_folder import (
    RESULTS,
    WorkFolder,
    WorkKind,
    make_work_folder,
)


@dataclass(frozen=True, slots=True)
class Result:
    key: str
    value: int


KIND = WorkKind(
    "a test", "test.json", "a test", Result, key=lambda one: one.key, cost=lambda one: one.value
)


@pytest.fixture
def folder(tmp_path: Path) -> WorkFolder[Result]:
    with make_work_folder(tmp_path, "Some work", "test.json") as path:
        pass
    return WorkFolder(path, KIND)


def test_the_first_result_of_a_key_counts(folder: WorkFolder[Result]) -> None:
    for one in (Result("a", 1), Result("b", 2), Result("a", 3)):
        folder.add(one)
    assert list(folder.results().values()) == [Result("a", 1), Result("b", 2)]


def test_a_torn_line_takes_nothing_else_with_it(folder: WorkFolder[Result]) -> None:
    folder.mend()
    folder.add(Result("a", 1))
    with (folder.path / RESULTS).open("a", encoding="utf-8") as file:
        file.write('{"key":"b","val')
    assert list(folder.results()) == ["a"]
    folder.mend()
    folder.add(Result("b", 2))
    assert list(folder.results()) == ["a", "b"]


def test_another_folder_is_refused(folder: WorkFolder[Result], tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is not the directory of a test: there is no test\.json"):
        WorkFolder(tmp_path, KIND)
    (folder.path / "test.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="is damaged"):
        WorkFolder(folder.path, KIND)
