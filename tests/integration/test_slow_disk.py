"""Runs beside each other in one event loop: the disk of one keeps the other from nothing."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from foureyes import Pipeline, RunStatus, review_document

DRAFT = "# Station\n\nThe station opened on 4 May 2019 ([report](report.md)).\n"
DELAY_S = 0.02
TOUCHES = ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.scandir", "os.listdir")


class SlowDisk:
    """Makes what is done to files of a folder slow, and tells what the loop's own thread did."""

    def __init__(self) -> None:
        self.folder = ""
        self.loop = threading.get_ident()
        self.waits = 0
        self.in_loop: list[str] = []
        # A hook stays while the process lives; without a folder it does nothing.
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: Sequence[object]) -> None:
        if not self.folder or event not in TOUCHES or not arguments:
            return
        path = str(arguments[1] if event == "os.rename" else arguments[0])
        if not path.startswith(self.folder):
            return
        self.waits += 1
        if threading.get_ident() == self.loop:
            self.in_loop.append(f"{event} {path.removeprefix(self.folder)}")
        else:
            time.sleep(DELAY_S)


async def test_a_second_run_goes_on_while_the_disk_of_the_first_is_slow(tmp_path: Path) -> None:
    report = tmp_path / "report.md"
    report.write_text("The station opened on 4 May 2019.\n", encoding="utf-8")
    slow, fast = tmp_path / "slow", tmp_path / "fast"
    disk = SlowDisk()
    # What both load once is no matter of the disk.
    await Pipeline(out=fast).run(draft=DRAFT, sources=[report])
    disk.folder = str(slow)
    first = asyncio.create_task(
        Pipeline(out=slow, with_fact_checker=True).run(draft=DRAFT, sources=[report])
    )
    second = await Pipeline(out=fast).run(draft=DRAFT, sources=[report])
    ran_beside = not first.done()
    end = await first
    disk.folder = ""
    assert (second.status, end.status) == (RunStatus.REVIEWED, RunStatus.APPROVED)
    assert ran_beside
    assert disk.waits > 50
    assert disk.in_loop == [], "\n".join(disk.in_loop)


async def test_no_file_of_a_review_is_touched_in_the_loop(tmp_path: Path) -> None:
    document, source, out = tmp_path / "plan.md", tmp_path / "report.md", tmp_path / "out"
    document.write_text(DRAFT, encoding="utf-8")
    source.write_text("The station opened on 4 May 2019.\n", encoding="utf-8")
    disk = SlowDisk()
    disk.folder = str(out)
    await review_document(
        document, sources=[source], yes=True, out=out, fetch="none", verify_background=True
    )
    disk.folder = ""
    assert disk.waits > 50
    assert disk.in_loop == [], "\n".join(disk.in_loop)
