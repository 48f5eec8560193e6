"""Standard streams that are closed, full, or read by nobody any more."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = f"{sys.executable} -m foureyes"
CLAIMS = f"{COMMAND} claims d.md --all --json"
REVIEW = "review d.md --no-web --quiet --out out"


@pytest.mark.parametrize(
    ("line", "code", "complaint"),
    [
        (f"{COMMAND} claims d.md >&-", 0, ""),
        (f"{COMMAND} {REVIEW} <&-", 2, ""),
        (
            f"{CLAIMS} >/dev/full",
            4,
            "cannot write to standard output",
        ),
        (f"{COMMAND} claims d.md >/dev/full", 4, "cannot write to standard output"),
        (
            f"({CLAIMS}; echo $? >code) | head -c 1; exit $(cat code)",
            0,
            "",
        ),
        pytest.param(
            f"({COMMAND} claims d.md; echo $? >code) | head -c 1; exit $(cat code)",
            0,
            "",
            marks=pytest.mark.soak,
        ),
    ],
    ids=[
        "output closed",
        "input closed",
        "output full",
        "table full",
        "reader gone",
        "reader of a table gone",
    ],
)
def test_a_stream_that_is_not_there_is_no_bug(
    tmp_path: Path, line: str, code: int, complaint: str
) -> None:
    claim = "The bridge at Tarvia opened in 1931 and cost 4 million marks.\n\n"
    (tmp_path / "d.md").write_text(f"# Bridges\n\n{claim * 200}", encoding="utf-8")
    ended = subprocess.run(
        ["bash", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
    )
    assert ended.returncode == code, ended.stderr
    assert ended.stderr.startswith(f"foureyes: error: {complaint}" if complaint else "")
    assert ended.stderr.count("\n") == bool(complaint)
