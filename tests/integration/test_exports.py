"""Exports of a real run and a real review, read by those who know the formats."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from graphlib import TopologicalSorter
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from bibtexparser.entrypoint import parse_string
from citeproc import Citation, CitationItem, CitationStylesBibliography, CitationStylesStyle
from citeproc.formatter import plain
from citeproc.source.json import CiteProcJSON
from foureyes import review_document_sync
from junitparser import Failure, JUnitXml, Skipped
from prov.model import ProvBundle, ProvDocument, ProvElement
from support.commands import ROOT, foureyes_here
from support.pdf import pdf
from support.reviews import FAULTS, PLAN, SOURCE, open_review, reviewed
from support.runs import GOOD_DRAFT, examine, write_case
from support.yaml_text import read_yaml

SCHEMAS = Path(__file__).parents[1] / "schemas"
SARIF = json.loads((SCHEMAS / "sarif-2.1.0.json").read_text(encoding="utf-8"))
RNC = "data/schema/schemas/styles/csl-types.rnc"
CSL_TYPES = frozenset(
    re.findall(r'"([a-z_-]+)"', (resources.files("citeproc") / RNC).read_text().partition("div")[2])
)
"""The item types of CSL 1.0.2, from its own schema of styles."""
CSL_DATA = json.loads((SCHEMAS / "csl-data-1.0.1.json").read_text(encoding="utf-8"))
CSL_DATA["items"]["properties"]["type"]["enum"] = sorted(CSL_TYPES)
CSL: Any = jsonschema.Draft3Validator(CSL_DATA)
RELATION_ENDS = re.compile(
    r"prov:(entity|activity|agent|generatedEntity|usedEntity|informed"
    r"|informant|delegate|responsible)"
)


UNDECIDED = GOOD_DRAFT.replace(
    "96 megawatts [1]", "96 megawatts [1]. It employs 140 people [1]"
).replace("$30 billion", "$30 billion, and its dam is 4 km long")
"""Two of its claims only a person can decide."""


@dataclass(frozen=True, slots=True)
class Made:
    """Directories: a run, one that people have decided, a review, and one without the web."""

    run: Path
    decided: Path
    review: Path
    bare: Path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("exports")
    write_case(folder / "wrong", GOOD_DRAFT.replace("212 gigawatt", "250 gigawatt"))
    run = examine(folder / "wrong", "--mode", "full_evaluation", "--fetch", "none").run_dir
    write_case(folder / "open", UNDECIDED)
    decided = examine(folder / "open", "--fetch", "none").run_dir
    decision = ("arnsund.md", "approve tier 2", "--by", "Ada Lovelace", "--why", "I know it")
    assert foureyes_here("sources", "override", decided, *decision, cwd=folder).returncode == 0
    listed = foureyes_here("claims", "decide", decided, "--json", cwd=folder / "open").stdout
    accepted = [word for claim in json.loads(listed)["waiting"] for word in ("--accept", claim)]
    answers = (*accepted, "--note", "I counted", "--by", "Ana", "--continue", "--quiet")
    assert foureyes_here("claims", "decide", decided, *answers, cwd=folder / "open").returncode == 0
    reviews = [
        reviewed(folder / "web").review_dir,
        reviewed(folder / "bare", no_web=True).review_dir,
    ]
    return Made(run, decided, *reviews)


def exported(folder: Path, form: str, *options: str) -> str:
    """The export on standard output."""
    done = foureyes_here(
        "report", "export", folder, "--format", form, "-o", "-", *options, cwd=folder.parent
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# --- provenance ---------------------------------------------------------------------------------


def provenance(folder: Path) -> ProvDocument:
    """The graph, which comes back the same from what its reader writes."""
    text = exported(folder, "prov-json")
    graph = ProvDocument.deserialize(content=text, format="json")
    assert isinstance(graph, ProvDocument)
    again = ProvDocument.deserialize(content=graph.serialize(format="json"), format="json")
    assert graph == again
    assert ProvDocument.deserialize(content=graph.serialize(format="xml"), format="xml") == graph
    return graph


def facts(graph: ProvBundle, name: str) -> dict[str, str]:
    """What is said of one node, by its own names."""
    (node,) = graph.get_record(f"this:{name}")
    return {str(key).partition(":")[2]: str(value) for key, value in node.attributes}


def ends(text: str, relation: str) -> set[tuple[str, ...]]:
    """The ends of each relation of one sort, without prefixes."""
    records: Mapping[str, Mapping[str, str]] = json.loads(text).get(relation, {})
    return {
        tuple(
            value.removeprefix("this:")
            for key, value in record.items()
            if RELATION_ENDS.fullmatch(key)
        )
        for record in records.values()
    }


@pytest.mark.parametrize("which", ["run", "decided"])
def test_provenance_names_nothing_that_it_does_not_declare(which: str, made: Made) -> None:
    folder: Path = getattr(made, which)
    graph = provenance(folder)
    declared = {str(one.identifier) for one in graph.records if isinstance(one, ProvElement)}
    named = {
        str(value)
        for record in graph.records
        if not isinstance(record, ProvElement)
        for _, value in record.formal_attributes
        if value is not None
    }
    assert named <= declared
    assert all(re.fullmatch(r"this:[A-Za-z_][A-Za-z0-9_.-]*", name) for name in declared)
    assert exported(folder, "prov-json") == exported(folder, "prov-json")


def test_provenance_of_a_run_tells_which_draft_came_of_which(made: Made) -> None:
    text = exported(made.run, "prov-json")
    first, second = (f"file.iterations.analysis_iteration_{n}.md" for n in (1, 2))
    derived = ends(text, "wasDerivedFrom")
    assert {(second, first), (first, "file.draft.md")} <= derived
    assert (second, "drafting.2.analyst") in ends(text, "wasGeneratedBy")
    assert ("drafting.2.analyst", "agent.analyst") in ends(text, "wasAssociatedWith")
    assert ("agent.analyst", "foureyes") in ends(text, "actedOnBehalfOf")
    assert ("examining.1.reviewer", first) in ends(text, "used")
    assert ("drafting.2.analyst", "conclusion.1") in ends(text, "wasInformedBy")


def test_provenance_of_a_run_holds_its_sources_gate_and_judgement(made: Made) -> None:
    graph, text = provenance(made.run), exported(made.run, "prov-json")
    (snapshot,) = (name for name in json.loads(text)["entity"] if "snapshot." in name)
    known = facts(graph, snapshot.removeprefix("this:"))
    assert known["sha256"] == snapshot.rpartition(".")[2]
    assert known["url"] == "arnsund.md"
    assert facts(graph, "file.verify.evidence_gate_result.json")["decision"] == "pass"
    assert ("file.judgement.json", "judging.2.judge") in ends(text, "wasGeneratedBy")
    assert facts(graph, "agent.judge") == {
        "label": "judge",
        "type": "prov:SoftwareAgent",
        "backend": "offline",
        "independent": "False",
    }
    assert facts(graph, "foureyes")["version"]


def test_provenance_tells_who_decided_what(made: Made) -> None:
    run = exported(made.decided, "prov-json")
    people = [one for one in json.loads(run)["agent"].values() if "Person" in str(one)]
    assert {one["prov:label"] for one in people} == {"Ada Lovelace", "Ana"}
    assert ("making.Decision.1", "person.Ana") in ends(run, "wasAssociatedWith")
    before, after = (f"file.verify.claim_ledger{name}.json" for name in ("_unreviewed", ""))
    used = {("making.Decision.1", before), ("overruling.1", "Decision.1"), ("overruling.1", before)}
    assert used | {("conclusion.1", "Override.1")} <= ends(run, "used")
    assert (after, before) in ends(run, "wasDerivedFrom")


@pytest.mark.parametrize("which", ["run", "decided"])
def test_nothing_comes_of_itself(which: str, made: Made) -> None:
    text = exported(getattr(made, which), "prov-json")
    relations = ("used", "wasGeneratedBy", "wasDerivedFrom", "wasInformedBy")
    comes_of: dict[str, set[str]] = {}
    for relation in relations:
        for later, earlier in ends(text, relation):
            comes_of.setdefault(later, set()).add(earlier)
    # Raises a CycleError if a thing is made by what had to have it first.
    order = tuple(TopologicalSorter(comes_of).static_order())
    assert "file.brief.md" in order


def test_times_of_provenance_are_utc_and_ends_follow_starts(made: Made) -> None:
    for activity in json.loads(exported(made.run, "prov-json"))["activity"].values():
        times = [activity.get(f"prov:{which}Time", "") for which in ("start", "end")]
        assert all(time.endswith("Z") for time in times if time)
        assert not all(times) or times[0] <= times[1]


def test_a_gate_that_fails_is_told_once(tmp_path: Path) -> None:
    write_case(tmp_path, GOOD_DRAFT.replace("212 gigawatt", "250 gigawatt"))
    run = examine(tmp_path, "--max-iterations", "1", "--fetch", "none").run_dir
    (told,) = sarif_runs(run)
    rules = [one["ruleId"] for one in told["results"]]
    assert sorted(rules) == ["failed_contradiction", "numeric_error"]


# --- a review -----------------------------------------------------------------------------------


def sarif_runs(folder: Path) -> list[dict[str, Any]]:
    log = json.loads(exported(folder, "sarif"))
    jsonschema.validate(log, SARIF)
    return log["runs"]


def test_findings_of_a_review_are_results_at_the_words_they_quote(made: Made) -> None:
    findings, _ = sarif_runs(made.review)
    assert {one["ruleId"] for one in findings["results"]} >= set(FAULTS)
    rules = findings["tool"]["driver"]["rules"]
    for one in findings["results"]:
        assert rules[one["ruleIndex"]]["id"] == one["ruleId"]
        place = one["locations"][0]["physicalLocation"]
        region = place["region"]
        assert place["artifactLocation"]["uri"] == "plan.md"
        start, length = region["charOffset"], region["charLength"]
        assert PLAN[start : start + length] == region["snippet"]["text"]
        assert PLAN.splitlines()[region["startLine"] - 1][region["startColumn"] - 1 :]
    prints = [str(one["partialFingerprints"]) for one in findings["results"]]
    assert len(set(prints)) == len(prints)


def test_what_was_found_outside_is_a_run_of_its_own_with_the_reading_order(made: Made) -> None:
    findings, outside = sarif_runs(made.review)
    assert "Read the findings above first" in outside["automationDetails"]["description"]["text"]
    assert findings["automationDetails"]["id"] != outside["automationDetails"]["id"]
    (cost,) = (one for one in outside["results"] if "$48 million" in str(one["locations"]))
    assert cost["ruleId"] == "claim_contradicted"
    source = cost["relatedLocations"][0]["physicalLocation"]
    assert source["artifactLocation"]["uri"] == "quay.md"
    region = source["region"]
    words = SOURCE[region["charOffset"] :][: region["charLength"]]
    assert words == region["snippet"]["text"]
    (alone,) = sarif_runs(made.bare)
    assert len(alone["results"]) == len(findings["results"])


def test_places_of_a_page_are_those_of_the_reading_copy(tmp_path: Path) -> None:
    pages = [
        ["Plan", "Fees rose from 20 to 40 euros, a rise of 10 %."],
        ["Traffic rose from 40 to 50 boats, a rise of 30 %."],
    ]
    (tmp_path / "plan.pdf").write_bytes(pdf(pages))
    out = tmp_path / "reviews"
    result = review_document_sync(tmp_path / "plan.pdf", yes=True, no_web=True, out=out)
    (findings,) = sarif_runs(result.review_dir)
    uris = [one["location"]["uri"] for one in findings["artifacts"]]
    assert uris == ["document.md", "plan.pdf"]
    first, *_, last = sorted(
        findings["results"],
        key=lambda one: one["locations"][0]["physicalLocation"]["region"]["charOffset"],
    )
    assert (first["properties"]["place"], last["properties"]["place"]) == ("page 1", "page 2")


def test_a_review_is_test_cases_of_findings_and_of_claims(made: Made) -> None:
    findings, claims = JUnitXml.fromstring(exported(made.review, "junit").encode())
    kinds = dict(outcomes(findings))
    assert kinds.pop("every part of the review") is None
    failing = {name for name, kind in kinds.items() if kind is Failure}
    assert any("rise of 30 %" in name for name in failing)
    assert findings.failures == len(failing) < len(kinds)
    came_of = {kind for _, kind in outcomes(claims)}
    assert came_of == {Failure, Skipped}


def outcomes(suite: Any) -> list[tuple[str, type[object] | None]]:
    """What came of each case, None for one that passed."""
    cases: list[Any] = list(suite)
    return [(str(case.name), type(case.result[0]) if case.result else None) for case in cases]


def test_each_finding_is_annotated_at_its_words(made: Made) -> None:
    page = json.loads(exported(made.review, "web-annotation"))
    assert page["type"] == "AnnotationPage"
    tags = [one["body"][0]["value"] for one in page["items"]]
    assert set(tags) >= set(FAULTS)
    for one in page["items"]:
        quote, position = one["target"]["selector"]
        assert PLAN[position["start"] : position["end"]] == quote["exact"]
    assert len({one["id"] for one in page["items"]}) == len(page["items"])


def test_claims_that_sources_decided_are_reviewed(made: Made) -> None:
    graph = json.loads(exported(made.review, "claim-review", "--publisher", "The Desk"))["@graph"]
    ratings = {one["claimReviewed"]: one["reviewRating"]["ratingValue"] for one in graph}
    assert next(value for claim, value in ratings.items() if "$48 million" in claim) == 1
    assert {one["author"]["name"] for one in graph} == {"The Desk"}
    assert all(one["citation"] == [{"@type": "CreativeWork", "url": "quay.md"}] for one in graph)


# --- bibliographies -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("which", "title", "url"),
    [("run", "Arnsund tidal power station", "arnsund.md"), ("review", "The quay", "quay.md")],
)
def test_what_was_read_is_a_bibliography(which: str, title: str, url: str, made: Made) -> None:
    folder: Path = getattr(made, which)
    (item,) = items = json.loads(exported(folder, "csl-json"))
    CSL.validate(items)
    assert (item["title"], item["URL"], item["type"]) == (title, url, "document")
    (shown,) = set_in_style(item)
    assert title in shown
    assert url in shown
    library = parse_string(exported(folder, "bibtex"))
    (entry,) = library.entries
    assert library.failed_blocks == []
    assert (entry.entry_type, entry.key) == ("misc", item["id"])
    assert entry.fields_dict["title"].value == f"{{{title}}}"
    assert entry.fields_dict["url"].value == url


def set_in_style(item: dict[str, Any]) -> list[str]:
    """The bibliography that a CSL processor makes of one item."""
    with warnings.catch_warnings():
        # It tells of what its own styles use and it does not know.
        warnings.simplefilter("ignore")
        style = CitationStylesStyle("harvard-cite-them-right", validate=False)
        made = CitationStylesBibliography(style, CiteProcJSON([item]), plain)
    made.register(Citation([CitationItem(item["id"].lower())]))
    return [str(entry) for entry in made.bibliography()]


@pytest.mark.parametrize(
    "wrong",
    [
        {"issued": {"date-parts": [[2026, 1, 2, 3]]}},
        {"author": [{"name": "Ada"}]},
        {"type": "page"},
        {"address": "quay.md"},
    ],
)
def test_the_official_schema_knows_what_is_no_bibliography(wrong: dict[str, Any]) -> None:
    right = {"id": "quay", "type": "standard", "issued": {"date-parts": [[2026, 1, 2]]}}
    assert CSL.is_valid([right])
    assert not CSL.is_valid([right | wrong])


def test_every_class_of_site_is_cited_as_a_type_that_csl_has() -> None:
    rules = read_yaml((ROOT / "config" / "registry" / "authority.yaml").read_text("utf-8"))
    types = {entry.get("csl", "webpage") for entry in rules["classes"].values()}
    assert {"report", "legislation"} <= types <= CSL_TYPES


# --- what cannot be said ------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["claim-review", "csl-json", "bibtex"])
def test_a_review_without_the_web_has_no_claims_or_sources_to_export(form: str, made: Made) -> None:
    done = foureyes_here(
        "report", "export", made.bare, "--format", form, "-o", "out", cwd=made.bare
    )
    assert done.returncode == 4
    (line,) = done.stderr.splitlines()
    assert "go on with it, without --no-web" in line
    assert not (made.bare / "out").exists()


@pytest.mark.parametrize("form", ["sarif", "web-annotation", "junit"])
def test_a_review_that_has_found_nothing_yet_says_so(form: str, tmp_path: Path) -> None:
    folder = open_review(tmp_path).path
    done = foureyes_here("report", "export", folder, "--format", form, "-o", "out", cwd=tmp_path)
    (line,) = done.stderr.splitlines()
    assert (done.returncode, "has no findings yet" in line) == (4, True)
