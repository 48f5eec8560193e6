"""Every setting with its meaning, and where a value may come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import ConfigDict, Field, PositiveFloat, SecretStr, field_validator

from ..base.call_limits import UNLIMITED, CallLimiter
from ..base.errors import InputError
from ..base.vocabulary import (
    ChallengeStep,
    FetchMode,
    ResearchMode,
    SearchName,
    SettlementMode,
    Strictness,
)
from ..core.config import AnalystConfig, Config, Effort, FactCheckerConfig, PipelineMode
from ..core.tasks import Role
from ..review.types import BlueDefenderConfig, SmokeTesterConfig

CODE_KEYS = {
    "analyst": "is written by",
    "judge": "is judged by",
    "critics": "is examined by",
    "agents": "is examined by",
    "gate_policy": "has its gate under",
    "settlement": "is to be settled by",
}
"""The settings that name code of a run, which must be named again when it goes on."""

PART_KEYS = (*CODE_KEYS, "search", "backend")
"""The settings that name code, in whose place a program may give objects."""

CodeName = Annotated[str, Field(pattern=r"^.+:[^:\s]+$")]
"""Where code of the user is: ``MODULE:NAME`` or ``FILE.py:NAME``."""


class BackendName(StrEnum):
    """Who fills the agents' templates."""

    OFFLINE = "offline"
    CLAUDE = "claude"


class ReaderName(StrEnum):
    """Who reads the meaning of passages."""

    PACKAGED = "packaged"
    NONE = "none"


class ReviewSettings(Config):
    """The settings of a document review alone; `Settings` has them beside those of an analysis."""

    model_config = ConfigDict(use_attribute_docstrings=True, defer_build=True)

    no_web: bool = False
    """Review: end after the smoke test; nothing is looked up and no claim verified."""
    verify_background: bool = False
    """Review: look up background claims too, not only those the document rests on."""
    defenders: int = Field(default=BlueDefenderConfig().parallel, ge=1, le=32)
    """Review: most blue defenders at work at once; there is one for each finding."""
    testers: int = Field(default=SmokeTesterConfig().testers, ge=1, le=8)
    """Review: how many smoke testers share what there is to test."""


AGENT_KEYS = ("model", "effort", "max_turns", "max_cost_usd")
"""The settings that each agent has for itself."""


class Settings(ReviewSettings):
    """Every setting: a flag, a variable and a YAML key of the same name.

    A description begins with whom the setting affects; it is also the flag's help.
    """

    mode: PipelineMode = PipelineMode.ANALYZE_AND_REVIEW
    """Run: which agents take part."""
    with_fact_checker: bool = False
    """Fact checker: examine each draft in parallel with the reviewer."""
    research_mode: ResearchMode | None = None
    """Fact checker: hold drafts against the gate's limits for research, which ask for several
    independent, reliable sources. [default: the limits for a document]
    """
    max_iterations: int = Field(default=3, ge=1, le=50)
    """Run: most drafts before it stops without approval."""
    backend: BackendName | CodeName = BackendName.OFFLINE
    """All agents: who does their work. offline uses rules only, no key, no model. Or your own
    backend, as MODULE:NAME or FILE.py:NAME.
    """
    model: Mapping[Role, str] = Field(default={})
    """All agents: the model, for all or AGENT=… for one. Repeatable."""
    effort: Mapping[Role, Effort] = Field(default={})
    """All agents: how much the model thinks, for all or AGENT=… for one. Repeatable. Models without
    such a choice take no notice.
    """
    max_turns: Mapping[Role, Annotated[int, Field(ge=1)]] = Field(default={})
    """All agents: most answers of the model in one turn, for all or AGENT=… for one. Repeatable.
    [default: 60]
    """
    max_cost_usd: Mapping[Role, Annotated[Decimal, Field(gt=0)]] = Field(default={})
    """All agents: dollars that one turn may cost, for all or AGENT=… for one. Repeatable. One
    answer of the model may overshoot it.
    """
    base_url: str | None = Field(default=None, pattern=r"^https?://[^\s@]+$")
    """All agents: a server that speaks the Anthropic Messages API (claude backend)."""
    api_key_env: str | None = Field(default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    """All agents: the variable that holds the key, or none for a server without. Required with
    --base-url.
    """
    max_parallel: int | None = Field(default=None, ge=1, le=64)
    """All agents: most model sessions at once; each takes up to 160 MiB of memory. [default: what
    the free memory holds, 1 to 8]
    """
    fetch: FetchMode = FetchMode.LIVE
    """Fact checker: fetch cited sources (live), use only those that this or an earlier run has
    stored (frozen), or none.
    """
    source_cache: Path | Literal["auto", "none"] = "auto"
    """Run: the folder in which fetched sources are kept for later runs (auto: in your cache
    folder), or none.
    """
    max_fetches: int = Field(default=200, ge=0)
    """Fact checker: most cited sources that code fetches in all."""
    fetch_timeout_total: PositiveFloat = 600
    """Fact checker: most seconds that fetching cited sources may take in all."""
    search: SearchName | CodeName = SearchName.NONE
    """Run: who the agents may ask for sources. knowledge_base asks the folders that `foureyes
    sources index` has indexed; the others are on the web. Or your own provider, as MODULE:NAME or
    FILE.py:NAME.
    """
    search_url: str | None = Field(default=None, pattern=r"^https?://[^\s@]+$")
    """Run: the search provider's address; required for searxng."""
    search_key_env: str | None = Field(default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    """Run: the variable that holds the search provider's key; required with --search-url for
    tavily, brave and anthropic.
    """
    max_searches: int = Field(default=50, ge=0)
    """Run: most questions put to the search provider in all."""
    knowledge_base: Path | None = None
    """Run: the index file of the knowledge base. [default: in your data folder]"""
    robots: bool = False
    """Fact checker: fetch nothing that a site's robots.txt forbids to programs."""
    allowed_hosts: tuple[str, ...] = ()
    """Fact checker: HOST or HOST:PORT on a private network that may be fetched from. Repeatable."""
    reader: ReaderName = ReaderName.PACKAGED
    """Run: the model that reads whether a passage supports a claim. none makes exact checks only.
    """
    skip_challenges: tuple[ChallengeStep, ...] = ()
    """Fact checker: a challenge that claims need not stand after their check. Repeatable."""
    as_of: date | None = None
    """Fact checker: the day that ages are measured at (YYYY-MM-DD)."""
    topic: str | None = Field(default=None, max_length=500)
    """Run: what its sources should be about. [default: the title]"""
    memory: Path | Literal["none"] = Path(".foureyes/memory.md")
    """Run: the file whose table keeps what the sources lacked, or none."""
    analyst_max_websearches: int = Field(default=AnalystConfig().max_websearches, ge=0)
    """Analyst: most web searches a draft, where a search provider is configured."""
    reviewer_strictness: Strictness = Strictness.NORMAL
    """Reviewer: which findings make it reject."""
    fact_checker_max_webfetches: int = Field(default=FactCheckerConfig().max_webfetches, ge=0)
    """Fact checker: most extra fetches it may ask for, an iteration."""
    fact_checker_strictness: Strictness = Strictness.NORMAL
    """Fact checker: which findings make it reject."""
    analyst_prompt: Path | None = None
    """Analyst: a file to use as its system prompt."""
    prompts_dir: Path | None = None
    """All agents: a folder whose files replace the packaged prompts."""
    templates_dir: Path | None = None
    """All agents: a folder whose files replace packaged templates."""
    registry_dir: Path | None = None
    """Run: a folder whose files replace packaged thresholds and word lists."""
    analyst: CodeName | None = None
    """Run: your own analyst in place of ours, as MODULE:NAME or FILE.py:NAME."""
    judge: CodeName | None = None
    """Run: your own judge, as MODULE:NAME or FILE.py:NAME; the run has one then."""
    critics: tuple[CodeName, ...] = ()
    """Run: your own critic, which examines each draft beside the others and has a veto, as
    MODULE:NAME or FILE.py:NAME. Repeatable.
    """
    agents: tuple[CodeName, ...] = ()
    """Run: your own agent, a foureyes.Agent that examines each draft on the run's backend beside
    the others, as MODULE:NAME or FILE.py:NAME. Repeatable.
    """
    gate_policy: CodeName | None = None
    """Fact checker: your own policy, which may lower the answer of the evidence gate and never
    raise it, as MODULE:FUNCTION or FILE.py:FUNCTION.
    """
    settlement: CodeName | None = None
    """Run: your own policy, which has the last word before an approval, as MODULE:FUNCTION or
    FILE.py:FUNCTION.
    """
    settlement_mode: SettlementMode = SettlementMode.ENFORCE
    """Run: record what the settlement policy says (observe), block the approval if it says no
    (enforce), or also if it fails or takes too long (strict).
    """
    settlement_timeout_s: float = Field(default=30.0, gt=0)
    """Run: seconds that the settlement policy may take."""
    require_approval: bool = False
    """Run: exit 1 unless two critics have approved."""
    require_independent: bool = False
    """Run: exit 2 if the approval is by rules only."""
    budget_usd: Decimal | None = Field(default=None, gt=0)
    """All agents: dollars the run may cost; one model response may overshoot it."""
    budget_tokens: int | None = Field(default=None, gt=0)
    """All agents: tokens, read and written, that the run may use."""
    budget_turns: int | None = Field(default=None, gt=0)
    """All agents: turns in the whole run."""
    budget_tool_calls: int | None = Field(default=None, gt=0)
    """All agents: tool calls in the whole run."""
    max_minutes: float | None = Field(default=None, gt=0)
    """All agents: minutes the run may take."""
    out: Path = Path("runs")
    """Run: the folder for run directories. A review's are in reviews unless set."""

    @field_validator("allowed_hosts", "skip_challenges", "critics", "agents", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        """A variable holds several values with commas between them."""
        return tuple(filter(None, value.split(","))) if isinstance(value, str) else value


PATHS = frozenset(
    name
    for name, field in Settings.model_fields.items()
    if Path in (field.annotation, *get_args(field.annotation))
)
"""The settings that name a file or a folder."""

REVIEWS = Path("reviews")
"""The folder of review directories, where `out` is not set."""

LOOP_ROLES = (Role.ANALYST, Role.REVIEWER, Role.FACT_CHECKER, Role.JUDGE, Role.OWN_AGENT)
"""The agents that an analysis may have."""

REVIEW_ROLES = tuple(role for role in Role if role not in LOOP_ROLES)
"""The agents that a document review may have."""

PROTECTED = frozenset(Settings.model_fields) - {
    "mode",
    "with_fact_checker",
    "max_iterations",
    "fetch",
    "robots",
    "as_of",
    "topic",
    "reviewer_strictness",
    "fact_checker_strictness",
    "require_approval",
    "require_independent",
    "testers",
}
"""Settings that `foureyes.yaml` in the working folder may not set: a repository under review
must not redirect a key, raise a budget, change prompts and thresholds, or choose where is written.
"""


class Origin(StrEnum):
    """Where a value came from, strongest first."""

    FLAG = "flag"
    ENVIRONMENT = "environment"
    CONFIG = "config file"
    FOLDER = "working folder"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where one value came from; `place` is the flag, the variable or the file with its key."""

    origin: Origin
    place: str = ""

    @property
    def rank(self) -> int:
        """0 for a flag to 4 for a default."""
        return tuple(Origin).index(self.origin)


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """The settings in force, where each came from, and the keys that belong to them.

    `api_key` is None when its variable `api_key_variable` is not set; the same holds for
    `search_key`, whose variable is "" for a provider without a key. `limiter` holds calls of models
    and fetches back: an engine's counts those of all its workers.
    """

    settings: Settings
    origins: Mapping[str, Provenance]
    api_key_variable: str
    api_key: SecretStr | None
    _: KW_ONLY
    search_key_variable: str = ""
    search_key: SecretStr | None = None
    limiter: CallLimiter = UNLIMITED

    def origin(self, key: str) -> Provenance:
        """Where the value of `key` came from."""
        return self.origins.get(key, Provenance(Origin.DEFAULT))

    @property
    def reviews(self) -> Path:
        """The folder of review directories."""
        return REVIEWS if self.origin("out").origin is Origin.DEFAULT else self.settings.out

    def refuse_links(self, out: Path) -> None:
        """Refuse to write where a link in the working folder leads, unless the user names it.

        A repository may hold a link of the usual name to anywhere on this machine.

        Raises:
            InputError: The folder for results, or that of the memory, is such a link.
        """
        memory, usual = self.settings.memory, list[Path]()
        if self.origin("out").origin is Origin.DEFAULT:
            usual.append(out)
        if isinstance(memory, Path) and self.origin("memory").origin is Origin.DEFAULT:
            usual += [memory, memory.parent]
        for path in usual:
            if path.is_symlink():
                raise InputError(
                    f"{str(path)!r} is a link, and nobody named it",
                    "remove it, or name the folder to write to with --out or --memory",
                )
