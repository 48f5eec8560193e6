"""Experiments stand in the list of reports, and their pages are made anew."""

from __future__ import annotations

import threading
from collections.abc import Generator
from http.client import HTTPConnection
from pathlib import Path

import pytest
from foureyes.experiments.page import ExperimentRecords
from foureyes.report.html.serving import ReportServer
from support.experiment_results import write_results


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[ReportServer]:
    """The reports of a folder with an experiment, and one that is damaged."""
    root = tmp_path_factory.mktemp("served")
    made = write_results(root, items=6).path
    made.rename(made.parent / "whole")
    (made.parent / "damaged").mkdir()
    (made.parent / "damaged" / "experiment.json").write_text("{}")
    (made.parent / "whole" / "report.html").write_text("<script>evil</script>")
    with ReportServer(root, more=[ExperimentRecords()]) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def ask(server: ReportServer, path: str) -> tuple[int, str]:
    connection = HTTPConnection("127.0.0.1", server.server_port, timeout=20)
    connection.request("GET", path)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def test_the_list_names_experiments_and_how_they_stand(server: ReportServer) -> None:
    status, text = ask(server, "/")
    assert status == 200
    assert "<td>experiment, 3 arms</td>" in text
    assert 'href="/experiments/whole/"' in text
    assert "damaged: " in text


def test_a_page_is_made_of_the_results_and_links_to_no_file(server: ReportServer) -> None:
    status, text = ask(server, "/experiments/whole/")
    assert (status, "evil" in text, 'href="./' in text) == (200, False, False)
    assert "Conclusion and what it rests on" in text


def test_a_damaged_experiment_and_other_files_are_not_served(server: ReportServer) -> None:
    assert ask(server, "/experiments/damaged/")[0] == 500
    assert ask(server, "/experiments/whole/results.jsonl")[0] == 404


def test_an_experiment_is_a_folder_of_one(server: ReportServer) -> None:
    whole: Path = server.records()["experiments/whole"]
    with ReportServer(whole, more=[ExperimentRecords()]) as one:
        assert [*one.records()] == ["whole"]
