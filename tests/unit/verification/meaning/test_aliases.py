"""Words that a passage has under another name, by pronoun or in short."""

from __future__ import annotations

import pytest
from foureyes.verification.judging.alignment import Aligner
from foureyes.verification.reading.form import claim_form
from foureyes.verification.reading.index import TextIndex
from foureyes.verification.reading.window import build_window
from support.claim_kit import cited, claims_of, registry


def explained(claim: str, text: str, number: int) -> frozenset[str]:
    """The claim's words that sentence `number` says otherwise."""
    (one,) = claims_of(cited(claim))
    lexicon = registry().lexicon
    index = TextIndex(text, lexicon)
    aligner = Aligner(claim_form(one, lexicon), index, lexicon, registry().verification)
    return aligner.explained(build_window(index, number, number))


@pytest.mark.parametrize(
    ("claim", "text", "words"),
    [
        (
            "The Upland Water Board lost 22 percent of its water.",
            "The Upland Water Board (UWB) met. The UWB lost 22 percent.",
            {"upland", "board"},
        ),
        (
            "The Upland Water Board lost 22 percent of its water.",
            "The talks began. The UWB lost 22 percent.",
            {"upland", "board"},
        ),
        (
            "The UWB lost 22 percent of its water.",
            "The talks began. The Upland Water Board lost 22 percent.",
            {"uwb"},
        ),
        (
            "The rule wants an audit at Level 2 in 2025.",
            "The talks began. At L2 an audit is due in 2025.",
            {"level"},
        ),
        (
            "Shops accept the savings card from May.",
            'The savings card (in short "s-Card") is free. Shops accept the s-Card from May.',
            {"sav"},
        ),
        (
            "The Netherlands sent 40 boats.",
            "The talks began. Dutch officers sent 40 boats.",
            {"netherland"},
        ),
        (
            "Lena Moe wrote the first version in 2019.",
            "Lena Moe studied mathematics with Ole Vang. The mathematician wrote it in 2019.",
            {"lena", "moe"},
        ),
        (
            "Isidora Moe found the request poor in 2019.",
            "Isidora Moe and Peter Vang spoke. The former found the request poor in 2019.",
            {"isidora", "moe"},
        ),
        (
            "Ole Vang found the request poor in 2019.",
            "Lena Moe and Ole Vang spoke. The latter found the request poor in 2019.",
            {"ole", "vang"},
        ),
        (
            "Lena Moe sold the mill in 2019.",
            "Lena Moe spoke for an hour. She sold the mill in 2019.",
            {"lena", "moe"},
        ),
        (
            "Lena Moe sold the mill in 2019.",
            "Lena Moe and Peter Vang spoke. She sold the mill in 2019.",
            {"lena", "moe"},
        ),
    ],
)
def test_a_name_is_known_by_what_the_source_puts_for_it(
    claim: str, text: str, words: set[str]
) -> None:
    assert words <= explained(claim, text, 1)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Lena Moe sold the mill in 2019.", "Lena Moe met Anna Holt. She sold the mill in 2019."),
        ("Peter Vang sold the mill in 2019.", "Lena Moe and Peter Vang spoke. She sold it."),
        ("Emil Brand sold the mill in 2019.", "Emil Brand left. Kaspar Brand sold it in 2019."),
        ("Ole Vang sold the mill in 2019.", "Ole Vang left. The former sold it in 2019."),
    ],
)
def test_a_name_is_not_known_by_what_may_mean_another(claim: str, text: str) -> None:
    assert not explained(claim, text, 1)
