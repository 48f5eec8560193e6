"""Two runs of many critics in one process, at once: each sees and answers only its own."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from foureyes import RunStatus
from integration.claude.claude_run import Limits, Office
from support.claude_turn import working_folder
from support.messages_server import Answer, MessagesServer, Request, ToolCall
from support.model_rules import Plan, files_read, plays
from support.runs import GOOD_DRAFT

pytestmark = [pytest.mark.cli, pytest.mark.timeout(300)]

TOWNS = ("Quellberg", "Rauhental")
FILLED = "As the text has it."


def asks_for_all(files: Mapping[str, str]) -> Sequence[ToolCall]:
    claims = re.findall(r"^## (c-\S+) ", files["passages.md"], re.M)
    return [ToolCall("mcp__foureyes__find_passages", {"claim_id": claim}) for claim in claims]


def signs(request: Request) -> Answer:
    """A model that signs what it fills in with the town it has read of and its turn."""
    reply = plays(Plan(asks=asks_for_all))(request)
    read = " ".join(files_read(request).values())
    towns = "+".join(town for town in TOWNS if town in read)

    def signed(call: ToolCall) -> ToolCall:
        if call.name != "Edit":
            return call
        text = call.input["new_string"].replace(FILLED, f"{towns}, says {request.turn}.")
        return ToolCall("Edit", {**call.input, "new_string": text})

    # So that the order of the answers is another one at each step.
    delay = hash((request.turn, towns, request.step)) % 10 / 50
    return replace(reply, calls=tuple(map(signed, reply.calls)), delay_s=delay)


async def two_runs(
    server: MessagesServer, folder: Path, critics: int, max_parallel: int | None
) -> list[Office]:
    """Two ended runs of the fact checker, the reviewer and further reviewers up to `critics`."""
    reviewers = [f"critic-{number:02}" for number in range(critics - 2)]
    limits = Limits(max_parallel=max_parallel, timeout_s=200)
    offices = [
        Office(server, folder / town, limits, town=town, reviewers=reviewers) for town in TOWNS
    ]
    for office in offices:
        await office.prepare(signs, GOOD_DRAFT)
    results = await asyncio.gather(*(office.run() for office in offices))
    assert [result.status for result in results] == [RunStatus.APPROVED] * 2
    return offices


def requests_of(office: Office) -> list[Request]:
    below = office.run_dir.resolve()
    return [r for r in office.server.requests if working_folder(r).is_relative_to(below)]


def signatures(office: Office, critic: str) -> set[tuple[str, str]]:
    """The towns and turns that stand in what the journal holds of a critic: its turn, its vote."""
    entries = list((office.run_dir / "journal").glob(f"1-{critic}*.json"))
    assert len(entries) == 2
    text = " ".join(entry.read_text("utf-8") for entry in entries)
    return set(re.findall(r"([\w+]+), says ([\w/-]+)\.", text))


def assert_nothing_crossed(office: Office, other: Office) -> None:
    requests = requests_of(office)
    for request in requests:
        text = json.dumps(request.body)
        assert other.town not in text
        assert str(other.folder.resolve()) not in text
    folders = {request.turn: working_folder(request) for request in requests}
    assert len(set(folders.values())) == len(folders) == len(office.reviewers) + 2
    last = [request for request in requests if request.step > 1]
    assert {request.turn for request in last} == set(folders)
    assert all(office.town in json.dumps(request.body) for request in last)
    for turn in folders:
        assert signatures(office, turn.split("/")[1]) == {(office.town, turn)}


async def test_two_runs_at_once_do_not_meet(server: MessagesServer, tmp_path: Path) -> None:
    one, other = await two_runs(server, tmp_path, critics=2, max_parallel=4)
    assert_nothing_crossed(one, other)
    assert_nothing_crossed(other, one)


@pytest.mark.soak
@pytest.mark.parametrize("max_parallel", [None, 20])
async def test_two_runs_of_ten_critics_at_once_do_not_meet(
    server: MessagesServer, tmp_path: Path, max_parallel: int | None
) -> None:
    one, other = await two_runs(server, tmp_path, 10, max_parallel)
    assert_nothing_crossed(one, other)
    assert_nothing_crossed(other, one)
