"""The commands `serve jobs` and `limits`: the jobs of an engine done, and what they may call."""

from __future__ import annotations

import asyncio
import os
import re
import socket
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Annotated

from ..base.call_limits import CallLimit, LimitName
from ..base.errors import InputError
from ..batch.documents import programs as documents
from ..engine.model import Engine, JobEnd, Serving
from ..experiments.trials import programs as trials
from . import terminal
from ._engines import ExperimentTrust, RequiredEngineUrl, with_engine
from ._options import CommandGroup, CommandOptions, JsonOptions, option

NONE = "none"
_COUNT = re.compile(r"[1-9][0-9]{0,6}")
_RATE = re.compile(r"([1-9][0-9]{0,6})/([0-9]{1,6}(?:\.[0-9]{1,3})?)")


@dataclass(frozen=True, slots=True)
class EngineLimits:
    """Output of `serve limits --json`."""

    model: CallLimit
    fetch: CallLimit


app = CommandGroup()


class JobsOptions(CommandOptions):
    """Options of `serve jobs`."""

    engine: RequiredEngineUrl
    name: Annotated[str | None, option("NAME")] = None
    """Its name, unlike any other's. [default: host and pid]"""
    concurrency: Annotated[int, option("N", min=1, max=64)] = 2
    """Trials or documents at once."""
    trust: ExperimentTrust = False


@app.command()
def jobs(options: JobsOptions) -> None:
    """Work on the trials and documents of an engine until it is stopped."""
    able = {**trials(trusted=options.trust), **documents(trusted=options.trust)}
    mine = options.name or f"{socket.gethostname()}-{os.getpid()}"

    def ended(end: JobEnd) -> None:
        terminal.line(f"{end.job_id} {end.state.value}{f': {end.error}' if end.error else ''}")

    async def serve(opened: Engine) -> None:
        terminal.note(f"{mine} is at work (Ctrl-C ends it)")
        await opened.serve(Serving(mine, options.concurrency), able, ended)

    with suppress(asyncio.CancelledError):
        terminal.run_until_stopped(with_engine(options.engine, serve))


class LimitsOptions(JsonOptions):
    """Options of `serve limits`."""

    engine: RequiredEngineUrl
    model_at_once: Annotated[str | None, option("N|none")] = None
    """Most model sessions at once."""
    model_rate: Annotated[str | None, option("N/SECONDS|none")] = None
    """Maximum requests to models per period."""
    fetch_at_once: Annotated[str | None, option("N|none")] = None
    """Most fetches at once."""
    fetch_rate: Annotated[str | None, option("N/SECONDS|none")] = None
    """Maximum fetches and searches per period."""


@app.command()
def limits(options: LimitsOptions) -> None:
    """Show the limits of an engine; set those that are given, for all workers, from now on."""
    given = {
        LimitName.MODEL: (options.model_at_once, options.model_rate),
        LimitName.FETCH: (options.fetch_at_once, options.fetch_rate),
    }
    current = asyncio.run(with_engine(options.engine, lambda opened: _apply_limits(opened, given)))
    if options.as_json:
        options.print_json(
            EngineLimits, EngineLimits(current[LimitName.MODEL], current[LimitName.FETCH])
        )
        return
    rows = [
        (
            name.value,
            NONE if limit.at_once is None else str(limit.at_once),
            NONE if limit.calls is None else f"{limit.calls} in {limit.seconds:g} s",
        )
        for name, limit in current.items()
    ]
    terminal.table(("calls", "at once", "in any window"), rows)


async def _apply_limits(
    engine: Engine, given: dict[LimitName, tuple[str | None, str | None]]
) -> dict[LimitName, CallLimit]:
    """Set the given limits; returns those in force."""
    current = await engine.limits()
    changed = {name: _parse_limit(current[name], name, *texts) for name, texts in given.items()}
    for name, limit in changed.items():
        if limit != current[name]:
            await engine.limit(name, limit)
    return changed


def _parse_limit(
    limit: CallLimit, name: LimitName, at_once: str | None, rate: str | None
) -> CallLimit:
    if at_once is not None:
        if at_once != NONE and not _COUNT.fullmatch(at_once):
            raise InputError(f"--{name}-at-once: {at_once!r} is no number", "write 4, or none")
        limit = replace(limit, at_once=None if at_once == NONE else int(at_once))
    if rate is not None:
        found = _RATE.fullmatch(rate)
        if rate != NONE and (found is None or float(found[2]) <= 0):
            raise InputError(f"--{name}-rate: {rate!r} is no rate", "write 50/60, or none")
        calls, seconds = (int(found[1]), float(found[2])) if found else (None, limit.seconds)
        limit = replace(limit, calls=calls, seconds=seconds)
    return limit
