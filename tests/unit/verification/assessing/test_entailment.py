"""A second opinion may doubt and ask; it never bears out or contradicts."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import GateDecision, Severity, Verdict
from foureyes.documents.parse import parse_document
from foureyes.verification.assessing.entailment import EntailmentPolicy, Leaning, SecondOpinion
from foureyes.verification.check import CheckReport, check_document
from support.claim_kit import AS_OF, PAGE, cited, registry, sources

TEXT = "The mean crossing took 45 minutes. The ferry made 200 calls at Norrvik in May."
POLICY = EntailmentPolicy(contradicts=0.9, entails=0.9, passages=2)


class Always:
    """A model that says the same of everything, and remembers what it was shown."""

    def __init__(self, entails: float, contradicts: float) -> None:
        self._leaning = Leaning(entails, 1 - entails - contradicts, contradicts)
        self.shown: list[tuple[str, str]] = []

    def __call__(self, premise: str, hypothesis: str) -> Leaning:
        self.shown.append((premise, hypothesis))
        return self._leaning


SURE = Always(0.95, 0.01)
AGAINST = Always(0.01, 0.95)
UNSURE = Always(0.5, 0.45)


def report(sentence: str, model: Always) -> CheckReport:
    opinion = SecondOpinion(model, POLICY)
    draft = parse_document(sentence)
    return check_document(draft, sources({PAGE: TEXT}), registry(), as_of=AS_OF, opinion=opinion)


TRUE = cited("The mean crossing took 45 minutes.")
WRONG = cited("The mean crossing took 65 minutes.")
SILENT = cited("The mean crossing took 45 minutes in 1998.")
UNCITED = "The mean crossing took 45 minutes.\n"
OPINION = "The outlook is good.\n"


@pytest.mark.parametrize("draft", [TRUE, WRONG, UNCITED, OPINION])
@pytest.mark.parametrize("model", [SURE, UNSURE])
def test_a_model_that_agrees_or_is_unsure_changes_no_verdict(draft: str, model: Always) -> None:
    plain = check_document(parse_document(draft), sources({PAGE: TEXT}), registry(), as_of=AS_OF)
    heard = report(draft, model)
    assert heard.assessments == plain.assessments
    assert heard.gate == plain.gate


@pytest.mark.parametrize("draft", [WRONG, UNCITED, OPINION, SILENT])
def test_what_rules_did_not_support_no_model_makes_worse(draft: str) -> None:
    plain = check_document(parse_document(draft), sources({PAGE: TEXT}), registry(), as_of=AS_OF)
    assert report(draft, AGAINST).assessments == plain.assessments


def test_a_supported_claim_that_the_model_doubts_is_unverifiable() -> None:
    (answer,) = report(TRUE, AGAINST).assessments
    assert (answer.verdict, answer.decided) == (Verdict.UNVERIFIABLE, False)
    (finding,) = answer.findings
    assert finding.type == "unverifiable"
    assert "an entailment model takes the source to contradict it (0.95)" in finding.evidence
    assert AGAINST.shown[-1] == (TEXT[:34], "The mean crossing took 45 minutes.")


def test_an_unverifiable_claim_that_the_model_finds_is_left_to_a_person() -> None:
    found = report(SILENT, SURE)
    (answer,) = found.assessments
    assert (answer.verdict, answer.unchecked) == (Verdict.UNVERIFIABLE, True)
    assert answer.reason.endswith("an entailment model takes the source to state it (0.95)")
    assert [finding.severity for finding in answer.findings] == [Severity.LOW]
    assert found.gate.metrics.unchecked == 1
    both = check_document(
        parse_document(f"{TRUE}\n\n{SILENT}\n"),
        sources({PAGE: TEXT}),
        registry(),
        as_of=AS_OF,
        opinion=SecondOpinion(SURE, POLICY),
    )
    assert both.gate.decision is GateDecision.PENDING_REVIEW
