"""`sources.yaml`: what a user says of the files in a folder of sources."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from foureyes import InputError
from foureyes.datatypes import ScoringInput
from support.checking import checked


def read_listing(listing: Path, cited: str = "") -> list[ScoringInput]:
    """What is known of the sources that a document cites from the folder of the listing."""
    text = f"This is so {cited}.\n"
    return [one.given for one in checked(text, [listing.parent]).appraisal.rated]


@pytest.fixture
def listing(tmp_path: Path) -> Path:
    return tmp_path / "sources.yaml"


def test_entries_are_read_as_they_are_written(listing: Path, tmp_path: Path) -> None:
    listing.write_text(
        "# our sources\n"
        "- {file: a.md, url: https://tarvia.example/a, title: 2024, published: 2024-05-01}\n"
        "- file: b.md\n  author: I. Dorn\n  published:\n",
        encoding="utf-8",
    )
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("She is 62 m long.\n", encoding="utf-8")
    one, other = read_listing(listing, "(<https://tarvia.example/a>) (b.md)")
    assert (one.url, one.title, one.published) == (
        "https://tarvia.example/a",
        "2024",
        date(2024, 5, 1),
    )
    assert (other.url, other.author, other.published) == ("b.md", "I. Dorn", None)


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "[]"])
def test_a_listing_may_be_empty(listing: Path, text: str) -> None:
    listing.write_text(text, encoding="utf-8")
    assert read_listing(listing) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("- file: a\n- file: b\n  colour: red\n", "1.colour"),
        ("- file: a\n\n- title: B\n", "1.file: it is missing"),
        ("- file: a\n  url: ftp://tarvia.example/a\n", "0.url: the scheme 'ftp'"),
        ("- file: a\n  published: 2024\n", "0.published: write a whole date"),
        ("- file: a\n  published: 20240501\n", "0.published: write a whole date"),
        ("- file: a\n  published: 2024-13-01\n", "month must be in 1..12"),
        ("- file: a\n- just words\n", "1: Input should be keys with values"),
        ("file: a\n", "should be a list"),
        ("- file: a\n  file: b\n", "line 2: not valid YAML: found duplicate key"),
        ("- {file: a\n", "line 2: not valid YAML"),
        ("- file: a\n--- \n- file: b\n", "line 2: not valid YAML"),
        ("- &a [*a]\n", "0: Input should be keys with values"),
        ("- file: \x07\n", "line 1: not valid YAML"),
    ],
)
def test_a_broken_listing_is_named_with_its_mistake(listing: Path, text: str, problem: str) -> None:
    listing.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_listing(listing)
    assert caught.value.message.startswith(str(listing))
    assert problem in caught.value.message
    assert "\n" not in str(caught.value)


def test_a_listing_in_another_encoding_is_refused(listing: Path) -> None:
    listing.write_bytes(b"- file: a\n- file: gr\xfc\xdfe\n")
    with pytest.raises(InputError, match="is not UTF-8"):
        read_listing(listing)


def test_a_listing_beyond_all_measure_is_refused(listing: Path) -> None:
    listing.write_bytes(b"#" * (1024 * 1024 + 1))
    with pytest.raises(InputError, match="larger than"):
        read_listing(listing)


@pytest.mark.parametrize("text", ["a: " + "[" * 20_000, "- " * 20_000, "{a: " * 20_000])
def test_a_listing_that_is_nested_too_deeply_is_refused(listing: Path, text: str) -> None:
    listing.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="nested more than 100 deep"):
        read_listing(listing)
