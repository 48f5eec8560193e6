"""What survives its defence becomes one numbered review, the worst first."""

from __future__ import annotations

from dataclasses import replace

import pytest
from foureyes import Severity
from foureyes.datatypes import Defence, DefenceOutcome, Lens, RedFinding
from foureyes.documents.parse import parse_document
from foureyes.review.compiling import compile_findings, line_of, span_of

DOCUMENT = parse_document(
    "# Quay\n\nThe quay is old and\nleaks. The crane is new.\n\nThe quay is old.\n"
)


def _finding(id_: str, lens: Lens, quote: str, line: int, severity: Severity) -> RedFinding:
    return RedFinding(id_, lens, quote, line, "vague", f"{id_} is vague", severity)


FINDINGS = [
    _finding("one", Lens.TEXTUAL, "The crane is new.", 4, Severity.LOW),
    _finding("two", Lens.TEXTUAL, "The quay is old and leaks.", 3, Severity.HIGH),
    _finding("three", Lens.ANALYTICAL, "leaks.", 4, Severity.MEDIUM),
    _finding("four", Lens.STRATEGIC, "Quay", 1, Severity.MEDIUM),
]


def test_findings_are_numbered_within_their_lens_the_worst_first() -> None:
    compiled = compile_findings(FINDINGS, {}, DOCUMENT).findings
    assert [(one.number, one.finding.id, one.merged) for one in compiled] == [
        ("T-1", "two", ("three",)),
        ("S-1", "four", ()),
        ("T-2", "one", ()),
    ]


def test_rules_say_nothing_twice_so_that_two_of_their_findings_at_a_place_are_two() -> None:
    by_rules = [
        replace(_finding(id_, Lens.STRATEGIC, "Quay", 1, Severity.LOW), by_rules=True)
        for id_ in ("costs", "owners")
    ]
    again = _finding("again", Lens.STRATEGIC, "Quay", 1, Severity.HIGH)
    compiled = compile_findings([*by_rules, again], {}, DOCUMENT).findings
    assert [(one.finding.id, one.finding.severity, one.merged) for one in compiled] == [
        ("costs", Severity.HIGH, ("again",)),
        ("owners", Severity.LOW, ()),
    ]


@pytest.mark.parametrize(
    ("outcome", "stands"),
    [
        (DefenceOutcome.KILLED, False),
        (DefenceOutcome.WEAKENED, True),
        (DefenceOutcome.SURVIVED, True),
    ],
)
def test_only_a_killed_finding_is_left_out(outcome: DefenceOutcome, stands: bool) -> None:
    defence = Defence("one", outcome, "The crane was bought in 2024.")
    compiled = compile_findings(FINDINGS[:1], {"one": defence}, DOCUMENT).findings
    assert [one.defence for one in compiled] == ([defence] if stands else [])


@pytest.mark.parametrize(
    ("quote", "line", "place"),
    [
        ("The quay is old and leaks.", 3, 3),
        ("The quay is old", 3, 3),
        ("The quay is old", 6, 6),
        ("The quay is old", 5, None),
        ("The crane is new.", 9, 4),
        ("The quay is young", 3, None),
        (" ", 1, None),
    ],
)
def test_a_quote_is_found_at_its_line_or_its_only_place(
    quote: str, line: int, place: int | None
) -> None:
    span = span_of(quote, line, DOCUMENT)
    assert (None if span is None else line_of(span[0], DOCUMENT)) == place
    if span:
        assert DOCUMENT.text[slice(*span)].split() == quote.split()
