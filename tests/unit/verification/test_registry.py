"""The tables that the engine looks things up in."""

from __future__ import annotations

import importlib.resources
from pathlib import Path

import foureyes
import pytest
from foureyes import CheckResult, RegistryError

PACKAGED = importlib.resources.files("foureyes.config") / "registry"
STATED = "The pier is 60 metres long"
TEXT = f"# Pier\n\n{f'{STATED} (page.md). ' * 4}It has 17 lamps (page.md).\n"


def check(folder: Path, rules: Path | None) -> CheckResult:
    return foureyes.check(TEXT, sources=[folder], fetch="none", reader="none", registry_dir=rules)


def test_a_folder_may_replace_single_files(tmp_path: Path) -> None:
    rules, folder = tmp_path / "rules", tmp_path / "sources"
    for made in (rules, folder):
        made.mkdir()
    (folder / "page.md").write_text(f"{STATED}.\n", encoding="utf-8")
    text = (PACKAGED / "gate.yaml").read_text("utf-8")
    (rules / "gate.yaml").write_text(text.replace("pass_rate: 0.8", "pass_rate: 0.9"))
    own, packaged = check(folder, rules), check(folder, None)
    limits = [{one.name: one.limit for one in each.gate.limits} for each in (own, packaged)]
    assert limits == [
        {"pass_rate": 0.9, "review_rate": 0.5},
        {"pass_rate": 0.8, "review_rate": 0.5},
    ]
    assert [each.gate.decision for each in (own, packaged)] == ["pending_review", "pass"]
    assert own.findings == packaged.findings


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
    packaged = (PACKAGED / name).read_text(encoding="utf-8")
    assert old in packaged
    (tmp_path / name).write_text(packaged.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(RegistryError, match=place.replace(".", r"\.")):
        check(tmp_path, tmp_path)
