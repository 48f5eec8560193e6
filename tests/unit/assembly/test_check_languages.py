"""Documents in other languages: their number and date formats are no errors (decision 28)."""

from __future__ import annotations

from pathlib import Path

import pytest
from foureyes import CheckResult, GateDecision, IssueType, Verdict, check

# Each text and its page give the same figures in the formats of the language, or of English.
GERMAN = """# Jahresbericht der Hafengesellschaft

Veröffentlicht am 3. April 2025.

Die Hafengesellschaft erzielte im Jahr 2024 einen Umsatz von 1.234.567,89 Euro [1]. Das waren
12,5 % mehr als im Vorjahr, in dem es 1.097.393,68 Euro gewesen waren [1]. Am 14. März 2025
wurde der neue Kai eröffnet, der 2,5 Millionen Euro gekostet hat [1]. Der Kai ist 1.200 Meter
lang und 40,5 Meter breit [1]. Von den 3.400 Beschäftigten arbeiten 1.700, also 50 %, im
Schichtdienst [1]. Die Zahl der Schiffe stieg von 1.500 auf 1.650; das ist ein Zuwachs von 10 %
[1].

| Jahr | Umschlag in Tonnen |
|---|---|
| 2023 | 1.050.000 |
| 2024 | 2.500,5 |
| Summe | 1.052.500,5 |

[1]: bericht.md
"""
FRENCH = """# Rapport annuel du port

Publié le 3 avril 2025.

La société du port a réalisé en 2024 un chiffre d’affaires de 1 234 567,89 euros [1]. C’était
12,5 % de plus que l’année précédente, où il était de 1 097 393,68 euros [1]. Le nouveau quai a
été inauguré le 14 mars 2025 et a coûté 2,5 millions d’euros [1]. Le quai mesure 1 200 mètres de
long et 40,5 mètres de large [1]. Sur les 3 400 employés, 1 700, soit 50 %, travaillent en
équipes [1]. Le nombre de navires est passé de 1 500 à 1 650, soit une hausse de 10 % [1]. Le
1er avril 2025, le tarif est passé de 1,50 € à 1,65 € [1].

[1]: bericht.md
"""
SPANISH = """# Informe anual del puerto

Publicado el 3 de abril de 2025.

La sociedad del puerto obtuvo en 2024 unos ingresos de 1.234.567,89 euros [1]. Fue un 12,5 % más
que el año anterior, cuando fueron 1.097.393,68 euros [1]. El nuevo muelle se inauguró el 14 de
marzo de 2025 y costó 2,5 millones de euros [1]. El muelle mide 1.200 metros de largo y 40,5
metros de ancho [1]. De los 3.400 empleados, 1.700, es decir el 50 %, trabajan por turnos [1].
El número de buques pasó de 1.500 a 1.650, un aumento del 10 % [1].

[1]: bericht.md
"""
CHINESE = """# 港口公司年度报告

发布日期：2025年4月3日。

港口公司2024年的收入为1,234,567.89元，比上一年增长12.5% [1]。
新码头于2025年3月14日启用，造价为250万元 [1]。
码头长1200米，宽40.5米 [1]。
3400名员工中有1700人（即50%）实行轮班制 [1]。
船舶数量从1500艘增加到1650艘，增长了10% [1]。
公司的贷款总额为1.2亿元，其中百分之三十将在三年内偿还 [1]。

[1]: bericht.md
"""  # noqa: RUF001 - the marks of Chinese are meant
ENGLISH_PAGE = """# Annual report of the port company

In 2024 the port company had a revenue of 1,234,567.89 euros, 12.5% more than the 1,097,393.68
euros of the year before. The new quay was opened on March 14, 2025 and cost 2.5 million euros.
The quay is 1,200 metres long and 40.5 metres wide. Of the 3,400 employees 1,700 (50%) work in
shifts. The number of ships rose from 1,500 to 1,650, which is 10% more. The loans come to 120
million, of which 30% fall due within three years.
"""
TEXTS = {"de": GERMAN, "fr": FRENCH, "es": SPANISH, "zh": CHINESE}
WRONG = {Verdict.CONTRADICTED, Verdict.DISPUTED}


def checked(text: str, page: str, folder: Path) -> CheckResult:
    (folder / "bericht.md").write_text(page, encoding="utf-8")
    return check(text, sources=[folder], fetch="none")


PAIRS = [(one, other) for one in TEXTS for other in (one, "en")] + [("fr", "de"), ("de", "fr")]


@pytest.mark.parametrize(("language", "other"), PAIRS)
def test_formats_of_another_language_contradict_nothing_and_edit_nothing(
    language: str, other: str, tmp_path: Path
) -> None:
    page = ENGLISH_PAGE if other == "en" else TEXTS[other].replace("[1]", "")
    result = checked(TEXTS[language], page, tmp_path)
    assert result.report.assessments
    assert WRONG.isdisjoint(one.verdict for one in result.report.assessments)
    assert [one for one in result.findings if one.correction is not None] == []
    against = (IssueType.NUMERIC_ERROR, IssueType.ARITHMETIC, IssueType.INTERNAL_CONTRADICTION)
    assert [one for one in result.findings if one.type in against] == []
    assert result.gate.decision is not GateDecision.PASS


@pytest.mark.parametrize("language", ["de", "zh"])
def test_a_page_in_another_language_edits_no_english_document(
    language: str, tmp_path: Path
) -> None:
    text = ENGLISH_PAGE.replace(". ", " [1]. ") + "\n[1]: bericht.md\n"
    result = checked(text, TEXTS[language].replace("[1]", ""), tmp_path)
    assert WRONG.isdisjoint(one.verdict for one in result.report.assessments)
    assert [one for one in result.findings if one.correction is not None] == []
