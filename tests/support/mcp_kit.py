"""A real MCP server, and the official client on it, for tests that are not asynchronous."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Iterable, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

import anyio
import anyio.to_thread
import httpx2
from anyio.from_thread import BlockingPortal, start_blocking_portal
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage
from mcp_types import CallToolResult, TextContent, jsonrpc_message_adapter

T = TypeVar("T")

Streams = tuple[
    MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]
]


def command(*options: str | Path) -> list[str]:
    """The command line of a server."""
    return [sys.executable, "-m", "foureyes", "serve", "mcp", *map(str, options)]


@dataclass(slots=True)
class StdioPipe:
    """A server behind standard input and output, whose lines a test can see and add to.

    Open it with `async with`; it is a transport for the official client.
    """

    options: tuple[str | Path, ...]
    folder: Path
    lines: list[str] = field(default_factory=list[str])
    process: asyncio.subprocess.Process | None = None

    @asynccontextmanager
    async def streams(self) -> AsyncGenerator[Streams]:
        self.process = await asyncio.create_subprocess_exec(
            *command(*self.options),
            cwd=self.folder,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=64_000_000,
        )
        into, messages = anyio.create_memory_object_stream[SessionMessage | Exception](100)
        answers, written = anyio.create_memory_object_stream[SessionMessage](100)

        async def read() -> None:
            assert self.process is not None
            assert self.process.stdout is not None
            async with into:
                while line := await self.process.stdout.readline():
                    self.lines.append(line.decode())
                    await into.send(SessionMessage(jsonrpc_message_adapter.validate_json(line)))

        async def write() -> None:
            async with written:
                async for message in written:
                    text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                    await self.inject(text.encode() + b"\n")

        async with anyio.create_task_group() as group:
            group.start_soon(read)
            group.start_soon(write)
            try:
                yield messages, answers
            finally:
                group.cancel_scope.cancel()
                with anyio.CancelScope(shield=True):
                    await self._stop()

    async def inject(self, line: bytes) -> None:
        """Send bytes as they are."""
        assert self.process is not None
        assert self.process.stdin is not None
        self.process.stdin.write(line)
        await self.process.stdin.drain()

    async def _stop(self) -> None:
        assert self.process is not None
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            await asyncio.wait_for(self.process.wait(), 20)
        except TimeoutError:
            self.process.kill()
            await self.process.wait()


@dataclass(slots=True)
class Asked:
    """What a call of a tool gave."""

    result: CallToolResult

    @property
    def text(self) -> str:
        content = self.result.content[0]
        assert isinstance(content, TextContent)
        return content.text

    @property
    def error(self) -> str:
        """The line of a call that failed."""
        assert self.result.is_error, self.text[:500]
        return self.text

    @property
    def data(self) -> dict[str, Any]:
        """The structured output of a call that did not."""
        assert not self.result.is_error, self.text
        return cast("dict[str, Any]", self.result.structured_content)


@dataclass(slots=True)
class Session:
    """The official client on a server, called from a test's own thread."""

    portal: BlockingPortal
    client: Client
    pid: int

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        async def run() -> T:
            return await work

        return self.portal.call(run)

    def call(self, tool: str, **arguments: object) -> Asked:
        return Asked(self.do(self.client.call_tool(tool, arguments)))

    def calls(self, calls: Iterable[tuple[str, Mapping[str, object]]]) -> list[Asked]:
        """All of them at once."""

        async def ask() -> list[CallToolResult]:
            return await asyncio.gather(*(self.client.call_tool(n, dict(a)) for n, a in calls))

        return [Asked(result) for result in self.do(ask())]

    def progress(self, tool: str, **arguments: object) -> tuple[Asked, list[tuple[float, str]]]:
        """What a call gave, and the steps that it told of."""
        steps: list[tuple[float, str]] = []

        async def step(progress: float, total: float | None, message: str | None) -> None:
            assert total is None
            steps.append((progress, message or ""))

        result = self.do(self.client.call_tool(tool, arguments, progress_callback=step))
        return Asked(result), steps

    def cancel(self, tool: str, when: Callable[[], bool], **arguments: object) -> float:
        """Begin a call and cancel it `when` that holds; returns that time (`time.monotonic`)."""

        def wait() -> float:
            end = time.monotonic() + 90
            while not when():
                assert time.monotonic() < end, "it did not come to that"
                time.sleep(0.02)
            return time.monotonic()

        async def run() -> float:
            async with anyio.create_task_group() as group:
                group.start_soon(self.client.call_tool, tool, dict(arguments))
                at = await anyio.to_thread.run_sync(wait)
                group.cancel_scope.cancel()
                return at
            raise AssertionError

        return self.do(run())

    def workers(self) -> set[int]:
        """The processes that do calls: the grandchildren of the server."""
        return descendants(self.pid) - set(_children(self.pid))

    def idle(self, within: float) -> float:
        """Wait until no call is at work; returns when that was (`time.monotonic`)."""
        end = time.monotonic() + within
        while self.workers():
            assert time.monotonic() < end, f"still at work: {self.workers()}"
            time.sleep(0.02)
        return time.monotonic()


def descendants(pid: int) -> set[int]:
    """The processes below `pid` that have not ended."""
    found: set[int] = set()
    for child in _children(pid):
        found |= {child, *descendants(child)}
    return found


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name of the program, in brackets, may hold anything.
            state, parent = stat.read_text(encoding="utf-8").rpartition(") ")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == pid and state != "Z":
            found.append(int(stat.parent.name))
    return found


@contextmanager
def stdio_session(pipe: StdioPipe) -> Generator[Session]:
    """The official client on a server behind `pipe`."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(pipe.streams())) as client,
    ):
        assert pipe.process is not None
        yield Session(portal, client, pipe.process.pid)


@dataclass(frozen=True, slots=True)
class HttpServer:
    """A server that listens on loopback."""

    address: str
    token: str
    pid: int

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


@contextmanager
def http_server(*options: str | Path, folder: Path) -> Generator[HttpServer]:
    """A server over HTTP, stopped as by Ctrl-C."""
    process = subprocess.Popen(
        command("--http", "--port", "0", *options), cwd=folder, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        said = dict(process.stdout.readline().strip().split(": ", 1) for _ in range(2))
        yield HttpServer(said["address"].split()[0], said["token"], process.pid)
    finally:
        process.terminate()
        try:
            process.wait(20)
        finally:
            process.kill()
            if process.stdout is not None:
                process.stdout.close()


@asynccontextmanager
async def _http_client(server: HttpServer, mode: str) -> AsyncGenerator[Client]:
    async with (
        httpx2.AsyncClient(headers=server.headers, timeout=60, trust_env=False) as http,
        Client(streamable_http_client(server.address, http_client=http), mode=mode) as client,
    ):
        yield client


@contextmanager
def http_session(server: HttpServer, mode: str = "auto") -> Generator[Session]:
    """The official client on `server`."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(_http_client(server, mode)) as client,
    ):
        yield Session(portal, client, server.pid)


def answer_to(lines: Iterable[str], id_: object) -> dict[str, Any] | None:
    """The message among `lines` that answers the request `id_`."""
    for line in lines:
        message = cast("dict[str, Any]", json.loads(line))
        if "method" not in message and message.get("id", ...) == id_:
            return message
    return None
