"""The end of a run, as an object and as a record, and what is made from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from ..base.errors import FoureyesError
from ..base.files import JsonResult, to_json
from ..base.off_loop import off_loop
from ..base.printable import counted, notebook_html
from ..base.registry import first_line
from ..base.vocabulary import ExitCode, Finding
from ..verification.model import GateResult, Ledger, LedgerEntry
from . import tracing
from .approval import ApprovalBasis, RunStatus, Settlement, exit_code
from .artefacts import Judgement
from .iteration import Conclusion, IterationResult
from .record_folder import program_version
from .run_analytics import AgentFigures, RunAnalytics

if TYPE_CHECKING:
    from .critique import Critique

REPORT_FILE = "report.html"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnd:
    """The end of a run, for other programs. Paths are as the run directory was given.

    `exit_code` is that of the command line, a value of `ExitCode`. `iterations` counts those that
    came to their end.
    """

    foureyes: str
    status: RunStatus | None
    approved: bool
    approval_basis: ApprovalBasis | None
    reason: str
    exit_code: int
    run_dir: str | None
    analysis: str | None
    iterations: int
    judge_failed: bool = False
    judgement: Judgement | None = None
    gate: GateResult | None = None
    findings: tuple[Finding, ...] = ()
    agents: tuple[AgentFigures, ...] = ()
    settlement: Settlement | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRecord(RunEnd):
    """`PipelineResult.to_dict`: the end of a run, the delivered text and its claims."""

    text: str
    report_path: str | None
    claims: tuple[LedgerEntry, ...]


@dataclass(frozen=True, slots=True, repr=False)
class PipelineResult(JsonResult):
    """The end of a run, and its delivered draft.

    `analysis` is the approved draft, else the best so far (decision 7), "" when there is none;
    `delivered` is its iteration. `reason` says in a sentence why the run ended so. `unwritten`
    names the report or pack that is wanting, "" if none is.
    """

    status: RunStatus
    reason: str
    analysis: str
    delivered: IterationResult | None
    iterations: tuple[IterationResult, ...]
    analytics: RunAnalytics
    run_dir: Path
    approval_basis: ApprovalBasis | None = None
    judgement: Judgement | None = None
    judge_failed: bool = False
    settlement: Settlement | None = None
    unwritten: str = ""

    @property
    def approved(self) -> bool:
        """Whether two critics approved, the gate passed, and nothing withheld it."""
        return self.status is RunStatus.APPROVED

    @property
    def best_iteration(self) -> int | None:
        """The number of the delivered iteration."""
        return self.delivered.iteration if self.delivered else None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings about the delivered draft."""
        return self.delivered.findings if self.delivered else ()

    @property
    def _conclusion(self) -> Conclusion | None:
        return self.delivered.conclusion if self.delivered else None

    @property
    def ledger(self) -> Ledger | None:
        """The ledger of the delivered draft; None in a run without a fact check."""
        return self._conclusion.ledger if self._conclusion else None

    @property
    def claims(self) -> tuple[LedgerEntry, ...]:
        """The claims of the delivered draft with verdict, evidence and place, in its order."""
        return self.ledger.entries if self.ledger else ()

    @property
    def gate(self) -> GateResult | None:
        """The evidence gate's answer to the delivered draft."""
        return self._conclusion.gate if self._conclusion else None

    @property
    def critique(self) -> Critique | None:
        """Code's critique of the delivered draft."""
        return self._conclusion.quality.critique if self._conclusion else None

    @property
    def report_path(self) -> Path | None:
        """The page about the run; None where it could not be written."""
        path = self.run_dir / REPORT_FILE
        return path if path.is_file() else None

    @property
    def exit_code(self) -> ExitCode:
        """The exit code of the command line for this end."""
        return self.exit_code_for()

    def exit_code_for(
        self, *, require_approval: bool = False, require_independent: bool = False
    ) -> ExitCode:
        """The exit code under the settings of these names."""
        return exit_code(
            self.status,
            judge_failed=self.judge_failed,
            basis=self.approval_basis,
            require_approval=require_approval,
            require_independent=require_independent,
        )

    def model_dump_json(self) -> str:
        """The result as JSON text, by the published schema ``result``."""
        report, ended = self.report_path, self.ended(self.exit_code)
        record = ResultRecord(
            **{field.name: getattr(ended, field.name) for field in fields(ended)},
            text=self.analysis,
            report_path=str(report) if report else None,
            claims=self.claims,
        )
        return to_json(ResultRecord, record, indent=None)

    def ended(self, code: int) -> RunEnd:
        """The end as a record, with this exit code."""
        return RunEnd(
            foureyes=program_version(),
            status=self.status,
            approved=self.approved,
            approval_basis=self.approval_basis,
            reason=self.reason,
            exit_code=int(code),
            run_dir=str(self.run_dir),
            analysis=analysis_path(self.run_dir, self.best_iteration),
            iterations=len(self.iterations),
            judge_failed=self.judge_failed,
            judgement=self.judgement,
            gate=self.gate,
            findings=self.findings,
            agents=self.analytics.agents(),
            settlement=self.settlement,
        )

    def __repr__(self) -> str:
        """Three lines: the end, what was found, where it is."""
        return "\n".join((f"<PipelineResult {self.status}: {self.reason}", *self._summary())) + ">"

    def _repr_html_(self) -> str:
        """The same for notebooks, with a link to the report."""
        return notebook_html(self.status, (self.reason, *self._summary()), self.report_path)

    def _summary(self) -> tuple[str, str]:
        claims = counted(len(self.claims), "claim")
        found = counted(len(self.findings), "finding")
        done = counted(len(self.iterations), "iteration")
        return f"{done}, {claims}, {found}", str(self.run_dir)


def analysis_path(run_dir: Path, iteration: int | None) -> str | None:
    """Where the delivered draft lies."""
    if iteration is None:
        return None
    return str(run_dir / "iterations" / f"analysis_iteration_{iteration}.md")


@dataclass(frozen=True, slots=True)
class RunFinisher:
    """Makes something from an ended run and its directory: a report, a pack.

    `name` is for the log. Where `is_proof`, the run is inconclusive until a resume has written it.
    """

    name: str
    write: Callable[[PipelineResult, Path], None]
    is_proof: bool = True

    async def finish(self, result: PipelineResult) -> str | None:
        """Write it; returns why that failed, None if it did not."""
        try:
            with tracing.step("finish", about=self.name):
                await off_loop(self.write, result, result.run_dir)
        except (FoureyesError, OSError) as error:
            return first_line(str(error)) or type(error).__name__
        # A report may come upon anything in a run's files, and the run has ended all the same.
        except Exception as error:  # noqa: BLE001 - see above
            structlog.get_logger().error("finisher failed", finisher=self.name, exc_info=True)
            return first_line(f"{type(error).__name__}: {error}")
        return None
