"""`foureyes sources` over a site on loopback and at a real terminal."""

from __future__ import annotations

import json
import re
from pathlib import Path
from subprocess import CompletedProcess

from support.commands import foureyes_here
from support.http_site import HttpSite
from support.serving import served
from support.source_run import OLD, OLD_CLAIM, write_sources
from support.terminal import at_a_terminal

PAGE = (
    "<html><head><title>Arnsund station</title><meta name=date content=2026-01-20></head><body>"
    "<h1>Arnsund station</h1><p>The Arnsund tidal power station has an installed capacity of 96 "
    "megawatts.</p><p>It began regular service on 4 May 2019 and is owned by the municipality, "
    "which holds 60 percent of the shares.</p></body></html>"
)
RUN = ("run", "--draft", "draft.md", "--sources", "sources", "--with-fact-checker", "--quiet")
OPTIONS = ("--max-iterations=1", "--fetch=none", "--as-of=2026-02-03", "brief.md")


def command(site: HttpSite, folder: Path, *arguments: str) -> CompletedProcess[str]:
    """The command on a terminal of 120 columns, which may reach the site."""
    allowed = {"FOUREYES_ALLOWED_HOSTS": site.authority, "COLUMNS": "120"}
    return foureyes_here(*arguments, cwd=folder, env=allowed)


def test_pages_are_fetched_and_scored(tmp_path: Path) -> None:
    score = ("sources", "score", "--as-of=2026-02-03", "--topic", "arnsund station")
    with served(HttpSite()) as site:
        url = site.page("/a", PAGE)
        dead = site.page("/gone", status=404)
        shown = command(site, tmp_path, *score, url, dead)
        data = command(site, tmp_path, *score, "--json", url)
        frozen = command(site, tmp_path, *score, "--fetch=frozen", site.url("/b"))
    assert (shown.returncode, data.returncode, frozen.returncode) == (1, 0, 2)
    out = " ".join(shown.stdout.split())
    assert f"T3 ⚠ 53 5 28 10 10 2026-01-20 Arnsund station {url} class unknown" in out
    assert f"{dead} class unknown dead: the server answered 404 Not Found; scored by its" in out
    line = r"\[[0-9TZ:-]{20}\] WEB-RESEARCH-VALIDATION \| sources=2 \| avg_score=\d+\.\d \| gaps="
    assert re.match(line, shown.stderr)
    assert shown.stderr.count("\n") == 1
    (source,) = json.loads(data.stdout)["sources"]
    assert (source["score"], source["dated"], source["read"]) == (53, "2026-01-20", True)


def test_check_shows_how_good_the_sources_are(tmp_path: Path) -> None:
    with served(HttpSite()) as site:
        url = site.page("/a", PAGE)
        text = f"# The station\n\nThe Arnsund station has a capacity of 96 megawatts ({url}).\n"
        (tmp_path / "draft.md").write_text(text, encoding="utf-8")
        check = ("check", "draft.md", "--as-of=2026-02-03")
        shown = command(site, tmp_path, *check, "--all")
        data = json.loads(command(site, tmp_path, *check, "--json").stdout)
        again = json.loads(command(site, tmp_path, *check, "--json").stdout)
    assert re.search(rf"T3 ⚠ +\d+ +ok +2026-01-20 +{url}", shown.stdout)
    assert "gap missing_official_docs: 0 of 1 source in tier 1; look for" in shown.stdout
    assert "gate pass: " in shown.stdout
    assert shown.stderr == ""
    assert told(data) == told(again)
    assert data["gaps"][0]["type"] == "missing_official_docs"
    assert data["sources"][0]["parts"]["recency"]["points"] == 28


def told(data: dict[str, object]) -> str:
    """What a check said, without the moments at which it fetched."""
    return re.sub(r'"accessed_at": "[^"]*"', "", json.dumps(data))


WORDS = "no idea\napprove tier 3\nit is the port's\n"


def poor_run(folder: Path) -> str:
    """A run whose only source is old and unknown."""
    write_sources(folder, OLD_CLAIM)
    assert foureyes_here(*RUN, *OPTIONS, cwd=folder).returncode in (0, 1, 2)
    (run,) = (folder / "runs").iterdir()
    return str(run)


def test_a_person_is_asked_about_each_gap(tmp_path: Path) -> None:
    run = poor_run(tmp_path)
    answers = "perhaps\naccept\ndefer\n2999-01-01\nresearch more\n\n"
    code, seen = at_a_terminal(tmp_path, "sources", "gaps", run, "--by", "Ann", answers=answers)
    assert code == 1
    assert seen.count("research more, defer or accept? (enter leaves it open)") == 5
    assert "'perhaps' is no choice about a gap" in seen
    kept = json.loads(foureyes_here("sources", "gaps", run, "--json", cwd=tmp_path).stdout)
    assert [(each["choice"], each["by"]) for each in kept["decisions"]] == [
        ("accept", "Ann"),
        ("defer", "Ann"),
        ("research more", "Ann"),
    ]
    assert kept["open"] == ["insufficient_coverage", "low_reliability"]


def test_a_person_goes_through_the_sources_that_wait(tmp_path: Path) -> None:
    run = poor_run(tmp_path)
    code, seen = at_a_terminal(tmp_path, "sources", "review", run, answers="\n")
    assert (code, "for review: unknown domain" in seen) == (1, True)
    code, seen = at_a_terminal(tmp_path, "sources", "review", run, "--by", "Ann", answers=WORDS)
    assert code == 0
    assert "'no idea' is no decision on a source" in seen
    assert f"{OLD}: approved as T3 by Ann (was T5 by its score of 20): it is the port's" in seen


def test_a_replay_gives_the_same_scores_and_remembers_nothing_twice(tmp_path: Path) -> None:
    run = poor_run(tmp_path)
    memory = tmp_path / ".foureyes" / "memory.md"
    before = memory.read_bytes()
    foureyes_here("sources", "override", run, OLD, "approve tier 1", "--why=x", cwd=tmp_path)
    foureyes_here("sources", "gaps", run, "--accept=low_reliability", "--memory=none", cwd=tmp_path)
    done = foureyes_here("run", "--replay", run, "--quiet", cwd=tmp_path)
    assert "replay:   the same as" in done.stdout, done.stderr
    assert memory.read_bytes() == before
