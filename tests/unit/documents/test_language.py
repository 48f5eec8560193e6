"""Which language a text is in."""

from __future__ import annotations

import pytest
from support.checking import parsed

ENGLISH = [
    "Kirsten and colleagues ran the trial at five hospitals",
    "Revenue grew strongly in the last quarter of the year",
    "Olm Corp's revenue hit $12.4M in Q3, beating all forecasts.",
    "Georg Friedrich Mutschler was born in Oberammerthal.",
    "They included Karol Balewicz, Teofil Lenart, Franciszek Mick and Eweryst Krol.",
    "The ferry sailed at noon; it carried forty cars and twelve lorries.",
    "NIST SP 800-171 requires multifactor authentication.",
    "Firms The chief executive of Bluewater is Jane Roe",
]


@pytest.mark.parametrize("text", ENGLISH)
def test_short_english_is_recognised(text: str) -> None:
    assert parsed(text).language == "en"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Das Schiff wurde im Mai in Dienst gestellt und fährt seither jeden Tag.", "de"),
        ("Le navire est entré en service en mai et circule depuis tous les jours.", "fr"),
        ("El barco entró en servicio en mayo y navega todos los días desde entonces.", "es"),
        ("Het schip werd in mei in dienst gesteld en vaart sindsdien elke dag.", "nl"),
        ("Судно было введено в эксплуатацию в мае и ходит каждый день.", "ru"),
        ("大坝高84米。", "zh"),
        ("ダムは高い", "ja"),
        ("Der Damm ist hoch und alt.", "de"),
        ("この船は五月に就航し、それ以来毎日島と本土の間を運航しています。", "ja"),
    ],
)
def test_other_languages_get_their_code(text: str, code: str) -> None:
    assert parsed(text).language == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Olm",
        "TNS Kestrel, Merlin, Osprey",
        "1 2 3 | 4.5 % | 2020-01-01 " * 20,
        "Q1 Q2 Q3 EBIT 12 14 15 " * 20,
        "https://a.example/the/of/and/with/that " * 50,
    ],
    ids=["nothing", "a word", "names", "numbers", "a table of figures", "addresses"],
)
def test_too_little_text_is_undetermined(text: str) -> None:
    assert parsed(text).language == "und"


def test_a_long_text_is_judged_by_slices_of_all_of_it() -> None:
    german = "Das Schiff wurde im Mai in Dienst gestellt. " * 2000
    assert parsed("1 2 3 " * 4_000 + german).language == "de"


def test_a_document_is_judged_by_its_prose_and_not_by_its_code() -> None:
    code = "```\n" + "Das Schiff wurde im Mai in Dienst gestellt.\n" * 50 + "```\n"
    document = parsed(f"# Ferries\n\nThe ferry sailed at noon and was full.\n\n{code}")
    assert document.language == "en"
