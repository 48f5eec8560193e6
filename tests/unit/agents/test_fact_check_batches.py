"""Batches, and what each of them is given."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from foureyes import TemplateLibrary, ToolFailure
from foureyes.agents.fact_check_batches import (
    EXCERPT_TOKENS,
    claims_file,
    excerpts,
    form_entries,
    plan_batches,
)
from foureyes.agents.reading import CHARS_PER_TOKEN, UntrustedText
from foureyes.agents.replies import locate
from foureyes.agents.rules import strictness_rule
from foureyes.agents.source_tools import fact_check_tools
from foureyes.datatypes import ClaimWork, IterationEvidence, SourceState, Strictness
from foureyes.documents.parse import parse_document
from support.agent_kit import PageDesk, evidence_of, fact_checker, fact_context, offline, registry
from support.evidence_run import services

UNTRUSTED = UntrustedText("c0de")


def page(number: int) -> str:
    return f"https://town{number}.example/a"


def town(number: int, source: int) -> str:
    return f"The town of Ostmere{number} had {number + 200} ferries in 2021 ({page(source)})."


def evidence(*sources: int) -> IterationEvidence:
    """One claim for each number in `sources`, citing that source."""
    body = "\n\n".join(town(index, source) for index, source in enumerate(sources, start=1))
    return evidence_of(f"# Ferries\n\n{body}\n", {page(s): "Nothing." for s in sources})


def works(found: IterationEvidence) -> list[ClaimWork]:
    return [ClaimWork(claim, found.assessments[claim.id]) for claim in found.claims]


PLANS = [
    ("one source stays together", (1, 2, 1, 2), 2, 10_000, [[1, 3], [2, 4]]),
    ("small groups share a batch", (1, 2, 3), 10, 10_000, [[1, 2, 3]]),
    ("a large group is cut", (1, 1, 1, 1, 1), 2, 10_000, [[1, 2], [3, 4], [5]]),
    ("bytes bound a batch", (1, 1, 1), 10, 250, [[1, 2], [3]]),
    ("a claim too large for any stands alone", (1, 1), 10, 10, [[1], [2]]),
]


@pytest.mark.parametrize(
    ("name", "sources", "claims", "size", "plan"), PLANS, ids=[p[0] for p in PLANS]
)
def test_claims_of_one_source_are_checked_together(
    name: str, sources: tuple[int, ...], claims: int, size: int, plan: list[list[int]]
) -> None:
    all_works = works(evidence(*sources))
    place = {work.claim.id: number for number, work in enumerate(all_works, start=1)}
    batches = plan_batches(all_works, lambda _: 100, most_claims=claims, most_bytes=size)
    assert [[place[work.claim.id] for work in batch] for batch in batches] == plan


def test_no_claims_make_no_batches() -> None:
    assert plan_batches([], lambda _: 1, most_claims=10, most_bytes=1000) == []
    assert excerpts([], evidence()) == []


def test_every_paragraph_is_read_by_one_batch() -> None:
    draft = (
        f"# F\n\nAn opening without claims, said in passing?\n\n{town(1, 1)}\n\nWhat follows?\n\n"
        f"## More\n\n{town(2, 2)}\n\nAnd so it goes on, does it?\n"
    )
    found = evidence_of(draft, {})
    first, second = excerpts([[work] for work in works(found)], found)
    assert "An opening" in first
    assert "What follows?" in first
    assert "[F > More, line 11]" in second
    assert "And so it goes on" in second
    assert "Ostmere2" not in first


def test_an_excerpt_leaves_out_what_would_be_too_much() -> None:
    filler = "\n\n".join(["So they went on and on and on, did they not? " * 40] * 60)
    found = evidence_of(f"# F\n\n{town(1, 1)}\n\n{filler}\n", {})
    (share,) = excerpts([works(found)], found)
    assert "Ostmere1" in share
    assert len(share) < EXCERPT_TOKENS * CHARS_PER_TOKEN + 100


def test_the_passages_of_open_claims_and_the_evidence_of_settled_ones_are_fenced() -> None:
    pages = {
        page(1): "The town of Ostmere1 had 201 ferries in 2021.\n",
        page(2): "In Ostmere2 people like c0de and ferries; 202 of them were asked.\n",
        page(3): SourceState.DEAD,
    }
    draft = f"# F\n\n{town(1, 1)}\n\n{town(2, 2)}\n\n{town(3, 3)}\n"
    found = evidence_of(draft, pages)
    text = claims_file(works(found), found.sources, UNTRUSTED)
    assert f"Evidence, <{page(1)}>" in text
    assert f"Passage P1, <{page(2)}>" in text
    assert f"{page(3)} (dead, direct)" in text
    assert "people like  and ferries" in text
    assert text.count("<<<source text c0de>>>") == text.count("<<<end of source text c0de>>>") == 2


def test_a_claim_about_it_is_given_with_what_stands_before_it() -> None:
    draft = "# F\n\nThe Ostmere is a ferry. It was built for 40 cars.\n"
    found = evidence_of(draft, {})
    text = claims_file(works(found), found.sources, UNTRUSTED)
    assert "Follows on: The Ostmere is a ferry." in text


def test_a_form_comes_filled_where_code_decided() -> None:
    pages = {page(1): "The town of Ostmere1 had 201 ferries in 2021.\n", page(2): "Nothing."}
    found = evidence_of(f"# F\n\n{town(1, 1)}\n\n{town(2, 2)}\n", pages)
    entries = form_entries(works(found), found)
    form = TemplateLibrary().json_template("agents/fact-checker/fact_check.json", claims=entries)
    settled, open_ = json.loads(form.text)["claims"].values()
    assert (settled["verdict"], settled["passage"]) == ("supported", "")
    assert open_["verdict"].startswith("[TODO: ")
    assert open_["cited"].startswith(f"{page(2)} (ok, snapshot ")


def test_the_code_of_a_fence_depends_on_what_pages_cannot_know() -> None:
    assert UntrustedText.of("draft") == UntrustedText.of("draft")
    assert UntrustedText.of("draft") != UntrustedText.of("draft ")
    assert UntrustedText.of("a", "b") != UntrustedText.of("ab")


# --- tools ---------------------------------------------------------------------------------------


async def call(name: str, **arguments: object) -> str:
    found = evidence_of(f"# F\n\n{town(1, 1)}\n", {page(1): "Ferries of Ostmere1 are red.\n"})
    ids = [claim.id for claim in found.claims]
    tools = fact_check_tools(PageDesk(found), ids, UNTRUSTED, max_webfetches=3, searches=True)
    handlers = {tool.name: tool.handler for tool in tools}
    known = {"first": ids[0], "sha": next(iter(found.sources.texts))}
    return await handlers[name]({k: known.get(str(v), v) for k, v in arguments.items()})


ANSWERS: list[tuple[str, dict[str, object], str]] = [
    ("find_passages", {"claim_id": "first"}, "Passage P1"),
    ("read_source", {"sha256": "sha", "offset": 11}, "Ostmere1 are red."),
    ("read_source", {"sha256": "sha"}, "Ferries of Ostmere1"),
    ("fetch_source", {"url": page(1)}, "state: ok"),
    ("search_sources", {"claim_id": "first"}, "no hits"),
]


@pytest.mark.parametrize(("name", "arguments", "answer"), ANSWERS)
async def test_tools_hand_out_fenced_text(
    name: str, arguments: dict[str, object], answer: str
) -> None:
    text = await call(name, **arguments)
    assert answer in text
    assert "<<<source text c0de>>>" in text


REFUSED: list[tuple[str, dict[str, object], str]] = [
    ("find_passages", {"claim_id": "c-0"}, "'c-0' is none of this batch"),
    ("find_passages", {}, "claim_id is missing"),
    ("read_source", {"sha256": "sha", "offset": "x"}, "offset is a whole number"),
    ("read_source", {"sha256": "0" * 64}, "no such snapshot"),
    ("fetch_source", {"url": ""}, "url is missing"),
    ("search_sources", {"claim_id": "c-0"}, "'c-0' is none of this batch"),
    ("search_sources", {"query": "anything at all"}, "claim_id is missing"),
]


@pytest.mark.parametrize(("name", "arguments", "reason"), REFUSED)
async def test_tools_say_why_they_refuse(
    name: str, arguments: dict[str, object], reason: str
) -> None:
    with pytest.raises(ToolFailure, match=reason):
        await call(name, **arguments)


def test_tools_have_allowances_and_closed_schemas() -> None:
    found = evidence(1)
    tools = fact_check_tools(PageDesk(found), ["c-1", "c-2"], UNTRUSTED, max_webfetches=3)
    assert {tool.name: (tool.allowance, tool.read_only) for tool in tools} == {
        "find_passages": (2, True),
        "read_source": (6, True),
        "fetch_source": (3, False),
    }
    assert all(tool.schema["additionalProperties"] is False for tool in tools)


def test_a_search_is_offered_only_where_there_is_a_provider() -> None:
    found = evidence(1)
    names = [
        {tool.name for tool in fact_check_tools(
            PageDesk(found), ["c-1"], UNTRUSTED, max_webfetches=0, searches=searches
        )}
        for searches in (False, True)
    ]  # fmt: skip
    assert names[1] - names[0] == {"search_sources"}


# --- words for prompts ---------------------------------------------------------------------------


def test_severities_are_described_from_the_registry(tmp_path: Path) -> None:
    task, *_ = fact_checker(offline()).tasks(fact_context(services(tmp_path), evidence(1)))
    assert "- a result of the author's own without any source: critical\n" in task.system_prompt
    assert "- a number up to 20% off: medium; more: high\n" in task.system_prompt
    assert "- the only source is dead, soft 404, blocked: high\n" in task.system_prompt


RULES = [
    (Strictness.STRICT, "or at 1 of severity medium"),
    (Strictness.NORMAL, "or at 3 of severity medium"),
    (Strictness.LENIENT, "medium and low issues never reject"),
]


@pytest.mark.parametrize(("strictness", "words"), RULES)
def test_what_rejects_is_described_from_the_registry(strictness: Strictness, words: str) -> None:
    assert words in strictness_rule(registry().severity, strictness)


def test_quoted_words_are_found_whatever_their_typography() -> None:
    document = parse_document("# T\n\n## Sub\n\nHe said “all is\nwell” – twice.\n")
    found = locate('"all is well" - twice', document)
    assert found is not None
    assert (found.line, found.section) == (5, "T > Sub")
    assert locate("  ", document) is None
    assert locate("all is lost", document) is None
