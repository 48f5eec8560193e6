"""What a claim is about, whether it changes, whose it is and who can check it (decision 26)."""

from __future__ import annotations

from datetime import date

import pytest
from foureyes import Claim, detect_factual_claims

AS_OF = date(2025, 6, 1)

TOPICS = [
    ("The towers stand 1,700 km apart.", "distance"),
    ("It cost $500 million in FY2024.", "budget"),
    ("It opened in 1988.", "date"),
    ("Ilse Marn, Secretary of War, left in 2020.", "title"),
    ("It reached 105% manning.", "org-fact"),
    ("Its war ended in 1744.", "historical"),
    ("The guard costs one third of the army.", "statistical"),
    ("Olm, 90 years old, lies north of Ulm.", "statistical"),
    ("Since 1990 Olm has been the capital of Ulmia.", "geographic"),
    ("In the words of its list [1], it is red.", "other"),
]
TEMPORALITIES = [
    ("The towers stand 1,700 km apart.", "STATIC"),
    ("It opened in 1988.", "STATIC"),
    ("Its war ended in 1744.", "STATIC"),
    ("Revenue was $5 million in 2019.", "STATIC"),
    ("The budget is $5 million.", "TEMPORAL"),
    ("It employs 500 people.", "TEMPORAL"),
    ("The share is now 40%.", "TEMPORAL"),
    ("The plant is expected to open in 2030.", "TEMPORAL"),
]
POLARITIES = [
    ("The tower is 50 m high.", "ASSERTED"),
    ("We found that the tower is 50 m high.", "ASSERTED"),
    ("This report concludes that the tower is 50 m high.", "ASSERTED"),
    ("According to Marn, the tower is 50 m high.", "ATTRIBUTED"),
    ("Marn says the tower is 50 m high.", "ATTRIBUTED"),
    ("The survey found that 40% left.", "ATTRIBUTED"),
    ("The tower is 50 m high, said Marn.", "ATTRIBUTED"),
    ("Critics say the tower is 50 m high, but nobody has measured it.", "REFUTED"),
    ("Contrary to the guide, the tower is 50 m high.", "REFUTED"),
    ("The tower is 50 m high. This is false.", "REFUTED"),
]
ROUTES = [
    ("The tower is 50 m high.", "external"),
    ("Our pilot with 500 students showed 73% improvement.", "internal"),
    ("We estimate 500 users, based on the census.", "internal"),
    ("Sales rose from 40 to 50 units, a 25% increase.", "computational"),
    ("Sales rose from 40 to 50 units, a 25% increase [1].", "external"),
    ("In my opinion, two towers are too many.", "opinion"),
]
# As the three samples of the semantic spec's appendix B, and each pattern of its appendix A.
SAMPLES: list[tuple[str, str, list[str], str]] = [
    (
        "DFARS 252.204-7020 obliges suppliers to follow the controls of NIST SP 800-172.",
        "regulatory",
        ["DFARS 252.204-7020", "NIST SP 800-172"],
        "",
    ),
    (
        "The A-19 programme has handed over more than 700 gliders as of 2023.",
        "quantitative",
        ["A-19", "700", "2023"],
        "",
    ),
    ("In my opinion, the revised rules are too lax.", "named_entity", [], "opinion"),
]
APPENDIX_A = [
    ("DFARS 252.204-7012", "dfars/252.204-7012"),
    ("DFARS 204.73", "dfars/204.73"),
    ("Defense Federal Acquisition Regulation", "dfars"),
    ("FAR 52.204-21", "far/52.204-21"),
    ("FAR 2.101", "far/2.101"),
    ("Federal Acquisition Regulation", "far"),
    ("NIST SP 800-171", "nist-sp/800-171"),
    ("NIST 800-53", "nist-sp/800-53"),
    ("NIST Cybersecurity Framework", "nist-csf"),
    ("NIST Framework", "nist-csf"),
    ("CMMC Level 2", "cmmc"),
    ("CMMC 2", "cmmc"),
    ("Cybersecurity Maturity Model Certification", "cmmc"),
    ("ISO 27001", "iso/27001"),
    ("ISO 9001:2015", "iso/9001"),
    ("ITAR", "itar"),
    ("International Traffic in Arms Regulations", "itar"),
    ("EAR 734.3", "ear/734.3"),
    ("Export Administration Regulations", "ear"),
]


def only(text: str) -> Claim:
    document = f"{text}\n\n[1]: https://a.example\n" if "[1]" in text else text
    (claim, *_) = detect_factual_claims(document, as_of=AS_OF)
    return claim


@pytest.mark.parametrize(("text", "topic"), TOPICS)
def test_a_claim_has_a_category_of_the_document_review(text: str, topic: str) -> None:
    assert only(text).topic == topic


@pytest.mark.parametrize(("text", "temporality"), TEMPORALITIES)
def test_a_claim_says_whether_it_may_change(text: str, temporality: str) -> None:
    assert only(text).temporality == temporality


@pytest.mark.parametrize(("text", "polarity"), POLARITIES)
def test_a_claim_is_the_documents_or_somebodys_or_refuted(text: str, polarity: str) -> None:
    assert only(text).polarity == polarity


@pytest.mark.parametrize(("text", "route"), ROUTES)
def test_a_claim_goes_to_those_who_can_check_it(text: str, route: str) -> None:
    assert only(text).route == route


@pytest.mark.parametrize(("text", "kind", "entities", "exclusion"), SAMPLES)
def test_the_samples_of_the_semantic_spec_come_out_as_it_says(
    text: str, kind: str, entities: list[str], exclusion: str
) -> None:
    claim = only(text)
    assert (claim.kind, claim.exclusion) == (kind, exclusion)
    assert [one.text for one in claim.entities] == entities


@pytest.mark.parametrize(("reference", "norm"), APPENDIX_A)
def test_each_pattern_of_the_semantic_spec_makes_a_regulatory_claim(
    reference: str, norm: str
) -> None:
    claim = only(f"Suppliers follow {reference} with care.")
    assert claim.kind == "regulatory"
    assert [one.norm for one in claim.references] == [norm]
    assert [(one.text, one.type) for one in claim.entities] == [(reference, "REGULATION")]


def test_intensifiers_are_left_out_of_the_core_of_a_claim() -> None:
    claim = only("Sales rose significantly by 40% in very few towns.")
    assert claim.text == "Sales rose significantly by 40% in very few towns."
    assert claim.core == "Sales rose by 40% in few towns."
    assert only("Sales rose by 40%.").core == ""


def test_materiality_follows_from_what_the_argument_rests_on() -> None:
    assert only("The tower is 50 m high.").materiality == "LOAD-BEARING"
    first, second = detect_factual_claims("It has 5 towers.\n\nIt has 60 gates.\n", as_of=AS_OF)
    assert (first.materiality, second.materiality) == ("LOAD-BEARING", "BACKGROUND")


def test_entities_and_references_lead_back_to_the_document() -> None:
    text = "# Report\n\nThe *Marn* tower keeps **NIST SP 800-53** on 9 lists.\n"
    (claim,) = detect_factual_claims(text, as_of=AS_OF)
    placed = [slice(*claim.source_span(one.start, one.end)) for one in claim.entities]
    assert [text[place] for place in placed] == ["Marn", "NIST SP 800-53", "9"]
