"""The limits of an engine, as the servers see them: real runs, real sessions, several workers."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from support.claude_turn import DUMMY_KEY
from support.commands import foureyes_here
from support.experiment_kit import write_experiment
from support.http_site import HttpSite, Request, head
from support.messages_server import MessagesServer
from support.model_rules import FORMS, Plan, plays
from support.runs import BRIEF, GOOD_DRAFT, SOURCE

MODEL = {"at_once": 2, "calls": 6, "seconds": 2}
FETCH = {"at_once": 1, "calls": 3, "seconds": 1}
PAGES = 3


class Site:
    """Serves the source of the runs under several addresses, and notes when it was asked."""

    def __init__(self, site: HttpSite) -> None:
        self.spans: list[tuple[float, float]] = []
        self.urls = [site.handle(f"/{at}", self._answer) for at in range(PAGES)]

    async def _answer(self, _: Request, writer: asyncio.StreamWriter) -> None:
        began = time.monotonic()
        await asyncio.sleep(0.05)
        self.spans.append((began, time.monotonic()))
        data = SOURCE.encode()
        kind = {"Content-Type": "text/markdown", "Content-Length": str(len(data))}
        writer.write(head(200, kind) + data)


def held(spans: Sequence[tuple[float, float]], limit: Mapping[str, int]) -> None:
    """Assert that calls which began and ended then kept to `limit`."""
    begun = sorted(began for began, _ in spans)
    windows = zip(begun, begun[limit["calls"] :], strict=False)
    assert all(later - first >= limit["seconds"] for first, later in windows)
    marks = sorted([(at, 1) for at, _ in spans] + [(at, -1) for _, at in spans])
    now = most = 0
    for _, change in marks:
        now += change
        most = max(most, now)
    assert most <= limit["at_once"]


def written(folder: Path, server: MessagesServer, site: HttpSite, urls: Sequence[str]) -> Path:
    """An experiment of two drafts that cite `urls`, examined by sessions of the model."""
    links = "\n".join(f"[{at}] [Arnsund]({url})" for at, url in enumerate(urls, 1))
    draft = GOOD_DRAFT.partition("[1] [Arnsund")[0].replace("96 megawatts [1]", "96 megawatts [2]")
    draft = draft.replace('a year" [1]', 'a year" [3]') + links + "\n"
    common = {
        "mode": "analyze_review_with_fact_check",
        "backend": "claude",
        "base_url": server.url,
        "api_key_env": "TEST_KEY",
        "allowed_hosts": [site.authority],
    }
    return write_experiment(
        folder,
        dataset=None,
        items=[{"id": name, "brief": BRIEF, "draft": draft} for name in ("one", "two")],
        variants={"once": {**common, "max_iterations": 1}, "more": {**common, "max_iterations": 2}},
        baseline="once",
        metrics={"primary": "accepted"},
        limits={"model": MODEL, "fetch": FETCH},
    )


async def started(*arguments: str | Path, folder: Path) -> asyncio.subprocess.Process:
    """A command in a process of its own."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "pipeline", *map(str, arguments), cwd=folder,
        env={**os.environ, "TEST_KEY": DUMMY_KEY}, stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip


@pytest.mark.cli
@pytest.mark.soak
@pytest.mark.timeout(300)
async def test_no_limit_is_passed_over_all_workers(url: str, tmp_path: Path) -> None:
    with MessagesServer() as server:
        server.default = plays(Plan(delay_s=dict.fromkeys(FORMS, 0.1)))
        async with HttpSite() as pages:
            site = Site(pages)
            file = written(tmp_path, server, pages, site.urls)
            helpers = [
                await started("serve", "jobs", "--engine", url, "--trust", folder=tmp_path)
                for _ in range(2)
            ]
            leader = await started(
                "experiment", "run", file, "--engine", url, "--trust", "--json", folder=tmp_path
            )
            try:
                told, _ = await leader.communicate()
            finally:
                for one in (leader, *helpers):
                    if one.returncode is None:
                        one.terminate()
            said = [(await one.communicate())[0].decode() for one in helpers]
    analysis = json.loads(told)
    assert [arm["finished"] for arm in analysis["arms"]] == [2, 2], (told, said)
    assert any(" done" in words for words in said), "nobody helped"
    requests = [(request.started, request.ended) for request in server.requests]
    assert len(requests) >= 24
    held(requests, MODEL)
    assert len(site.spans) >= 4 * PAGES
    held(site.spans, FETCH)


def test_limits_are_shown_and_set_for_all_workers(url: str, tmp_path: Path) -> None:
    def told(*options: str) -> dict[str, Any]:
        ran = foureyes_here("serve", "limits", "--engine", url, *options, "--json", cwd=tmp_path)
        assert ran.returncode == 0, ran.stderr
        return json.loads(ran.stdout)

    nothing = {"at_once": None, "calls": None, "seconds": 60.0}
    assert told() == {"model": nothing, "fetch": nothing}
    told("--model-at-once", "4", "--model-rate", "50/60")
    changed = told("--fetch-rate", "5/0.5", "--model-at-once", "none")
    assert changed == told()
    assert changed["model"] == {"at_once": None, "calls": 50, "seconds": 60.0}
    assert changed["fetch"] == {"at_once": None, "calls": 5, "seconds": 0.5}
    shown = foureyes_here("serve", "limits", "--engine", url, cwd=tmp_path).stdout.split("\n")
    assert [line.split() for line in shown[2:4]] == [
        ["model", "none", "50", "in", "60", "s"],
        ["fetch", "none", "5", "in", "0.5", "s"],
    ]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--model-at-once", "0"),
        ("--fetch-at-once", "many"),
        ("--model-rate", "5"),
        ("--fetch-rate", "0/60"),
        ("--fetch-rate", "5/0"),
        ("--fetch-rate", "5/-1"),
    ],
)
def test_what_is_no_limit_is_refused_and_nothing_set(
    option: str, value: str, tmp_path: Path
) -> None:
    engine = f"file://{tmp_path}/engine"
    command = ("serve", "limits", "--engine", engine, "--model-rate", "7/7", option, value)
    ran = foureyes_here(*command, cwd=tmp_path)
    assert ran.returncode == 4
    assert f"{option}: {value!r} is no" in ran.stderr
    assert not list((tmp_path / "engine" / "limits").glob("*.json"))


def test_a_file_sets_limits_of_a_shared_engine_only_if_it_is_trusted(tmp_path: Path) -> None:
    file = write_experiment(tmp_path, limits={"fetch": {"at_once": 3}})
    engine = f"file://{tmp_path}/engine"
    refused = foureyes_here("experiment", "run", file, "--engine", engine, cwd=tmp_path)
    assert refused.returncode == 4
    assert "the file sets limits, which all that use the engine share" in refused.stderr
    ran = foureyes_here("experiment", "run", file, "--quiet", cwd=tmp_path)
    assert ran.returncode == 2, ran.stderr
    [folder] = (tmp_path / "experiments").iterdir()
    own = foureyes_here("serve", "limits", "--engine", (folder / "engine").as_uri(), cwd=tmp_path)
    assert own.stdout.split("\n")[3].split() == ["fetch", "3", "none"]
