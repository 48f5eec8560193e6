"""A backend of your own: any server that speaks the chat-completions protocol with tool calls."""

import asyncio
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import foureyes
import httpx2
from foureyes import AgentTask, Error, FailureKind, TaskTools, Turn, TurnUsage


class ChatBackend:
    """Carries calls and answers; `TaskTools` keeps the file, the edit policy and the counts."""

    name, independent = "chat", True

    def __init__(self, url: str = "http://127.0.0.1:8080", model: str = "local") -> None:
        self.url, self.model = url, model

    async def run(self, task: AgentTask[object], folder: Path) -> Turn | Error:
        """Let the model call tools until it calls none."""
        tools, usage = TaskTools(task, folder), TurnUsage(cost_usd=Decimal(0))
        talk: list[Any] = [{"role": "system", "content": task.system_prompt}]
        talk.append({"role": "user", "content": tools.prompt()})
        asked = {"model": task.model or self.model, "messages": talk, "tools": tools.functions()}
        client = httpx2.AsyncClient(base_url=self.url, timeout=None)
        try:
            async with client, asyncio.timeout(task.limits.timeout_s):
                for _ in range(task.limits.max_turns):
                    reply = await client.post("/v1/chat/completions", json=asked)
                    data = reply.raise_for_status().json()
                    read, written = (data["usage"][f"{kind}_tokens"] for kind in TOKENS)
                    usage += TurnUsage(1, requests=1, input_tokens=read, output_tokens=written)
                    talk.append(message := data["choices"][0]["message"])
                    for call in message.get("tool_calls") or ():
                        wanted = call["function"]
                        result = await tools.call(wanted["name"], wanted["arguments"])
                        talk.append({"role": "tool", "tool_call_id": call["id"], "content": result})
                    if not message.get("tool_calls"):
                        return tools.turn(usage, data["model"])
        except TimeoutError:
            return Error(FailureKind.TIMEOUT, f"no end in {task.limits.timeout_s} s", usage)
        except httpx2.HTTPError as error:
            return Error(FailureKind.UNAVAILABLE, f"{type(error).__name__}: {error}", usage)
        return Error(FailureKind.MAX_TURNS, f"{task.limits.max_turns} answers", usage)


TOKENS = ("prompt", "completion")

if __name__ == "__main__":
    report = Path("report.md")
    report.write_text("The Arnsund station began service on 4 May 2019.\n", encoding="utf-8")
    mine = ChatBackend(*sys.argv[1:])
    end = foureyes.run_analysis("# Arnsund", sources=[report], with_fact_checker=True, backend=mine)
    print(end.status, end.reason, sep=": ")
