"""Whether the backend could run here, for `foureyes doctor`."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass

import anyio
import httpx2

from ...base.registry import first_line
from .endpoint import QUESTION_TIMEOUT_S, Check, Server, State, check_model
from .launcher import bundled_cli
from .settings import ALIASES, ANTHROPIC_URL, KEPT_VARIABLES, ClaudeSettings

VERSION_TIMEOUT_S = 20.0
CONNECT_TIMEOUT_S = 10.0


@dataclass(frozen=True, slots=True)
class BackendProbe:
    """The result of a probe.

    `asked` lists the models that answered a question; it is empty if none was put.
    """

    cli: str
    cli_version: str
    base_url: str
    asked: tuple[str, ...]
    checks: tuple[Check, ...]

    @property
    def problems(self) -> tuple[str, ...]:
        """The reasons why the backend cannot run, one line each."""
        missing = (check for check in self.checks if check.state is State.MISSING)
        return tuple(f"{check.subject}: {check.detail}" for check in missing)

    @property
    def ready(self) -> bool:
        """Whether nothing is missing."""
        return not self.problems


async def probe(settings: ClaudeSettings, *, ask: bool | None = None) -> BackendProbe:
    """Try the CLI and the server.

    A server is asked questions (some hundred tokens for each model) or only has to answer at all.
    `ask` says which; None asks all but Anthropic's own, where questions cost money.
    """
    if ask is None:
        ask = settings.base_url.rstrip("/") != ANTHROPIC_URL
    cli = settings.cli_path or bundled_cli()
    version, problem = await _cli_version(str(cli))
    checks = [Check("the CLI", State.MISSING, problem)] if problem else []
    models = set(settings.models.values()) if ask else set[str]()
    asked: list[str] = []
    timeout = httpx2.Timeout(QUESTION_TIMEOUT_S, connect=CONNECT_TIMEOUT_S)
    async with httpx2.AsyncClient(timeout=timeout) as client:
        for model in sorted(models - ALIASES):
            found = await check_model(Server(client, settings), model)
            checks += found
            asked += [] if found[0].state is State.MISSING else [model]
        if not models - ALIASES:
            checks.append(await _check_address(client, settings.base_url))
    for model in sorted(models & ALIASES):
        detail = "not asked: only the CLI knows what it stands for; name a model with --model"
        checks.append(Check(f"model {model}", State.NOTE, detail))
    return BackendProbe(str(cli), version, settings.base_url, tuple(asked), tuple(checks))


async def _cli_version(cli: str) -> tuple[str, str]:
    """The version, and why there is none."""
    kept = {name: value for name, value in os.environ.items() if name in KEPT_VARIABLES}
    try:
        # Without a home of its own the CLI would look into the user's.
        with tempfile.TemporaryDirectory() as home, anyio.fail_after(VERSION_TIMEOUT_S):
            command = [cli, "--version"]
            done = await anyio.run_process(command, check=False, env={**kept, "HOME": home})
    except (OSError, TimeoutError) as error:
        return "", f"{cli!r} does not start: {first_line(str(error))}"
    if done.returncode != 0:
        words = first_line(done.stderr.decode("utf-8", "replace"))
        return "", f"{cli!r} ends with code {done.returncode}: {words}"
    return first_line(done.stdout.decode("utf-8", "replace")), ""


async def _check_address(client: httpx2.AsyncClient, url: str) -> Check:
    try:
        await client.head(url)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        reason = first_line(str(error)) or type(error).__name__
        return Check(url, State.MISSING, f"no answer ({reason}): check the network and the address")
    return Check(url, State.OK, "answers; no question was put")
