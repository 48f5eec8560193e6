"""Phase 4b by code alone: who is believed, what is circular, and what time has to do with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from foureyes import Verdict
from foureyes.claims.classify import bare_claim
from foureyes.datatypes import (
    CitationState,
    ClaimAssessment,
    ClaimWork,
    Drift,
    ExtractedClaim,
    Materiality,
    WebResult,
    WebVerdict,
)
from foureyes.review.types import WebVerifierConfig
from foureyes.review.web import batches, select_claims
from support.claim_kit import registry
from support.evidence_run import services
from support.web_review_kit import (
    BLOG,
    GOV,
    NEWS,
    NIST,
    Engine,
    Looked,
    Page,
    checks,
    looked,
    open_shelf,
)

CONFIRMED, CONTRADICTED = WebVerdict.CONFIRMED, WebVerdict.CONTRADICTED
DISPUTED, UNVERIFIABLE = WebVerdict.DISPUTED, WebVerdict.UNVERIFIABLE
SO, NOT_SO = "The port of Alden employs 240 people.", "The port of Alden employs 310 people."
BUILT, BUILT_LATER = "The quay of Alden was built in 1934.", "The quay of Alden was built in 1936."
EARLY, LATE = "2026-01-10", "2026-06-20"
Pages = Mapping[str, Page | str]


def document(*lines: str) -> str:
    return "\n\n".join(("# Port", "Date: 2026-02-01", *lines)) + "\n"


async def one_result(folder: Path, text: str, pages: Pages) -> WebResult:
    (result,) = (await looked(folder, text, pages)).results
    return result


AUTHORITY: list[tuple[str, Pages, WebVerdict]] = [
    ("a government states it", {GOV: BUILT}, CONFIRMED),
    ("a news agency states it", {NEWS: BUILT}, CONFIRMED),
    ("a blog states it", {BLOG: BUILT}, UNVERIFIABLE),
    ("a government denies it", {GOV: BUILT_LATER}, CONTRADICTED),
    ("a blog denies it", {BLOG: BUILT_LATER}, UNVERIFIABLE),
    ("a blog denies what a government states", {BLOG: BUILT_LATER, GOV: BUILT}, CONFIRMED),
    ("two governments disagree", {GOV: BUILT, NIST: BUILT_LATER}, DISPUTED),
    ("a government speaks of something else", {GOV: "The quay is long."}, UNVERIFIABLE),
]


@pytest.mark.parametrize(
    ("pages", "verdict"), [a[1:] for a in AUTHORITY], ids=[a[0] for a in AUTHORITY]
)
async def test_only_authoritative_sources_settle_a_claim(
    pages: Pages, verdict: WebVerdict, tmp_path: Path
) -> None:
    result = await one_result(tmp_path, document(BUILT), pages)
    assert result.verdict is verdict
    assert len(result.sources) == (0 if "quay is long" in str(pages) else len(pages))
    if verdict is DISPUTED:
        assert {source.evidence.url for source in result.sources} == {GOV, NIST}


async def test_a_result_has_the_exact_words_their_tier_and_the_value_found(tmp_path: Path) -> None:
    result = await one_result(tmp_path, document(BUILT), {GOV: Page(BUILT_LATER, EARLY)})
    (source,) = result.sources
    assert (source.evidence.quote, source.evidence.url) == (BUILT_LATER, GOV)
    assert source.tier == "T2"
    assert (result.found, result.drift) == ("1936", Drift.NEVER_TRUE)
    assert result.temporal_note == f"Was always incorrect: 1936 ({GOV})"


TIME: list[tuple[str, Pages, WebVerdict, Drift, str]] = [
    ("right before", {GOV: Page(SO, EARLY)}, CONFIRMED, Drift.CURRENT, ""),
    ("right long before", {GOV: Page(SO, "2020-01-01")}, CONFIRMED, Drift.UNKNOWN, "as of 2020"),
    ("right by an undated page", {GOV: SO}, CONFIRMED, Drift.UNKNOWN, "bears no date"),
    ("wrong before", {GOV: Page(NOT_SO, EARLY)}, CONTRADICTED, Drift.NEVER_TRUE, "incorrect: 310"),
    ("wrong by an undated page", {GOV: NOT_SO}, CONTRADICTED, Drift.UNKNOWN, "bears no date: 310"),
    (
        "right then and different now",
        {GOV: Page(SO, EARLY), NIST: Page(NOT_SO, LATE)},
        CONFIRMED,
        Drift.OUTDATED,
        "Accurate as of 2026-02-01 / Now outdated: 310",
    ),
    (
        "right long ago, and wrong when it was written",
        {GOV: Page(SO, "2021-01-10"), NIST: Page(NOT_SO, EARLY)},
        CONTRADICTED,
        Drift.OUTDATED,
        "Was so as of 2021-01-10",
    ),
    (
        "wrong long ago, and right when it was written",
        {GOV: Page(NOT_SO, "2021-01-10"), NIST: Page(SO, EARLY)},
        CONFIRMED,
        Drift.CURRENT,
        "",
    ),
    (
        "two of one time disagree",
        {GOV: Page(SO, "2025-12-10"), NIST: Page(NOT_SO, EARLY)},
        DISPUTED,
        Drift.UNKNOWN,
        "",
    ),
    (
        "only a later one differs",
        {GOV: Page(NOT_SO, LATE)},
        UNVERIFIABLE,
        Drift.UNKNOWN,
        "Differs as of 2026-06-20",
    ),
    ("only a later one agrees", {GOV: Page(SO, LATE)}, CONFIRMED, Drift.CURRENT, "after the"),
]


@pytest.mark.parametrize(
    ("pages", "verdict", "drift", "note"), [t[1:] for t in TIME], ids=[t[0] for t in TIME]
)
async def test_a_claim_that_may_change_is_judged_as_of_the_documents_day(
    pages: Pages, verdict: WebVerdict, drift: Drift, note: str, tmp_path: Path
) -> None:
    result = await one_result(tmp_path, document(SO), pages)
    assert (result.verdict, result.drift) == (verdict, drift)
    assert note in result.temporal_note
    assert bool(note) == bool(result.temporal_note)


async def test_an_office_that_ended_after_the_documents_day_is_outdated(tmp_path: Path) -> None:
    pages: Pages = {GOV: "Jane Roe was the harbour master of Alden until 1 May 2026."}
    claim = "The harbour master of Alden is Jane Roe."
    result = await one_result(tmp_path, document(claim), pages)
    assert (result.verdict, result.drift) == (CONFIRMED, Drift.OUTDATED)
    assert "Now outdated: ended 2026-05-01" in result.temporal_note


PROVED: list[tuple[str, str, str]] = [
    ("another figure", BUILT, BUILT_LATER),
    (
        "another day",
        "The quay of Alden was opened on 3 May 1934.",
        "The quay of Alden was opened on 9 May 1934.",
    ),
    (
        "other words in a quotation",
        "The harbour report of Alden calls the quay “a safe place for all boats in winter”.",
        "The harbour report of Alden calls the quay “a safe place for no boats in winter”.",
    ),
]


@pytest.mark.parametrize(("claim", "page"), [v[1:] for v in PROVED], ids=[v[0] for v in PROVED])
async def test_a_source_that_is_not_cited_contradicts_by_what_is_proved(
    claim: str, page: str, tmp_path: Path
) -> None:
    result = await one_result(tmp_path, document(claim), {GOV: page})
    assert result.verdict is CONTRADICTED, result


async def test_a_claim_with_a_picture_in_it_is_not_confirmed(tmp_path: Path) -> None:
    sentence = "The quay of Alden was built ![](no.png) in 1934."
    result = await one_result(tmp_path, document(sentence), {GOV: BUILT})
    assert result.verdict is UNVERIFIABLE
    assert "a picture stands within the sentence" in result.reason


FELL = "The traffic of the port of Alden fell by 5% in 1934."
ROSE = "In 1934 the traffic of the port of Alden rose by 5%."


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [(FELL, UNVERIFIABLE), (f"{FELL[:-1]} ({GOV}).", CONTRADICTED)],
    ids=["not cited", "cited"],
)
async def test_a_contrary_that_is_only_read_counts_where_the_source_is_cited(
    claim: str, verdict: WebVerdict, tmp_path: Path
) -> None:
    result = await one_result(tmp_path, document(claim), {GOV: ROSE})
    assert result.verdict is verdict, result


CITING = f"{BUILT[:-1]} ({GOV})."
LONG = " ".join(f"Berth {n} of the port lies {n} metres deep." for n in range(1, 15))


CIRCULAR: list[tuple[str, Pages, WebVerdict, bool]] = [
    ("only what it cites", {GOV: BUILT}, CONFIRMED, True),
    ("another one, too", {GOV: BUILT, NIST: BUILT}, CONFIRMED, False),
    ("a copy of what it cites", {GOV: f"{BUILT} {LONG}", NIST: f"{BUILT} {LONG}"}, CONFIRMED, True),
    ("another one denies it", {GOV: BUILT, NIST: BUILT_LATER}, DISPUTED, False),
    ("what it cites denies it", {GOV: BUILT_LATER}, CONTRADICTED, False),
]


@pytest.mark.parametrize(
    ("pages", "verdict", "circular"), [c[1:] for c in CIRCULAR], ids=[c[0] for c in CIRCULAR]
)
async def test_what_the_document_cites_confirms_its_source_and_not_the_fact(
    pages: Pages, verdict: WebVerdict, circular: bool, tmp_path: Path
) -> None:
    result = await one_result(tmp_path, document(CITING), pages)
    assert (result.verdict, result.circular) == (verdict, circular)
    marks = {source.evidence.url: source.circular for source in result.sources}
    assert marks[GOV]
    if NIST in marks:
        assert marks[NIST] is circular


async def test_a_page_that_is_taken_from_the_document_is_circular(tmp_path: Path) -> None:
    text = f"# Port\n\nDate: 2026-02-01\n\n{BUILT}\n\n{LONG}\n"
    copy = Page(f"{BUILT}\n\n{LONG}\n", LATE)
    results = (await looked(tmp_path, text, {NEWS: copy})).results
    assert (results[0].verdict, results[0].circular) == (CONFIRMED, True)


SAYS = "According to the harbour office, the quay of Alden was built in 1934"
CRITICS = "Critics say the quay of Alden was built in 1934"

POLARITY: list[tuple[str, str, Pages, WebVerdict]] = [
    ("its source says so, a blog", f"{SAYS} ({BLOG}).", {BLOG: BUILT}, CONFIRMED),
    ("its source says otherwise", f"{SAYS} ({BLOG}).", {BLOG: BUILT_LATER}, CONTRADICTED),
    (
        "its source says so and is wrong",
        f"{SAYS} ({BLOG}).",
        {BLOG: BUILT, GOV: BUILT_LATER},
        CONFIRMED,
    ),
    (
        "the citation is the next sentence's",
        f"{SAYS}. The crane lifts 40 tonnes ({NIST}).",
        {NEWS: f"{SAYS}.", NIST: "The crane lifts 40 tonnes."},
        CONFIRMED,
    ),
    ("nobody is cited, and news report it", f"{SAYS}.", {NEWS: f"{SAYS}."}, CONFIRMED),
    ("nobody is cited, and it is so", f"{SAYS}.", {GOV: BUILT}, UNVERIFIABLE),
    ("nobody is cited, and a blog says so", f"{SAYS}.", {BLOG: f"{SAYS}."}, UNVERIFIABLE),
    (
        "what it argues against is held so",
        f"{CRITICS}, but that is a guess ({BLOG}).",
        {BLOG: BUILT},
        CONFIRMED,
    ),
    (
        "what it argues against is held otherwise",
        f"{CRITICS}, but that is a guess ({BLOG}).",
        {BLOG: BUILT_LATER},
        CONTRADICTED,
    ),
    (
        "a myth that somebody tells",
        "It is a myth that the quay of Alden was built in 1934.",
        {BLOG: BUILT},
        CONFIRMED,
    ),
    (
        "a myth that only its opponents tell",
        "It is a myth that the quay of Alden was built in 1934.",
        {GOV: BUILT_LATER},
        UNVERIFIABLE,
    ),
]


@pytest.mark.parametrize(
    ("sentence", "pages", "verdict"), [p[1:] for p in POLARITY], ids=[p[0] for p in POLARITY]
)
async def test_whose_claim_it_is_decides_what_is_checked(
    sentence: str, pages: Pages, verdict: WebVerdict, tmp_path: Path
) -> None:
    first, *_ = (await looked(tmp_path, document(sentence), pages)).results
    assert first.verdict is verdict, first


REASONS: list[tuple[str, str, Pages, Engine | None, str]] = [
    ("nobody to ask", BUILT, {}, None, "there is no search provider"),
    ("nothing found", BUILT, {}, Engine(), "no source was found"),
    (
        "another language",
        "Der Hafen von Alden wurde im Jahr 1934 gebaut und beschäftigt heute 240 Menschen.",
        {GOV: BUILT},
        None,
        "language (de) is not compared",
    ),
    ("no answer", BUILT, {}, Engine(down=True), "no answer was got"),
    (
        "silent sources",
        BUILT,
        {GOV: "The quay is long."},
        None,
        "the one source at hand",
    ),
    ("its citation is not to be had", f"{SAYS} ({NIST}).", {}, None, NIST),
    (
        "the author's own",
        "In our pilot, 73% of the crews of the port stayed.",
        {},
        Engine(),
        "nothing is sent out",
    ),
]


@pytest.mark.parametrize(
    ("sentence", "pages", "engine", "reason"), [r[1:] for r in REASONS], ids=[r[0] for r in REASONS]
)
async def test_what_cannot_be_verified_says_why(
    sentence: str, pages: Pages, engine: Engine | None, reason: str, tmp_path: Path
) -> None:
    (result,) = (await looked(tmp_path, document(sentence), pages, engine=engine)).results
    assert result.verdict is UNVERIFIABLE
    assert reason in result.reason


async def test_code_asks_about_each_claim_and_reads_what_is_found(tmp_path: Path) -> None:
    engine = Engine(hits=[GOV, NIST])
    pages: Pages = {GOV: BUILT, NIST: BUILT, NEWS: BUILT_LATER}
    found = await looked(tmp_path, document(BUILT), pages, engine=engine)
    assert [source.url for source in found.outside.sources] == [GOV, NIST]
    assert [result.verdict for result in found.results] == [CONFIRMED]
    (query,) = engine.asked
    assert {"quay", "Alden", "1934"} <= set(query.replace('"', " ").split())
    assert found.outside.queries[0].hits == (GOV, NIST)


async def test_nothing_of_what_is_internal_and_of_what_is_not_asked_leaves(tmp_path: Path) -> None:
    engine = Engine(hits=[GOV])
    text = document(
        "In our pilot, 73% of the kestrels stayed.",
        f"According to the office, the quay of Borum was built in 1934 ({NIST}).",
        BUILT,
    )
    line = text.splitlines().index("In our pilot, 73% of the kestrels stayed.") + 1
    (first, *_) = (await looked(tmp_path, text, {}, engine=Engine())).claims
    leak = replace(
        first,
        id="c-leak",
        statement="Kestrels stayed.",
        quote="kestrels stayed",
        line=line,
        by_rules=False,
    )
    (tmp_path / "again").mkdir()
    await looked(tmp_path / "again", text, {}, engine=engine, added=[leak])
    (query,) = engine.asked
    assert "kestrels" not in query.casefold()
    assert "Borum" not in query


async def test_an_added_claim_is_held_against_what_its_place_cites(tmp_path: Path) -> None:
    sentence = f"{SAYS} and named after a mayor ({BLOG})."
    (own, *_) = (await looked(tmp_path, document(sentence), {})).claims
    added = replace(
        own,
        id="c-added",
        statement="According to the harbour office, the quay of Alden dates from 1934.",
        quote=SAYS,
        by_rules=False,
    )
    (tmp_path / "again").mkdir()
    pages: Pages = {BLOG: "The quay of Alden dates from 1936."}
    found = await looked(tmp_path / "again", document(sentence), pages, added=[added])
    results = {result.claim_id: result for result in found.results}
    assert (results["c-added"].verdict, results["c-added"].found) == (CONTRADICTED, "1936")


async def test_a_local_engine_may_be_asked_about_what_is_internal(tmp_path: Path) -> None:
    engine = Engine(local=True)
    await looked(tmp_path, document("In our pilot, 73% of the kestrels stayed."), {}, engine=engine)
    assert len(engine.asked) == 1


async def test_a_resumed_review_asks_and_reads_nothing_twice(tmp_path: Path) -> None:
    engine = Engine(hits=[GOV])
    async with open_shelf(tmp_path, {GOV: BUILT}, engine) as reader:
        found: list[Looked] = []
        for _ in range(2):
            web, claims = checks(document(BUILT), reader)
            outside = await web.search_outside(given=[], limit=10)
            found.append(
                Looked(web.build_result(web.assess(outside), outside).results, outside, claims)
            )
        assert found[0] == found[1]
        assert len(engine.asked) == 1


async def test_a_search_that_had_no_answer_is_made_again_when_the_review_goes_on(
    tmp_path: Path,
) -> None:
    engine = Engine(hits=[GOV], down=True)
    async with open_shelf(tmp_path, {GOV: BUILT}, engine) as reader:
        hits: list[tuple[str, ...]] = []
        for down in (True, False, True):
            engine.down = down
            web, _ = checks(document(BUILT), reader)
            outside = await web.search_outside(given=[], limit=10)
            hits += [query.hits for query in outside.queries]
    assert hits == [(), (GOV,), (GOV,)]


async def claims_of(folder: Path, *lines: str) -> tuple[ExtractedClaim, ...]:
    return (await looked(folder, document(*lines), {})).claims


async def test_load_bearing_claims_are_chosen_and_all_on_request(tmp_path: Path) -> None:
    (found,) = await claims_of(tmp_path, BUILT)
    claim = replace(found, materiality=Materiality.LOAD_BEARING)
    aside = replace(claim, id="c-aside", materiality=Materiality.BACKGROUND)
    assert select_claims([claim, aside], background=False) == (claim,)
    assert select_claims([claim, aside], background=True) == (claim, aside)


SIZES = [(1, [1]), (4, [4]), (8, [8]), (9, [9]), (10, [5, 5]), (17, [6, 6, 5]), (19, [7, 6, 6])]


@pytest.mark.parametrize(("claims", "sizes"), [*SIZES, (0, []), (100, [8] * 9 + [7] * 4)])
def test_batches_hold_five_to_ten_claims(claims: int, sizes: list[int]) -> None:
    stated = bare_claim(BUILT, registry().lexicon)
    silent = ClaimAssessment("", Verdict.UNVERIFIABLE, CitationState.NONE, "")
    works = [ClaimWork(replace(stated, id=f"c-{n}"), silent) for n in range(claims)]
    cut = batches(works, 8)
    assert [len(batch) for batch in cut] == sizes
    assert [work for batch in cut for work in batch] == works


async def test_a_batch_is_given_its_claims_with_what_is_known_of_the_sources(
    tmp_path: Path,
) -> None:
    async with open_shelf(tmp_path, {GOV: BUILT, BLOG: BUILT}) as reader:
        web, claims = checks(document(BUILT, SO), reader)
        outside = await web.search_outside(given=[GOV, BLOG], limit=10)
        config = WebVerifierConfig()
        (batch,) = web.contexts(web.assess(outside), outside, config, services(tmp_path))
    assert [work.claim.id for work in batch.inputs.claims] == [claim.id for claim in claims]
    assert {url: note.authoritative for url, note in batch.inputs.notes.items()} == {
        GOV: True,
        BLOG: False,
    }
    assert (batch.name, batch.source_tools.searches) == ("batch-01", 0)
    passage = batch.source_tools.find_passages(claims[0].id)[0]
    assert passage.text == BUILT
    assert passage.id == f"{passage.sha256[:12]}:0-{len(BUILT)}"


async def test_nobody_is_asked_where_there_is_nothing_to_ask(tmp_path: Path) -> None:
    async with open_shelf(tmp_path, {}) as reader:
        web, _ = checks(document(BUILT), reader)
        outside = await web.search_outside(given=[], limit=10)
        assert (
            web.contexts(web.assess(outside), outside, WebVerifierConfig(), services(tmp_path))
            == ()
        )
