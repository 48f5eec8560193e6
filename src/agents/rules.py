"""Word lists, severities, thresholds and clocks of the agents, and what of them a prompt says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TypeAlias
from weakref import WeakKeyDictionary

from ..base.printable import counted
from ..base.registry import RegistryModel, load_registry_file
from ..base.vocabulary import IssueType, Severity, Strictness
from ..core.brief import BriefReading, load_brief_reading
from ..core.critique import Critique
from ..core.tasks import AgentBackend, backend_name
from ..verification.registry import Registry, load_registry
from ..verification.severity import SeverityPolicy
from .source_tools import WebResearchProtocol

FACT_CHECKER_FILE = "fact_checker.yaml"
JUDGE_FILE = "judge.yaml"


class FactCheckerRules(RegistryModel):
    """`config/registry/fact_checker.yaml`: the severity of issues that the agent raises."""

    issues: dict[IssueType, Severity]


class JudgeRules(RegistryModel):
    """`config/registry/judge.yaml`: the scores, 0–1, below which approval is withheld."""

    lowest: float
    mean: float


def present(_agent: str) -> Clock:
    """The clock of a live run."""
    return utc_now


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules for reading briefs, for verification, and for single agents.

    `protocol` are the rules of research, None in a run without a search provider. `clock` gives the
    clock of an agent, by its name.
    """

    reading: BriefReading
    registry: Registry
    fact_checker: FactCheckerRules
    judge: JudgeRules
    protocol: WebResearchProtocol | None = None
    clock: Callable[[str], Clock] = present

    def time_stamp(self, agent: str) -> str:
        """The present moment by the clock of `agent`: ``2025-08-26T16:45:00Z``."""
        return self.clock(agent)().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class AgentRules:
    """The rules of the agents: the packaged ones, of which a folder may replace files.

    Args:
        registry_dir: The folder, as for the setting of that name.

    Raises:
        RegistryError: A file is broken or does not validate.
    """

    def __init__(self, registry_dir: Path | None = None) -> None:
        _RULES[self] = load_rules(registry_dir) if registry_dir else _packaged()


# What the name hides; as an attribute it would be a part of the public class.
_RULES: WeakKeyDictionary[AgentRules, Rules] = WeakKeyDictionary()


def load_rules(folder: Path | None, registry: Registry | None = None) -> Rules:
    """The rules in `folder`, else the packaged ones; `registry` is one that is loaded already.

    Raises:
        RegistryError: A file is broken or does not validate.
    """
    return Rules(
        load_brief_reading(folder),
        registry or load_registry(folder),
        load_registry_file(FactCheckerRules, FACT_CHECKER_FILE, folder),
        load_registry_file(JudgeRules, JUDGE_FILE, folder),
    )


def rules_of(given: AgentRules | None) -> Rules:
    """The rules behind `given`, or the packaged ones."""
    return _packaged() if given is None else _RULES[given]


def agent_rules(rules: Rules) -> AgentRules:
    """`rules` behind the name that agents take."""
    made = object.__new__(AgentRules)
    _RULES[made] = rules
    return made


@cache
def _packaged() -> Rules:
    return load_rules(None)


Clock: TypeAlias = Callable[[], datetime]

NO_MODEL = "deterministic rules; no language model was used"


def utc_now() -> datetime:
    """The present moment in UTC: the clock of artefacts' time stamps."""
    return datetime.now(UTC)


def basis_of(backend: AgentBackend) -> str:
    """The basis of an artefact's answer: a model or rules (decision 10)."""
    return f"language model (backend {backend_name(backend)})" if backend.independent else NO_MODEL


def strictness_rule(policy: SeverityPolicy, strictness: Strictness) -> str:
    """Which issues reject, as a sentence."""
    rule = policy.strictness[strictness]
    severe = f"{counted(rule.high, 'issue')} of severity high or critical"
    if rule.medium is None:
        return f"the document is rejected at {severe}; medium and low issues never reject."
    medium = f"{rule.medium} of severity medium"
    return f"the document is rejected at {severe}, or at {medium}; low issues never reject."


def critique_lines(critique: Critique | None) -> tuple[str, ...]:
    """One line for each dimension: score, reason, and what would raise it; none without one."""
    if critique is None:
        return ()
    return tuple(
        f"{dimension.value.replace('_', ' ')} "
        f"{'not scored' if one.score is None else format(one.score, '.2f')}: {one.reason}"
        + (f"; remedy: {one.remediation_action}" if one.remediation_action else "")
        for dimension, one in critique.dimensions.items()
    )
