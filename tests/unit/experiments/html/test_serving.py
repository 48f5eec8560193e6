"""Experiments stand in the list of reports, and their pages are made anew."""

from __future__ import annotations

import re
from collections.abc import Generator
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from support.experiment_results import write_results
from support.report_server import serve_reports


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an experiment, and one that is damaged."""
    root = tmp_path_factory.mktemp("served")
    made = write_results(root, items=6).path
    made.rename(made.parent / "whole")
    (made.parent / "damaged").mkdir()
    (made.parent / "damaged" / "experiment.json").write_text("{}")
    (made.parent / "whole" / "report.html").write_text("<script>evil</script>")
    return root


@pytest.fixture(scope="module")
def server(folder: Path) -> Generator[str]:
    """The address of their reports."""
    with serve_reports(folder) as address:
        yield address


def ask(server: str, path: str) -> tuple[int, str]:
    connection = HTTPConnection(urlsplit(server).netloc, timeout=20)
    connection.request("GET", path)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def test_the_list_names_experiments_and_how_they_stand(server: str) -> None:
    status, text = ask(server, "/")
    assert status == 200
    assert "<td>experiment, 3 arms</td>" in text
    assert 'href="/experiments/whole/"' in text
    assert "damaged: " in text


def test_a_page_is_made_of_the_results_and_links_to_no_file(server: str) -> None:
    status, text = ask(server, "/experiments/whole/")
    assert (status, "evil" in text, 'href="./' in text) == (200, False, False)
    assert "Conclusion and what it rests on" in text


def test_a_damaged_experiment_and_other_files_are_not_served(server: str) -> None:
    assert ask(server, "/experiments/damaged/")[0] == 500
    assert ask(server, "/experiments/whole/results.jsonl")[0] == 404


def test_an_experiment_is_a_folder_of_one(folder: Path) -> None:
    with serve_reports(folder / "experiments" / "whole") as server:
        _, text = ask(server, "/")
    assert re.findall(r'href="/([^"]+)/"', text) == ["whole"]
