"""A run begun and gone on with from a program: the library's calls."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ..agents.own_agent import Agent
from ..base.logs import quiet_logs
from ..core.pipeline import PipelineResult
from ..core.settlement import SettlementPolicy
from ..core.types import Critic
from ..sources.search.model import SearchProvider
from ..verification.gate.own_policy import GatePolicy
from .own_parts import OwnParts
from .runs import Notify, RunInput, ignore, prepare_resume, prepare_run
from .settings import load_settings


async def run_analysis_async(
    brief: str | None = None,
    *,
    sources: Iterable[str | Path] = (),
    draft: str | None = None,
    notify: Notify | None = None,
    critics: Sequence[Critic | str] = (),
    gate_policy: GatePolicy | str | None = None,
    settlement: SettlementPolicy | str | None = None,
    search: SearchProvider | str | None = None,
    agents: Sequence[Agent[Any] | str] = (),
    **settings: object,
) -> PipelineResult:
    """Write an analysis of `brief` and have it examined, as `foureyes run` does.

    Args:
        brief: The text of the brief; may be left out if there is a `draft`.
        sources: Folders, files and web addresses that the analyst works from.
        draft: The text of a draft to examine in place of the analyst's first.
        notify: Called with each event.
        critics: Your own critics, with a veto each, beside those of the mode; or their names
            (``MODULE:NAME``).
        gate_policy: Your own policy, which may lower the evidence gate's answer, or its name.
        settlement: Your own policy, which has the last word before an approval, or its name.
        search: Your own search provider, or the name of one.
        agents: Your own agents, which examine each draft on the run's backend; or their names.
        settings: Settings by name (``mode="full_evaluation"``); they come before variables and
            files, like flags.

    Raises:
        InputError: Something given cannot be used.
        FoureyesError: The run could not go on.
    """
    quiet_logs()
    inputs = RunInput(brief, draft, tuple(str(source) for source in sources))
    own = OwnParts(critics, gate_policy, settlement, search, agents)
    prepared = await prepare_run(inputs, load_settings({**settings, **own.settings()}), own)
    return await prepared.run(notify or ignore)


def run_analysis(
    brief: str | None = None,
    *,
    sources: Iterable[str | Path] = (),
    draft: str | None = None,
    notify: Notify | None = None,
    critics: Sequence[Critic | str] = (),
    gate_policy: GatePolicy | str | None = None,
    settlement: SettlementPolicy | str | None = None,
    search: SearchProvider | str | None = None,
    agents: Sequence[Agent[Any] | str] = (),
    **settings: object,
) -> PipelineResult:
    """`run_analysis_async` for callers without an event loop."""
    return asyncio.run(
        run_analysis_async(
            brief,
            sources=sources,
            draft=draft,
            notify=notify,
            critics=critics,
            gate_policy=gate_policy,
            settlement=settlement,
            search=search,
            agents=agents,
            **settings,
        )
    )


async def resume_run_async(
    run_dir: str | Path,
    *,
    notify: Notify | None = None,
    critics: Sequence[Critic | str] = (),
    gate_policy: GatePolicy | str | None = None,
    settlement: SettlementPolicy | str | None = None,
    search: SearchProvider | str | None = None,
    agents: Sequence[Agent[Any] | str] = (),
    **settings: object,
) -> PipelineResult:
    """Go on with the run in `run_dir`, as `foureyes resume` does; `settings` as there.

    Critics, policies and search provider are those that the run began with.

    Raises:
        InputError: The run directory or a setting cannot be used.
        FoureyesError: The run could not go on.
    """
    quiet_logs()
    own = OwnParts(critics, gate_policy, settlement, search, agents)
    loaded = load_settings({**settings, **own.settings()})
    prepared = await prepare_resume(Path(run_dir), loaded, own)
    return await prepared.run(notify or ignore)


def resume_run(
    run_dir: str | Path,
    *,
    notify: Notify | None = None,
    critics: Sequence[Critic | str] = (),
    gate_policy: GatePolicy | str | None = None,
    settlement: SettlementPolicy | str | None = None,
    search: SearchProvider | str | None = None,
    agents: Sequence[Agent[Any] | str] = (),
    **settings: object,
) -> PipelineResult:
    """`resume_run_async` for callers without an event loop."""
    return asyncio.run(
        resume_run_async(
            run_dir,
            notify=notify,
            critics=critics,
            gate_policy=gate_policy,
            settlement=settlement,
            search=search,
            agents=agents,
            **settings,
        )
    )
