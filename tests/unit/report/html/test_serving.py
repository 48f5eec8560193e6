from __future__ import annotations

import http.client
import re
import shutil
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from support.commands import foureyes_here
from support.report_review import ReportReview
from support.report_run import ReportRun
from support.report_server import serve_reports


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: str


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of runs: a whole one, a damaged one, and a link that leads out; and reviews."""
    root = tmp_path_factory.mktemp("served")
    outside = ReportRun(claims=2).write(root)
    runs = root / "runs & more"
    runs.mkdir()
    run = ReportRun(claims=5).write(runs)
    run.rename(runs / "first #1")
    shutil.copytree(runs / "first #1", runs / "second")
    (runs / "second" / "run.json").write_text("{}", encoding="utf-8")
    (runs / "linked").symlink_to(outside)
    (runs / "notes").mkdir()
    ReportReview(3, 3).write(runs).rename(runs / "a review")
    ReportReview(3, 3).write(runs / "reviews").rename(runs / "reviews" / "below")
    (runs / "reviews" / "linked").symlink_to(outside)
    (runs / "reviews" / "deep" / "deeper").mkdir(parents=True)
    shutil.copytree(runs / "a review", runs / "reviews" / "deep" / "deeper" / "review")
    (root / "secret.txt").write_text("secret", encoding="utf-8")
    return runs


@pytest.fixture(scope="module")
def server(folder: Path) -> Generator[int]:
    """The port of the reports."""
    with serve_reports(folder) as address:
        yield port_of(address)


def port_of(address: str) -> int:
    port = urlsplit(address).port
    assert port is not None
    return port


def ask(port: int, path: str, *, host: str | None = None, method: str = "GET") -> Answer:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.putrequest(method, path, skip_host=True)
    connection.putheader("Host", host if host is not None else f"127.0.0.1:{port}")
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read().decode("utf-8")
    connection.close()
    return Answer(answer.status, dict(answer.getheaders()), body)


def test_the_list_names_every_run_of_the_folder_and_nothing_else(server: int) -> None:
    answer = ask(server, "/")
    assert answer.status == 200
    assert answer.body.count('<th scope="row">') == 4
    assert answer.body.count("<td>review</td>") == 2
    assert answer.body.count("<td>run, 2 iterations</td>") == 1
    assert 'href="/reviews/below/"' in answer.body
    assert 'href="/first%20%231/"' in answer.body
    assert "damaged" in answer.body
    assert "<script" not in answer.body


def test_a_report_is_made_from_the_run_and_not_from_what_lies_there(
    server: int, folder: Path
) -> None:
    (folder / "first #1" / "report.html").write_text("<script>evil</script>", encoding="utf-8")
    answer = ask(server, "/first%20%231/")
    assert (answer.status, "evil" in answer.body) == (200, False)
    assert 'class="items"' in answer.body
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert re.search(r'<meta http-equiv="Content-Security-Policy"\s+content="([^"]+)"', answer.body)
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    head = ask(server, "/first%20%231/", method="HEAD")
    assert (head.body, head.headers["Content-Length"]) == ("", str(len(answer.body.encode())))


@pytest.mark.parametrize("path", ["/a%20review/", "/reviews/below/"])
def test_reviews_are_served_beside_runs(server: int, path: str) -> None:
    answer = ask(server, path)
    assert (answer.status, "External verification appendix" in answer.body) == (200, True)


@pytest.mark.parametrize(
    "path",
    [
        *("/reviews/", "/reviews/linked/", "/reviews/deep/", "/reviews/deep/deeper/review/"),
        *(
            "/reviews/below/../../secret.txt",
            "/linked/",
            "/notes/",
            "/second/../../secret.txt",
            "/../secret.txt",
            "/secret.txt",
        ),
        *("/%2e%2e/secret.txt", "/..%2fsecret.txt", "/first%20%231/run.json", "//etc/passwd"),
        *("/first%20%231/../../secret.txt", "/\x7f", "/%00", "/%ff", "http://evil.test/first"),
    ],
)
def test_no_address_leads_out_of_the_reports(server: int, path: str) -> None:
    answer = ask(server, path.replace("\x7f", "%7f"))
    assert answer.status == 404
    assert "secret" not in answer.body.replace("secret.txt", "")


def test_a_damaged_run_is_told_of(server: int) -> None:
    answer = ask(server, "/second/")
    assert (answer.status, "damaged" in answer.body) == (500, True)


@pytest.mark.parametrize("host", ["evil.test", "127.0.0.1", "evil.test:{port}", "", "[::1]:{port}"])
def test_a_name_of_somebody_else_for_this_machine_is_refused(server: int, host: str) -> None:
    answer = ask(server, "/", host=host.format(port=server))
    assert answer.status == 421
    assert "first" not in answer.body


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "CONNECT"])
def test_nothing_can_be_done_but_reading(server: int, method: str) -> None:
    assert ask(server, "/", method=method).status == 501


def test_it_listens_to_this_machine_alone(server: int) -> None:
    # All of 127/8 is this machine, and only the first of it is served.
    with pytest.raises(ConnectionRefusedError):
        http.client.HTTPConnection("127.0.0.2", server, timeout=20).connect()


def test_one_run_is_a_folder_of_one(folder: Path) -> None:
    with serve_reports(folder / "first #1") as address:
        answer = ask(port_of(address), "/")
    assert re.findall(r'href="/([^"]+)/"', answer.body) == ["first%20%231"]


def test_what_is_no_folder_and_a_port_in_use_are_refused(folder: Path, server: int) -> None:
    refused = foureyes_here("serve", "reports", folder / "first #1" / "run.json", cwd=folder)
    assert (refused.returncode, "is not a folder" in refused.stderr) == (4, True)
    refused = foureyes_here("serve", "reports", folder, "--port", str(server), cwd=folder)
    assert (refused.returncode, f"port {server} cannot be had" in refused.stderr) == (4, True)
