"""The word lists of the claim detector, compiled."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from foureyes import RegistryError
from foureyes.base.registry import packaged_config, phrase_pattern
from foureyes.claims.lexicon import load_lexicon, plural
from foureyes.claims.quantities import find_quantities

LEXICON = load_lexicon()


def own_file(folder: Path, name: str, old: str, new: str) -> Path:
    packaged = (packaged_config() / "registry" / name).read_text(encoding="utf-8")
    assert old in packaged
    (folder / name).write_text(packaged.replace(old, new, 1), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("name", "dimension", "factor"),
    [
        ("kilometre", "length", "1000"),
        ("kilobit/second", "data/time", "1000"),
        ("kilobit/minute", "data/time", "16.66666666666666666666666667"),
        ("kelvin", "temperature", "1"),
    ],
)
def test_a_unit_has_a_dimension_and_a_size(name: str, dimension: str, factor: str) -> None:
    unit = LEXICON.unit(name)
    assert unit is not None
    assert (unit.dimension, unit.factor) == (dimension, Decimal(factor))


@pytest.mark.parametrize("name", ["parsec", "parsec/second", "kilobit/aeon", "ship"])
def test_a_word_that_is_no_unit_has_no_size(name: str) -> None:
    assert LEXICON.unit(name) is None


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("mile", "miles"),
        ("metre per second", "metres per second"),
        ("degree celsius", "degrees celsius"),
        ("hertz", "hertzs"),
        ("inches", "inches"),
    ],
)
def test_a_unit_has_a_plural(one: str, many: str) -> None:
    assert plural(one) == many


def test_phrases_are_found_as_whole_words_in_any_case() -> None:
    pattern = phrase_pattern(("sam", "market size"))
    assert pattern.search("the Market Size")
    assert pattern.search("a SAM of 5")
    assert not pattern.search("the same")


def test_a_folder_may_replace_one_file(tmp_path: Path) -> None:
    folder = own_file(tmp_path, "claims.yaml", "dozen: 12", "gross: 144, dozen: 12")
    (found,) = find_quantities("A gross of eggs.", load_lexicon(folder))
    assert found.low == 144
    assert load_lexicon(folder).words == LEXICON.words


def test_two_units_of_one_form_are_an_error(tmp_path: Path) -> None:
    folder = own_file(tmp_path, "claims.yaml", "marks: [km]", "marks: [km, cm]")
    with pytest.raises(RegistryError, match="'cm' is used twice"):
        load_lexicon(folder)


@pytest.mark.parametrize(
    ("old", "new"), [("small_count: 12", "small_count: -1"), ("opinion:", "opinions:")]
)
def test_a_file_that_does_not_validate_is_an_error(tmp_path: Path, old: str, new: str) -> None:
    with pytest.raises(RegistryError, match=r"claims\.yaml"):
        load_lexicon(own_file(tmp_path, "claims.yaml", old, new))
