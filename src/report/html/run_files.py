"""The files of a run directory that a report is made from, each read when it is needed."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import TypeVar

import ijson

from ...base.errors import RunDirectoryError
from ...base.files import adapter
from ...claims.model import Claim
from ...core.approval import SETTLEMENT_FILE, Settlement
from ...core.artefacts import Judgement
from ...core.critique import CRITIQUE_FILE, Critique
from ...core.gaps import GAPS_FILE, GapReport
from ...core.iteration import (
    GATE_FILE,
    LEDGER_FILE,
    RELIABILITY_FILE,
    ClaimsFile,
    IterationOutcome,
    claims_name,
    outcome_name,
)
from ...core.record_folder import RunEvent, damaged, read_record
from ...core.run_analytics import AnalyticsFile
from ...core.run_store import RunStore
from ...sources.model import Source
from ...sources.scoring.appraisal import SourceReliability
from ...sources.snapshot_store import SnapshotStore
from ...verification.model import GateResult, LedgerEntry, SlotCheck

T = TypeVar("T")
_CITED, _ENTRY, _NUMBER = adapter(tuple[str, Source]), adapter(LedgerEntry), adapter(int)


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim with its line in the ledger and what code compared."""

    claim: Claim
    entry: LedgerEntry
    slots: tuple[SlotCheck, ...]


class RunFiles:
    """A run directory as a report sees it; nothing is written.

    Files that are not there are None: a run has only what its mode and its end left behind.

    Raises:
        RunDirectoryError: The directory, or a file that is read later, is damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._store = RunStore.open(path)
        self.manifest = self._store.manifest
        self.snapshots = SnapshotStore(self._store.sources)

    @property
    def drafts(self) -> tuple[int, ...]:
        """The iterations that have a draft."""
        name = "iterations/analysis_iteration_{}.md"
        numbers = itertools.count(1)
        return tuple(takewhile(lambda n: (self.path / name.format(n)).exists(), numbers))

    def draft(self, iteration: int) -> str:
        """The text of a draft, line ends kept."""
        return self._store.read(f"iterations/analysis_iteration_{iteration}.md")

    def outcome(self, iteration: int) -> IterationOutcome | None:
        """Return the outcome of an iteration; None if it was interrupted."""
        return read_record(IterationOutcome, self.path / f"iterations/{outcome_name(iteration)}")

    def analytics(self) -> AnalyticsFile | None:
        """Return the figures of each agent."""
        return read_record(AnalyticsFile, self.path / "analytics.json")

    def judgement(self) -> Judgement | None:
        """The judge's scores."""
        return read_record(Judgement, self.path / "judgement.json")

    def settlement(self) -> Settlement | None:
        """Return the answer of the user's settlement policy."""
        return read_record(Settlement, self.path / f"verify/{SETTLEMENT_FILE}")

    def gate(self, iteration: int) -> GateResult | None:
        """The gate's answer to an iteration; None if its facts were not checked.

        Raises:
            RunDirectoryError: They were checked, and what came of it is gone. Without its ledger a
                run would look as if nothing had been found.
        """
        result = self._verified(iteration, GateResult, GATE_FILE)
        if result is None and (outcome := self.outcome(iteration)) and outcome.fact_checked:
            raise RunDirectoryError(
                f"{str(self.path / 'verify')!r} lacks the ledger or the gate's answer to iteration "
                f"{iteration}",
                "restore the files, or start a new run",
            )
        return result

    def lacks_proof(self, iteration: int) -> bool:
        """Return whether an iteration was fact-checked and its ledger or gate result is missing."""
        outcome = self.outcome(iteration)
        folder = self.verify_folder(iteration)
        there = all((folder / name).exists() for name in (LEDGER_FILE, GATE_FILE))
        return outcome is not None and outcome.fact_checked and not there

    def critique(self, iteration: int) -> Critique | None:
        """Code's critique of an iteration's draft."""
        return self._verified(iteration, Critique, CRITIQUE_FILE)

    def reliability(self, iteration: int) -> SourceReliability | None:
        """The scores of an iteration's sources."""
        return self._verified(iteration, SourceReliability, RELIABILITY_FILE)

    def gaps(self, iteration: int) -> GapReport | None:
        """Return the gaps in the evidence of an iteration."""
        return self._verified(iteration, GapReport, GAPS_FILE)

    def cited(self, iteration: int) -> Mapping[str, Source]:
        """The sources that an iteration's draft cites, by address."""
        path = self.path / "iterations" / claims_name(iteration)
        return dict(_streamed(path, "sources", _CITED.validate_python, members=True))

    def entries(self, iteration: int) -> Iterator[LedgerEntry]:
        """Yield the ledger of an iteration, one entry in memory at a time."""
        path = self.verify_folder(iteration) / LEDGER_FILE
        return _streamed(path, "entries.item", _ENTRY.validate_python)

    def claims(self, iteration: int) -> tuple[CheckedClaim, ...]:
        """Every claim of an iteration that has a ledger, in the order of the document."""
        read = read_record(ClaimsFile, self.path / f"iterations/{claims_name(iteration)}")
        if read is None:
            return ()
        assessed = read.assessments
        return tuple(
            CheckedClaim(claim, entry, found.slots if (found := assessed.get(claim.id)) else ())
            for claim, entry in zip(read.claims, self.entries(iteration), strict=False)
        )

    def verify_folder(self, iteration: int) -> Path:
        """The folder of what code concluded from an iteration."""
        current = self._last_verified == iteration
        return self.path / ("verify" if current else f"verify/iteration_{iteration}")

    @cached_property
    def _last_verified(self) -> int | None:
        """The iteration of the last ledger, None if there is none."""
        path = self.path / "verify" / LEDGER_FILE
        return next(_streamed(path, "iteration", _NUMBER.validate_python), None)

    def events(self) -> Iterator[RunEvent]:
        """Yield the events, oldest first."""
        return self._store.events()

    def _verified(self, iteration: int, kind: type[T], name: str) -> T | None:
        return read_record(kind, self.verify_folder(iteration) / name)


def _streamed(
    path: Path, prefix: str, valid: Callable[[object], T], *, members: bool = False
) -> Iterator[T]:
    """What is at `prefix` of a large file, one piece in memory at a time; nothing of no file.

    With `members`, these are the pairs of an object and not the elements of a list.

    Raises:
        RunDirectoryError: The file is damaged.
    """
    if not path.exists():
        return
    read: Callable[..., Iterator[object]] = ijson.kvitems if members else ijson.items
    with damaged(path, "run"), path.open("rb") as file:
        try:
            yield from map(valid, read(file, prefix, use_float=True))
        except ijson.JSONError as error:
            raise json.JSONDecodeError(str(error), "", 0) from error
