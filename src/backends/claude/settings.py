"""Settings of the Claude backend, and the environment of its sessions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

from pydantic import Field

from ...base.registry import RegistryModel
from ...core.tasks import AgentTask, Role, TurnUsage

ANTHROPIC_URL = "https://api.anthropic.com"

ALIASES = frozenset({"opus", "sonnet", "haiku"})
"""The CLI's names for Anthropic's current models; a server knows only what they stand for."""

_STRONG = (Role.ANALYST, Role.JUDGE, Role.RED_REVIEWER, Role.CLAIM_EXTRACTOR)
DEFAULT_MODELS = {role: "opus" if role in _STRONG else "sonnet" for role in Role}
"""Decision 13: who writes or reads the whole deeply gets the strong model, who checks claims one by
one against given passages the fast one. The names are the CLI's aliases for its current models."""

KEPT_VARIABLES = frozenset(
    {
        "PATH", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "SYSTEMROOT",
        "LD_LIBRARY_PATH", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS",
        "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
    }
)  # fmt: skip
"""The variables a session inherits: what a program needs to start and to reach the network. All
others are blanked, because more than a thousand change what the CLI does (switch hooks off, choose
another provider, load plugins) and others hold keys that are not its business."""


class CredentialKind(StrEnum):
    """The way to authenticate with the server; the value is the CLI's variable for it."""

    API_KEY = "ANTHROPIC_API_KEY"
    AUTH_TOKEN = "ANTHROPIC_AUTH_TOKEN"
    OAUTH_TOKEN = "CLAUDE_CODE_OAUTH_TOKEN"


PRICES_FILE = "prices.yaml"
_A_MILLION = 1_000_000

Dollars = Annotated[Decimal, Field(ge=0, le=100_000)]


class ModelPrice(RegistryModel):
    """Dollars for a million tokens of each kind, from 0 to 100,000.

    `input` is for tokens that are read anew, `output` for those that are written, `cache_read` for
    those that are read from a cache, `cache_write` for those that are put into one.
    """

    input: Dollars
    output: Dollars
    cache_read: Dollars
    cache_write: Dollars

    def of(self, usage: TurnUsage) -> Decimal:
        """The dollars that the tokens of `usage` cost, to a millionth."""
        cost = (
            self.input * usage.input_tokens
            + self.output * usage.output_tokens
            + self.cache_read * usage.cache_read_tokens
            + self.cache_write * usage.cache_write_tokens
        )
        return (cost / _A_MILLION).quantize(Decimal("0.000001"))


class Prices(RegistryModel):
    """The whole of `prices.yaml`, by the name of the model that is asked for."""

    models: Mapping[str, ModelPrice]


@dataclass(frozen=True, slots=True)
class Credential:
    """A key or token, named by the caller and never looked up here."""

    kind: CredentialKind
    value: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeSettings:
    """How sessions are run. All times are in seconds.

    Attributes:
        credential: The key for `base_url`; a server without keys gets any word.
        base_url: A server that speaks the Anthropic Messages API.
        models: The model of each role; a task's own `model` comes first.
        max_parallel: How many sessions at once in this process, those of other backends counted;
            None for as many as the free memory holds, 1 to 8.
        retries: How many further attempts of the CLI at one request that failed in passing.
        request_timeout_s: Bound, in seconds, of one request.
        idle_timeout_s: Bound, in seconds, of the silence within a streamed answer.
        tool_timeout_s: Bound, in seconds, of one call of an own tool.
        headers: Further HTTP headers of each request, for a gateway.
        turn_header: The name of a header that carries the task's name, by which a gateway can
            tell the agents apart; "" sends none.
        cli_path: Another CLI than the bundled one.
        prices: What models cost, by the name asked for; the CLI bills all others.
    """

    credential: Credential
    base_url: str = ANTHROPIC_URL
    models: Mapping[Role, str] = field(default_factory=lambda: DEFAULT_MODELS)
    max_parallel: int | None = None
    retries: int = 3
    request_timeout_s: float = 300.0
    idle_timeout_s: float = 90.0
    tool_timeout_s: float = 60.0
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    turn_header: str = "x-foureyes-turn"
    cli_path: Path | None = None
    prices: Mapping[str, ModelPrice] = field(default_factory=dict[str, ModelPrice])


def session_environment(
    settings: ClaudeSettings,
    task: AgentTask[object],
    home: Path,
    inherited: Mapping[str, str],
    trace: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, str]:
    """The variables of one session; the SDK lays them over `inherited`.

    Args:
        settings: The backend's settings.
        task: What the session is for.
        home: The session's private folder: its home, configuration and temporary files.
        inherited: The environment of this process.
        trace: The variables that hand on the trace of the turn.
    """
    headers = dict(settings.headers)
    if settings.turn_header:
        headers[settings.turn_header] = task.name
    return {
        **{name: "" for name in inherited if name not in KEPT_VARIABLES},
        **trace,
        "HOME": str(home),
        "TMPDIR": str(home),
        "CLAUDE_CODE_TMPDIR": str(home),
        "CLAUDE_CONFIG_DIR": str(home / "config"),
        # Inherited as 1 it switches all hooks off while the SDK reports them as registered.
        "CLAUDE_CODE_SIMPLE": "",
        # Tools that are loaded on demand need a beta that other servers lack.
        "ENABLE_TOOL_SEARCH": "false",
        # TodoWrite exists only where the newer task tools are off.
        "CLAUDE_CODE_ENABLE_TASKS": "0" if task.to_do_list else "",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CODE_MAX_RETRIES": str(settings.retries),
        "API_TIMEOUT_MS": _milliseconds(settings.request_timeout_s),
        # The only timeout that ends a stream which has fallen silent.
        "CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS": _milliseconds(settings.idle_timeout_s),
        # Else an answer that broke off is asked for once more in one piece, with no sign of life.
        "CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK": "1",
        "MCP_TOOL_TIMEOUT": _milliseconds(settings.tool_timeout_s),
        "ANTHROPIC_CUSTOM_HEADERS": "\n".join(
            f"{name}: {value}" for name, value in headers.items()
        ),
        "ANTHROPIC_BASE_URL": settings.base_url,
        settings.credential.kind.value: settings.credential.value,
    }


PLAIN_REQUESTS: Mapping[str, str] = {
    # Off: context_management, thinking.display, and the beta headers that go with them.
    "CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS": "1",
    # Off: messages of the role "system", which chat templates refuse; output_config.
    "CLAUDE_CODE_MODEL_CAPABILITIES": "-mid_conv_system,-effort",
    # Off: the field thinking, and its beta header.
    "CLAUDE_CODE_DISABLE_THINKING": "1",
    "DISABLE_INTERLEAVED_THINKING": "1",
    # Off: cache_control.
    "DISABLE_PROMPT_CACHING": "1",
    # Off: a first system line that differs in each session, so that no prefix is ever cached.
    "CLAUDE_CODE_ATTRIBUTION_HEADER": "0",
    # max_tokens; servers refuse the CLI's 32,000 where context or model allow less.
    "CLAUDE_CODE_MAX_OUTPUT_TOKENS": "16000",
}
"""Variables that keep the CLI to the common part of the Messages API. Each line was tested
against a server that refuses everything else."""


def request_variables(model: str) -> Mapping[str, str]:
    """The variables that fit a session's requests to `model`: Anthropic's own get all features."""
    return {} if price_known(model) else PLAIN_REQUESTS


def price_known(model: str) -> bool:
    """Whether the CLI's price list has `model`; for others its cost would be invented."""
    return model.startswith("claude-") or model in ALIASES


def _milliseconds(seconds: float) -> str:
    return str(max(1, round(seconds * 1000)))
