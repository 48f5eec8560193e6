"""The word lists of the claim detector are data that a user may replace."""

from __future__ import annotations

import importlib.resources
from pathlib import Path

import foureyes
import pytest
from foureyes.datatypes import Quantity

PACKAGED = importlib.resources.files("foureyes.config") / "registry" / "claims.yaml"


def own_file(folder: Path, old: str, new: str) -> Path:
    packaged = PACKAGED.read_text(encoding="utf-8")
    assert old in packaged
    (folder / "claims.yaml").write_text(packaged.replace(old, new, 1), encoding="utf-8")
    return folder


def quantities(text: str, folder: Path) -> tuple[Quantity, ...]:
    result = foureyes.check(text, fetch="none", reader="none", registry_dir=folder)
    return tuple(one for claim in result.report.claims for one in claim.quantities)


def test_a_folder_may_replace_one_file(tmp_path: Path) -> None:
    folder = own_file(tmp_path, "dozen: 12", "gross: 144, dozen: 12")
    (found,) = quantities("A gross of eggs follows NIST SP 800-53.", folder)
    assert found.low == 144


def test_two_units_of_one_form_are_an_error(tmp_path: Path) -> None:
    folder = own_file(tmp_path, "marks: [km]", "marks: [km, cm]")
    with pytest.raises(foureyes.RegistryError, match="'cm' is used twice"):
        quantities("", folder)


@pytest.mark.parametrize(
    ("old", "new"), [("small_count: 12", "small_count: -1"), ("opinion:", "opinions:")]
)
def test_a_file_that_does_not_validate_is_an_error(tmp_path: Path, old: str, new: str) -> None:
    with pytest.raises(foureyes.RegistryError, match=r"claims\.yaml"):
        quantities("", own_file(tmp_path, old, new))
