"""Tasks that a backend fills, tools, and the turns that come back."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Generic, Protocol, TypeAlias, TypeVar, runtime_checkable

from pydantic import JsonValue

from .config import Effort

T = TypeVar("T")
InputT = TypeVar("InputT", covariant=True)
OutputT = TypeVar("OutputT")


def digest(parts: Iterable[str]) -> str:
    """sha256 over `parts` in order, in lower-case hexadecimal."""
    return hashlib.sha256("\x01".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


class Role(StrEnum):
    """The role of the agent; the offline backend maps it to a function of the inputs."""

    ANALYST = "analyst"
    REVIEWER = "reviewer"
    FACT_CHECKER = "fact_checker"
    JUDGE = "judge"
    OWN_AGENT = "own_agent"
    RED_REVIEWER = "red_reviewer"
    BLUE_DEFENDER = "blue_defender"
    SMOKE_TESTER = "smoke_tester"
    CLAIM_EXTRACTOR = "claim_extractor"
    WEB_VERIFIER = "web_verifier"


class FailureKind(StrEnum):
    """Why a turn gave no answer. `core.approval` maps each kind to retry and run status."""

    TIMEOUT = "timeout"
    RATE_LIMITED = "rate_limited"
    UNAVAILABLE = "unavailable"
    AUTH = "auth"
    REFUSED = "refused"
    MAX_TURNS = "max_turns"
    BUDGET = "budget"
    MALFORMED = "malformed"
    CRASHED = "crashed"
    NOT_ARMED = "not_armed"


@dataclass(frozen=True, slots=True)
class TurnUsage:
    """The usage of turns; `+` adds two.

    `requests` counts answers of a model, `messages` these and results. `tool_calls` counts calls of
    tools, `tool_failures` those that failed, `fetches` those of pages. `input_tokens` are the
    tokens that models read anew, `cache_read_tokens` and `cache_write_tokens` those that a cache
    gave and took, `output_tokens` those that models wrote. `cost_usd` is in dollars, None when the
    price is unknown. `wall_s` and `cpu_s` are seconds.
    """

    messages: int = 0
    tool_calls: int = 0
    tool_failures: int = 0
    fetches: int = 0
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_usd: Decimal | None = Decimal(0)
    wall_s: float = 0.0
    cpu_s: float = 0.0

    def __add__(self, other: TurnUsage) -> TurnUsage:
        mine, theirs = self.cost_usd, other.cost_usd
        known = None if mine is None or theirs is None else mine + theirs
        sums = {name: getattr(self, name) + getattr(other, name) for name in _SUMMED}
        return TurnUsage(cost_usd=known, **sums)

    @property
    def tokens_in(self) -> int:
        """All tokens that models read, those from a cache and into one among them."""
        return self.input_tokens + self.cache_read_tokens + self.cache_write_tokens


_SUMMED = tuple(one.name for one in fields(TurnUsage) if one.name != "cost_usd")


@dataclass(frozen=True, slots=True)
class Success(Generic[T]):
    """A turn's validated output and what it used."""

    output: T
    usage: TurnUsage = field(default_factory=TurnUsage)


@dataclass(frozen=True, slots=True)
class Error:
    """A turn that gave no answer. `partial` is the text of the file as it was left, "" if none.

    An Error is never an approval and never a rejection. `refused` is as in `Turn`. `retry_after_s`
    is how many seconds to wait before another attempt, if the backend knows.
    """

    kind: FailureKind
    message: str
    usage: TurnUsage = field(default_factory=TurnUsage)
    partial: str = ""
    _: KW_ONLY
    refused: tuple[str, ...] = ()
    retry_after_s: float | None = None

    def __str__(self) -> str:
        """The kind and the message, as records word a failure."""
        return f"{self.kind}: {self.message}"


AgentResult: TypeAlias = Success[OutputT] | Error


class ToolFailure(Exception):
    """A tool call that cannot be answered; the message goes to the agent as an error result."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool offered to an agent. `schema` is JSON Schema of an object.

    `handler` gets the validated arguments and returns the text for the agent; it raises
    `ToolFailure` with a reason the agent can act on. `allowance` is how many calls a turn may make,
    None for any number.
    """

    name: str
    description: str
    schema: Mapping[str, object]
    read_only: bool
    handler: Callable[[Mapping[str, object]], Awaitable[str]]
    allowance: int | None = None


def make_tool(
    name: str,
    description: str,
    properties: Mapping[str, object],
    handler: Callable[[Mapping[str, object]], Awaitable[str]],
    allowance: int | None = None,
    *,
    read_only: bool = False,
    optional: Sequence[str] = (),
) -> ToolSpec:
    """A tool that takes `properties` and nothing else, all of them but for those in `optional`."""
    schema: Mapping[str, object] = {
        "type": "object",
        "properties": dict(properties),
        "required": [key for key in properties if key not in optional],
        "additionalProperties": False,
    }
    return ToolSpec(name, description, schema, read_only, handler, allowance)


@dataclass(frozen=True, slots=True)
class TurnLimits:
    """Bounds of one turn.

    `max_turns` bounds the answers of the model, `timeout_s` the seconds, and `max_cost_usd` the
    dollars (None: no bound).
    """

    max_turns: int = 60
    timeout_s: float = 900.0
    max_cost_usd: Decimal | None = None


class EditPolicy(Protocol):
    """The edits allowed in the file that an agent fills."""

    def check(self, before: str, after: str) -> None:
        """Accept the step from `before` to `after`.

        Raises:
            EditRefused: It changes something else; the message has the reason.
        """
        ...

    def problems(self, text: str) -> tuple[str, ...]:
        """The problems of an unfinished `text`, one line each; empty when finished."""
        ...


OfflineForm: TypeAlias = Callable[[], Mapping[str, JsonValue]]
"""Values for the slots and growing lists of a form, by JSON pointer, computed without a model."""


@dataclass(frozen=True, slots=True)
class AgentTask(Generic[InputT]):
    """One template to fill.

    `name` is unique within a run (``1/reviewer``, ``2/fact_checker/batch-03``). `file_name` is the
    file to edit, created with `template` in the turn's private folder; `readable` are further files
    placed beside it (name -> text). Prompts name files by these relative names, so that the
    fingerprint does not depend on where the run lies. `to_do_list` says whether the agent may keep
    one, where the backend has it. `offline` fills the form under a backend of rules, which has none
    for a user's own agent; like the handlers of `tools` it is not part of the fingerprint.
    `on_cancelled` gets the usage of a turn that is cancelled, which returns nothing.
    """

    role: Role
    name: str
    inputs: InputT
    system_prompt: str
    user_prompt: str
    file_name: str
    template: str
    policy: EditPolicy
    _: KW_ONLY
    readable: Mapping[str, str] = field(default_factory=dict[str, str])
    tools: Sequence[ToolSpec] = ()
    limits: TurnLimits = field(default_factory=TurnLimits)
    model: str | None = None
    effort: Effort | None = None
    to_do_list: bool = False
    offline: OfflineForm | None = None
    on_cancelled: Callable[[TurnUsage], None] | None = None

    def fingerprint(self) -> str:
        """sha256 over everything that determines the answer: the journal's key."""
        parts = [self.role, self.name, self.system_prompt, self.user_prompt, self.template]
        parts += [f"{name}\x00{text}" for name, text in sorted(self.readable.items())]
        parts += [tool.name for tool in self.tools]
        parts.append(self.model or "")
        # Omitted if unset, so that older journals still match.
        parts += [self.effort] if self.effort else []
        parts += ["to-do list"] if self.to_do_list else []
        return digest([*parts, ""])


@dataclass(frozen=True, slots=True)
class Turn:
    """A finished turn: the text of the edited file as it stands on disk, and what it used.

    `read_coverage` is the share (0–1) of the `readable` text that the agent was given by
    successful reads; 1.0 where the backend hands over the inputs itself. `model` is the name of the
    model that answered, as its server gave it. `refused` has one line for each tool call that was
    refused or failed, with the reason.
    """

    text: str
    usage: TurnUsage
    read_coverage: float = 1.0
    model: str = ""
    refused: tuple[str, ...] = ()


@runtime_checkable
class AgentBackend(Protocol):
    """A backend that fills templates."""

    @property
    def name(self) -> str:
        """Short name for manifests: ``offline``, ``claude``, ``replay``."""
        ...

    @property
    def independent(self) -> bool:
        """Whether its critics judge with a language model (decision 10)."""
        ...

    async def run(self, task: AgentTask[object], folder: Path) -> Turn | Error:
        """Fill `folder/task.file_name`, which exists, and return its text.

        It enforces `task.limits`; their time starts when the turn leaves the backend's queue.
        Expected failures are returned; cancellation is raised, after the session was ended.
        """
        ...


def backend_name(backend: AgentBackend) -> str:
    """The name of the backend whose answers `backend` gives: its own, unless it is a replay."""
    return getattr(backend, "recorded_name", backend.name)
