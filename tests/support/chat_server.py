"""A loopback server of the chat-completions protocol, whose model follows rules.

It drafts with praise first and without on revision, rejects a draft with praise, and leaves what
code decided as it is. It answers by tool calls, as a model does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Mapping
from typing import Any, cast

from support.thread_server import Handler, ThreadServer

DRAFT = "The {praise}Arnsund station began service on 4 May 2019 ([report](report.md))."
MODEL = "rules-1"
_SLOT = re.compile(r"\[TODO:(?:[^\[\]]|\[[^\[\]]*\])*\]")
Reply = Callable[[Mapping[str, Any]], Mapping[str, Any]]


class ChatServer(ThreadServer):
    """Answers with the message that `reply` makes of a request; `asked` are all of them."""

    def __init__(self, reply: Reply | None = None) -> None:
        super().__init__()
        self.reply = reply or by_rules
        self.asked: list[Mapping[str, Any]] = []


class _Handler(Handler):
    owner: ChatServer

    def do_POST(self) -> None:
        body = json.loads(self.received())
        self.owner.asked.append(body)
        usage = {"prompt_tokens": 100, "completion_tokens": 10}
        message = {"role": "assistant", **self.owner.reply(body)}
        data = {"model": MODEL, "choices": [{"message": message}], "usage": usage}
        self.send(200, "application/json", json.dumps(data).encode())


ChatServer.handler = _Handler


def calling(name: str, arguments: Mapping[str, object]) -> Mapping[str, Any]:
    """A message that calls one tool."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"content": None, "tool_calls": [{"id": "c1", "type": "function", "function": function}]}


def by_rules(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """One tool call that fills the whole file, then a closing word."""
    messages = body["messages"]
    if messages[-1]["role"] == "tool":
        return {"content": messages[-1]["content"]}
    prompt = messages[1]["content"]
    tools = {tool["function"]["name"] for tool in body["tools"]}
    _, _, form = prompt.rpartition("\n\n# File ")
    text = form.partition("\n\n")[2]
    if "fill_slots" not in tools:
        praise = "" if "praise" in prompt else "famous "
        return calling("write_document", {"text": _drafted(text, DRAFT.format(praise=praise))})
    data = json.loads(text)
    found = "criteria" in data and "The famous Arnsund" in prompt
    return calling("fill_slots", {"values": dict(_filled(data, "", found=found))})


def _drafted(template: str, sentence: str) -> str:
    """The template with `sentence` in each open slot; a draft that is revised loses its praise."""
    if "[TODO" not in template:
        return template.replace("famous ", "")
    lines = template.split("\n")
    return "\n".join(_SLOT.sub("Arnsund" if one[:1] == "#" else sentence, one) for one in lines)


def _filled(data: Any, path: str, *, found: bool) -> Generator[tuple[str, object]]:
    if isinstance(data, dict):
        for key, value in cast("dict[str, Any]", data).items():
            yield from _filled(value, f"{path}/{key}", found=found)
    elif isinstance(data, list):
        issue = {
            "severity": "high",
            "criterion": "readability",
            "quote": "famous",
            "problem": "This is praise.",
            "evidence": "",
            "recommendation": "Leave the word out.",
        }
        yield path, [issue] if found and path == "/issues" else []
    elif isinstance(data, str) and data.startswith("[TODO"):
        name = path.rpartition("/")[2]
        words = {"recommendation": "reject" if found else "approve", "score": 0.9}
        words |= {"verdict": "supported", "passage": "P1"}
        yield path, words.get(name, "as it should be")
