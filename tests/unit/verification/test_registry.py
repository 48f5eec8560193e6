"""The tables that the engine looks things up in."""

from __future__ import annotations

from pathlib import Path

import pytest
from foureyes import RegistryError
from foureyes.base.registry import packaged_config
from foureyes.verification.registry import load_registry


def test_a_folder_may_replace_single_files(tmp_path: Path) -> None:
    text = (packaged_config() / "registry" / "gate.yaml").read_text("utf-8")
    (tmp_path / "gate.yaml").write_text(text.replace("pass_rate: 0.8", "pass_rate: 0.9"))
    own, packaged = load_registry(tmp_path), load_registry()
    assert own.gate.document.pass_rate == 0.9
    assert packaged.gate.document.pass_rate == 0.8
    assert own.severity == packaged.severity
    assert own.verification == packaged.verification


@pytest.mark.parametrize(
    ("name", "old", "new", "place"),
    [
        ("gate.yaml", "pass_rate: 0.8", "pass_rate: 80", "document.pass_rate"),
        ("severity.yaml", "large: high", "large: awful", "numeric_error.large"),
        ("severity.yaml", "verified_false:", "verified_wrong:", "verified_false"),
        ("verification.yaml", "units: 4", "units: 0", "search.units"),
        ("verification.yaml", "about: 0.05", "about: 5", "numbers.about"),
        ("verification.yaml", "one_sided: 0.25", "one_sided: 25", "numbers.one_sided"),
        ("verification.yaml", "exact_below: 10", "exact_below: -1", "numbers.exact_below"),
    ],
)
def test_a_wrong_value_is_named(tmp_path: Path, name: str, old: str, new: str, place: str) -> None:
    packaged = (packaged_config() / "registry" / name).read_text(encoding="utf-8")
    assert old in packaged
    (tmp_path / name).write_text(packaged.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(RegistryError, match=place.replace(".", r"\.")):
        load_registry(tmp_path)
