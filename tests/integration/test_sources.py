"""`foureyes sources` as a person uses it: fetch, list and diff over a site on loopback."""

from __future__ import annotations

import json
from pathlib import Path
from subprocess import CompletedProcess

from support.commands import foureyes_here
from support.http_site import HttpSite
from support.serving import served

PAGE = (
    "<html><head><title>Arnsund station | Tarvia Post</title><meta name=date content=2024-05-01>"
    "</head><body><h1>Arnsund station</h1><p>The Arnsund tidal power station has an installed "
    "capacity of {capacity} megawatts.</p><p>It began regular service on 4 May 2019 and is owned "
    "by the municipality, which holds 60 percent of the shares.</p></body></html>"
)
DRAFT = """# The station of Arnsund

The Arnsund tidal power station has an installed capacity of 96 megawatts ({url}).
"""


def command(
    site: HttpSite, folder: Path, *arguments: str, allow: bool = True
) -> CompletedProcess[str]:
    """The command, which may reach the site unless told otherwise."""
    allowed = {"FOUREYES_ALLOWED_HOSTS": site.authority} if allow else {}
    return foureyes_here(*arguments, cwd=folder, env=allowed)


def test_addresses_are_fetched_and_shown(tmp_path: Path) -> None:
    with served(HttpSite()) as site:
        url = site.page("/a", PAGE.format(capacity=96))
        dead = site.page("/gone", status=404)
        shown = command(site, tmp_path, "sources", "fetch", url, dead)
        read = command(site, tmp_path, "sources", "fetch", "--text", url)
        data = command(site, tmp_path, "sources", "fetch", "--json", url)
        refused = command(site, tmp_path, "sources", "fetch", url, allow=False)
    assert (shown.returncode, read.returncode, refused.returncode) == (1, 0, 1)
    assert "404 Not Found" in " ".join(shown.stdout.split())
    assert "Arnsund station" in shown.stdout
    assert "2024-05-01" in shown.stdout
    assert "capacity of 96 megawatts." in read.stdout
    (source,) = json.loads(data.stdout)
    assert (source["state"], source["snapshot"]["published"]) == ("ok", "2024-05-01")
    assert "refused_by_policy" in refused.stdout


def test_commands_share_what_one_has_fetched(tmp_path: Path) -> None:
    shared = ("--source-cache", str(tmp_path / "shared"))
    with served(HttpSite()) as site:
        url = site.page("/a", PAGE.format(capacity=96))
        command(site, tmp_path, "sources", "fetch", url, *shared)
        again = command(site, tmp_path, "sources", "fetch", url, *shared)
        frozen = command(site, tmp_path, "sources", "fetch", url, *shared, "--fetch=frozen")
    assert (again.returncode, frozen.returncode, len(site.requests)) == (0, 0, 1)


def test_what_was_not_fetched_leaves_the_answer_open(tmp_path: Path) -> None:
    with served(HttpSite()) as site:
        url = site.page("/a", PAGE.format(capacity=96))
        done = command(site, tmp_path, "sources", "fetch", "--fetch", "none", url)
    assert done.returncode == 2
    assert "fetching is switched" in done.stdout


def made_run(site: HttpSite, folder: Path) -> str:
    """A run over a draft that cites the site's page."""
    url = site.url("/a")
    (folder / "draft.md").write_text(DRAFT.format(url=url), encoding="utf-8")
    options = ("--draft", "draft.md", "--with-fact-checker", "--max-iterations", "1", "--quiet")
    done = command(site, folder, "run", *options)
    assert done.returncode in (0, 1), done.stderr
    (run,) = (folder / "runs").iterdir()
    return str(run)


def test_a_runs_sources_are_listed_and_compared(tmp_path: Path) -> None:
    with served(HttpSite()) as site:
        site.page("/a", PAGE.format(capacity=96))
        run = made_run(site, tmp_path)
        listed = command(site, tmp_path, "sources", "list", run)
        as_data = command(site, tmp_path, "sources", "list", run, "--json")
        same = command(site, tmp_path, "sources", "diff", run)
        site.page("/a", PAGE.format(capacity=88))
        command(site, tmp_path, "sources", "fetch", site.url("/a"))
        other = command(site, tmp_path, "sources", "diff", run)
        data = command(site, tmp_path, "sources", "diff", run, "--json")
        refused = command(site, tmp_path, "sources", "diff", run, allow=False)
    assert "Arnsund station" in listed.stdout
    assert [source["state"] for source in json.loads(as_data.stdout)] == ["ok"]
    assert same.returncode == 0, same.stdout
    assert "1 source: 1 unchanged; 1 of 1 quote stands" in same.stdout
    assert other.returncode == 1
    assert "LOST:" in other.stdout
    assert "capacity of 88 megawatts." in other.stdout
    assert json.loads(data.stdout)[0]["change"] == "changed"
    assert (refused.returncode, "not_compared" in refused.stdout) == (2, True)


def test_what_is_no_run_is_told_in_one_line(tmp_path: Path) -> None:
    for name in ("list", "diff"):
        done = foureyes_here("sources", name, str(tmp_path), cwd=tmp_path)
        assert done.returncode == 4
        assert done.stderr.startswith("foureyes: error: ")
