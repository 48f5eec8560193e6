"""Whether a source holds the figures of a claim in any form."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import IssueType, Severity
from foureyes.verification.assessing.held import figures_not_held
from foureyes.verification.assessing.held_dates import days_not_held
from foureyes.verification.reading.form import claim_form
from foureyes.verification.reading.index import TextIndex
from support.claim_kit import PAGE, assess, cited, claims_of, registry, sources

OTHER = "https://example.net/log"
LOG = (
    "The ferry to Norrvik carried 51,900 passengers in 2024, and 48,200 the year before. It made "
    "1,240 crossings. Of the passengers, 18 per cent were pupils. A ticket costs 12.50 crowns.\n\n"
    "| Season, thousands | Passengers | Crossings |\n|---|---|---|\n"
    "| Winter | 14.2 | 410 |\n| Summer | 37.7 | 830 |\n\n"
    "The museum of the town was opened in 1974. It has 2,755 coins."
)


def absent(claim: str, text: str = LOG) -> tuple[str, ...] | None:
    (found,) = claims_of(cited(claim))
    form = claim_form(found, registry().lexicon)
    return figures_not_held(form, TextIndex(text, registry().lexicon), registry())


@pytest.mark.parametrize(
    "claim",
    [
        "The ferry carried 51,900 passengers in 2024.",
        "The ferry carried about 52,000 passengers in 2024.",
        "The ferry carried 3,700 passengers more than in the year before.",
        "The ferry carried 100,100 passengers in the two years.",
        "The ferry carried 37,700 passengers in summer.",
        "Of the passengers, 82 per cent were no pupils.",
        "The number of passengers grew by 7.7 per cent.",
        "Passengers in winter came to 38 per cent of those in summer.",
        "Some 42 passengers were aboard on each crossing.",
        "Tickets of the ferry brought in 648,750 crowns.",
        "The ferry carried 9,342 pupils among its passengers.",
        "The ferry brought over 70,000 passengers to Norrvik.",
        "The ferry crossed for 17 years with its passengers.",
        "The ferry has a third of its passengers in winter.",
    ],
)
def test_what_is_printed_or_may_follow_from_what_is_printed_is_held(claim: str) -> None:
    assert absent(claim) == ()


@pytest.mark.parametrize(
    ("claim", "figure"),
    [
        ("The ferry carried 63,415 passengers in 2024.", "63,415"),
        ("Of the passengers of the ferry, 23.4 per cent were pupils.", "23.4 per cent"),
        ("The ferry paid 8.6 million crowns for its new pier.", "8.6 million crowns"),
        ("The ferry carried 2,755 passengers with bicycles.", "2,755"),
    ],
)
def test_a_figure_that_nothing_about_the_matter_gives_is_not(claim: str, figure: str) -> None:
    assert absent(claim) == (figure,)


@pytest.mark.parametrize(
    "text",
    ["A page about cheese.", f"{LOG} " + "The crew met again. " * 400],
    ids=["nothing on the matter", "too long to be read as a whole"],
)
def test_nothing_is_said_of_other_sources(text: str) -> None:
    assert absent("The ferry carried 63,415 passengers in 2024.", text) is None


WRONG = "The ferry carried 63,415 pupils and teachers in 2024."


def test_a_cited_source_without_the_figure_is_no_source_of_the_claim() -> None:
    (found,) = assess(cited(WRONG), sources({PAGE: LOG})).findings
    assert (found.type, found.severity) == (IssueType.MISATTRIBUTED, Severity.MEDIUM)
    assert "63,415" in found.problem
    assert "states 63,415" in found.recommendation


def test_one_of_several_sources_with_the_figure_is_enough() -> None:
    pages = {PAGE: LOG, OTHER: "In 2024 some 63,415 teachers and pupils crossed the strait."}
    (found,) = assess(cited(WRONG, PAGE, OTHER), sources(pages)).findings
    assert found.type is IssueType.UNVERIFIABLE


LETTER = (
    "Kestrel Ferries runs the line to Norrvik. The harbour of Norrvik belongs to Olden & Sons. In "
    "2024 the ferry carried 51,900 passengers to Norrvik, and most of them came back by train."
)


@pytest.mark.parametrize(
    ("claim", "type_", "severity"),
    [
        (
            "Guests of the islands who used the ferry to Norrvik in 2024 numbered 51,900 in all.",
            IssueType.UNVERIFIABLE,
            Severity.LOW,
        ),
        (
            "The ferry of Brandt Lines carried 51,900 passengers to Norrvik in 2024.",
            IssueType.MISATTRIBUTED,
            Severity.MEDIUM,
        ),
        (WRONG, IssueType.MISATTRIBUTED, Severity.MEDIUM),
    ],
    ids=["other words", "another name", "another figure"],
)
def test_an_author_is_blamed_for_what_a_source_lacks_and_not_for_words(
    claim: str, type_: IssueType, severity: Severity
) -> None:
    (found,) = assess(cited(claim), sources({PAGE: LETTER})).findings
    assert (found.type, found.severity) == (type_, severity)


def test_a_claim_that_a_source_only_vouches_for_is_no_matter_of_words() -> None:
    claim = "The Alma carried 51,900 passengers in 2024."
    kiosk = "The passengers of the Alma are content with the kiosk."
    page = f"It is an established fact that {claim[0].lower()}{claim[1:]} {kiosk}"
    (found,) = assess(cited(claim), sources({PAGE: page})).findings
    assert (found.type, found.severity) == (IssueType.UNVERIFIABLE, Severity.MEDIUM)


DESK = (
    "Seats are billed yearly. The price is 89 dollars per seat and month, and each seat has 100 GB "
    "of storage. Uptime is 99.9%.\n\nAt 07:05 the alarm of the desk rang; the first notice to "
    "customers went up at 07:46. The desk was open for 208 hours in May and 176 in June."
)


@pytest.mark.parametrize(
    ("claim", "figures"),
    [
        ("At 45 seats the yearly price would be $48,060.", ()),
        ("At 45 seats the yearly price would be $49,060.", ("45", "$49,060")),
        ("For 45 seats there are 4.5 TB of storage.", ()),
        ("For 45 seats there are 6.5 TB of storage.", ("45", "6.5 TB")),
        ("A seat comes to a yearly price of $1,068.", ()),
        ("The first notice went up 41 minutes after the alarm.", ()),
        ("The first notice went up 58 minutes after the alarm.", ("58 minutes",)),
        ("In June the hours of the desk were down by 32.", ()),
        ("In June the hours of the desk were down by 36.", ("36",)),
    ],
)
def test_a_claim_may_give_an_operand_itself_as_may_the_calendar(
    claim: str, figures: tuple[str, ...]
) -> None:
    assert absent(claim, DESK) == figures


NOTICE = (
    "Published 2 March 2024. The council heard the ferry's owner on 4 April. The pier is closed "
    "from 10 to 24 May 2024, and the new one opens six weeks after the closing begins. In August "
    "the first race starts there. Objections were due on 2024-04-19."
)


def days_absent(claim: str, text: str = NOTICE) -> tuple[str, ...] | None:
    (found,) = claims_of(cited(claim))
    form = claim_form(found, registry().lexicon)
    return days_not_held(form, TextIndex(text, registry().lexicon))


@pytest.mark.parametrize(
    "claim",
    [
        "The owner of the ferry was heard on 4 April 2024.",
        "The pier was closed on 15 May 2024.",
        "The new pier opens on 21 June 2024.",
        "The council heard the owner in April 2024.",
        "The first race starts in August 2024.",
        "Objections to the ferry were due on April 19, 2024.",
        "The ferry was discussed in 2024.",
    ],
)
def test_a_day_that_is_printed_or_counted_from_a_printed_one_is_held(claim: str) -> None:
    assert days_absent(claim) == ()


@pytest.mark.parametrize(
    ("claim", "day"),
    [
        ("The ferry was approved on 9 June 2024.", "9 June 2024"),
        ("The owner of the ferry was heard in December 2024.", "December 2024"),
        ("The first race starts on 17 August 2024.", "17 August 2024"),
    ],
)
def test_a_day_or_month_that_the_source_does_not_give_is_not(claim: str, day: str) -> None:
    assert days_absent(claim) == (day,)


def test_a_source_that_counts_days_from_another_may_mean_any() -> None:
    report = "5 June 2024. The ferry was approved on Sunday, its owner says."
    assert days_absent("The ferry was approved on 9 June 2024.", report) == ()
