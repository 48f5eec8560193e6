"""`outcome_iteration_N.json`: what an iteration came to, for whoever reads the run later.

With the drafts, the claims and `verify/` it makes the run directory enough for a report.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..base.errors import RunDirectoryError
from ..base.finding import Finding
from ..base.records import to_json
from ..base.vocabulary import Recommendation
from .artefacts import ArtefactFile
from .iteration import IterationResult
from .tasks import Error, FailureKind


@dataclass(frozen=True, slots=True)
class CriticOutcome:
    """A critic's vote and the share of the document that it covers.

    `by_claim` is true of a critic that answers claim by claim; the ledger has what it left out.
    """

    recommendation: Recommendation
    stated_recommendation: Recommendation | None
    coverage: float
    independent: bool
    by_claim: bool


@dataclass(frozen=True, slots=True)
class IterationOutcome:
    """Votes, failures by critic, and every finding, worst first.

    `fact_checked` is whether there is a ledger. `not_fetched` are the cited addresses left out for
    budget or network (decision 17). `unsearched` says why a search provider could not be asked.
    """

    iteration: int
    critics: Mapping[str, CriticOutcome]
    failures: Mapping[str, str]
    findings: tuple[Finding, ...]
    fact_checked: bool
    not_fetched: tuple[str, ...]
    unsearched: tuple[str, ...] = ()


def outcome_name(iteration: int) -> str:
    """The name of an iteration's `IterationOutcome`."""
    return f"outcome_iteration_{iteration}.json"


def outcome_of(result: IterationResult) -> IterationOutcome:
    """The iteration as its file keeps it."""
    conclusion = result.conclusion
    return IterationOutcome(
        result.iteration,
        {
            name: CriticOutcome(
                one.recommendation,
                one.stated_recommendation,
                one.coverage,
                one.independent,
                one.assessments is not None,
            )
            for name, one in result.examinations.items()
        },
        {name: f"{error.kind}: {error.message}" for name, error in result.failures.items()},
        result.findings,
        conclusion is not None,
        conclusion.not_fetched if conclusion else (),
        conclusion.unsearched if conclusion else (),
    )


def outcome_file(result: IterationResult) -> ArtefactFile:
    """The iteration as a file of `iterations/`."""
    text = to_json(IterationOutcome, outcome_of(result)) + "\n"
    return ArtefactFile(outcome_name(result.iteration), text)


def recorded_failure(text: str) -> Error:
    """A critic's failure, as manifest and outcome word it.

    Raises:
        RunDirectoryError: `text` is none.
    """
    kind, _, message = text.partition(": ")
    try:
        return Error(FailureKind(kind), message)
    except ValueError:
        raise RunDirectoryError(f"{kind[:60]!r} is no way in which a critic fails") from None
