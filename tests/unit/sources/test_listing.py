from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from foureyes.base.errors import SettingsError
from foureyes.sources.local_files import ListedFile, read_listing


@pytest.fixture
def listing(tmp_path: Path) -> Path:
    return tmp_path / "sources.yaml"


def test_each_entry_comes_with_its_line(listing: Path) -> None:
    listing.write_text(
        "# our sources\n"
        "- {file: a.md, url: https://tarvia.example/a, title: 2024, published: 2024-05-01}\n"
        "- file: b.pdf\n  author: I. Dorn\n  published:\n",
        encoding="utf-8",
    )
    assert read_listing(listing) == [
        (
            2,
            ListedFile(
                file="a.md",
                url="https://tarvia.example/a",
                title="2024",
                published=date(2024, 5, 1),
            ),
        ),
        (3, ListedFile(file="b.pdf", author="I. Dorn")),
    ]


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "[]"])
def test_a_listing_may_be_empty(listing: Path, text: str) -> None:
    listing.write_text(text, encoding="utf-8")
    assert read_listing(listing) == []


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("- file: a\n- file: b\n  colour: red\n", 2, "colour"),
        ("- file: a\n\n- title: B\n", 3, "file: it is missing"),
        ("- file: a\n  url: ftp://tarvia.example/a\n", 1, "url: the scheme 'ftp'"),
        ("- file: a\n  published: 2024\n", 1, "published: write a whole date"),
        ("- file: a\n  published: 20240501\n", 1, "published: write a whole date"),
        ("- file: a\n  published: 2024-13-01\n", 1, "published"),
        ("- file: a\n- just words\n", 2, "keys with values"),
        ("file: a\n", 1, "should be a list"),
        ("- file: a\n  file: b\n", 2, "duplicate key"),
        ("- {file: a\n", 2, "not valid YAML"),
        ("- file: a\n--- \n- file: b\n", 2, "not valid YAML"),
        ("- &a [*a]\n", 1, "keys with values"),
        ("- file: \x07\n", 1, "not valid YAML"),
    ],
)
def test_a_broken_listing_is_named_with_its_line(
    listing: Path, text: str, line: int, problem: str
) -> None:
    listing.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        read_listing(listing)
    assert f"'{listing}', line {line}: " in caught.value.message
    assert problem in caught.value.message
    assert "\n" not in str(caught.value)


def test_a_listing_in_another_encoding_is_refused(listing: Path) -> None:
    listing.write_bytes(b"- file: a\n- file: gr\xfc\xdfe\n")
    with pytest.raises(SettingsError, match="line 2: not UTF-8"):
        read_listing(listing)


def test_a_listing_beyond_all_measure_is_refused(listing: Path) -> None:
    listing.write_bytes(b"#" * (1024 * 1024 + 1))
    with pytest.raises(SettingsError, match="larger than"):
        read_listing(listing)


def test_a_listing_that_cannot_be_opened_is_a_settings_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot read"):
        read_listing(tmp_path)


@pytest.mark.parametrize("text", ["a: " + "[" * 20_000, "- " * 20_000, "{a: " * 20_000])
def test_a_listing_that_is_nested_too_deeply_is_refused(listing: Path, text: str) -> None:
    listing.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match="nested more than 100 deep"):
        read_listing(listing)
