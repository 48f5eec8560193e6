"""What no client should send to an MCP server, and files that no call should reach."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
DOCUMENT_BYTES = 200_000
"""What the server is to be started with."""
SECRET = "the secret of the neighbour"
META: Mapping[str, object] = {
    "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
}
GOOD = "It rained on 3 days."


def lay_traps(folder: Path, root: Path, runs: Path) -> None:
    """Put files into `root` and `runs` that lead to a secret in `folder`, or are no documents."""
    (root / "sub").mkdir()
    (root / "good.md").write_text(GOOD, encoding="utf-8")
    (root / "empty.md").write_text("", encoding="utf-8")
    (root / "binary.md").write_bytes(b"\x00\x01\x02")
    (root / "long.md").write_text("word " * DOCUMENT_BYTES, encoding="utf-8")
    (folder / "secret.md").write_text(SECRET, encoding="utf-8")
    (root / "link.md").symlink_to(folder / "secret.md")
    (root / "up").symlink_to(folder)
    (root / "loop.md").symlink_to(root / "loop.md")
    os.mkfifo(root / "pipe.md")
    outside = folder / "outside"
    outside.mkdir()
    (outside / "run.json").write_text("{}", encoding="utf-8")
    (runs / "damaged").mkdir(parents=True)
    (runs / "linked").symlink_to(outside)
    (runs / "damaged" / "run.json").write_text("{", encoding="utf-8")
    (runs / "damaged" / "summary.md").symlink_to(folder / "secret.md")


def request(method: object, params: object, id_: object = "bad") -> bytes:
    """A request as it goes over the wire."""
    return json.dumps({"jsonrpc": "2.0", "id": id_, "method": method, "params": params}).encode()


@dataclass(frozen=True, slots=True)
class BadLine:
    """Bytes on a line, and the code that answers them: None if nothing does."""

    name: str
    line: bytes
    code: int | None = None


LINES = [
    BadLine("half an object", b"{", PARSE_ERROR),
    BadLine("nothing", b"", PARSE_ERROR),
    BadLine("no JSON", b"Content-Length: 20", PARSE_ERROR),
    BadLine("bytes that are no UTF-8", b'{"a": "\xff\xfe"}', PARSE_ERROR),
    BadLine("zero bytes", b"\x00" * 40, PARSE_ERROR),
    BadLine("brackets without end", b"[" * 100_000, PARSE_ERROR),
    BadLine("brackets to a great depth", b"[" * 5_000 + b"]" * 5_000, PARSE_ERROR),
    BadLine("a terminal escape", b"\x1b]0;owned\x07", PARSE_ERROR),
    BadLine("null", b"null", INVALID_REQUEST),
    BadLine("a number", b"42", INVALID_REQUEST),
    BadLine("a text", b'"tools/list"', INVALID_REQUEST),
    BadLine("an empty batch", b"[]", INVALID_REQUEST),
    BadLine("a batch", b"[" + request("tools/list", {}) + b"]", INVALID_REQUEST),
    BadLine("an empty object", b"{}", INVALID_REQUEST),
    BadLine("another protocol", b'{"jsonrpc": "1.0", "id": 1, "method": "x"}', INVALID_REQUEST),
    BadLine("a method that is a number", request(7, {}), INVALID_REQUEST),
    BadLine("an id that is an object", request("tools/list", {}, {"a": 1}), INVALID_REQUEST),
    BadLine("params that are a list", request("tools/list", [1, 2]), INVALID_REQUEST),
    BadLine("params that are a text", request("tools/list", "all"), INVALID_REQUEST),
    BadLine("a line beyond all bounds", b'{"a": "' + b"x" * 1_900_000 + b'"}', INVALID_REQUEST),
    BadLine("an answer to nothing", b'{"jsonrpc": "2.0", "id": 99, "result": {}}', None),
    BadLine(
        "an error of nobody", b'{"jsonrpc":"2.0","id":9,"error":{"code":1,"message":""}}', None
    ),
    BadLine("a notification that is not known", b'{"jsonrpc": "2.0", "method": "x/y"}', None),
    BadLine(
        "a cancellation of nothing",
        b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": [1]}}',
        None,
    ),
]


@dataclass(frozen=True, slots=True)
class BadRequest:
    """A request that the protocol refuses."""

    method: str
    params: Mapping[str, object]
    code: int


REQUESTS = [
    BadRequest("tools/destroy", META, METHOD_NOT_FOUND),
    BadRequest("__class__", META, METHOD_NOT_FOUND),
    BadRequest("prompts/list", META, METHOD_NOT_FOUND),
    BadRequest("completion/complete", META, INVALID_PARAMS),
    BadRequest("tools/call", META, INVALID_PARAMS),
    BadRequest("tools/call", {**META, "name": 7}, INVALID_PARAMS),
    BadRequest("tools/call", {**META, "name": "list_claims", "arguments": []}, INVALID_PARAMS),
    BadRequest("tools/call", {**META, "name": "list_claims", "arguments": "x"}, INVALID_PARAMS),
    BadRequest("tools/call", {**META, "name": "rm", "arguments": {}}, INVALID_PARAMS),
    BadRequest("tools/list", {}, INVALID_PARAMS),
    BadRequest("resources/read", META, INVALID_PARAMS),
    BadRequest("resources/read", {**META, "uri": "file:///etc/passwd"}, INVALID_PARAMS),
    BadRequest("resources/read", {**META, "uri": "foureyes://runs/" + "x" * 9_000}, INVALID_PARAMS),
]


@dataclass(frozen=True, slots=True)
class BadCall:
    """A call of a tool that is refused, and a part of the one line that says why."""

    tool: str
    arguments: Mapping[str, object]
    words: str


def of_path(path: str, words: str = "is not in the folders that this server reads") -> BadCall:
    return BadCall("check_document", {"path": path}, words)


CALLS = [
    BadCall("check_document", {}, "give its text or its path, and not both"),
    BadCall("check_document", {"text": GOOD, "path": "good.md"}, "and not both"),
    BadCall("check_document", {"text": ""}, "document is empty"),
    BadCall("check_document", {"text": "x" * (DOCUMENT_BYTES + 1)}, "more than this server takes"),
    BadCall("check_document", {"text": 7}, "'text': input should be a valid string"),
    BadCall("check_document", {"text": GOOD, "limit": -1}, "'limit': input should be greater"),
    BadCall("check_document", {"text": GOOD, "limit": 10**9}, "'limit': input should be less"),
    BadCall("check_document", {"text": GOOD, "as_of": "soon"}, "'as_of': input should be a valid"),
    BadCall("check_document", {"text": GOOD, "sources": "notes"}, "'sources': input should be"),
    BadCall("check_document", {"text": GOOD, "sources": ["x"] * 101}, "'sources': tuple should"),
    BadCall("check_document", {"text": GOOD, "sources": ["../secret.md"]}, "is not in the folders"),
    BadCall("check_document", {"text": GOOD, "sources": ["up"]}, "is not in the folders"),
    BadCall("check_document", {"text": GOOD, "sources": ["file:///etc"]}, "is not in the folders"),
    *(
        BadCall("check_document", {"text": GOOD, name: value}, f"there is no argument '{name}'")
        for name, value in (
            ("backend", "claude"),
            ("base_url", "http://evil.example"),
            ("allowed_hosts", ["127.0.0.1"]),
            ("root", "/"),
            ("registry_dir", "/tmp"),
        )
    ),
    BadCall("run_pipeline", {"brief": "# B", "budget_usd": 99}, "there is no argument"),
    BadCall("run_pipeline", {"brief": "# B", "api_key_env": "HOME"}, "there is no argument"),
    BadCall("run_pipeline", {"brief": "# B", "settlement": "os:system"}, "there is no argument"),
    BadCall("run_pipeline", {"brief": "# B", "mode": "all"}, "'mode': input should be"),
    BadCall("run_pipeline", {"draft": GOOD, "max_iterations": 4}, "more than this server allows"),
    BadCall("run_pipeline", {}, "nothing to do: there is no INPUT"),
    BadCall("run_pipeline", {"resume": "x", "draft": GOOD}, "takes nothing else"),
    BadCall("run_pipeline", {"resume": "../outside"}, "there is no run '../outside'"),
    BadCall("run_pipeline", {"resume": "linked"}, "there is no run 'linked'"),
    BadCall("run_pipeline", {"resume": "damaged"}, "is damaged"),
    BadCall("get_run", {"name": ".."}, "there is no run or review '..'"),
    BadCall("get_run", {"name": "\x1b[31m"}, "there is no run or review '\\x1b[31m'"),
    BadCall("get_run", {"name": "damaged"}, "is damaged"),
    BadCall("explain_verdict", {"run": "damaged"}, "the argument 'claim' is missing"),
    BadCall("verify_claim", {"claim": GOOD}, "there is nothing to hold the claim against"),
    BadCall("verify_claim", {"claim": ""}, "'claim': string should have at least 1 character"),
    BadCall(
        "verify_claim",
        {"claim": GOOD, "texts": [{"name": "../x.md", "text": GOOD}]},
        "'texts.0.name': string should match",
    ),
    BadCall(
        "verify_claim",
        {"claim": GOOD, "texts": [{"name": "x.md", "text": GOOD}] * 2},
        "two texts are called 'x.md'",
    ),
    BadCall("fetch_source", {"url": "x", "max_chars": 8_001}, "less than or equal to 8000"),
    BadCall("fetch_source", {"url": "http://10.0.0.1/", "offset": 5}, "behind the end of the text"),
    of_path("../secret.md"),
    of_path("sub/../../secret.md"),
    of_path("link.md"),
    of_path("up/secret.md"),
    of_path("loop.md"),
    of_path("/etc/passwd"),
    of_path("/proc/self/environ"),
    of_path("good.md\x00.txt"),
    of_path("~/.ssh/id_rsa"),
    of_path("x" * 4_000),
    of_path("http://127.0.0.1/good.md"),
    of_path("sub", "is not a file"),
    of_path("pipe.md", "is not a file"),
    of_path("empty.md", "is empty"),
    of_path("binary.md", "is a binary file"),
    of_path("long.md", "is larger than 200,000 bytes"),
]


NOT_PUBLIC = [
    *("127.0.0.1", "localhost", "[::1]", "0.0.0.0", "2130706433", "0x7f.1", "10.1.2.3"),
    *("192.168.0.1", "169.254.169.254", "[fe80::1]", "[::ffff:127.0.0.1]", "100.64.0.1"),
]


NOT_FETCHED = ["file:///etc/passwd", "gopher://x/", "good.md", "javascript:1"]
RESOURCES = [
    *("../secret.md", "%2e%2e/secret.md", "run.json/../config.json", "config.json"),
    *("/etc/passwd", "sources/x", "journal/x.json", ".owner", "summary.md", "summary.md%00"),
    *("verify/iteration_1/../../run.json", "a" * 300 + ".json", "turns/1.json"),
]


@dataclass(frozen=True, slots=True)
class BadPost:
    """A request over HTTP that is refused, by the protocol or in words."""

    name: str
    status: int
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes = request("tools/list", META)
    method: str = "POST"
    path: str = ""


MODERN = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": "tools/list",
}
POSTS = [
    BadPost("no token", 401, {"Authorization": ""}),
    BadPost("another token", 401, {"Authorization": "Bearer " + "x" * 43}),
    BadPost("a token of another kind", 401, {"Authorization": "Basic abc"}),
    BadPost("no token and another host", 401, {"Authorization": "", "Host": "evil.example"}),
    BadPost("a page elsewhere", 403, {"Origin": "https://evil.example"}),
    BadPost("a page of no origin", 403, {"Origin": "null"}),
    BadPost("a page of another port", 403, {"Origin": "http://127.0.0.1:1"}),
    BadPost("a name that leads here", 421, {"Host": "evil.example"}),
    BadPost("our name with another port", 421, {"Host": "127.0.0.1:1"}),
    BadPost("a form", 400, {"Content-Type": "application/x-www-form-urlencoded"}),
    BadPost("plain text", 400, {"Content-Type": "text/plain"}),
    BadPost("half a message", 400, body=b"{"),
    BadPost("a batch", 400, body=b"[]"),
    BadPost("too much", 413, body=b"x" * 2_000_000),
    BadPost(
        "half of a character",
        200,
        {"Mcp-Method": "tools/call", "Mcp-Name": "verify_claim"},
        request("tools/call", {**META, "name": "verify_claim", "arguments": {"claim": "\ud800"}}),
    ),
    BadPost("another version", 400, {"MCP-Protocol-Version": "1999-01-01"}),
    BadPost("another path", 404, path="/../etc/passwd"),
    BadPost("another method", 405, method="PUT"),
    BadPost(
        "a session of nobody", 404, {"MCP-Protocol-Version": "2025-11-25", "Mcp-Session-Id": "x"}
    ),
]
