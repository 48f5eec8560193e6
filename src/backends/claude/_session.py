"""One turn as one session of the CLI: armed, bounded, counted and always ended."""

from __future__ import annotations

import asyncio
import math
import os
import time
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import anyio
import structlog
from claude_agent_sdk import (
    AssistantMessage,
    ClaudeAgentOptions,
    ClaudeSDKClient,
    ClaudeSDKError,
    HookCallback,
    HookContext,
    HookInput,
    HookJSONOutput,
    HookMatcher,
    McpSdkServerConfig,
    Message,
    SdkMcpTool,
    SystemMessage,
    ToolAnnotations,
    create_sdk_mcp_server,
)

from ...base.call_limits import UNLIMITED, CallLimiter, LimitName
from ...core.tasks import AgentTask, Error, FailureKind, ToolFailure, ToolSpec, Turn, TurnUsage
from ...core.tracing import Conversation, child_variables
from ._guard import EDIT, READ, SERVER, TODO, ToolGuard, own_name, permission_rules
from ._launcher import cpu_seconds, leash
from ._relay import relay, without_proxy
from ._tally import Tally, failure_of_error, failure_of_result, one_line
from .settings import (
    ANTHROPIC_URL,
    DEFAULT_MODELS,
    ClaudeSettings,
    request_variables,
    session_environment,
)

if TYPE_CHECKING:
    from claude_agent_sdk import EffortLevel, McpServerConfig
    from claude_agent_sdk.types import HookEvent


MAX_MESSAGE_BYTES = 16 * 1024 * 1024
"""The SDK's own limit of 1 MiB is less than the result of one large read."""
CLOSE_S = 1.0
"""How long each polite step of ending a session may take."""
STDERR_LINES = 5
HOOK_S = 7 * 86_400.0
"""How long a request may wait for its turn; the CLI gives a hook one minute unless told."""
AFTER_TOOLS = cast("HookEvent", "PostToolBatch")
"""When all tools of an answer are done, refused ones too, and before the next request. The CLI has
it; the SDK's type for the names of hooks does not."""

MAX_RESULT_CHARS = 48_000
"""The CLI moves a result of more than 50,000 characters to a file that the agent may not read."""

log = structlog.get_logger()


class Session:
    """One task in one fresh session; use it once.

    Each protection is a method or a field of `options()`, so that a test can leave out a single one
    in a subclass and show which attacks then pass. Nothing that a user can set weakens them.

    Args:
        settings: The backend's settings.
        task: What to fill.
        folder: Where the file lies.
        home: A private folder for the CLI, empty.

    Attributes:
        settings: As given.
        task: As given.
        folder: As a real path, which is what the CLI and the guard compare.
        home: As a real path.
        model: Who is asked.
    """

    def __init__(
        self, settings: ClaudeSettings, task: AgentTask[object], folder: Path, home: Path
    ) -> None:
        self.settings = settings
        self.task = task
        self.folder = folder.resolve()
        self.home = home.resolve()
        self._guard = ToolGuard(task, self.folder)
        self.model = task.model or settings.models.get(task.role, DEFAULT_MODELS[task.role])
        texts = {self.folder / name: text for name, text in task.readable.items()}
        self._conversation = Conversation(self.model)
        self._tally = Tally(
            texts,
            self.model,
            settings.prices.get(self.model),
            conversation=self._conversation,
            offered=self._guard.offered,
        )
        self._stderr = deque[str](maxlen=STDERR_LINES)
        self._handler_errors = list[Exception]()
        self._armed = False
        self._limiter = UNLIMITED
        self._stopped: Error | None = None
        # Made by `run`: a scope needs an event loop.
        self._deadline: anyio.CancelScope
        self._cpu_s = 0.0

    def options(self) -> ClaudeAgentOptions:
        """How the CLI is started: tools, rules, hooks, limits and the whole environment."""
        task, settings = self.task, self.settings
        servers: dict[str, McpServerConfig] = {SERVER: self._tool_server()} if task.tools else {}
        cost = task.limits.max_cost_usd
        trace = child_variables()
        environment = session_environment(settings, task, self.home, os.environ, trace)
        return ClaudeAgentOptions(
            tools=[READ, EDIT, TODO] if task.to_do_list else [READ, EDIT],
            allowed_tools=permission_rules(task, self.folder),
            permission_mode="dontAsk",
            mcp_servers=servers,
            strict_mcp_config=True,
            setting_sources=[],
            verbatim_prompts=True,
            hooks={
                "PreToolUse": [HookMatcher(hooks=[self._before_tool], on_failure="block")],
                "UserPromptSubmit": [_before_request(self._on_prompt)],
                AFTER_TOOLS: [_before_request(self._after_tools)],
            },
            system_prompt=task.system_prompt,
            model=self.model,
            effort=cast("EffortLevel | None", task.effort and task.effort.value),
            max_turns=task.limits.max_turns,
            # At a price that the CLI does not know it would count other dollars.
            max_budget_usd=None if cost is None or self._tally.price else float(cost),
            max_buffer_size=MAX_MESSAGE_BYTES,
            cwd=self.folder,
            cli_path=leash(settings.cli_path, self.home),
            env={**environment, **request_variables(self.model)},
            stderr=self._stderr.append,
        )

    def _tool_server(self) -> McpSdkServerConfig:
        server = create_sdk_mcp_server(SERVER, tools=[self._serve(one) for one in self.task.tools])
        # Its own spans would tell of each call a second time, with the texts of errors.
        with suppress(AttributeError):
            server["instance"].middleware.clear()
        return server

    def _serve(self, tool: ToolSpec) -> SdkMcpTool[Any]:
        """The tool as the CLI calls it; a `ToolFailure` reaches the agent as an error result.

        Any other error of its handler is ours; the SDK would only show it to the agent.
        """

        async def handle(arguments: dict[str, object]) -> dict[str, object]:
            try:
                with self._conversation.run_tool(tool.name):
                    return _result(await tool.handler(arguments))
            except ToolFailure as failure:
                return {**_result(str(failure)), "is_error": True}
            except Exception as error:
                self._handler_errors.append(error)
                raise

        return SdkMcpTool(
            name=tool.name,
            description=tool.description,
            # The SDK takes a dictionary without both keys for a list of parameter names.
            input_schema={"type": "object", "properties": {}, **tool.schema},
            handler=handle,
            # Calls of tools marked so run side by side.
            annotations=ToolAnnotations(readOnlyHint=tool.read_only),
        )

    def refusal(self, tool: str, arguments: Mapping[str, object]) -> str | None:
        """Why a tool call is refused, None if it may go on to the CLI's own rules."""
        return self._guard.refusal(tool, arguments)

    def disarmed(self, message: Message) -> bool:
        """The canary: whether `message` shows the model at work and our hooks have not run."""
        started = isinstance(message, SystemMessage) and message.subtype == "init"
        return not self._armed and (started or isinstance(message, AssistantMessage))

    async def run(self, limiter: CallLimiter = UNLIMITED) -> Turn | Error:
        """Hold the session and return the file as it stands on disk.

        `limiter` is asked before each request; the time limit does not run meanwhile.

        Raises:
            Exception: What a tool's handler raised, unless it was a `ToolFailure`.
        """
        self._limiter = limiter
        started = time.monotonic()
        async with self._server() as variables:
            options = self.options()
            client = ClaudeSDKClient(replace(options, env={**options.env, **variables}))
            return await self._hold(client, started)

    @asynccontextmanager
    async def _server(self) -> AsyncGenerator[dict[str, str]]:
        """The variables by which the CLI finds its server: through a relay, unless it is trusted.

        Of Anthropic's own address the CLI also asks what it asks of no other.
        """
        if self.settings.base_url.rstrip("/") == ANTHROPIC_URL:
            yield {}
            return
        async with relay(self.settings.base_url, self._stop_flood) as url:
            yield {"ANTHROPIC_BASE_URL": url, **without_proxy(os.environ)}

    def _stop_flood(self, most: int) -> None:
        message = f"the model server sent more than {most / 2**20:g} MiB"
        self._stopped = Error(FailureKind.REFUSED, message)
        self._deadline.cancel()

    async def _hold(self, client: ClaudeSDKClient, started: float) -> Turn | Error:
        limit = self.task.limits.timeout_s
        failure: Error | None = Error(FailureKind.TIMEOUT, f"no answer within {limit:g} s")
        try:
            try:
                with anyio.move_on_after(limit) as self._deadline:
                    failure = await self._converse(client)
            finally:
                await self._end(client)
                self._conversation.close(failure.kind if failure else None)
        except asyncio.CancelledError:
            if self.task.on_cancelled is not None:
                self.task.on_cancelled(self._usage(time.monotonic() - started))
            raise
        if self._handler_errors:
            raise self._handler_errors[0]
        return self._outcome(self._stopped or failure, time.monotonic() - started)

    async def _converse(self, client: ClaudeSDKClient) -> Error | None:
        prompt = f"Working folder: {self.folder}\n\n{self.task.user_prompt}"
        try:
            await client.connect()
            await client.query(prompt)
            self._conversation.start_request()
            async for message in client.receive_response():
                self._tally.observe(message)
                if self.disarmed(message):
                    return Error(FailureKind.NOT_ARMED, "the CLI does not run our hooks")
        except Exception as error:
            # For a control request that failed the SDK raises a bare Exception.
            if type(error) is not Exception and not isinstance(error, ClaudeSDKError):
                raise
            failure = failure_of_error(error)
            return Error(failure.kind, one_line(" ".join([failure.message, *self._stderr])))
        if self._stopped is not None:
            return self._stopped
        if self._tally.result is None:
            return Error(FailureKind.CRASHED, one_line(" ".join(["the CLI went", *self._stderr])))
        return failure_of_result(self._tally.result)

    async def _end(self, client: ClaudeSDKClient) -> None:
        """End the session in a task of its own, so that a second cancellation does not stop it."""
        ending = asyncio.create_task(self._close(client))
        cancelled: asyncio.CancelledError | None = None
        with anyio.CancelScope(shield=True):
            while not ending.done():
                try:
                    await asyncio.shield(ending)
                except asyncio.CancelledError as again:
                    cancelled = again
        if cancelled is not None:
            raise cancelled

    async def _close(self, client: ClaudeSDKClient) -> None:
        self._cpu_s = cpu_seconds(self.home)
        # Interrupting first makes the CLI leave at once; told only to disconnect it may take 5 s.
        # An interrupted turn still reports what it has cost.
        with anyio.move_on_after(CLOSE_S):
            try:
                await client.interrupt()
                if self._tally.result is None:
                    async for message in client.receive_response():
                        self._tally.observe(message)
            except Exception as error:  # noqa: BLE001 - politeness; disconnect() ends it anyway
                log.debug("session_interrupt_failed", turn=self.task.name, error=str(error))
        await client.disconnect()

    def _usage(self, wall_s: float) -> TurnUsage:
        return replace(self._tally.usage(wall_s), cpu_s=self._cpu_s)

    def _outcome(self, failure: Error | None, wall_s: float) -> Turn | Error:
        usage = self._usage(wall_s)
        refused = tuple(self._tally.refused)
        file = self.folder / self.task.file_name
        if file.is_symlink():
            # Someone put it there: its target is none of the agent's work.
            message = "the file was replaced by a symbolic link"
            return Error(FailureKind.CRASHED, message, usage, refused=refused)
        text = file.read_bytes().decode("utf-8", "replace")
        if failure is not None:
            return replace(failure, usage=usage, partial=text, refused=refused)
        return Turn(
            text,
            usage,
            read_coverage=self._tally.read_coverage(),
            model=self._tally.model,
            refused=refused,
        )

    async def _before_tool(
        self, call: HookInput, tool_use_id: str | None, _context: HookContext
    ) -> HookJSONOutput:
        if call["hook_event_name"] != "PreToolUse":
            raise ValueError(f"a hook for tools was called at {call['hook_event_name']}")
        refusal = self.refusal(call["tool_name"], call["tool_input"])
        tool = own_name(call["tool_name"])
        self._conversation.start_tool_call(tool_use_id or "", tool, refused=refusal is not None)
        if refusal is None:
            # No opinion, so that the CLI's own rules have to agree.
            return {}
        return {
            "hookSpecificOutput": {
                "hookEventName": "PreToolUse",
                "permissionDecision": "deny",
                "permissionDecisionReason": refusal,
            }
        }

    async def _on_prompt(
        self, _prompt: HookInput, _tool_use_id: str | None, _context: HookContext
    ) -> HookJSONOutput:
        self._armed = True
        await self._may_ask()
        return {}

    async def _after_tools(
        self, _results: HookInput, _tool_use_id: str | None, _context: HookContext
    ) -> HookJSONOutput:
        cost, limit = self._tally.most_cost(), self.task.limits.max_cost_usd
        if cost is not None and limit is not None and cost >= limit:
            message = f"up to ${cost} were spent of ${limit}"
            self._stopped = Error(FailureKind.BUDGET, message)
            return {"continue_": False, "stopReason": message}
        await self._may_ask()
        return {}

    async def _may_ask(self) -> None:
        """Wait until the limiter lets one more request begin; the session's time stands still."""
        scope, now = self._deadline, anyio.current_time
        left, scope.deadline = scope.deadline - now(), math.inf
        try:
            await self._limiter.begin(LimitName.MODEL)
        finally:
            scope.deadline = now() + left


def _before_request(hook: HookCallback) -> HookMatcher:
    """`hook` where the CLI waits for it before it asks the model, however long that takes."""
    return HookMatcher(hooks=[hook], on_failure="block", timeout=HOOK_S)


def _result(text: str) -> dict[str, object]:
    if len(text) > MAX_RESULT_CHARS:
        left = len(text) - MAX_RESULT_CHARS
        text = f"{text[:MAX_RESULT_CHARS]}\n[{left} more characters were cut]"
    return {"content": [{"type": "text", "text": text}]}
