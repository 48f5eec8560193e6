"""Sums that a text reckons with its own figures: a wrong result is doubted, with its working."""

from __future__ import annotations

import pytest
from foureyes import Finding, IssueType
from foureyes.claims.arithmetic.checks import check_arithmetic, read_figures
from foureyes.claims.lexicon import load_lexicon
from foureyes.documents.parse import parse_document
from support.checking import checked


def doubted(text: str) -> list[Finding]:
    answers = checked(text).report.assessments
    found = (finding for answer in answers for finding in answer.findings)
    return [finding for finding in found if finding.type is IssueType.ARITHMETIC]


# A text, its right result, and a wrong one.
RECKONED = [
    ("Sales rose from 40 to 50 million euros, a {} percent increase.", "25", "35"),
    ("Revenue fell by {} percent, from $5.0 billion to $4.0 billion.", "20", "30"),
    ("Staff numbers reached 240, up from 200 a year earlier, a rise of {} percent.", "20", "40"),
    ("It cost 4.1 million, up from 3.8 million, an increase of {} percent.", "8", "18"),
    ("Sales were 40 million in 2021 and 50 million in 2022, an increase of {}%.", "25", "35"),
    ("It had 50 looms in 2022 and 40 in 2021, a rise of {} looms.", "10", "15"),
    ("The rate rose from 2.5 percent to 3.0 percent, up {} basis points.", "50", "90"),
    ("The rate rose from 10 percent to 15 percent, up {} percentage points.", "5", "9"),
    ("The fee fell from 90 to 75 euros, a cut of {} euros.", "15", "45"),
    ("Of the drones, 48 of 60 returned, or {} percent.", "80", "60"),
    ("In the poll {} % (22 of 30) agreed.", "73", "83"),
    ("Of the 300 houses 120 are empty, or {} percent.", "40", "30"),
    ("Out of 60 samples, 15 ({}%) failed and 5 were lost.", "25", "35"),
    ("It gave $3.0 million to schools, $2.5 million to clinics and $1.5 million to parks, "
     "for a total of ${} million.", "7.0", "9.0"),
    ("They sold 12 tickets, 7 tickets and 3 tickets, {} tickets in total.", "22", "32"),
    ("Membership grew from 800 to 1000, or by {} %.", "25", "35"),
    ("Of the 120 members, 45 voted yes, 60 no and {} were away.", "15", "25"),
    ("Of the 120 members 45 voted yes, 60 no and the other {} stayed away.", "15", "5"),
    ("They sold {} houses: 10 in the north, 6 in the south and 3 in the east.", "19", "21"),
    ("They sold {} houses (10 in Olm, 6 in Berg, 3 in Lund) for 9 million euros.", "19", "21"),
    ("In the poll 45 percent said yes, 40 percent no and {} percent were undecided.", "15", "25"),
    ("In the poll 34 % were for, 34 % against and {} % undecided.", "33", "43"),
    ("Output doubled from 40 to {} tonnes.", "80", "90"),
    ("Output doubled in two years, from 40 to {} tonnes.", "82", "60"),
    ("The prize was tripled from 2,000 to {} euros.", "6,000", "9,000"),
    ("Staff was halved from 90 people to {}.", "45", "30"),
    ("A third of the 90 members, {} people, came.", "30", "45"),
    ("Half of the 92 members ({} people) came.", "45", "60"),
    ("The council has {} seats – 10 for the Reds, 6 for the Greens and 3 for Olm.", "19", "21"),
    ("Here 45% said yes, 40% no and {}% did not know.", "15", "25"),
    ("Exactly 20 percent of the 90 boats, or {}, sank.", "18", "36"),
    ("The hall has 31 chairs in each of its 27 rows, {} chairs altogether.", "837", "907"),
    ("There are 12 benches at 30 euros each, which comes to {} euros.", "360", "390"),
    ("The lot has 90 places. Of these, 37 are let; the remaining {} are free.", "53", "63"),
    ("There were 90 sheep there; 37 have been sold, which leaves {}.", "53", "63"),
    ("Last year 40 men and 30 women joined, a total of {} people.", "70", "80"),
    ("The crates weigh 12 * 7 = {} kg.", "84", "85"),
    ("He spent $1.50 x 4 = {} there.", "$6", "$60"),
    ("That makes 3 crates + 2 crates = {} crates.", "5", "6"),
    ("Half of 18 pallets = {} pallets.", "9", "8"),
    ("A tax of 20% of 250 = {} euros.", "50", "5"),
    ("With 50 + 20% = {} it is dearer.", "60", "70"),
    ("The share is 15 / 60 * 100 = {}.", "25%", "35%"),
    ("Shares of 15% + 25% = {} remain.", "40%", "50%"),
    ("They need 100 / 3 = {} litres.", "33.3", "34.3"),
    ("They need 200 / 3 = {} buses.", "66", "76"),
    ("It costs 4 * 30 cents = {} a week.", "$1.20", "$2.20"),
    ("The hoses reach 5 * 300 m = {} km.", "1.5", "1.6"),
    ("Bags of 12 * 250 = {} kg go there.", "3", "3.1"),
    ("A log of 12500000 / 700 * 800 = {} MB grows.", "14.3", "15.3"),
    ("Twice 30 minutes + 30 minutes = {}.", "1 hour", "2 hours"),
    ("(3 + 4) * 2 = {} seats.", "14", "11"),
    ("12 divided by 4 = {} teams.", "3", "4"),
    ("6 multiplied by 2 = {} eggs.", "12", "8"),
    ("$300/month + $200/month = {}/month.", "$500", "$600"),
    ("10 (for Ada) + 5 (for Bo) = {} coins.", "15", "16"),
    ("2 + 3 = 5 * 1 = {} in all.", "5", "6"),
    ("-2 + 5 = {} degrees.", "3", "7"),
    ("1,250 − 250 = {} seats.", "1,000", "1,500"),
    ("3k + 2k = {} runners.", "5k", "6k"),
    ("12/7 = about {} tonnes.", "1.7", "2.7"),
    ("400k + 20,000 * 8 = {} kbytes.", "560", "570"),
]  # fmt: skip

WORKINGS = [
    ("Sales rose from 40 to 50 million euros, a 30 percent increase.", "+25%"),
    ("Revenue grew by 20 percent, from $5.0 billion to $4.0 billion.", "−20%"),
    ("The rate rose from 10 percent to 15 percent, a rise of 5 percent.", "+50%"),
    ("The fee fell from 90 to 75 euros, a cut of 25 euros.", "−15"),
    ("Exports rose from 40 to 50 tonnes and they grew by 35 percent.", "+25%"),
    ("Exports rose from 40 to 50 tonnes, rising by 35%.", "+25%"),
    ("Of the drones, 48 of 60 returned, or 85 percent.", "48 / 60 = 80 %"),
    ("They sold 12 tickets, 7 tickets and 3 tickets, 25 tickets in total.", "12 + 7 + 3 = 22"),
    ("The team has 12 cooks, 8 waiters and 5 guards, 27 people in all.", "12 + 8 + 5 = 25"),
    ("The three depots hold 40, 30 and 20 buses; together 100.", "40 + 30 + 20 = 90"),
    ("The crates weigh 12 * 7 = 94 kg.", "12 * 7 = 84"),
    ("He spent $1.50 x 4 = $60.", "$1.50 x 4 = 6"),
    ("They need 100 / 3 = 34.3 litres.", "100 / 3 = 33.3333"),
    ("2 + 3 = 5 * 2 = 10 in all.", "2 + 3 = 5"),
    ("A tax of 20% of 250 = 5 euros.", "20% of 250 = 50"),
    ("It holds 30 bags of seed * 5 = 155 kg.", "30 bags of seed * 5 = 150"),
    ("The mill ground 3,500,000 * 2 = 8,000,000 kg.", "= 7,000,000; the text says 8,000,000"),
    ("It fell to 2 - 3.5 = 5 degrees.", "2 - 3.5 = -1.5"),
]

SILENT = [
    # Two subjects in one sentence, percentages of different things, a sum and what comes on top.
    "The share rises from 1.49% to 3.28%, and total gas use rises by 3.56%.",
    "Gas use rises by 3.56% and the share rises from 1.49% to 3.28%.",
    "Output fell from 80 to 60 tonnes, and the price per tonne went up 12 percent.",
    "Wages climbed from $20 to $25, with rents up 40 percent.",
    "The sites employ 120, 80 and 50 people. That makes 250 in all.",
    "The depots hold 40, 30 and 20 buses. The city has 130 buses in all.",
    "The choir has 20 sopranos, 15 altos and 12 tenors. In total it gave 60 concerts.",
    "It takes a[-1]=2 as well.",
    "Exports rose from 40 to 50 tonnes, imports fell by 10%.",
    "Exports rose from 40 to 50 tonnes while imports fell by 30%.",
    "Some 40% of the women and 70% of the men voted yes.",
    "Of 40 homes 10 are empty, and 30 percent of shops are closed.",
    "Of 200 letters, 50 came back, and 10 percent of those were torn.",
    "There are 12 ships in all, 3 red and 4 blue, and 6 grey ones were added.",
    "Each team has 12 men and 10 women, 22 people in all.",
    "The port has 90 places; 37 are let, 12 are closed, and the rest are free.",
    # Parts that may overlap, or are not all; other wholes.
    "Of the 40 patients, 25 had a fever, 20 a cough and 10 a headache.",
    "Of the 50 pupils, 25 passed, 25 failed and 10 appealed.",
    "Of the 50 pupils, 40 passed maths and 30 failed physics.",
    "Of the 120 members, 45 voted yes and 60 no.",
    "Of the 120 members, 45 voted yes, 60 no, and 25 guests were away too.",
    "Respondents named price (60 percent), quality (50 percent) and service (40 percent).",
    "Fully 60 percent named price, 50 percent quality and 40 percent service.",
    "Fully 60 percent of men said yes and 55 percent of women said no.",
    "Fully 60 percent of the north said yes, and 55 percent in the south no.",
    "In 2019 60 percent said yes and in 2020 55 percent no.",
    "Unemployment was 60 percent in the north and 55 percent in the south.",
    "They sold 21 houses, including 10 in the north, 6 in the south and 3 in the east.",
    "They sold 21 houses: 10 in the north, 6 in the south and, among these, 3 in Olm.",
    "They sold 21 houses: 10 with gardens, 6 with garages and 3 with both.",
    "The firm has 3 branches: 12 people in Olm, 8 in Berg and 4 in Lund.",
    "The order is for 5 boxes: 20 pens and 30 pencils.",
    "They have 21 tools: 10 for cutting, 6 for drilling and 3 for both.",
    "It lost 45 boats, a third of the 90 houses and all its mills.",
    "Output more than doubled from 40 to 90 tonnes.",
    "Output nearly doubled from 40 to 70 tonnes.",
    "A third of the 90 members, 12 men, 10 women and 8 children, came.",
    "About a third of the 90 members, or 38 people, came.",
    "A third of the 90 members, 5 years ago, left.",
    # A level, another unit, a rest of more than is told, what is not the size of the change.
    "The share fell from 44 percent to 17 percent, and rose again to 38 percent.",
    "It runs the 380 kV and the 220 kV network, 4,310 km in all.",
    "Of 198 visits we left out 31, and nine more were late. That leaves 158.",
    "Going from eight workers to sixteen bought no more than some 2% in speed.",
    "It repeats, doubling the pause from 5 s up to 320 s.",
    "Income came to 11.1 million: 6.0 from the city, 3.8 from the levy and 1.3 from members.",
    "The house has 12 rooms and 3 halls, a total of 900 square metres.",
    "The total is 10 people, 4 men and 6 women, and 3 more came later.",
    "Sales rose from 40 to 50 million euros; prices fell by 30 percent.",
    "Between 2012 and 2018 three mayors served.",
    "Sales were 40 million in 2021 and 50 million in 2022, 35% more than planned.",
    "Sales were 40 million in 2021 and 50 million in 2022, while costs rose by 35%.",
    "Your share goes up from 7.0 to 7.3 per cent of pay and your employer's from 14.5 to 15.2.",
    "At 14,630 a year, three more years would bring the total to about 78,000.",
    "It has grown to a staff of 23, up from three, and more than 60 helpers.",
    "They sold 12 tickets, 7 tickets and 3 tickets; the hall holds 500.",
    "Of the 60 drones 48 returned. In all, 85 percent of pilots agreed.",
    "The road is 10 miles (two lanes) long.",
    "From fiscal 2012 to fiscal 2018, nine years, it lost money.",
    # An unknown, or no end.
    "x = 110 queen bees",
    "The groups did not differ (t(39) = 1.16).",
    "2n + 3 = 11 where n counts pairs.",
    "wins = L + 80",
    "Each of the 3 halls and 12 rooms has lamps, 40 lamps altogether.",
    "Icons are small=20x20 and tiny=16x16.",
    "That is 128K for windowBits = 15 + 128K for the rest.",
    "price per unit * 12 = $24",
    "The mean (= 4.2) was low.",
    "It is 5 / 0 = 7.",
    "$350 000 x 12/100 = $42000",
    "7 ( 3 = 4",
    "a = b",
    "= 5",
    "5 + = 5",
    "```\n2 + 2 = 5\n```\n",
]


@pytest.mark.parametrize(("text", "right", "wrong"), RECKONED)
def test_a_right_result_agrees_and_a_wrong_one_is_doubted(
    text: str, right: str, wrong: str
) -> None:
    assert doubted(text.format(right)) == []
    assert len(doubted(text.format(wrong))) == 1


@pytest.mark.parametrize(("text", "working"), WORKINGS)
def test_a_wrong_result_is_doubted_with_its_working(text: str, working: str) -> None:
    (finding,) = doubted(text)
    assert working in finding.evidence
    assert text.startswith(finding.claim)


def test_a_total_of_what_the_sentence_before_lists_is_doubted_where_it_is_stated() -> None:
    (finding,) = doubted("The sites employ 120, 80 and 50 people. That makes 300 in all.")
    assert "120 + 80 + 50 = 250" in finding.evidence
    assert finding.claim == "That makes 300 in all."


@pytest.mark.parametrize("text", SILENT)
def test_figures_that_are_not_reckoned_with_are_left_alone(text: str) -> None:
    assert doubted(text) == []


TABLE = """# Budget

| City | 2023 | 2024 | Total |
|---|---:|---:|---:|
| Arne | 1,200 | 1,300 | 2,500 |
| Bol | 800 | 700 | {bol} |
| {total} | 2,000 | {sum} | 4,{last}00 |
"""


def test_the_totals_of_a_right_table_agree() -> None:
    assert doubted(TABLE.format(bol="1,500", total="Total", sum="2,000", last="0")) == []


def test_a_wrong_row_and_a_wrong_column_are_told_apart() -> None:
    found = doubted(TABLE.format(bol="1,600", total="**Total**", sum="2,100", last="1"))
    assert [finding.location.line for finding in found if finding.location] == [6, 7]
    assert [finding.evidence.rpartition(" ")[2] for finding in found] == ["1,600", "2,100"]


def test_the_total_of_rates_is_their_mean() -> None:
    table = "| Group | Rate |\n|---|---|\n| Boys | 64.0% |\n| Girls | 39.0% |\n| Total | 53.4% |\n"
    assert doubted(table) == []


def test_a_wrong_total_of_rows_and_columns_is_one_fault() -> None:
    table = TABLE.format(bol="1,500", total="Total", sum="2,000", last="1")
    document = parse_document(table)
    lexicon = load_lexicon()
    sums = check_arithmetic(document, read_figures(document, lexicon), lexicon)
    assert [one.text for one in sums if not one.calculation.agrees] == ["4,100"]


@pytest.mark.parametrize("total", ["Subtotal", "of which coast", "Average"])
def test_a_table_with_a_subtotal_is_left_alone(total: str) -> None:
    assert doubted(TABLE.format(bol="1,600", total=total, sum="9", last="9")) == []
