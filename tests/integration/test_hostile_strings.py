"""Hostile strings in every field of every record: nothing executes, hides, or changes meaning."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import tempfile
import threading
import unicodedata
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pyromark
import pytest
from bibtexparser.entrypoint import parse_string
from foureyes import Examination, ExportFormat, GateResult, Judgement, TurnUsage
from foureyes.assembly.settings import load_settings
from foureyes.base.files import to_json
from foureyes.base.printable import inline, one_line, visible
from foureyes.cli._report import export
from foureyes.cli.terminal import Column
from foureyes.cli.terminal import line as print_line
from foureyes.cli.terminal import table as show_table
from foureyes.core.record_folder import slug
from foureyes.core.tracing import (
    MAX_CHARS,
    Conversation,
    Workflow,
    invoke_agent,
    open_span,
    record_conclusion,
    record_examination,
    record_judgement,
    step,
    workflow,
)
from foureyes.datatypes import CitedSource, Critique, Gap
from foureyes.experiments.markdown import markdown as experiment_markdown
from foureyes.experiments.page import EXPERIMENT_PAGES, ExperimentPage
from foureyes.mcp_server._worker import answer
from foureyes.mcp_server.inputs import CallInput, ExplainVerdict, GetRun
from foureyes.mcp_server.outputs import VerdictExplained
from foureyes.mcp_server.server import tool_result
from foureyes.mcp_server.service import Call, CallContext, Limits, Service, real_roots
from foureyes.report.document_review import Note, annotate, report_markdown
from foureyes.report.html.batch_page import Head
from foureyes.report.html.page import report_pieces, write_page, write_report
from foureyes.report.html.serving import ReportServer
from foureyes.report.review_report import ReviewReport
from foureyes.report.run_text import markdown
from foureyes.sources.plain_text import one_line as plain_line
from foureyes.sources.scoring.citations import (
    CitationFormat,
    bibtex,
    citation_yaml,
    csl_json,
    reference_list,
    safe_url,
)
from foureyes.sources.scoring.gaps import GapMemory
from integration.hostile.folders import write_review, write_run
from integration.hostile.markdown_page import read_markdown
from integration.hostile.prints import PRINTED, analysis_of, result_of
from integration.hostile.records import Filler
from integration.hostile.screen import Screen, width
from junitparser import JUnitXml
from mcp_types import TextContent
from playwright.sync_api import Browser, Page, sync_playwright
from pydantic import JsonValue
from ruamel.yaml import YAML
from support.browser import CHROMIUM, QUIET
from support.hostile_strings import ENCODABLE, HOSTILE, KINDS, SOME
from support.recorded import recorded
from support.variants import PARTS

PLAIN = Filler(("word",))
"""What is made of harmless words has the structure that all should have."""
MORE = (*SOME, *sorted({*HOSTILE} - {*ENCODABLE}))
"""With what no file can hold."""


def test_there_are_hostile_strings_of_every_kind() -> None:
    assert len(HOSTILE) >= len(SOME) >= 300
    assert len(set(HOSTILE)) == len(HOSTILE)
    assert len(KINDS) == 21


def unseen(text: str) -> set[str]:
    """The characters of `text` that a reader does not see, by what Unicode says of them."""
    return {
        letter
        for letter in set(text)
        if (unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp"))
        and letter not in "\n\t\u200c\u200d"
    }


# --- pages ------------------------------------------------------------------------------------


@dataclass
class Seen:
    """What a browser did while a page was open."""

    requests: list[str] = field(default_factory=list[str])
    messages: list[str] = field(default_factory=list[str])


@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield browser
        browser.close()


TRAP = """() => {
    window.pwned_calls = 0;
    window.pwned = () => { window.pwned_calls += 1; };
    window.violations = [];
    addEventListener("securitypolicyviolation", (one) => violations.push(one.blockedURI));
}"""
TOUCH = """() => {
    for (const one of document.querySelectorAll("details")) one.open = true;
    const buttons = [...document.querySelectorAll(".items button, #document button")];
    for (const one of buttons.filter((_, n) => n % 50 === 0)) one.click();
    dispatchEvent(new Event("beforeprint"));  // Writes the details of all of them.
    dispatchEvent(new Event("scroll"));
}"""
ODD = """() => {
    const all = [...document.querySelectorAll("*")];
    const attributes = all.flatMap((one) => [...one.attributes].map((a) => [one, a.name, a.value]));
    return {
        elements: all.map((one) => one.localName).filter((name) =>
            ["iframe", "object", "embed", "img", "video", "audio", "base", "link", "math",
             "frame", "portal", "image", "foreignObject", "animate", "set"].includes(name)),
        attributes: attributes.filter(([, name]) => name.startsWith("on") || name === "style"
            || name === "srcdoc" || name === "autofocus").map(([one]) => one.outerHTML),
        links: [...document.querySelectorAll("[href]")].filter((one) =>
            !one.getAttribute("href").startsWith("#") && !(/^https?:$/.test(one.protocol)
            && one.rel === "noreferrer noopener" && !one.username)).map((one) => one.outerHTML),
        counts: ["script:not(.details)", "style", "main", "title"].map((one) =>
            document.querySelectorAll(one).length),
        called: window.pwned_calls,
        violations: window.violations,
    };
}"""
"""What of a page should not be there, and what there should be one of."""
NOTHING_ODD = {
    "elements": [],
    "attributes": [],
    "links": [],
    "counts": [1, 1, 1, 1],
    "called": 0,
    "violations": [],
}


@dataclass(frozen=True)
class Shown:
    """What a page showed and did, each thing on it touched."""

    odd: dict[str, Any]
    text: str
    names: list[str]
    seen: Seen


def shown(browser: Browser, address: str) -> Shown:
    context = browser.new_context()
    page, seen = context.new_page(), Seen()
    page.add_init_script(f"({TRAP})()")
    page.on("request", lambda request: seen.requests.append(request.url))
    page.on("console", lambda message: seen.messages.append(message.text))
    page.on("pageerror", lambda error: seen.messages.append(str(error)))
    page.on("dialog", lambda dialog: seen.messages.append(dialog.message))
    page.goto(address)
    names = structure(page)
    page.evaluate(TOUCH)
    text = page.evaluate("document.documentElement.textContent")
    result = Shown(page.evaluate(ODD), text, names, seen)
    context.close()
    return result


def structure(page: Page) -> list[str]:
    """The elements that neither stand for the lines of a document nor link to an address."""
    return page.evaluate(
        """() => [...document.querySelectorAll("*")].filter((one) =>
            !one.closest("#document, .diff") && one.localName !== "a"
            && one.firstElementChild?.getAttribute("rel") !== "noreferrer noopener").map((one) =>
            one.localName + " " + [...one.attributes].map((a) => a.name).join(" "))"""
    )


WRITERS = {"run": write_run, "review": write_review}


@pytest.fixture(scope="module", params=WRITERS)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run or a review with a hostile string in every text of every record."""
    path, filled = WRITERS[request.param](tmp_path_factory.mktemp("hostile"), SOME)
    assert len(filled) > 60
    return path


def test_no_text_of_others_is_anything_but_text_on_a_page(browser: Browser, folder: Path) -> None:
    report = write_report(folder)
    found = shown(browser, report.as_uri())
    assert found.seen == Seen([report.as_uri()])
    assert found.odd == NOTHING_ODD
    assert unseen(found.text) == set()
    assert missing(found.text, SOME) == []


def test_no_name_or_error_of_an_experiment_is_anything_but_text_on_its_page(
    browser: Browser, tmp_path: Path
) -> None:
    report = tmp_path / "report.html"
    filler = Filler(SOME)
    head, facts = filler.make(Head), filler.make(tuple[tuple[str, str], ...])
    page = ExperimentPage(analysis_of(filler), head, facts, tmp_path)
    write_page(report_pieces(page, EXPERIMENT_PAGES.templates), report)
    found = shown(browser, report.as_uri())
    assert found.seen == Seen([report.as_uri()])
    assert found.odd == NOTHING_ODD
    assert unseen(found.text) == set()
    assert missing(found.text, SOME) == []


def test_no_title_or_folder_is_anything_but_text_in_the_list_of_reports(
    browser: Browser, tmp_path: Path
) -> None:
    plain, _ = write_run(tmp_path / "plain", ("word",))
    manifest = json.loads((plain / "run.json").read_bytes())
    for n, words in enumerate(SOME):
        run = tmp_path / "runs" / os.fsdecode(folder_name(words) + b"%d" % n)
        run.mkdir(parents=True)
        told = {**manifest, "title": words} if len(words) % 5 else {"id": words}
        (run / "run.json").write_text(json.dumps(told), encoding="utf-8")
    with ReportServer(tmp_path / "runs") as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        # The browser reaches no host, not even this one.
        page = urlopen(server.url).read()
        server.shutdown()
    (tmp_path / "list.html").write_bytes(page)
    address = (tmp_path / "list.html").as_uri()
    found = shown(browser, address)
    assert found.seen == Seen([address])
    links = [one for one in found.odd["links"] if re.match(r'<a href="/[^":<>]+/">', one) is None]
    assert links == []
    assert {**found.odd, "links": []} == {**NOTHING_ODD, "counts": [0, 1, 1, 1]}
    assert unseen(found.text) == set()
    assert missing(found.text, [words for words in SOME if len(words) % 5]) == []


def folder_name(words: str) -> bytes:
    """`words` as the name of a folder, with a byte at its end that is no text."""
    return words.encode().replace(b"/", b"").replace(b"\0", b"")[:200] + b"\xff"


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", WRITERS)
def test_every_text_of_a_page_can_be_each_string(
    browser: Browser, tmp_path: Path, kind: str
) -> None:
    plain = shown(browser, write_report(WRITERS[kind](tmp_path, ("word",))[0]).as_uri())
    for n, words in enumerate(ENCODABLE):
        report = write_report(WRITERS[kind](tmp_path / str(n), (words,))[0])
        found = shown(browser, report.as_uri())
        assert found.seen == Seen([report.as_uri()])
        assert found.odd == NOTHING_ODD
        assert unseen(found.text) == set()
        assert missing(found.text, [words]) == []
        assert found.names == plain.names
        shutil.rmtree(report.parent)


def missing(text: str, strings: Iterable[str]) -> list[str]:
    """The strings that `text` does not show, white space aside."""
    words = " ".join(text.split())
    return [one for one in strings if " ".join(visible(one).split()) not in words]


# --- exports ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("folder", "form"),
    [
        *(
            pytest.param(kind, form, marks=pytest.mark.soak)
            for kind in WRITERS
            for form in list(ExportFormat)[:4]
        ),
        ("run", ExportFormat.PROV_JSON),
    ],
    indirect=["folder"],
)
def test_exports_say_every_text_and_nothing_else(
    folder: Path, tmp_path: Path, form: ExportFormat
) -> None:
    out = tmp_path / "export"
    export(folder=folder, form=form, output=out, publisher=HOSTILE[0])
    text = out.read_text(encoding="utf-8")
    assert unseen(text) == set()
    if form is ExportFormat.JUNIT:
        named = short_names(folder)
        assert len(named) > 20
        assert missing("\n".join(of_junit(text)), (" ".join(one.split()) for one in named)) == []
        return
    assert "<" not in text
    values = [*texts(json.loads(text))]
    said = [*map(sarif_text, messages(json.loads(text)))] if form is ExportFormat.SARIF else values
    if form is ExportFormat.CLAIM_REVIEW:
        claimed = {one["claimReviewed"] for one in json.loads(text)["@graph"]}
        assert len(claimed) > 50
        assert claimed <= {*map(visible, SOME)}
        return
    assert form is ExportFormat.PROV_JSON or missing("\n".join(said), SOME) == []


def texts(value: JsonValue) -> Iterator[str]:
    """Every text in JSON."""
    if isinstance(value, str):
        yield value
    for one in inside(value):
        yield from texts(one)


def messages(value: JsonValue) -> Iterator[str]:
    """The texts of SARIF that have placeholders and links."""
    if isinstance(value, dict) and isinstance(message := value.get("message"), dict):
        yield str(message["text"])
    for one in inside(value):
        yield from messages(one)


def inside(value: JsonValue) -> Iterable[JsonValue]:
    """What a value of JSON holds."""
    match value:
        case dict():
            return value.values()
        case list():
            return value
        case _:
            return ()


def sarif_text(message: str) -> str:
    """What a reader shows of a message (SARIF 2.1.0, 3.11.5 and 3.11.6)."""
    assert re.search(r"(?<!\{)(?:\{\{)*\{(?!\{)|(?<!\})(?:\}\})*\}(?!\})", message) is None
    assert re.search(r"(?<!\\)\[(?:[^\[\]\\]|\\.)*\]\([^)]*\)", message) is None
    plain = message.replace("{{", "{").replace("}}", "}")
    return re.sub(r"\\([\[\]])", r"\1", plain) if "\\](" in message else plain


def of_junit(text: str) -> Iterator[str]:
    """What a dashboard shows of JUnit XML."""
    # Its types are not known.
    suites: Any = JUnitXml.fromstring(text.encode())
    for suite in suites:
        for case in suite:
            yield case.name
            for one in case.result:
                yield f"{one.message} {one.text or ''}"


def short_names(folder: Path) -> list[str]:
    """The strings that name a test case, of those that its name has room for."""
    ledger = folder / "verify" / "claim_ledger.json"
    # A name is one line: what separates words in it is a space.
    short = [one for one in SOME if len(visible(one)) < 60]
    if not ledger.exists():
        return short
    claimed = {entry["text"] for entry in json.loads(ledger.read_bytes())["entries"]}
    return [one for one in short if one in claimed]


# --- Markdown ---------------------------------------------------------------------------------


def of_review(filler: Filler) -> str:
    """`report.md`; numbers of findings are ours."""
    return report_markdown(filler.make(ReviewReport))


def of_run(filler: Filler) -> str:
    """`summary.md`."""
    return markdown(result_of(filler))


def of_experiment(filler: Filler) -> str:
    """`report.md` of an experiment."""
    return experiment_markdown(analysis_of(filler))


def of_references(filler: Filler) -> str:
    """The references behind a cited copy."""
    return reference_list(filler.make(tuple[CitedSource, ...]))


def of_memory(filler: Filler) -> str:
    """`memory.md`, of which the topics are read back."""
    with tempfile.TemporaryDirectory() as folder:
        memory = GapMemory(Path(folder) / "memory.md")
        topic = filler.words[0]
        for _ in range(2):
            memory.register(filler.make(tuple[Gap, ...]), topic, on=date(2026, 1, 2))
        assert [row.topic for row in memory.rows()] == [one_line(topic)]
        return memory.path.read_text(encoding="utf-8")


# All write a string by the same few functions. The memory is a file with a lock.
@pytest.mark.parametrize(
    ("write", "strings"),
    [
        (of_references, MORE),
        (of_run, MORE[::4]),
        (of_experiment, MORE[::8]),
        *(
            pytest.param(one, MORE, marks=pytest.mark.soak)
            for one in (of_run, of_review, of_experiment)
        ),
        pytest.param(of_memory, MORE[::3], marks=pytest.mark.soak),
    ],
    ids=lambda value: value.__name__ if callable(value) else str(len(value)),
)
def test_a_markdown_file_has_the_structure_that_harmless_words_give_it(
    write: Callable[[Filler], str], strings: Sequence[str]
) -> None:
    plain = read_markdown(write(PLAIN))
    for words in strings:
        found = read_markdown(write(Filler((words,))))
        assert found.structure == plain.structure
        assert (found.bare, unseen(found.words)) == ((), set())
        if write is not of_references:
            assert missing(found.words, [words]) == []
        for address in found.addresses:
            assert re.fullmatch(r"https?://[\w.:-]+(?:[/?#].*)?", address, re.IGNORECASE)


def test_notes_stay_behind_whatever_a_document_holds() -> None:
    notes = [Note(20, "T-1", inline("[^review-T-1]: x")), Note(None, "order", "Read this.")]
    for words in ENCODABLE:
        text = f"The plant makes 5 MW.\n\n{words}"
        annotated = annotate(text, notes)
        assert unseen(annotated) == set()
        page = pyromark.html(annotated, options=pyromark.Options.ENABLE_FOOTNOTES)
        assert page.count("<p>Read this.</p>") == 1
        mark = re.search(r'MW<sup class="footnote-reference"><a href="#(review\d*-T-1)">', page)
        assert mark is not None
        assert page.count(f'<div class="footnote-definition" id="{mark[1]}">') == 1


# --- citations --------------------------------------------------------------------------------


FIELDS = {"author", "title", "year", "month", "url", "urldate", "note"}


def test_citations_of_every_format_are_read_as_what_they_cite() -> None:
    cited = Filler(ENCODABLE).make(tuple[CitedSource, ...])
    for form in CitationFormat:
        reader: Any = YAML(typ="safe")
        loaded = reader.load(citation_yaml(cited, form))
        urls = [one if isinstance(one, str) else one["url"] for one in loaded]
        assert urls == [safe_url(one.url) for one in cited]
        if form is CitationFormat.DETAILED:
            notes = [one.get("notes", "") for one in loaded]
            assert notes == [plain_line("; ".join(map(plain_line, one.notes))) for one in cited]
    assert [one["URL"] for one in json.loads(csl_json(cited))] == [
        safe_url(one.url) for one in cited
    ]
    library = parse_string(bibtex(cited))
    assert (len(library.entries), library.failed_blocks) == (len(cited), [])
    for entry, source in zip(library.entries, cited, strict=True):
        assert set(entry.fields_dict) <= FIELDS
        assert entry.fields_dict["url"].value == safe_url(source.url)


# --- terminals --------------------------------------------------------------------------------


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("command", PRINTED)
def test_nothing_that_is_printed_steers_a_terminal_or_a_runner(
    command: str, part: int, capsys: pytest.CaptureFixture[str]
) -> None:
    at_once, strings = 20, MORE[::part]
    for at in range(0, len(strings), at_once):
        PRINTED[command](Filler(strings[at : at + at_once]))
        printed = capsys.readouterr()
        screen = Screen().show(printed.out).show(printed.err)
        assert (screen.asked, screen.unseen, screen.commands) == ([], [], [])


def test_columns_stay_where_they_are_beside_any_text(capsys: pytest.CaptureFixture[str]) -> None:
    words = [one for one in HOSTILE if len(one) < 40]
    show_table([Column("a"), Column("b"), Column("c")], [(one, "|", "end") for one in words])
    screen = Screen().show(capsys.readouterr().out)
    rows = [line for line in screen.lines if line.rstrip().endswith("end")]
    assert len(rows) == len(words)
    assert len({sum(map(width, row.rstrip())) for row in rows}) == 1


def test_json_on_standard_output_is_read_as_what_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    for text in ENCODABLE:
        print_line(to_json(tuple[str, ...], (text,), indent=None))
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == [
        [text] for text in ENCODABLE
    ]


# --- other programs ---------------------------------------------------------------------------


@pytest.mark.parametrize("every", [12, pytest.param(4, marks=pytest.mark.soak)])
def test_answers_to_mcp_clients_are_the_record_and_hide_nothing(
    folder: Path, tmp_path: Path, every: int
) -> None:
    given = {"out": folder.parent, "memory": "none", "as_of": "2026-01-02"}
    loaded = load_settings(given, environ={}, folder=tmp_path)
    service = Service(loaded, real_roots([tmp_path]), Limits())
    desk = CallContext(service, tmp_path, "tests", lambda _: None, lambda _: None)
    calls: list[CallInput] = [GetRun(name=folder.name)]
    ledger = folder / "verify" / "claim_ledger.json"
    entries: list[Any] = json.loads(ledger.read_bytes())["entries"] if ledger.exists() else []
    # The length of an id is limited in calls.
    claims: dict[str, str] = {
        one["claim_id"]: one["text"] for one in entries if len(one["claim_id"]) <= 200
    }
    calls += [ExplainVerdict(run=folder.name, claim=one) for one in [*claims][::every]]
    for call in calls:
        # In a thread of its own: the browser's loop runs in this one.
        with ThreadPoolExecutor() as threads:
            output = threads.submit(asyncio.run, answer(Call(call), desk)).result()
        recorded_as = output.model_dump_json()
        result = tool_result(recorded_as)
        (content,) = result.content
        assert isinstance(content, TextContent)
        assert (
            json.loads(content.text)
            == result.structured_content
            == json.loads(output.model_dump_json())
        )
        assert unseen(content.text) == set()
        if isinstance(output, VerdictExplained):
            assert claims[output.claim] == output.text


def test_traces_hold_short_visible_names_whatever_agents_and_tools_are_called() -> None:
    with recorded() as recorder:
        for words in MORE:
            trace_all(words)
        got = recorder.collected()
    values = [value for span in got.spans for value in span.attributes.values()]
    values += [value for event in got.events for value in event.attributes.values()]
    values += [value for point in got.points for value in point.attributes.values()]
    values += [span.name for span in got.spans]
    said = [value for value in values if isinstance(value, str)]
    assert len(said) > 10 * len(MORE)
    assert max(map(len, said)) <= MAX_CHARS
    screen = Screen().show("\n".join(said))
    assert (screen.asked, screen.unseen, screen.commands) == ([], [], [])


def trace_all(words: str) -> None:
    """Everything that a trace tells, of a run in which all is called `words`."""
    filler = Filler((words,))
    with workflow(Workflow.RUN, run_id=words, mode=words), step("phase", about=words):
        with open_span(f"ask {words}", {"gen_ai.agent.name": words}):
            pass
        record_examination(words, filler.make(Examination))
        record_judgement(filler.make(Judgement))
        record_conclusion(filler.make(GateResult), filler.make(Critique))
        with invoke_agent(words, 1, f"1/{words}/batch-{words}", words) as session:
            conversation = Conversation(words)
            conversation.start_request()
            conversation.record_response(words, words, TurnUsage())
            conversation.start_tool_call(words, words)
            conversation.close(None)
            session.record_usage(TurnUsage(input_tokens=1), words, words)


def test_no_folder_is_named_as_a_string_wants() -> None:
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", slug(text)) for text in HOSTILE)
