"""What calls return: each kind is shown in a notebook and is JSON of a published schema."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import foureyes
import jsonschema
import pytest
from foureyes import Direction, Experiment, SemanticValidator, TrialItem, TrialMetric
from schema_table import ARTEFACTS
from schema_text import schema_of

SOURCE = "The Arnsund station opened on 4 May 2019.\n"
DRAFT = "# The <b>station</b>\n\nThe Arnsund station opened on 4 May 2019 ([it](report.md)).\n"
SCHEMAS = {
    "PipelineResult": "result",
    "CheckResult": "output-check",
    "ValidationResult": "validation",
    "ReviewResult": "output-review",
    "PackReport": "output-verify-pack",
    "ExperimentResult": "output-experiment",
}


async def as_it_is(item: TrialItem) -> foureyes.TrialRecord:
    """An arm that changes nothing."""
    return foureyes.TrialRecord(
        foureyes.RunStatus.REVIEWED, item.draft or "", (), 1, foureyes.TurnUsage(), 0.0
    )


def compared() -> foureyes.ExperimentResult:
    """Two arms that do the same."""
    items = [TrialItem(f"item{n}", draft=DRAFT) for n in range(2)]
    length = TrialMetric("length", lambda one: float(len(one.text)), Direction.LOWER, failure=0.0)
    return Experiment({"one": as_it_is, "other": as_it_is}, items, [length], name="<a & b>").run()


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    """One result of each kind, by the name of its type."""
    folder = tmp_path_factory.mktemp("results")
    document, sources = folder / "draft.md", [folder / "report.md"]
    document.write_text(DRAFT, encoding="utf-8")
    sources[0].write_text(SOURCE, encoding="utf-8")
    run = foureyes.run_analysis(
        draft=DRAFT, sources=sources, with_fact_checker=True, out=folder / "runs"
    )
    assert run.run_dir is not None
    every = (
        run,
        foureyes.check(document, sources=sources),
        asyncio.run(SemanticValidator(sources=sources).validate(DRAFT)),
        foureyes.review_document_sync(
            document, sources=sources, yes=True, fetch="none", out=folder / "reviews"
        ),
        foureyes.verify_pack(run.run_dir / "evidence_pack.zip"),
        compared(),
    )
    return {type(result).__name__: result for result in every}


@pytest.mark.parametrize("kind", SCHEMAS)
def test_a_result_is_shown_in_three_lines_at_most_and_as_escaped_html(
    kind: str, results: Mapping[str, Any]
) -> None:
    shown = repr(results[kind])
    assert shown.startswith(f"<{kind} ")
    assert len(shown.splitlines()) <= 3
    page = results[kind]._repr_html_()
    assert page.startswith("<p><b>")
    assert "<a & b>" not in page


@pytest.mark.parametrize("kind", SCHEMAS)
def test_a_result_is_json_of_a_published_schema(kind: str, results: Mapping[str, Any]) -> None:
    values = results[kind].to_dict()
    assert values == json.loads(results[kind].model_dump_json())
    (published,) = (one for one in ARTEFACTS if one.name == SCHEMAS[kind])
    jsonschema.validate(values, schema_of(published))


def test_a_link_leads_to_the_report_where_there_is_one(results: Mapping[str, Any]) -> None:
    for kind in ("PipelineResult", "ReviewResult"):
        assert results[kind].report_path.name == "report.html"
        assert results[kind].report_path.as_uri() in results[kind]._repr_html_()
