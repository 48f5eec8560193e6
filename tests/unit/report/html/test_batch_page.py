from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest
from foureyes import RunDirectoryError, Severity
from foureyes.base.files import to_json
from foureyes.engine.work_folder import WorkState
from foureyes.report.batch import (
    BatchSummary,
    BatchTask,
    ClaimCounts,
    DocumentOutcome,
    DocumentResult,
    batch_exit_code,
    worst_first,
)
from foureyes.report.html.page import write_report
from hypothesis import given
from hypothesis import strategies as st
from support.hostile_strings import ENCODABLE

FLAGGED, PASSED = DocumentOutcome.FLAGGED, DocumentOutcome.PASSED


def summary(*documents: DocumentResult, name: str = "docs") -> BatchSummary:
    outcomes = Counter(one.outcome for one in documents)
    return BatchSummary(
        foureyes="0",
        id="1",
        name=name,
        directory="/batches/1",
        task=BatchTask.CHECK,
        state=WorkState.FINISHED,
        fail_on=Severity.MEDIUM,
        exit_code=1,
        started=datetime(2026, 11, 25, tzinfo=UTC),
        outcomes={one: outcomes[one] for one in DocumentOutcome},
        claims=ClaimCounts(9, 5, 1, 1, 1),
        severities=dict.fromkeys(Severity, 1),
        cost_usd=0.5,
        unpriced=0,
        active_s=1.5,
        documents=documents,
    )


def document(words: str, report: str, outcome: DocumentOutcome = FLAGGED) -> DocumentResult:
    return DocumentResult(
        words,
        words,
        words,
        outcome,
        status=words,
        reason=words,
        severities={Severity.HIGH: 1},
        report=report,
    )


class Read(HTMLParser):
    """The elements of a page with the names of their attributes, and where its links lead."""

    def __init__(self) -> None:
        super().__init__()
        self.elements = Counter[tuple[str, ...]]()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements[tag, *(name for name, _ in attrs)] += 1
        self.links += [value or "" for name, value in attrs if name == "href"]


def read(folder: Path, told: BatchSummary) -> Read:
    folder.mkdir(exist_ok=True)
    (folder / "batch.json").write_text("{}", encoding="utf-8")
    (folder / "summary.json").write_text(to_json(BatchSummary, told), encoding="utf-8")
    page = Read()
    page.feed(write_report(folder).read_text(encoding="utf-8"))
    return page


def test_nothing_in_a_name_or_a_path_breaks_out_of_the_table(tmp_path: Path) -> None:
    words = [text for text in ENCODABLE if text.split()]
    plain = [document("words", "words") for _ in words]
    hostile = [document(text, text) for text in words]
    expected = read(tmp_path / "plain", summary(*plain, name="words"))
    found = read(tmp_path / "hostile", summary(*hostile, name=words[0]))
    assert found.elements == expected.elements
    assert len(found.links) == len(expected.links) > len(words) > 500
    assert {link[:2] for link in found.links} == {"./", "#f", "#d"}
    assert [link for link in found.links if ":" in link] == []


def test_the_page_says_what_asks_for_attention(tmp_path: Path) -> None:
    documents = (document("a", ""), document("b", "", PASSED), document("c", "", PASSED))
    read(tmp_path, summary(*documents))
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "1 of 3 documents ask for attention; every document has ended" in page
    assert re.findall(r'<tr data-f="([^"]+)"', page) == ["0 1", "4 1", "4 1"]


def test_a_batch_without_a_summary_says_how_to_get_one(tmp_path: Path) -> None:
    (tmp_path / "batch.json").write_text("{}", encoding="utf-8")
    with pytest.raises(RunDirectoryError, match="foureyes batch report"):
        write_report(tmp_path)


def result(
    name: str,
    outcome: DocumentOutcome = FLAGGED,
    claims: ClaimCounts | None = None,
    **severities: int,
) -> DocumentResult:
    counts = {Severity(one): count for one, count in severities.items()}
    return DocumentResult(name, name, name, outcome, claims=claims, severities=counts)


def test_the_worst_document_comes_first() -> None:
    in_order = [
        result("critical", critical=1),
        result("two high", high=2, low=1),
        result("one high", high=1, medium=9),
        result("contradicted", claims=ClaimCounts(9, contradicted=1)),
        result("unsourced", claims=ClaimCounts(9, unsourced=5)),
        result("failed", DocumentOutcome.FAILED),
        result("inconclusive", DocumentOutcome.INCONCLUSIVE),
        result("waiting", DocumentOutcome.NOT_EXAMINED),
        result("passed", PASSED, low=3),
    ]
    assert list(worst_first(reversed(in_order))) == in_order


@given(st.lists(st.sampled_from(DocumentOutcome), min_size=1), st.sampled_from(WorkState))
def test_no_batch_passes_that_any_document_or_its_own_end_keeps_from_it(
    outcomes: list[DocumentOutcome], state: WorkState
) -> None:
    code = batch_exit_code([result("x", one) for one in outcomes], state)
    if state is WorkState.CANCELLED:
        assert code == 130
    elif state is WorkState.BUDGET:
        assert code == 3
    elif set(outcomes) == {DocumentOutcome.FAILED}:
        assert code == 4
    elif FLAGGED in outcomes:
        assert code == 1
    else:
        assert code == (0 if set(outcomes) == {PASSED} else 2)
