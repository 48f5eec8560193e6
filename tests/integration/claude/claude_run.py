"""Whole runs over the real CLI with limits that a test can wait for, and their processes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from foureyes.agents.reviewer import ReviewerAgent, reviewer_critic
from foureyes.agents.rules import agent_rules
from foureyes.assembly.backend import AgentDeps, build_agent_deps
from foureyes.assembly.materials import open_fetcher
from foureyes.assembly.model import LoadedSettings
from foureyes.assembly.plugins import LoadedPlugins, with_built_in
from foureyes.assembly.record_config import RunConfig
from foureyes.assembly.runs import RunInput, prepare_run
from foureyes.assembly.settings import load_settings, pipeline_config
from foureyes.backends.claude.backend import ClaudeBackend
from foureyes.backends.claude.settings import ClaudeSettings, Credential, CredentialKind
from foureyes.core.config import PipelineConfig
from foureyes.core.evidence import DocumentEvidence
from foureyes.core.evidence_parts import EvidenceParts
from foureyes.core.pipeline import AnalysisPipeline
from foureyes.core.result import PipelineResult
from foureyes.core.run_store import RunStore
from foureyes.core.source_tools import SourceReader
from foureyes.core.tasks import AgentTask, Error, Role
from foureyes.core.work import (
    Critic,
    Examination,
    IterationWork,
    Progress,
    ReviewerContext,
    ReviewerInput,
)
from foureyes.engine.local import LocalRun, open_run
from foureyes.sources.fetcher import Fetcher
from foureyes.sources.local_files import LocalSources
from foureyes.sources.snapshot_store import SnapshotStore
from support.claude_turn import DUMMY_KEY, MODEL
from support.messages_server import MessagesServer, Rule
from support.runs import write_case

TOWN = "Arnsund"


def quiet(_progress: Progress) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What settings do not offer: bounds of a turn, and of the CLI's requests, in seconds.

    The bounds of a turn are those of the agent `only`; "" stands for all.
    """

    timeout_s: float = 60.0
    max_turns: int = 12
    max_cost_usd: Decimal | None = None
    agent_retries: int = 0
    batch_claims: int = 10
    retries: int = 1
    request_timeout_s: float = 20.0
    idle_timeout_s: float = 90.0
    max_parallel: int | None = None
    only: str = ""

    def configured(self, config: PipelineConfig) -> PipelineConfig:
        """`config` with these limits."""
        turn = {
            "timeout_s": self.timeout_s,
            "max_turns": self.max_turns,
            "max_cost_usd": self.max_cost_usd,
        }
        agents = {
            "analyst": config.analyst,
            "reviewer": config.reviewer,
            "fact_checker": config.fact_checker,
            "judge": config.judge,
        }
        changed: dict[str, Any] = {}
        for name, agent in agents.items():
            bounds = turn if self.only in ("", name) else {}
            changed[name] = agent.model_copy(update={"retries": self.agent_retries, **bounds})
        batches = {"batch_claims": self.batch_claims}
        changed["fact_checker"] = changed["fact_checker"].model_copy(update=batches)
        return config.model_copy(update=changed)


class NamedReviewer(ReviewerAgent):
    """A reviewer beside others: the same agent under a name of its own."""

    def __init__(self, name: str, *arguments: Any, **options: Any) -> None:
        self._name = name
        super().__init__(*arguments, **options)

    @property
    def agent_name(self) -> str:
        return self._name

    def build_task(self, context: ReviewerContext) -> AgentTask[ReviewerInput]:
        return replace(super().build_task(context), name=f"{context.iteration}/{self._name}")


class Seat:
    """A named reviewer as a critic, with a file of its own."""

    def __init__(self, agent: NamedReviewer) -> None:
        self._critic = reviewer_critic(agent)
        self.name = agent.agent_name

    async def examine(self, work: IterationWork) -> Examination | Error:
        answer = await self._critic.examine(work)
        if isinstance(answer, Error) or answer.artefact is None:
            return answer
        file = replace(answer.artefact, name=f"{self.name}_iteration_{work.iteration}.json")
        return replace(answer, artefact=file)


@dataclass(slots=True)
class Office:
    """One run and its resumes, asked of the loopback model.

    `flags` are settings. Brief, draft and source are about `town`; `reviewers` look at the draft
    besides the critics of the mode.
    """

    server: MessagesServer
    folder: Path
    limits: Limits = field(default_factory=Limits)
    flags: Mapping[str, Any] = field(default_factory=dict[str, Any])
    town: str = TOWN
    reviewers: Sequence[str] = ()

    def settings(self) -> LoadedSettings:
        given = {
            "backend": "claude",
            "base_url": self.server.url,
            "api_key_env": "TEST_KEY",
            "with_fact_checker": True,
            "out": self.folder / "runs",
            "as_of": "2026-01-02",
            **self.flags,
        }
        return load_settings(given, environ={"TEST_KEY": DUMMY_KEY}, folder=self.folder)

    async def prepare(self, rule: Rule, draft: str | None = None) -> None:
        write_case(self.folder, draft or "")
        for path in self.folder.rglob("*.md"):
            path.write_text(path.read_text("utf-8").replace(TOWN, self.town), encoding="utf-8")
        self.server.default = rule
        brief = (self.folder / "brief.md").read_text("utf-8")
        given = None if draft is None else (self.folder / "draft.md").read_text("utf-8")
        inputs = RunInput(brief, given, (str(self.folder / "sources"),))
        await prepare_run(inputs, self.settings())

    async def run(self) -> PipelineResult:
        """Run, or go on with, the run that was prepared."""
        store = RunStore.open(self.run_dir)
        settings = self.settings().settings
        folders = LocalSources(store.config(RunConfig).folders)
        with open_run(store) as engine:
            async with open_fetcher(store.sources, settings, folders) as fetcher:
                inputs = store.inputs()
                pipeline = self.pipeline(engine, fetcher)
                return await pipeline.run(inputs.brief, inputs.materials, draft=inputs.draft)

    def pipeline(self, engine: LocalRun[RunStore], fetcher: Fetcher) -> AnalysisPipeline:
        loaded = self.settings()
        config = self.limits.configured(pipeline_config(loaded.settings))
        deps = self._deps(loaded)
        reader = SourceReader(fetcher, SnapshotStore(engine.store.sources), ())
        as_of = engine.store.inputs().as_of
        agents = with_built_in(LoadedPlugins(), deps, config, loaded.settings)
        return AnalysisPipeline(
            agents.drafter(None),
            [*agents.critics, *self._more_critics(deps, config)],
            judge=agents.judge,
            evidence=DocumentEvidence(EvidenceParts(reader, deps.registry, as_of=as_of)),
            store=engine.store,
            steps=engine.steps,
            analytics=engine.analytics,
            budget=engine.budget(config.budgets, priced=False),
            finishers=(),
            config=config,
            notify=quiet,
            as_of=as_of,
        )

    def _more_critics(self, deps: AgentDeps, config: PipelineConfig) -> list[Critic]:
        parts = (config.reviewer, deps.backend, deps.prompts, deps.templates)
        rest = {"rules": agent_rules(deps.rules)}
        return [Seat(NamedReviewer(name, *parts, **rest)) for name in self.reviewers]

    def _deps(self, loaded: LoadedSettings) -> AgentDeps:
        deps = build_agent_deps(loaded)
        backend = ClaudeBackend(
            ClaudeSettings(
                credential=Credential(CredentialKind.API_KEY, DUMMY_KEY),
                base_url=self.server.url,
                models=dict.fromkeys(Role, MODEL),
                retries=self.limits.retries,
                request_timeout_s=self.limits.request_timeout_s,
                idle_timeout_s=self.limits.idle_timeout_s,
                max_parallel=self.limits.max_parallel,
            )
        )
        return replace(deps, backend=backend)

    @property
    def run_dir(self) -> Path:
        (found,) = (self.folder / "runs").glob("2*")
        return found

    def store(self) -> RunStore:
        return RunStore.open(self.run_dir)

    def journal(self) -> list[str]:
        """The steps that are finished."""
        return sorted(path.name.split(".")[0] for path in (self.run_dir / "journal").iterdir())

    def asked(self) -> Counter[str]:
        """How many requests each turn has made."""
        return Counter(request.turn for request in self.server.requests)


def cli_processes(folder: Path, turn: str = "") -> Sequence[int]:
    """The ids of all processes whose home lies below `folder`, whoever is their parent.

    With `turn` only those of that turn's session.
    """
    found: list[int] = []
    for environ in Path("/proc").glob("[0-9]*/environ"):
        try:
            variables = environ.read_bytes().split(b"\0")
        except OSError:
            continue
        home = f"HOME={folder.resolve()}/".encode()
        headers = f"ANTHROPIC_CUSTOM_HEADERS=x-foureyes-turn: {turn}".encode()
        if any(v.startswith(home) for v in variables) and (not turn or headers in variables):
            found.append(int(environ.parent.name))
    return [pid for pid in found if pid != os.getpid()]
