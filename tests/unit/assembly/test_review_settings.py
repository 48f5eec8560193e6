"""What can be set of a review, from where, and what becomes of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from foureyes import SettingsError
from foureyes.assembly.model import REVIEW_ROLES
from foureyes.assembly.settings import load_settings, review_config
from foureyes.review.config import ReviewConfig


def config(folder: Path, *, environ: dict[str, str] | None = None, **flags: object) -> ReviewConfig:
    return review_config(load_settings(flags, environ=environ or {}, folder=folder).settings)


def test_without_settings_a_review_is_what_its_spec_says(tmp_path: Path) -> None:
    found = config(tmp_path)
    assert (found.web, found.verify_background) == (True, False)
    assert found.red_reviewer.model == found.claim_extractor.model == "opus"
    assert {found.blue_defender.model, found.smoke_tester.model, found.web_verifier.model} == {
        "sonnet"
    }
    assert "WebSearch" not in found.claim_extractor.allowed_tools


def test_flags_come_before_variables_and_those_before_files(tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_text("model:\n  red_reviewer: f\n  blue_defender: f\n  smoke_tester: f\n", "utf-8")
    loaded = load_settings(
        {"model": ["red-reviewer=a"], "defenders": "7", "no_web": True},
        config=file,
        environ={"FOUREYES_BLUE_DEFENDER_MODEL": "e", "FOUREYES_DEFENDERS": "2"},
        folder=tmp_path,
    )
    found = review_config(loaded.settings)
    models = (found.red_reviewer.model, found.blue_defender.model, found.smoke_tester.model)
    assert models == ("a", "e", "f")
    assert found.blue_defender.parallel == 7
    assert not found.web


def test_one_flag_sets_all_agents_and_another_one_of_them(tmp_path: Path) -> None:
    found = config(tmp_path, max_turns=["5", "web_verifier=9"], max_cost_usd=["0.5"])
    assert found.red_reviewer.max_turns == found.smoke_tester.max_turns == 5
    assert found.web_verifier.max_turns == 9
    costs = {str(getattr(found, role).max_cost_usd) for role in REVIEW_ROLES}
    assert costs == {"0.5"}


@pytest.mark.parametrize("line", ["no_web: true", "defenders: 9", "red_reviewer_model: x"])
def test_a_repository_under_review_sets_nothing_of_its_review(tmp_path: Path, line: str) -> None:
    (tmp_path / "foureyes.yaml").write_text(line + "\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="working folder"):
        config(tmp_path)


def test_a_verifier_searches_only_where_somebody_can_be_asked(tmp_path: Path) -> None:
    assert config(tmp_path).web_verifier.max_searches == 0
    asked = config(tmp_path, search="searxng", search_url="https://search.example.org")
    assert asked.web_verifier.max_searches > 0
