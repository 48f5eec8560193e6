"""A loopback server that answers as the documented search interfaces do, or fails on demand."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from types import TracebackType
from typing import Self

JSON = "application/json"
Fields = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it arrived; header names are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> dict[str, object]:
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Told:
    """An answer. `cut` breaks the connection off before the body's end; `endless` never ends it."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": JSON})
    delay_s: float = 0.0
    cut: bool = False
    endless: bool = False


@dataclass
class SearchSite:
    """Gives its answers one after the other and stays at the last. Use it with `async with`."""

    told: list[Told] = field(default_factory=list[Told])
    asked: list[Asked] = field(default_factory=list[Asked])
    _server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._server is not None:
            self._server.close()

    @property
    def base(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def tell(self, body: object, status: int = 200, **headers: str) -> None:
        """Answer next with `body`: bytes as they are, anything else as JSON."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        self.told.append(Told(data, status, {"Content-Type": JSON, **names}))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            self.asked.append(await _request(reader))
            told = self.told.pop(0) if len(self.told) > 1 else self.told[0]
            await asyncio.sleep(told.delay_s)
            await _answer(writer, told)
        except (OSError, asyncio.IncompleteReadError):
            return
        finally:
            writer.close()


async def _request(reader: asyncio.StreamReader) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.strip().split("\r\n")
    fields = [line.partition(":") for line in lines]
    headers = {name.lower(): value.strip() for name, _, value in fields}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    method, path, _ = first.split()
    return Asked(method, path, headers, body)


async def _answer(writer: asyncio.StreamWriter, told: Told) -> None:
    lines = [f"HTTP/1.1 {told.status} {HTTPStatus(told.status).phrase}", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in told.headers.items()]
    if not told.endless:
        lines.append(f"Content-Length: {len(told.body) + 100 * told.cut}")
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + told.body)
    await writer.drain()
    while told.endless:
        writer.write(b" " * 65_536)
        await writer.drain()


def searxng(results: Sequence[Fields], unresponsive: Sequence[Sequence[str]] = ()) -> Fields:
    return {
        "query": "harbour",
        "number_of_results": 0,
        "results": [{"engine": "one", "score": 1.0, "img_src": "", **r} for r in results],
        "answers": [],
        "corrections": [],
        "infoboxes": [],
        "suggestions": [],
        "unresponsive_engines": unresponsive,
    }


def tavily(results: Sequence[Fields]) -> Fields:
    return {
        "query": "harbour",
        "follow_up_questions": None,
        "answer": None,
        "images": [],
        "results": [{"score": 0.9, "raw_content": None, **r} for r in results],
        "response_time": 0.4,
    }


def brave(results: Sequence[Fields] | None) -> Fields:
    web: Fields = {"type": "search", "results": list(results or ()), "family_friendly": True}
    reply: dict[str, object] = {
        "type": "search",
        "query": {"original": "harbour", "more_results_available": False},
        "mixed": {"type": "mixed", "main": [], "top": [], "side": []},
    }
    return reply if results is None else {**reply, "web": web}


def anthropic(
    results: Sequence[Fields] | str, cited: Sequence[Fields] = (), stop: str = "end_turn"
) -> Fields:
    """A message with one search; a string for results is the error code of a failed one."""
    content: object = {"type": "web_search_tool_result_error", "error_code": results}
    if not isinstance(results, str):
        content = [
            {"type": "web_search_result", "encrypted_content": "EqgfCioI", "page_age": None, **r}
            for r in results
        ]
    call = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search"}
    found = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": content}
    return message(
        {"type": "text", "text": "I will search."},
        {**call, "input": {"query": "harbour"}},
        found,
        {"type": "text", "text": "It was dredged.", "citations": list(cited)},
        stop=stop,
    )


def message(*blocks: Fields, stop: str = "end_turn") -> Fields:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-haiku-4-5",
        "content": list(blocks),
        "stop_reason": stop,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
