"""Text that looks the same is compared as the same."""

from __future__ import annotations

import pytest
from foureyes.base.as_read import as_read, without_unseen


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("it did n\u043et", "it did not"),
        ("n\u0435v\u0435r", "never"),
        ("milli\u03bfn", "million"),
        ("\uff4e\uff4f\uff54", "not"),
        ("\U0001d427\U0001d428\U0001d42d", "not"),
        ("didn\u02bct", "didn\u2019t"),
        ("didn\u00b4t", "didn\u2019t"),
        ("didn\uff07t", "didn\u2019t"),
        ("didn`t", "didn't"),
        ("didn\u05f3t", "didn't"),
        ("didn\u1fbdt", "didn't"),
        ("n\u200bo\u2060t", "not"),
        ("n\u00ado\u200dt", "not"),
        ("5\ufe0f km", "5 km"),
        ("5 \u338f", "5 kg"),
        ("5 \u339e", "5 km"),
        ("5 \u33a1", "5 m\u00b2"),
        ("5 \u2103", "5 \u00b0C"),
        ("\ufb01nd", "find"),
        ("\uff15\uff0c\uff10\uff10\uff10", "5,000"),
        ("made \u202e5,000\u202c tonnes", "made 000,5 tonnes"),
        ("made \u202etonnes", "made sennot"),
    ],
)
def test_what_looks_the_same_is_made_the_same(written: str, read: str) -> None:
    assert without_unseen(written) == read


@pytest.mark.parametrize(
    "text",
    [
        "Москва и Київ, Αθήνα, Երևան",
        "5 μm at 3 kΩ, ν = 2 and η < 1",
        "10⁶ m², 2½ and H₂O",
        "ג\u05f3ירפה, Τ\u0384",
        "naïve façade, Łódź, Çeşme",
        "نمی‌خواهم, 👩‍👩‍👧, ❤️",
        "`code` and 5′ 6″",
        "第一章。これは！",
    ],
)
def test_what_is_written_as_it_should_be_stays(text: str) -> None:
    assert without_unseen(text) == text


def test_no_character_changes_its_place() -> None:
    text = "n\u200b\u043et \u202e5,000\u202c \u338f didn\u02bct \U0001d427"
    assert len(as_read(text)) == len(text)
