"""The protocol over standard input and output, a message a line.

The SDK's own transport drops a line that it cannot read, and takes one of any length; a client is
owed an answer to the first, and this machine's memory is not owed to the second.
"""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import IO

import anyio
import anyio.to_thread
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel.server import Server
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from .processes import Processes

_NO_MESSAGE = ErrorData(code=INVALID_REQUEST, message="this is no message of JSON-RPC 2.0")

_Incoming = MemoryObjectSendStream[SessionMessage | Exception]
_Outgoing = MemoryObjectSendStream[SessionMessage]
_Written = MemoryObjectReceiveStream[SessionMessage]


@contextmanager
def wire() -> Generator[tuple[IO[bytes], IO[bytes]]]:
    """The process's standard streams for the protocol alone.

    Whatever else reads or writes them, in this process or a child, finds the end of a file there,
    or standard error.
    """
    streams: list[IO[bytes]] = []
    nothing = os.open(os.devnull, os.O_RDONLY)
    for number, mode, instead in ((0, "rb", nothing), (1, "wb", 2)):
        streams.append(os.fdopen(os.dup(number), mode))
        os.dup2(instead, number)
    os.close(nothing)
    incoming, outgoing = streams
    try:
        yield incoming, outgoing
    finally:
        with suppress(OSError):
            outgoing.flush()
        os.dup2(incoming.fileno(), 0)
        os.dup2(outgoing.fileno(), 1)


async def serve_stdio(server: Server[Processes], most_bytes: int) -> None:
    """Serve one client until it closes our input; `most_bytes` is the longest message."""
    with wire() as (incoming, outgoing):
        into, messages = anyio.create_memory_object_stream[SessionMessage | Exception]()
        answers, written = anyio.create_memory_object_stream[SessionMessage]()
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(_write, outgoing, written)
                group.start_soon(_read, incoming, most_bytes, into, answers.clone())
                await server.run(messages, answers, server.create_initialization_options())
                group.cancel_scope.cancel()
        except* (anyio.BrokenResourceError, anyio.ClosedResourceError, BrokenPipeError):
            # The client went, or we were stopped, with a message on its way.
            pass


async def _read(incoming: IO[bytes], most_bytes: int, into: _Incoming, answers: _Outgoing) -> None:
    """Hand on each message; answer what is none."""
    lines: asyncio.Queue[bytes] = asyncio.Queue(1)
    loop = asyncio.get_running_loop()

    def read() -> None:
        """Read line by line, in a daemon thread."""
        while True:
            line = incoming.readline(most_bytes + 1)
            if len(line) > most_bytes:
                _skip_rest(incoming, line)
            try:
                asyncio.run_coroutine_threadsafe(lines.put(line), loop).result()
            except RuntimeError:
                return
            if not line:
                return

    threading.Thread(target=read, daemon=True).start()
    async with into, answers:
        while line := await lines.get():
            message = _message(line, most_bytes)
            if isinstance(message, ErrorData):
                # JSON-RPC 2.0, section 5: where the id cannot be read, it is null.
                refusal = JSONRPCError(jsonrpc="2.0", id=None, error=message)
                await answers.send(SessionMessage(refusal))
            else:
                await into.send(SessionMessage(message))


def _skip_rest(incoming: IO[bytes], line: bytes) -> None:
    while line and not line.endswith(b"\n"):
        line = incoming.readline(1 << 16)


def _message(line: bytes, most_bytes: int) -> JSONRPCMessage | ErrorData:
    """The message of a line, or why it is none."""
    if len(line) > most_bytes:
        return ErrorData(code=INVALID_REQUEST, message=f"more than {most_bytes:,} bytes in a line")
    try:
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        if first["type"] == "json_invalid":
            return ErrorData(code=PARSE_ERROR, message=f"this is no JSON: {first['msg']}"[:300])
        return _NO_MESSAGE
    # A request with an id that is none passes for a notification, and would never be answered.
    if isinstance(message, JSONRPCNotification) and b'"id"' in line and "id" in json.loads(line):
        return _NO_MESSAGE
    return message


async def _write(outgoing: IO[bytes], written: _Written) -> None:
    """Write each message that the server sends."""

    def put(line: bytes) -> None:
        outgoing.write(line)
        outgoing.flush()

    async with written:
        async for message in written:
            text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
            await anyio.to_thread.run_sync(put, text.encode() + b"\n")
