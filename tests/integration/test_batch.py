"""`foureyes batch`, as a person uses it, on both engines."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import sync_playwright
from support.browser import CHROMIUM, QUIET, obstacles
from support.commands import EXAMPLES, foureyes_here
from support.docx import docx, paragraph
from support.http_site import HttpSite
from support.postgres_server import PostgresServer
from support.report_server import serve_reports
from support.runs import BRIEF, GOOD_DRAFT, SOURCE
from support.serving import served

BAD_DRAFT = GOOD_DRAFT.replace("212 gigawatt", "250 gigawatt")
HOSTILE = "<img src=x onerror=alert(1)>|`x`.md"
PAGE = (
    "<html><title>Arnsund</title><p>The station has a capacity of 96 megawatts in all.</p></html>"
)


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch that has ended: what the command said, its directory and its summary."""

    command: subprocess.CompletedProcess[str]
    folder: Path
    summary: dict[str, Any]

    def outcomes(self) -> dict[str, str]:
        """What became of each document."""
        return {one["id"]: one["outcome"] for one in self.summary["documents"]}


def write_documents(folder: Path) -> None:
    """A folder `docs` with documents of all sorts, and `sources` beside it."""
    docs = folder / "docs"
    (docs / "sub").mkdir(parents=True)
    (folder / "sources").mkdir()
    (folder / "sources/arnsund.md").write_text(SOURCE, encoding="utf-8")
    (docs / "good.md").write_text(GOOD_DRAFT, encoding="utf-8")
    (docs / "sub/bad.md").write_text(BAD_DRAFT, encoding="utf-8")
    (docs / HOSTILE).write_text(BAD_DRAFT, encoding="utf-8")
    (docs / "empty.md").write_text("", encoding="utf-8")
    (docs / "latin.txt").write_bytes(b"caf\xe9 au lait")
    (docs / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")


def run(folder: Path, *arguments: str | Path) -> Batch:
    """Run a batch in `folder`."""
    before = {*folder.glob("batches/*")}
    command = foureyes_here("batch", *arguments, cwd=folder)
    (directory,) = {*folder.glob("batches/*")} - before
    summary = json.loads((directory / "summary.json").read_text(encoding="utf-8"))
    return Batch(command, directory, summary)


def numbered(folder: Path, count: int) -> Path:
    """A JSONL file with so many short documents."""
    texts = [
        f"# Note {at}\n\nThe station has {90 + at} turbines [1].\n\n[1] arnsund.md\n"
        for at in range(count)
    ]
    lines = [json.dumps({"id": f"n{at}", "document": text}) for at, text in enumerate(texts)]
    path = folder / "notes.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Batch:
    """A folder of documents of all sorts, checked."""
    folder = tmp_path_factory.mktemp("checked")
    write_documents(folder)
    return run(folder, "docs", "--sources", "sources", "--sarif", "all.sarif")


def test_every_document_is_told_of_and_none_stops_the_others(checked: Batch) -> None:
    assert checked.command.returncode == checked.summary["exit_code"] == 1
    assert list(checked.outcomes().items()) == [
        *((HOSTILE, "flagged"), ("sub/bad.md", "flagged")),
        *(("broken.pdf", "failed"), ("empty.md", "failed"), ("latin.txt", "failed")),
        ("good.md", "passed"),
    ]
    reasons = {one["id"]: one["reason"] for one in checked.summary["documents"]}
    assert "'docs/latin.txt' is not UTF-8" in reasons["latin.txt"]
    assert "empty.md' is empty" in reasons["empty.md"]
    assert "'docs/broken.pdf'" in reasons["broken.pdf"]
    good = checked.summary["documents"][-1]
    assert good["claims"]["found"] == good["claims"]["supported"] == 6
    assert checked.summary["claims"]["contradicted"] == 2
    assert "6/6" in checked.command.stderr
    markdown = (checked.folder / "summary.md").read_text(encoding="utf-8")
    assert re.search(r"(?<!\\)[<`]", markdown) is None
    for name in ("empty.md", "latin.txt", "broken.pdf"):
        assert f"- {name}: failed" in markdown


def test_sarif_holds_the_findings_and_the_failures_of_all(checked: Batch) -> None:
    (log,) = json.loads((checked.folder.parents[1] / "all.sarif").read_text())["runs"]
    where = Counter(
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for result in log["results"]
        if result["ruleId"] == "numeric_error"
    )
    assert where == {
        "docs/sub/bad.md": 1,
        "docs/%3Cimg%20src=x%20onerror=alert(1)%3E%7C%60x%60.md": 1,
    }
    (invocation,) = log["invocations"]
    assert not invocation["executionSuccessful"]
    assert len(invocation["toolExecutionNotifications"]) == 3


def test_each_document_has_its_own_report_and_the_page_leads_to_it(checked: Batch) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        page = browser.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: said.append(dialog.message))
        page.goto((checked.folder / "report.html").as_uri())
        shown = page.locator("tbody tr:visible th")
        assert page.get_by_role("status").inner_text() == "6 of 6 documents shown"
        page.get_by_role("checkbox", name="failed").uncheck()
        page.get_by_role("searchbox").fill("BAD")
        assert page.get_by_role("status").inner_text() == "1 of 6 documents shown"
        assert "sub/bad.md" in shown.inner_text()
        page.get_by_role("button", name="Show all").click()
        assert shown.count() == 6
        page.emulate_media(media="print")
        assert page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="screen")
        page.get_by_role("link", name=HOSTILE).click()
        assert page.get_by_role("heading", level=1).inner_text() == f"docs/{HOSTILE}"
        assert "evidence gate: fail" in page.inner_text("header")
        assert "with “212 gigawatt hours”" in page.inner_text("#findings")
        browser.close()
    assert said == []


def status_of(url: str) -> int:
    """What a server answers."""
    try:
        with urllib.request.urlopen(url, timeout=20) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.parametrize("scheme", ["dark", pytest.param("light", marks=pytest.mark.soak)])
def test_readers_with_other_senses_find_no_serious_obstacle(checked: Batch, scheme: Any) -> None:
    worst = checked.folder / checked.summary["documents"][0]["report"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        found: list[str] = []
        for page in (checked.folder / "report.html", worst):
            shown = browser.new_page(color_scheme=scheme)
            shown.goto(page.as_uri())
            found += obstacles(shown)
        browser.close()
    assert found == []


def test_view_shows_a_batch_and_the_documents_that_it_names(checked: Batch) -> None:
    worst = checked.summary["documents"][0]["report"]
    with serve_reports(checked.folder.parent) as server:
        batch = f"{server}{checked.folder.name}/"
        answers = [
            status_of(place)
            for place in (
                *(server, batch, f"{batch}{worst}", f"{batch}plan.json"),
                *(f"{batch}../{checked.folder.name}/{worst}/..", f"{batch}{worst}x"),
            )
        ]
    assert answers == [200, 200, 200, 404, 404, 404]


def test_report_writes_the_page_of_a_batch(checked: Batch) -> None:
    before = (checked.folder / "report.html").read_bytes()
    (checked.folder / "report.html").unlink()
    again = foureyes_here("report", checked.folder, cwd=checked.folder)
    assert again.returncode == 0
    assert (checked.folder / "report.html").read_bytes() == before


def test_a_finished_batch_is_reported_again_and_not_done_again(checked: Batch) -> None:
    lines = (checked.folder / "results.jsonl").read_bytes()
    again = foureyes_here("batch", "resume", checked.folder, "--json", cwd=checked.folder)
    assert again.returncode == 1
    told = json.loads(again.stdout)
    assert told["documents"] == checked.summary["documents"]
    assert (checked.folder / "results.jsonl").read_bytes() == lines
    status = foureyes_here("batch", "status", checked.folder, "--json", cwd=checked.folder)
    counts = json.loads(status.stdout)
    assert (counts["state"], counts["documents"], counts["ended"]) == ("finished", 6, 6)
    assert (counts["flagged"], counts["failed"], counts["running"]) == (2, 3, 0)


def test_reviews_and_runs_of_lines_have_directories_of_their_own(tmp_path: Path) -> None:
    write_documents(tmp_path)
    (tmp_path / "docs/plan.docx").write_bytes(
        docx(*map(paragraph, filter(None, GOOD_DRAFT.splitlines())))
    )
    entries = [
        {"id": "plan", "document_file": "docs/plan.docx", "sources": ["sources"]},
        {"id": "text", "document": BAD_DRAFT, "sources": ["sources"]},
        {"id": "gone", "document_file": "docs/gone.md"},
    ]
    lines = tmp_path / "reviews.jsonl"
    lines.write_text("\n".join(map(json.dumps, entries)), encoding="utf-8")
    elsewhere = (tmp_path / "engine").as_uri()
    options = ("--task", "review", "--yes", "--by", "a test", "--quiet")
    reviewed = run(tmp_path, lines, *options, "--engine", elsewhere)
    assert reviewed.command.returncode == 2
    assert reviewed.outcomes() == {"gone": "failed", "plan": "passed", "text": "passed"}
    documents = {one["id"]: one for one in reviewed.summary["documents"]}
    assert documents["text"]["claims"]["contradicted"] == 1
    assert documents["plan"]["status"] == "completed"
    for name in ("plan", "text"):
        assert documents[name]["report"].startswith("engine/jobs/")
        assert (reviewed.folder / documents[name]["report"]).is_file()

    runs = tmp_path / "runs.jsonl"
    entries = [
        {"id": "brief", "brief": "# Cheese\n\nWhat does cheese cost?", "sources": ["sources"]},
        {"id": "draft", "brief": BRIEF, "draft": BAD_DRAFT, "sources": ["sources"]},
    ]
    runs.write_text("\n".join(map(json.dumps, entries)), encoding="utf-8")
    ran = run(tmp_path, runs, "--task", "run", "--with-fact-checker", "--quiet")
    # The sources have nothing on cheese, so that there is nothing to check.
    assert ran.command.returncode == 2, ran.command.stdout
    assert ran.outcomes() == {"brief": "inconclusive", "draft": "passed"}
    assert {one["status"] for one in ran.summary["documents"]} == {"inconclusive", "approved"}
    assert all((ran.folder / one["report"]).is_file() for one in ran.summary["documents"])


def test_a_source_that_many_cite_is_fetched_once(tmp_path: Path) -> None:
    with served(HttpSite()) as site:
        url = site.page("/arnsund", PAGE)
        for at in range(4):
            text = f"# Note {at}\n\nThe station has a capacity of 96 megawatts ({url}).\n"
            (tmp_path / f"{at}.md").write_text(text, encoding="utf-8")
        given = ("--source-cache", tmp_path / "cache", "--allowed-hosts", site.authority)
        done = run(tmp_path, ".", *given, "--concurrency", "4", "--quiet")
        asked = [request.path for request in site.requests]
    assert done.command.returncode == 0, done.command.stdout
    assert asked == ["/arnsund"]


def test_limits_of_the_whole_stop_it_and_it_goes_on(tmp_path: Path) -> None:
    lines = numbered(tmp_path, 4)
    stopped = run(tmp_path, lines, "--max-minutes", "0.000001", "--concurrency", "1", "--quiet")
    assert stopped.command.returncode == stopped.summary["exit_code"] == 3
    assert Counter(stopped.outcomes().values())["not_examined"] >= 3
    plan = stopped.folder / "plan.json"
    plan.write_text(plan.read_text().replace('"minutes": 1e-6', '"minutes": null'))
    gone_on = foureyes_here("batch", "resume", stopped.folder, "--json", cwd=tmp_path)
    assert gone_on.returncode == 1, gone_on.stderr
    assert len(json.loads(gone_on.stdout)["documents"]) == 4
    assert len((stopped.folder / "results.jsonl").read_text().splitlines()) == 4


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("docs", "--task", "translate"), "translate"),
        (("docs", "--with-fact-checker"), "--with-fact-checker changes nothing in a check"),
        (("docs", "--yes"), "--yes changes nothing in a check"),
        (("docs", "--task", "review", "--sarif", "x"), "--sarif changes nothing in a review"),
        (("docs", "--budget-usd", "much"), "--budget-usd: 'much' is no amount above 0"),
        (("docs", "--max-minutes", "0"), "--max-minutes: 0 is not above 0"),
        (("docs", "--sources", "gone"), "the source 'gone' does not exist"),
        (("gone",), "no file 'gone'"),
        (("status", "docs"), "'docs' is not the directory of a batch: there is no batch.json"),
        (("resume", "docs"), "'docs' is not the directory of a batch"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_made(
    arguments: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text(GOOD_DRAFT, encoding="utf-8")
    refused = foureyes_here("batch", *arguments, cwd=tmp_path)
    assert (refused.returncode, refused.stdout) == (4, "")
    assert said in refused.stderr
    assert not (tmp_path / "batches").exists()


def test_a_batch_of_nothing_but_unreadable_documents_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/empty.md").write_text("", encoding="utf-8")
    done = run(tmp_path, "docs")
    assert done.command.returncode == 4
    assert done.outcomes() == {"empty.md": "failed"}


def test_another_persons_batch_cannot_choose_a_backend(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(GOOD_DRAFT, encoding="utf-8")
    options = ("--task", "run", "--allowed-hosts", "127.0.0.1:1", "--fetch", "none", "--quiet")
    done = run(tmp_path, ".", *options)
    refused = foureyes_here("batch", "resume", done.folder, cwd=tmp_path)
    assert refused.returncode == 4
    assert "the batch sets 'allowed_hosts', which needs your trust" in refused.stderr
    trusted = foureyes_here("batch", "resume", done.folder, "--trust", "--quiet", cwd=tmp_path)
    assert trusted.returncode == done.command.returncode


def started(folder: Path, *arguments: str | Path) -> subprocess.Popen[str]:
    """A batch command in a process of its own."""
    command = [sys.executable, "-m", "pipeline", "batch", *map(str, arguments)]
    return subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )


def results_of(folder: Path) -> list[str]:
    """The results so far of the only batch below `folder`."""
    return [
        json.loads(line)["id"]
        for path in folder.glob("batches/*/results.jsonl")
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


def wait_for(folder: Path, count: int, process: subprocess.Popen[str]) -> None:
    """Wait until so many documents have ended, or the process has."""
    deadline = time.monotonic() + 60
    while len(results_of(folder)) < count and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def attempts(folder: Path) -> Counter[int]:
    """How many workers began a document, by how many documents."""
    logs = folder.glob("batches/*/engine/jobs/*/*/attempts.jsonl")
    return Counter(len(path.read_text(encoding="utf-8").splitlines()) for path in logs)


def test_a_batch_that_was_killed_stopped_or_cancelled_goes_on(
    tmp_path: Path,
) -> None:
    lines = numbered(tmp_path, 12)
    process = started(tmp_path, lines, "--concurrency", "1")
    wait_for(tmp_path, 2, process)
    process.kill()
    process.communicate()
    (folder,) = (tmp_path / "batches").iterdir()
    kept = results_of(tmp_path)
    assert 2 <= len(kept) < 12
    process = started(tmp_path, "resume", folder)
    wait_for(tmp_path, len(kept) + 2, process)
    twice = foureyes_here("batch", "resume", folder, cwd=tmp_path)
    assert (twice.returncode, f"in use by pid {process.pid}" in twice.stderr) == (4, True)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"foureyes batch resume {folder}" in told
    left = 12 - len(results_of(tmp_path))
    cancelled = foureyes_here("batch", "cancel", folder, cwd=tmp_path)
    assert cancelled.stdout == f"cancelled: {left} documents\n"
    report = foureyes_here("batch", "report", folder, "--json", cwd=tmp_path)
    told_now = json.loads(report.stdout)
    assert (report.returncode, told_now["state"]) == (130, "cancelled")
    assert told_now["outcomes"]["not_examined"] == left
    done = foureyes_here("batch", "resume", folder, "--quiet", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    ended = results_of(tmp_path)
    assert ended[: len(kept)] == kept
    assert sorted(ended) == sorted(f"n{at}" for at in range(12))
    # Of documents that had ended none was begun again; those under way were, by the next worker.
    assert sum(count for tries, count in attempts(tmp_path).items() if tries > 1) <= 2


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_twenty_kills_lose_nothing_and_repeat_nothing(tmp_path: Path) -> None:
    count = 500  # more than a fast machine checks between twenty kills
    lines = numbered(tmp_path, count)
    chance = random.Random(9)
    process = started(tmp_path, lines, "--quiet")
    for _ in range(20):
        wait_for(tmp_path, len(results_of(tmp_path)) + 1, process)
        time.sleep(chance.uniform(0, 0.3))
        assert process.poll() is None
        process.kill()
        process.communicate()
        (folder,) = (tmp_path / "batches").iterdir()
        process = started(tmp_path, "resume", folder, "--quiet")
    process.communicate(timeout=300)
    assert process.returncode == 1
    ended = results_of(tmp_path)
    assert sorted(ended) == sorted(f"n{at}" for at in range(count))
    checked = tmp_path.glob("batches/*/engine/jobs/**/check.json")
    assert len(list(checked)) == count


@pytest.fixture(scope="module")
def database() -> Generator[str]:
    """The address of a database of the tests' own."""
    server = PostgresServer()
    yield server.database("batch")
    server.close()


def workers(url: str, folder: Path, count: int) -> Iterator[subprocess.Popen[bytes]]:
    """Workers in folders of their own."""
    for at in range(count):
        (folder / f"worker{at}").mkdir()
        command = [sys.executable, "-m", "pipeline", "serve", "jobs", "--engine", url]
        yield subprocess.Popen(
            [*command, "--name", f"worker{at}"],
            cwd=folder / f"worker{at}",
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "TMPDIR": str(folder / f"worker{at}")},
        )


def test_workers_of_a_database_help_and_what_they_leave_comes_home(
    database: str, tmp_path: Path
) -> None:
    write_documents(tmp_path)
    for at in range(8):
        text = BAD_DRAFT if at % 2 else GOOD_DRAFT
        (tmp_path / f"docs/more{at}.md").write_text(text, encoding="utf-8")
    helpers = list(workers(database, tmp_path, 1))
    for helper in helpers:
        assert helper.stderr
        assert b"is at work" in helper.stderr.readline()
    given = ("docs", "--sources", "sources", "--engine", database, "--concurrency", "1")
    done = run(tmp_path, *given, "--quiet")
    for helper in helpers:
        helper.terminate()
    told = [helper.communicate(timeout=30)[0].decode() for helper in helpers]
    assert done.command.returncode == 1, done.command.stderr
    assert Counter(done.outcomes().values()) == {"flagged": 6, "failed": 3, "passed": 5}
    assert any(" done" in one for one in told)
    for one in done.summary["documents"]:
        assert (one["outcome"] == "failed") == (one["report"] == "")
        if one["report"]:
            assert one["report"].startswith("engine/jobs/")
            assert (done.folder / one["report"]).is_file()
    again = foureyes_here(
        "batch", "resume", done.folder, "--engine", database, "--json", cwd=tmp_path
    )
    assert json.loads(again.stdout)["documents"] == done.summary["documents"]


def test_the_shipped_examples_can_be_checked_as_a_folder(tmp_path: Path) -> None:
    sources = ("--sources", EXAMPLES / "sources", "--sources", EXAMPLES / "experiment")
    done = run(tmp_path, EXAMPLES, *sources, "--quiet")
    assert set(done.outcomes()) == {"README.md", "brief.md", "draft.md"}
