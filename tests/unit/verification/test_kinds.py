"""Kinds of statements against kinds of sources, each through the library's check."""

from __future__ import annotations

from pathlib import Path

import foureyes
import pytest
from foureyes import Severity, Verdict
from foureyes.datatypes import ClaimAssessment

S, C, U = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.UNVERIFIABLE
ALARMS = (Severity.MEDIUM, Severity.HIGH, Severity.CRITICAL)


def checked(folder: Path, claim: str, source: str, head: str = "# D\n\n") -> ClaimAssessment:
    """The last claim of a document, which cites `source`; `head` is what stands above it."""
    (folder / "sources").mkdir()
    (folder / "sources" / "r.md").write_text(f"# R\n\n{source}\n")
    draft = folder / "draft.md"
    draft.write_text(f"{head}{claim.rstrip('.')} ([r](r.md)).\n")
    *_, found = foureyes.check(draft, sources=[folder / "sources"]).report.assessments
    return found


def is_alarm(found: ClaimAssessment) -> bool:
    return any(one.severity in ALARMS for one in found.findings)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The ferry runs daily.", "The ferry ran daily until 2017."),
        ("The refinery employs 310 people.", "The refinery employed 310 people until 2018."),
        ("The clinic has 22 wards.", "The clinic had 22 wards in 2005; it has 14 now."),
        (
            "Mara Ode is the director of the clinic.",
            "Mara Ode was the director of the clinic between 2009 and 2015.",
        ),
    ],
)
def test_what_was_so_until_a_past_year_is_an_alarm_in_the_present(
    claim: str, source: str, tmp_path: Path
) -> None:
    found = checked(tmp_path, claim, source)
    assert (found.verdict, is_alarm(found)) == (U, True)


@pytest.mark.parametrize(
    "head", ["---\ndate: 2020-02-10\n---\n", "# D\n\n*Last updated: 10 February 2020*\n\n"]
)
def test_a_toll_that_ended_after_the_documents_day_is_supported_as_outdated(
    tmp_path: Path, head: str
) -> None:
    source = "The toll was 4 euros until the end of 2022 and is 6 euros today."
    found = checked(tmp_path, "The toll is 4 euros.", source, head)
    assert (found.verdict, [one.type for one in found.findings]) == (S, ["outdated"])


@pytest.mark.parametrize(
    ("claim", "source", "severity"),
    [
        ("The plant makes 4 kilograms of seed.", "The plant makes 4 tonnes of seed.", "high"),
        ("The loan amounted to €40bn.", "The loan amounted to €40m.", "high"),
        ("Output reached 7 MW.", "Output reached 7 GW.", "high"),
        ("Rents fell in 2021.", "Rents rose in 2021.", "high"),
        (
            "A ticket costs €12 for adults or €6 for children.",
            "A ticket costs €15 for adults. Children pay nothing.",
            "medium",
        ),
        (
            "The plan includes 20 GB a month or 200 GB a year.",
            "The plan includes 50 GB per month. There is no yearly allowance.",
            "high",
        ),
        (
            "Ost Lighthouse is the oldest lighthouse on the coast.",
            "Skerry Lighthouse, lit in 1788, is the oldest lighthouse on the coast.",
            "high",
        ),
        (
            "The Kell tower is the tallest building in the region.",
            "The Omm tower, finished in 1998, is the tallest building in the region.",
            "high",
        ),
    ],
)
def test_another_unit_direction_first_figure_or_holder_is_proved_wrong(
    claim: str, source: str, severity: str, tmp_path: Path
) -> None:
    found = checked(tmp_path, claim, source)
    assert (found.verdict, found.decided) == (C, True)
    assert [one.severity for one in found.findings] == [severity]


def test_no_repair_is_offered_where_a_second_figure_is_open(tmp_path: Path) -> None:
    claim = "The service costs $4 a month or $44 a year."
    found = checked(tmp_path, claim, "The service costs $9 a month. There is no annual plan.")
    assert (found.verdict, found.findings[0].correction) == (C, None)


TWO_YEARS = "Output was 240 tonnes in 2023 and 200 tonnes in 2022."
ROWS = "| Item | 2022 (EUR) | 2023 (EUR) |\n|---|---|---|\n| Storage | 39,800 | 43,100 |"


@pytest.mark.parametrize(
    ("claim", "source", "wrong"),
    [
        ("Output was 240 tonnes in 2023, 60 more than in 2022.", TWO_YEARS, True),
        ("Output was 240 tonnes in 2023, 40 less than in 2022.", TWO_YEARS, True),
        ("Output was 240 tonnes in 2023, 40 tonnes more than in 2022.", TWO_YEARS, False),
        ("Output was 240 tonnes in 2023, 60 more than in 2021.", TWO_YEARS, False),
        (
            "The school has 240 pupils, 60 more than last year.",
            "The school has 240 pupils. Last year it had 200.",
            True,
        ),
        ("Storage cost 43,100 euros in 2023, 5,300 more than in 2022.", ROWS, True),
        (
            "The tower is 88 metres high, 3 metres higher than the church.",
            "The tower is 88 metres high and 12 metres wide. The church is 85 metres high.",
            False,
        ),
    ],
)
def test_a_difference_is_worked_from_the_two_figures_of_the_source(
    claim: str, source: str, wrong: bool, tmp_path: Path
) -> None:
    assert (checked(tmp_path, claim, source).verdict is C) is wrong


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Profit fell by 5%.", "Profit changed by −5%."),
        ("The mean temperature dropped by 2 degrees.", "The mean temperature moved by -2 degrees."),
    ],
)
def test_a_fall_by_a_figure_is_not_denied_by_a_change_below_zero(
    claim: str, source: str, tmp_path: Path
) -> None:
    assert checked(tmp_path, claim, source).verdict is not C


@pytest.mark.parametrize(
    ("claim", "wrong"),
    [
        ("Line B was rated late in 2019.", True),
        ("Line A was rated punctual in 2023.", False),
        ("Line B went from late to punctual.", True),
    ],
)
def test_a_letter_tells_one_row_from_another(claim: str, wrong: bool, tmp_path: Path) -> None:
    rows = "| Line | 2019 | 2023 |\n|---|---|---|\n| Line A | Late | Punctual |\n"
    rows += "| Line B | Punctual | Late |"
    assert (checked(tmp_path, claim, rows).verdict is C) is wrong


@pytest.mark.parametrize(
    ("claim", "source", "verdict"),
    [
        ("The fair is open 5–19 May 2024.", "The fair is open from 5 May to 19 May 2024.", S),
        ("The fair is open May 5–19, 2024.", "The fair is open from 5 May to 19 May 2024.", S),
        ("The talks took place on 3/4 July 2021.", "The talks were on 3 and 4 July 2021.", S),
        ("The fair is open 5–29 May 2024.", "The fair is open from 5 May to 19 May 2024.", C),
    ],
)
def test_days_of_a_range_are_dates(
    claim: str, source: str, verdict: Verdict, tmp_path: Path
) -> None:
    assert checked(tmp_path, claim, source).verdict is verdict


def test_a_sentence_after_an_abbreviation_stands_there_word_for_word(tmp_path: Path) -> None:
    source = "Mr. Hale joined Acme Inc. The court ruled for Jones Ltd. Dr. Lee lives in Paris."
    for at, claim in enumerate(("Mr. Hale joined Acme Inc.", "Dr. Lee lives in Paris.")):
        (folder := tmp_path / str(at)).mkdir()
        assert checked(folder, claim, source).verdict is S


@pytest.mark.parametrize(
    "sentence",
    [
        "The dam was finished in 1962, as the [engineers' report](r.md) shows.",
        "The levy is 6 percent, per the [tariff](r.md).",
        "It has 4 gates (as stated in [the report](r.md)).",
        "According to the [tariff](r.md), the levy is 6 percent.",
        "As [the report](r.md) shows, the dam was finished in 1962.",
    ],
)
def test_a_clause_that_only_says_where_it_stands_is_no_part_of_the_claim(
    sentence: str, tmp_path: Path
) -> None:
    (tmp_path / "sources").mkdir()
    page = "# R\n\nThe dam was finished in 1962. The levy is 6 percent. It has 4 gates.\n"
    (tmp_path / "sources" / "r.md").write_text(page)
    (tmp_path / "d.md").write_text(f"# D\n\n{sentence}\n")
    (found,) = foureyes.check(tmp_path / "d.md", sources=[tmp_path / "sources"]).report.assessments
    assert found.verdict is S


@pytest.mark.parametrize("formula", ["\\[ a^2 + b^2 = 25 \\]", "\\[\nn = 400 + 3x\n\\]"])
def test_a_formula_in_tex_brackets_is_no_statistic(formula: str, tmp_path: Path) -> None:
    (tmp_path / "d.md").write_text(f"# D\n\nSee this.\n\n{formula}\n")
    assert foureyes.check(tmp_path / "d.md").report.claims == ()


@pytest.mark.parametrize("cites", ["", " ([c](copy.md))"])
def test_a_file_with_the_same_title_and_sentences_is_no_source_unless_it_is_cited(
    cites: str, tmp_path: Path
) -> None:
    text = "# Harbour\n\nThe harbour handled 4.1 million tonnes in 2023.\n\nIt has 30 cranes."
    (tmp_path / "copy.md").write_text(text)
    (tmp_path / "d.md").write_text(text.replace("2023.", f"2023{cites}."))
    report = foureyes.check(tmp_path / "d.md", sources=[tmp_path]).report
    advised = any("copy.md" in one.recommendation for a in report.assessments for one in a.findings)
    assert not advised
    assert (report.assessments[0].verdict is S) is bool(cites)


@pytest.mark.parametrize(
    ("claim", "source", "verdict"),
    [
        ("The scheme cost 4,600 million kroner.", "The scheme cost 4.6 billion kroner.", S),
        ("Emissions were 36,000 tonnes.", "Emissions were 36 kilotonnes.", S),
        ("The pool opens at 7.30am on weekdays.", "The pool opens at 7:30 a.m. on weekdays.", S),
        ("The tank holds over 900 litres.", "The tank holds more than 900 litres.", S),
        ("≥ 12 buses a day stop here.", "At least 12 buses a day stop here.", S),
        ("Turnover was $1,300 million in 2022.", "Turnover was $1.3 billion in 2022.", S),
        (
            "In 2009 the line carried 40 trains a day.",
            "The line carried 40 trains a day in 2009.",
            S,
        ),
        ("The mean in January was −12 °C.", "The mean in January was 12 °C below zero.", S),
        ("The loan was ₹4.5 million.", "The loan was ₹45 lakh.", S),
        ("The dose is 0.25 mg a day.", "The dose is 250 micrograms daily.", S),
        ("The mean in January was 12 °C.", "The mean in January was −12 °C.", U),
        ("The mean in January was +12 °C.", "The mean in January was −12 °C.", U),
        ("The tank holds < 900 litres.", "The tank holds more than 900 litres.", C),
    ],
)
def test_a_sentence_stands_in_the_source_with_its_figures_written_another_way(
    claim: str, source: str, verdict: Verdict, tmp_path: Path
) -> None:
    assert checked(tmp_path, claim, source).verdict is verdict


@pytest.mark.parametrize(
    ("claim", "source", "verdict"),
    [
        ("The fleet grew from 90 to 75 vans.", "The fleet has grown to 90 vans from 75.", C),
        ("Waits rose from 31 days to 38.", "Waits lengthened from 31 to 38 days.", U),
        ("Waits fell from 38 to 31 days.", "Waits lengthened from 31 to 38 days.", C),
    ],
)
def test_both_ends_of_a_change_have_the_unit_that_one_names(
    claim: str, source: str, verdict: Verdict, tmp_path: Path
) -> None:
    assert checked(tmp_path, claim, source).verdict is verdict


def test_a_profit_below_zero_is_not_denied_by_the_loss_of_as_much(tmp_path: Path) -> None:
    found = checked(tmp_path, "Profit was −$4 million.", "The loss was $4 million.")
    assert (found.verdict is C, is_alarm(found)) == (False, False)


def test_what_goes_between_the_same_values_or_fell_below_zero_is_no_alarm(tmp_path: Path) -> None:
    (tmp_path / "fall").mkdir()
    change = checked(tmp_path, "Waits rose from 31 days to 38.", "Waits went from 31 to 38 days.")
    fall = checked(
        tmp_path / "fall", "Profit fell by 5% in 2023.", "Profit changed by -5% in 2023."
    )
    assert (is_alarm(change), is_alarm(fall)) == (False, False)


def test_another_figure_of_a_past_year_does_not_bind_the_present_one(tmp_path: Path) -> None:
    source = "In 2009 the pipeline carried 120 barrels a day. Today it carries 35 barrels a day."
    found = checked(tmp_path, "The pipeline carries 35 barrels a day.", source)
    assert "in 2009" not in found.reason


def test_a_figure_in_words_stands_under_its_own_column(tmp_path: Path) -> None:
    rows = "| Phase | Cost (£) | Weeks |\n|---|---|---|\n| Roof | 62,000 | 9 |\n"
    rows += "| Wiring | 18,500 | 4 |"
    claim = "The roof costs £62,000 and takes nine weeks."
    assert checked(tmp_path, claim, rows).verdict is not C


def test_a_source_of_the_documents_day_is_not_too_old_for_it(tmp_path: Path) -> None:
    source = "The quarry employs 64 people."
    found = checked(
        tmp_path,
        source,
        f"Published on 3 May 2020.\n\n{source}",
        head="---\ndate: 2020-11-15\n---\n",
    )
    assert (found.verdict, found.findings) == (S, ())


def test_a_mended_quotation_keeps_the_comma_that_the_document_sets(tmp_path: Path) -> None:
    claim = "“We buy a firm, not a house,” she said."
    (finding,) = checked(tmp_path, claim, "“We buy a house, not a firm,” she said.").findings
    assert finding.correction is not None
    assert finding.correction.replacement == "We buy a house, not a firm,"


@pytest.mark.parametrize(
    "claim", ["The town has 14 wards.", "The town had 22 wards in 2005; it has 14 now."]
)
def test_what_a_later_clause_says_of_today_is_no_contradiction(claim: str, tmp_path: Path) -> None:
    found = checked(tmp_path, claim, "The town had 22 wards in 2005; it has 14 now.")
    assert (found.verdict is C, is_alarm(found)) == (False, False)


def test_another_prefix_of_one_unit_is_proved_wrong(tmp_path: Path) -> None:
    found = checked(tmp_path, "The camera has 48 gigapixels.", "The camera has 48 megapixels.")
    assert (found.verdict, found.decided) == (C, True)
