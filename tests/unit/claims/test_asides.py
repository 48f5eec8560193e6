"""Sentences that say who made the document, what its author expects, and parts that say nothing."""

from __future__ import annotations

from datetime import date

import pytest
from foureyes import detect_factual_claims
from foureyes.datatypes import ClaimCategory

AS_OF = date(2025, 6, 1)


def rules(text: str) -> list[str]:
    found = detect_factual_claims(text, as_of=AS_OF)
    return [claim.exclusion for claim in found]


ASIDES = [
    ("This paper looks at three years of mill work, up to 2019.", "framing"),
    ("This report also compares the mills of 2019.", "framing"),
    ("This brief tells why mills close, who pays, and what happens by 2031.", "framing"),
    ("We expect that it will grind another 180 tonnes.", "future"),
    ("We anticipate 3,000 sacks a month.", "future"),
    ("Take Olmer Wheels to a trial with ten millers.", "instruction"),
    ("# Mills\n\n*For the guild. 45 mills, seat in Olm, start on 1 July.*", "metadata"),
    ("# Mills\n\nAuthor: Ada Olm; Date: 3 May 2025", "metadata"),
]
CLAIMS = [
    "This report found that 40 % of mills closed.",
    "This memo costs 40 euros.",
    "This overview covers 45 mills.",
    "Our pilot showed 73 percent.",
    "Figure 3: Exports up by 4 %",
    "We expect the market to reach $4 billion.",
    "Share prices of 40 mills fell.",
    "# Mills\n\n*Mills were 40 in 2019.*",
    "# Mills\n\n*Exports up 4 %.*",
]


@pytest.mark.parametrize(("text", "rule"), ASIDES)
def test_what_a_document_says_of_itself_or_hopes_is_no_claim_of_fact(text: str, rule: str) -> None:
    assert rules(text) == [rule]


@pytest.mark.parametrize("text", CLAIMS)
def test_what_goes_on_to_state_a_fact_stays_a_claim(text: str) -> None:
    assert rules(text) == [""]


SPEC = "A peer MUST answer. A key MUST be new. A frame SHOULD be short.\n\n"


@pytest.mark.parametrize(
    "text",
    [
        "`height = 95 metres`",
        "$$E = mc^2$$",
        "The energy is $E_1 = 12 m_2$ in all.",
        "The default is `30` seconds in all.",
        "Visit localhost:8000 on any browser.",
        "It listens on 127.0.0.1:8080 and olm.example:443.",
        "The flaw CVE-2014-0107 is one of the kind of EIP-1559 and RFC 2119.",
        "The talk is at 10.5281/zenodo.3628296 and arXiv:2101.00001.",
        "Wobble needs Python 3.10 or newer.",
        "Version 2.6.9 is followed by v3.1.",
        "A key MUST have 256 bits.",
        SPEC + "The value shall be 16 bytes.",
        "1. Install 3 packages.\n2. Wait 10 minutes.",
        "## Changelog\n\n### 1.2.0 (2024-05-01)\n\n- Faster by 30% on 4 cores.",
        "## v2.0 - 2025-01-02\n\n- It takes 40% less memory.",
        "# 95 metres of wall",
    ],
)
def test_code_identifiers_requirements_steps_and_changelogs_are_no_statistics(text: str) -> None:
    found = detect_factual_claims(f"# Wobble\n\n{text}\n", as_of=AS_OF)
    assert [claim.text for claim in found if not claim.exclusion and claim.quantities] == []


@pytest.mark.parametrize(
    "text",
    [
        "A magnitude 5.5 or higher was seen.",
        "The wall is 95 metres long, as `wall` says.",
        "Fares of $5 or $6 were paid.",
        "The mill must have paid 40 euros.",
        "It was 40% cheaper in 2020.",
    ],
)
def test_figures_beside_such_words_are_figures(text: str) -> None:
    (claim,) = detect_factual_claims(f"# Wobble\n\n{text}\n", as_of=AS_OF)
    assert claim.quantities
    assert not claim.exclusion


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Wobble is released under the 2-clause licence of Berkeley.", ClaimCategory.GENERAL),
        ("The guide of Wobble has a 5-step plan.", ClaimCategory.GENERAL),
        ("The clinic of Wobble is a 40-bed house.", ClaimCategory.STATISTICAL),
        ("The clinic of Wobble has 4 doctors.", ClaimCategory.STATISTICAL),
        ("Wobble 1.2 Rex (12 December 1996) was named for a dinosaur.", ClaimCategory.GENERAL),
        ("Wobble spent 1.2 million on roads.", ClaimCategory.STATISTICAL),
        ("The women of Wobble have 1.2 children.", ClaimCategory.STATISTICAL),
    ],
)
def test_a_version_or_a_small_count_in_a_compound_is_no_statistic(
    text: str, category: ClaimCategory
) -> None:
    (found,) = detect_factual_claims(f"# Wobble\n\n{text}\n", as_of=AS_OF)
    assert found.category is category
