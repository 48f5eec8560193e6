"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from foureyes import StorageError
from foureyes.base.files import write_atomic


def test_nothing_takes_the_place_of_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(StorageError, match="a device or a pipe, no file"):
        write_atomic(pipe, "text")
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]
