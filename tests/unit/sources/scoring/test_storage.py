from __future__ import annotations

from pathlib import Path

import pytest
from foureyes import StorageError
from foureyes.base.files import only_writer


def test_a_second_writer_is_told_to_wait(tmp_path: Path) -> None:
    path = tmp_path / "memory.md"
    with (
        only_writer(path),
        pytest.raises(StorageError, match=r"'.*memory\.md' is being written by another process"),
        only_writer(path, patience=0.05),
    ):
        raise AssertionError("two writers at once")


def test_a_writer_that_fails_lets_the_next_one_in(tmp_path: Path) -> None:
    path = tmp_path / "memory.md"
    with pytest.raises(ValueError, match="no"), only_writer(path):
        raise ValueError("no")
    with only_writer(path, patience=0.05):
        pass
