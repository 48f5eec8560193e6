"""A model that searches, through the command: the knowledge base, and a server on loopback."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from support.commands import foureyes_here
from support.http_site import HttpSite, searxng
from support.messages_server import MessagesServer, Reply, Request, ToolCall
from support.model_rules import Plan, plays
from support.runs import GOOD_DRAFT, outcome, write_case
from support.serving import served

pytestmark = pytest.mark.cli

FOUND = "# Notes\n\nThe Arnsund tidal power station has 24 turbines of 96 megawatts in all.\n"


def searches(files: Mapping[str, str]) -> Sequence[ToolCall]:
    claims = re.findall(r"^## (c-\S+) ", files["passages.md"], re.M)
    return [ToolCall("mcp__foureyes__search_sources", {"claim_id": claim}) for claim in claims]


def run(folder: Path, *options: str, env: Mapping[str, str]) -> tuple[list[str], Path]:
    """Run over the good draft with a model that searches for each claim: its results, the run."""
    with MessagesServer() as server:
        server.default = plays(Plan(asks=searches))
        command = foureyes_here(
            *("--backend", "claude", "--base-url", server.url, "--api-key-env", "none"),
            *("--with-fact-checker", "--draft", "draft.md", "--sources", "sources"),
            *(*options, "--json", "--quiet", "brief.md"),
            cwd=folder,
            env=env,
        )
        assert command.returncode == 0, command.stderr
        calls = [call for request in server.requests for call in request.exchanges]
    results = [call.result for call in calls if call.call.name.endswith("search_sources")]
    assert results
    return results, outcome(command, folder).run_dir


def test_the_fact_checker_searches_the_knowledge_base(tmp_path: Path) -> None:
    write_case(tmp_path, GOOD_DRAFT)
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "notes.md").write_text(FOUND, encoding="utf-8")
    env = {"XDG_DATA_HOME": str(tmp_path / "data")}
    assert foureyes_here("sources", "index", "library", cwd=tmp_path, env=env).returncode == 0
    results, run_dir = run(tmp_path, "--search", "knowledge_base", env=env)
    assert any("address: notes.md" in result for result in results)
    assert all("<<<source text " in result for result in results)
    kept = [json.loads(path.read_bytes()) for path in (run_dir / "searches").iterdir()]
    assert kept
    assert all(len(record["query"]) <= 200 for record in kept)


# The attacks on a fact checker try it, too.
@pytest.mark.soak
def test_what_rests_on_the_users_files_is_never_asked_of_the_web(tmp_path: Path) -> None:
    write_case(tmp_path, GOOD_DRAFT)
    with served(HttpSite()) as site:
        site.tell(searxng([]))
        options = ("--search", "searxng", "--search-url", site.url(""))
        results, run_dir = run(tmp_path, *options, env={})
        assert site.requests == []
    assert all("refused_by_policy: the claim is internal" in result for result in results)
    assert not (run_dir / "searches").exists()


def test_a_web_search_goes_out_as_code_built_it(tmp_path: Path) -> None:
    cited = GOOD_DRAFT.replace("(arnsund.md)", "(https://arnsund.example/station)")
    write_case(tmp_path, cited)
    (tmp_path / "sources" / "sources.yaml").write_text(
        "- file: arnsund.md\n  url: https://arnsund.example/station\n", encoding="utf-8"
    )
    with served(HttpSite()) as site:
        site.tell(searxng([{"url": "https://other.example/a", "title": "A", "content": "B"}]))
        options = ("--search", "searxng", "--search-url", site.url(""), "--max-searches", "2")
        results, _ = run(tmp_path, *options, env={})
        assert len(site.requests) == 2
        assert all("Arnsund" in asked.path or "station" in asked.path for asked in site.requests)
    assert any("1. A\naddress: https://other.example/a\nB" in result for result in results)
    assert any("no more questions may be put" in result for result in results)


def test_the_analyst_searches_and_reads_what_it_found(tmp_path: Path) -> None:
    write_case(tmp_path, GOOD_DRAFT)
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "notes.md").write_text(FOUND, encoding="utf-8")
    env = {"XDG_DATA_HOME": str(tmp_path / "data")}
    assert foureyes_here("sources", "index", "library", cwd=tmp_path, env=env).returncode == 0
    asks = (
        ToolCall("mcp__foureyes__search_sources", {"query": "tidal power station turbines"}),
        ToolCall("mcp__foureyes__fetch_source", {"url": "notes.md"}),
    )

    def researches(request: Request) -> Reply:
        reply = plays(Plan())(request)
        # One search, and then its hit; the form is read before and filled after.
        return replace(reply, calls=(*reply.calls, *asks[request.step : request.step + 1]))

    with MessagesServer() as server:
        server.default = researches
        connection = ("--backend", "claude", "--base-url", server.url, "--api-key-env", "none")
        options = ("--mode", "analyze", "--search", "knowledge_base", "--sources", "sources")
        command = foureyes_here(*connection, *options, "--quiet", "brief.md", cwd=tmp_path, env=env)
        assert command.returncode == 0, command.stderr
        calls = [call for request in server.requests for call in request.exchanges]
    results = {call.call.name.rpartition("__")[2]: call.result for call in calls}
    assert "address: notes.md" in results["search_sources"]
    assert "24 turbines of 96 megawatts" in results["fetch_source"]
