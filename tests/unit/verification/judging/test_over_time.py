"""Which way something went by the values that a source gives for several times."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from support.claim_kit import judged

CONTRADICTED = Verdict.CONTRADICTED

ROWING = (
    "Rowing club, notes. Before the new boathouse was opened, members trained a mean of 95 "
    "minutes a week; half a year after, the mean was 140 minutes, and after a year 152.\n"
)
DENTIST = (
    "Dental clinic, survey of waiting. Mean wait for an appointment: 41 days in the year before "
    "the second chair was fitted, 33 in its first year, 27 in its second and 24 now.\n"
)
HEDGEHOGS = (
    "Hedgehog counts in the Alder woods, animals a night: 2004–2008, 31 animals; 2009–2013, 24; "
    "2014–2018, 17; 2019–2023, 9.\n"
)
RIVER = (
    "The depth of the river Tarn at the bridge can be read from the warden's book: 3.1 metres in "
    "1988, 2.8 in 1999, 2.4 in 2010 and 1.9 last year. The bridge was painted in 2004.\n"
)
OVEN = (
    "Trial in the bakery kitchen. In the week before the stone was laid in the oven, a loaf took "
    "38 minutes to bake; after the stone had been laid, 31.\n"
)
LIBRARY = (
    "Reading rooms of the library were filled to 52 per cent on average, after 61 per cent a "
    "spring ago. Lockers were let for 4 euros.\n"
)
UNEVEN = "Swallow nests at the farm: 12 in 2001, 19 in 2008, 15 in 2015 and 18 now.\n"
LOSSES = "Mass of ice lost by the Holm glacier a year: 2001–2010, 4 Mt; 2011–2020, 9 Mt.\n"


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Members trained less after the new boathouse was opened: training time fell.", ROWING),
        ("Waiting times for an appointment at the dental clinic have grown.", DENTIST),
        ("The wait for an appointment has lengthened since the second chair was fitted.", DENTIST),
        ("The number of hedgehogs in the Alder woods has increased over the years.", HEDGEHOGS),
        ("Over the years the depth of the river Tarn at the bridge has increased.", RIVER),
        ("A loaf took longer to bake once the stone had been laid in the oven.", OVEN),
        (
            "On average the reading rooms of the library were filled more than a spring ago.",
            LIBRARY,
        ),
    ],
)
def test_values_in_order_of_time_deny_the_contrary(claim: str, source: str) -> None:
    assert judged(claim, source).verdict is CONTRADICTED


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Members trained longer after the new boathouse was opened: training time rose.", ROWING),
        ("Waiting times for an appointment at the dental clinic have fallen.", DENTIST),
        ("The dental clinic has become faster: appointments improved since the chair.", DENTIST),
        ("The number of hedgehogs in the Alder woods has declined over the years.", HEDGEHOGS),
        ("Over the years the depth of the river Tarn at the bridge has decreased.", RIVER),
        ("A loaf took a shorter time to bake once the stone had been laid in the oven.", OVEN),
        ("Fewer readers sat in the reading rooms of the library than last spring.", LIBRARY),
        ("The number of swallow nests at the farm grew between 2001 and 2008.", UNEVEN),
        ("Swallow nests at the farm have become fewer.", UNEVEN),
        ("The Holm glacier has shrunk and lost mass.", LOSSES),
        ("The bridge over the river Tarn was widened in 2004.", RIVER),
        ("The price of a locker in the library rose.", LIBRARY),
    ],
)
def test_values_deny_nothing_else(claim: str, source: str) -> None:
    assert judged(claim, source).verdict is not CONTRADICTED
