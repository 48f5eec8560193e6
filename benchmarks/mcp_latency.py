"""How fast the MCP server starts, answers one call and fifty at once, and stops a cancelled one.

Usage: python benchmarks/mcp_latency.py

All over standard input and output, by the official client, without a network and with the shared
cache of sources off. `settled` is the first call, which waits for what calls need to be loaded.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.commands import EXAMPLES
from support.mcp_kit import Session, StdioPipe, stdio_session

CALLS = 50
ROUNDS = 10
SENTENCES = (f"Well {n} was {n + 1000} metres deep in {1900 + n % 100}." for n in range(8_000))
LONG = "# Wells\n\n" + " ".join(SENTENCES)


def main() -> None:
    """Measure, and print a line for each figure."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(EXAMPLES, folder / "notes")
        options = ("--root", folder / "notes", "--out", folder / "runs", "--source-cache", "none")
        begun = time.perf_counter()
        with stdio_session(StdioPipe(tuple(map(str, options)), folder)) as session:
            told("started, first answer", time.perf_counter() - begun)
            draft: dict[str, object] = {"path": "draft.md", "sources": ["sources"]}
            told("settled, first check_document", timed(lambda: check(session, draft)))
            told("check_document of examples/draft.md", median(lambda: check(session, draft)))
            short: dict[str, object] = {"text": "It rained on 3 days in 2020."}
            told(
                "list_claims of one sentence", median(lambda: session.call("list_claims", **short))
            )
            for tool, arguments in (("list_claims", short), ("check_document", draft)):
                work = partial(session.calls, [(tool, arguments)] * CALLS)
                told(f"{CALLS} calls of {tool} at once", timed(work))
            told("check_document cancelled, process gone", cancelled_check(session))
            told("run_pipeline cancelled, recorded and gone", cancelled_run(session, folder))
            ended = time.perf_counter()
        told("client gone, server gone", time.perf_counter() - ended)


def check(session: Session, arguments: dict[str, object]) -> None:
    """One check, which is to find something."""
    assert session.call("check_document", **arguments).data["findings"]


def cancelled_check(session: Session) -> float:
    """From the cancellation of a check of many seconds to the end of its process."""

    def computing() -> bool:
        if not session.workers():
            return False
        time.sleep(1)
        return True

    at = session.cancel("check_document", computing, text=LONG)
    return session.idle(within=30) - at


def cancelled_run(session: Session, folder: Path) -> float:
    """From the cancellation of a run that computes to its record and the end of its process."""

    def computing() -> bool:
        events = list((folder / "runs").glob("*/events.jsonl"))
        return any("gathering_evidence" in one.read_text(encoding="utf-8") for one in events)

    mode = "analyze_review_with_fact_check"
    at = session.cancel("run_pipeline", computing, draft=LONG, mode=mode)
    gone = session.idle(within=30)
    (run,) = (folder / "runs").iterdir()
    until = gone + 5
    # The server tells the record of it when the process is gone.
    while session.call("get_run", name=run.name).data["status"] != "cancelled":
        assert time.monotonic() < until
    return max(gone, time.monotonic()) - at


def timed(work: Callable[[], object]) -> float:
    """Seconds that `work` takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def median(work: Callable[[], object]) -> float:
    """The median of several times, in seconds."""
    return statistics.median(timed(work) for _ in range(ROUNDS))


def told(what: str, seconds: float) -> None:
    """Print one figure."""
    print(f"{what:<44}{seconds:8.2f} s")


if __name__ == "__main__":
    main()
