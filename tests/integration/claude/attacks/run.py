"""Runs a group of attacks: the real agent code, SDK and CLI, by default with every protection."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from claude_agent_sdk import ClaudeAgentOptions, HookMatcher, Message
from foureyes.backends.claude._launcher import bundled_cli
from foureyes.backends.claude._session import Session
from foureyes.backends.claude.backend import ClaudeBackend
from foureyes.backends.claude.settings import ClaudeSettings, Credential, CredentialKind
from foureyes.core.agent_base import BaseAgent
from foureyes.core.budget import Budget
from foureyes.core.config import BaseAgentConfig, BudgetConfig
from foureyes.core.record_folder import JournalSteps
from foureyes.core.run_analytics import RunAnalytics
from foureyes.core.tasks import AgentTask, EditPolicy, Error, Role, Success, Turn
from foureyes.core.templates import PromptLibrary, TemplateLibrary
from foureyes.core.work import BaseContext, Progress, RunServices
from integration.claude.attacks.attack import (
    GONE,
    NOTHING,
    SECRET,
    Attack,
    Evidence,
    Group,
    Protection,
    Removed,
    Scene,
    filled_in,
    placeholders,
)
from support.claude_turn import DUMMY_KEY, MODEL, edit, read, working_folder
from support.guard import loopback
from support.messages_server import (
    Answer,
    Exchange,
    MessagesServer,
    Reply,
    Request,
    Rule,
    ToolCall,
    scripted,
)
from support.tripwire import Tripwire


class Anything:
    """An edit policy that allows all."""

    def check(self, before: str, after: str) -> None:
        """Whatever."""

    def problems(self, text: str) -> tuple[str, ...]:
        return ()


class WeakSession(Session):
    """A session without some of its protections; by default with all."""

    removed: Removed = NOTHING
    guard_fails = False

    def options(self) -> ClaudeAgentOptions:
        options = super().options()
        hooks = dict(options.hooks or {})
        changes: dict[str, Any] = {}
        if Protection.TOOLS in self.removed:
            changes["tools"] = None
        if Protection.RULES in self.removed:
            every = ["Read", "Edit", "Write", "Bash", "Glob", "Grep", "WebFetch", "NotebookEdit"]
            own = [rule for rule in options.allowed_tools if rule.startswith("mcp__")]
            changes |= {"permission_mode": "acceptEdits", "allowed_tools": [*every, *own]}
        if Protection.HOOK in self.removed:
            del hooks["PreToolUse"]
        if Protection.ON_FAILURE in self.removed:
            hooks = {event: [HookMatcher(hooks=m.hooks) for m in ms] for event, ms in hooks.items()}
        if Protection.SETTINGS in self.removed:
            changes["setting_sources"] = ["user", "project", "local"]
        if Protection.MCP in self.removed:
            changes["strict_mcp_config"] = False
        if Protection.VERBATIM in self.removed:
            changes["verbatim_prompts"] = False
        changes |= {"hooks": hooks, "env": self.environment(options.env)}
        return dataclasses.replace(options, **changes)

    def environment(self, env: Mapping[str, str]) -> dict[str, str]:
        """`env` without what is removed: then the inherited value counts."""
        private = {"HOME", "CLAUDE_CONFIG_DIR", "TMPDIR", "CLAUDE_CODE_TMPDIR"}
        gone = {"CLAUDE_CODE_SIMPLE"} if Protection.SIMPLE in self.removed else set[str]()
        if Protection.HOME in self.removed:
            gone |= private
        blanked = Protection.ENVIRONMENT in self.removed
        kept = {"CLAUDE_CODE_SIMPLE"}
        return {
            name: value
            for name, value in env.items()
            if name not in gone and not (blanked and not value and name not in kept)
        }

    def refusal(self, tool: str, arguments: Mapping[str, object]) -> str | None:
        if self.guard_fails:
            raise LookupError("our judge broke down")
        own = self.folder / self.task.file_name
        asked = Path(str(arguments.get("file_path", "")))
        if tool in ("Read", "Edit"):
            named = Protection.LINKS in self.removed and asked in {
                own,
                *(self.folder / name for name in self.task.readable),
            }
            if Protection.PATHS in self.removed or named:
                # As if the call were for the file that may be read and edited.
                arguments = {**arguments, "file_path": str(own)}
        return super().refusal(tool, arguments)

    def disarmed(self, message: Message) -> bool:
        return Protection.CANARY not in self.removed and super().disarmed(message)


class StagedBackend(ClaudeBackend):
    """Prepares the turn's folder, opens a weak session, and looks at what it leaves."""

    def __init__(
        self, settings: ClaudeSettings, group: Group, scene: Scene, policy: EditPolicy
    ) -> None:
        super().__init__(settings)
        self.group, self.scene, self.policy = group, scene, policy
        self.forms: list[str] = []
        self.before: dict[str, bytes] = {}
        self.changed: dict[str, bytes] = {}

    async def run(self, task: AgentTask[object], folder: Path) -> Turn | Error:
        scene = self.scene
        scene.work = folder
        for attack in self.group.attacks:
            attack.plant(scene)
        if not self.forms:
            self.before = scene.files()
        try:
            return await super().run(task, folder)
        finally:
            after = scene.files()
            own = str(folder.relative_to(scene.root) / task.file_name)
            self.forms.append((folder / task.file_name).read_bytes().decode("utf-8", "replace"))
            named = {**dict.fromkeys(self.before, GONE), **after}
            self.changed |= {
                name: data
                for name, data in named.items()
                if self.before.get(name) != data and name != own
            }

    def _open_session(self, task: AgentTask[object], folder: Path, home: Path) -> Session:
        removed = self.scene.removed
        policy = Anything() if Protection.POLICY in removed else self.policy
        tools = task.tools
        if Protection.ALLOWANCE in removed:
            tools = [dataclasses.replace(tool, allowance=None) for tool in tools]
        task = dataclasses.replace(task, policy=policy, tools=tools)
        session = WeakSession(self.settings, task, folder, home)
        session.removed, session.guard_fails = removed, self.group.guard_fails
        return session


class FormAgent(BaseAgent[BaseAgentConfig, BaseContext, str]):
    """An agent whose answer is the file's text."""

    task: AgentTask[object]

    @property
    def agent_name(self) -> str:
        return self.task.name

    def build_task(self, context: BaseContext) -> AgentTask[object]:
        return self.task

    def read_reply(self, context: BaseContext, turn: Turn) -> str:
        return turn.text


class Model:
    """Reads the task's files, makes the attacks' calls, and fills the open slot."""

    def __init__(self, group: Group, scene: Scene, task: AgentTask[object]) -> None:
        self.group, self.scene, self.task = group, scene, task
        self.environ: dict[str, str] = {}

    def rule(self) -> Rule:
        def answer(request: Request) -> Answer:
            folder = working_folder(request)
            self.environ |= cli_environment(folder)
            names = (self.task.file_name, *self.task.readable)
            opening = Reply("I read.", tuple(read(folder / name) for name in names))
            closing = edit(folder / self.task.file_name, self.group.open_slot, "All is well.")
            replies = [opening, *self.attempts(folder), Reply("I fill.", (closing,))]
            if self.group.meanwhile and request.step == len(replies):
                self.group.meanwhile(self.scene)
            return scripted(*replies)(request)

        return answer

    def attempts(self, folder: Path) -> list[Reply]:
        """The replies with the attacks' calls."""
        steps: dict[int, list[ToolCall]] = {}
        for step, _, call in self.calls(folder):
            steps.setdefault(step, []).append(call)
        return [Reply("", tuple(steps[step])) for step in sorted(steps)]

    def calls(self, folder: Path) -> Iterator[tuple[int, Attack, ToolCall]]:
        """Each call with the step that it is made in."""
        for attack in self.group.attacks:
            words = placeholders(attack, self.scene, folder)
            for number, call in enumerate(attack.calls):
                step = 0 if attack.at_once else number
                yield step, attack, ToolCall(call.name, filled_in(call.input, words))

    def results(self, attack: Attack, requests: Iterable[Request]) -> tuple[Exchange, ...]:
        """What came of the attack's calls, told by their ids."""
        ids: set[str] = set()
        counts: dict[int, int] = {}
        for step, owner, _ in self.calls(Path()):
            number = counts[step] = counts.get(step, -1) + 1
            if owner is attack:
                # As the server makes them; the first answer reads the task's files.
                ids.add(f"toolu_{step + 1:03d}_{number:02d}")
        found: dict[tuple[str, str], Exchange] = {}
        for request in requests:
            for id_, exchange in zip(answered_ids(request), request.exchanges, strict=True):
                if id_ in ids:
                    found[id_, exchange.result] = exchange
        return tuple(found[key] for key in sorted(found))


def answered_ids(request: Request) -> list[str]:
    """The ids of the request's finished calls, in their order."""
    return [
        str(block["tool_use_id"])
        for message in request.messages
        if not isinstance(message["content"], str)
        for block in message["content"]
        if block["type"] == "tool_result"
    ]


def cli_environment(work: Path) -> dict[str, str]:
    """The variables of the CLI that works in `work`."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "comm").read_text() != "claude\n" or (process / "cwd").readlink() != work:
                continue
            pairs = (process / "environ").read_bytes().decode("utf-8", "replace").split("\0")
        except OSError:
            continue
        return {name: value for name, _, value in (p.partition("=") for p in pairs) if value}
    return {}


def settings_for(server: MessagesServer, group: Group, scene: Scene) -> ClaudeSettings:
    cli: Path | None = None
    if group.wrapper:
        cli = scene.put("cli", f'#!/bin/sh\nCLI={bundled_cli()}\n{group.wrapper} "$@"\n')
        cli.chmod(0o755)
    return ClaudeSettings(
        credential=Credential(CredentialKind.API_KEY, DUMMY_KEY),
        base_url=server.url,
        models=dict.fromkeys(Role, MODEL),
        retries=1,
        cli_path=cli,
    )


async def run_group(
    group: Group, server: MessagesServer, root: Path, removed: Removed
) -> list[tuple[Attack, Evidence]]:
    """Make all attacks of `group` in one turn of an agent and say what came of each."""
    scene = Scene(root, Tripwire(), removed)
    server.reset()
    events: list[Progress] = []
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment(group, scene).items():
            patch.setenv(name, value)
        async with group.task(scene) as task:
            task = mentioned(task, group, scene)
            model = Model(group, scene, task)
            server.default = model.rule()
            backend = StagedBackend(settings_for(server, group, scene), group, scene, task.policy)
            outcome = await agent_of(task, backend, removed).process(context(scene, events))
    requests = tuple(server.requests)
    return [
        (
            attack,
            Evidence(
                scene=scene,
                tag=attack.tag,
                results=model.results(attack, requests),
                requests=requests,
                changed=backend.changed,
                forms=tuple(backend.forms),
                environ=model.environ,
                outcome=outcome,
                events=tuple(events),
            ),
        )
        for attack in group.attacks
    ]


def environment(group: Group, scene: Scene) -> dict[str, str]:
    """The hostile variables, and a home and a proxy where all that would leave is seen."""
    scene.home.mkdir(parents=True)
    given = {"HOME": str(scene.home), "XDG_CONFIG_HOME": str(scene.home / ".config")}
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        given[name] = f"{scene.elsewhere.url}/proxy"
    for attack in group.attacks:
        given |= filled_in(dict(attack.environ), placeholders(attack, scene, Path()))
    return given


def mentioned(task: AgentTask[object], group: Group, scene: Scene) -> AgentTask[object]:
    """`task` with the texts that the attacks put into its prompts and files."""
    changes: dict[str, Any] = {"name": group.name}
    for attack in group.attacks:
        for place, text in attack.mention.items():
            words = filled_in(text, placeholders(attack, scene, Path()))
            if place == "draft":
                readable = changes.get("readable", dict(task.readable))
                changes["readable"] = {name: f"{t}\n{words}\n" for name, t in readable.items()}
            else:
                changes[place] = f"{changes.get(place, getattr(task, place))}\n{words}"
    return dataclasses.replace(task, **changes)


def agent_of(task: AgentTask[object], backend: StagedBackend, removed: Removed) -> FormAgent:
    agent = FormAgent(BaseAgentConfig(retries=0), backend, PromptLibrary(), TemplateLibrary())
    unchecked = Protection.DISK in removed
    agent.task = dataclasses.replace(task, policy=Anything()) if unchecked else task
    return agent


def context(scene: Scene, events: list[Progress]) -> BaseContext:
    journal = scene.root / "journal"
    journal.mkdir()
    services = RunServices(
        JournalSteps(journal),
        RunAnalytics(),
        Budget(BudgetConfig()),
        events.append,
        scene.root / "run" / ".work",
    )
    return BaseContext(iteration=1, max_iterations=1, services=services)


def faults(group: Group, found: list[tuple[Attack, Evidence]]) -> list[str]:
    """What is wrong with how the attacks were held back, one line each; empty if nothing is."""
    wrong = [f"{group.name}: {line}" for line in group_faults(group, found[0][1])]
    for attack, evidence in found:
        wrong += [f"{attack.name}: {line}" for line in attack_faults(attack, evidence, group.calm)]
    return wrong


def group_faults(group: Group, evidence: Evidence) -> Iterator[str]:
    if SECRET in evidence.sent or SECRET in repr(evidence.outcome):
        yield "a secret was read"
    if group.calm and not evidence.environ:
        yield "the CLI's variables were not seen"
    if evidence.changed:
        yield f"files were made or changed: {sorted(evidence.changed)}"
    if evidence.scene.elsewhere.calls:
        yield f"someone was called: {evidence.scene.elsewhere.calls}"
    if {request.headers.get("x-api-key") for request in evidence.requests} - {DUMMY_KEY}:
        yield "a request had another key"
    if any("authorization" in request.headers for request in evidence.requests):
        yield "a request had a token"
    if isinstance(evidence.outcome, Success) is not group.calm:
        yield f"the turn ended with {evidence.outcome}"


def attack_faults(attack: Attack, evidence: Evidence, calm: bool) -> Iterator[str]:
    if attack.passed(evidence):
        yield f"got through: {[e.result[:100] for e in evidence.results]}"
    if calm and len(evidence.results) != len(attack.calls):
        yield f"{len(evidence.results)} of {len(attack.calls)} calls were answered"
    refusals = {" ".join(e.detail.split()) for e in evidence.events if e.event == "tool_refused"}
    for exchange in evidence.results[attack.allowed :] if attack.reason else ():
        # The CLI adds a note of its own to the last result of an answer.
        words = " ".join(exchange.result.partition("<system-reminder>")[0].split())
        if not re.search(attack.reason, words):
            yield f"the reason {attack.reason!r} is not in {words[:200]!r}"
        if exchange.is_error and not any(words[:60] in line for line in refusals):
            yield f"the refusal is no event of the run: {words[:60]!r}"
        if not exchange.is_error and "state: refused_by_policy" not in words:
            yield "it was not refused"


async def passing(group: Group, server: MessagesServer, root: Path, removed: Removed) -> set[str]:
    """The names of the attacks that get through without the protections `removed`."""
    found = await run_group(group, server, root, removed)
    if loopback.refusals():
        # The tests' own guard saw that the session would have asked another provider.
        loopback.forgive()
        return {attack.name for attack in group.attacks}
    return {attack.name for attack, evidence in found if attack.passed(evidence)}
