"""Whether the backend can run here: the CLI, and a model server asked in a session of its own."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

import anyio
import httpx2
from pydantic import BaseModel, Field

from ...base.files import write_atomic
from ...base.registry import first_line
from ...core.forms import form_of
from ...core.tasks import AgentTask, Error, FailureKind, Role, TurnLimits
from ._launcher import bundled_cli
from .backend import ClaudeBackend
from .settings import ANTHROPIC_URL, KEPT_VARIABLES, ClaudeSettings

VERSION_TIMEOUT_S = 20.0
CONNECT_TIMEOUT_S = 10.0
LIMITS = TurnLimits(max_turns=6, timeout_s=150.0)
"""Bounds of a session; a local server may have to load the model first."""
FILE = "answer.json"

ADVICE: Mapping[FailureKind, str] = {
    FailureKind.AUTH: "name the variable that holds the right key with --api-key-env",
    FailureKind.REFUSED: "correct --model, or --base-url, which ends before /v1",
    FailureKind.RATE_LIMITED: "wait, or raise the server's limit",
    FailureKind.TIMEOUT: "load the model first, or choose a faster one",
    FailureKind.MAX_TURNS: "choose a model trained for tool calls",
}
"""What to do about a session that failed; else the server has to be looked at."""


class Answer(BaseModel):
    """The form that a model fills in."""

    answer: str = Field(description="the word yes")


class State(StrEnum):
    """Whether a run has what was looked at."""

    OK = "ok"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at; `detail` is one line, with what to do if it is missing."""

    subject: str
    state: State
    detail: str


async def probe(settings: ClaudeSettings, *, ask: bool | None = None) -> tuple[Check, ...]:
    """Try the CLI and the server, up to the first that is missing.

    Each model fills a small form (some thousand tokens), or the server only has to answer at all.
    `ask` says which; None asks all but Anthropic's own, where questions cost money.
    """
    if ask is None:
        ask = settings.base_url.rstrip("/") != ANTHROPIC_URL
    problem = await _cli_problem(str(settings.cli_path or bundled_cli()))
    if problem:
        return (Check("the CLI", State.MISSING, problem),)
    address = await _check_address(settings.base_url)
    if not ask or address.state is State.MISSING:
        return (address,)
    models = sorted(set(settings.models.values()))
    return tuple([await check_model(settings, model) for model in models])


async def check_model(settings: ClaudeSettings, model: str) -> Check:
    """Have `model` fill a form in a session like those of a run."""
    form = form_of(Answer).template
    task = AgentTask(
        Role.OWN_AGENT,
        "doctor",
        None,
        "You fill in forms. Read a file before you edit it.",
        f"Read {FILE} with the tool Read, and replace its slot by the word yes with the tool Edit.",
        FILE,
        form.text,
        form.policy,
        limits=LIMITS,
        model=model,
    )
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root) / "doctor"
        folder.mkdir()
        write_atomic(folder / FILE, form.text, durable=False)
        outcome = await ClaudeBackend(replace(settings, retries=0)).run(task, folder)
    subject = f"{settings.base_url.rstrip('/')}, model {model}"
    if isinstance(outcome, Error):
        advice = ADVICE.get(outcome.kind, "look at the server, which may not stream as it has to")
        return Check(subject, State.MISSING, f"{outcome.kind}: {outcome.message} ({advice})")
    if outcome.text == form.text:
        detail = (
            "asked to call a tool, the model answered in words: switch tool calls on in the server "
            "(docs/model-servers.md), or choose a model trained for them"
        )
        return Check(subject, State.MISSING, detail)
    return Check(subject, State.OK, "filled in a form with the tools of a session")


async def _cli_problem(cli: str) -> str:
    """Why the CLI does not run; "" if it does."""
    kept = {name: value for name, value in os.environ.items() if name in KEPT_VARIABLES}
    try:
        # Without a home of its own the CLI would look into the user's.
        with tempfile.TemporaryDirectory() as home, anyio.fail_after(VERSION_TIMEOUT_S):
            command = [cli, "--version"]
            done = await anyio.run_process(command, check=False, env={**kept, "HOME": home})
    except (OSError, TimeoutError) as error:
        return f"{cli!r} does not start: {first_line(str(error))}"
    if done.returncode != 0:
        words = first_line(done.stderr.decode("utf-8", "replace"))
        return f"{cli!r} ends with code {done.returncode}: {words}"
    return ""


async def _check_address(url: str) -> Check:
    try:
        async with httpx2.AsyncClient(timeout=CONNECT_TIMEOUT_S) as client:
            await client.head(url)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        reason = first_line(str(error)) or type(error).__name__
        advice = "start the server, check the network, or correct --base-url"
        return Check(url, State.MISSING, f"no answer ({reason}): {advice}")
    return Check(url, State.OK, "answers; no question was put")
