"""What can be set, from where, and what becomes of it; the settings of a review, too."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from foureyes import InputError, PipelineConfig, PipelineMode, SettingsError
from foureyes.assembly.model import (
    PATHS,
    PROTECTED,
    REVIEW_ROLES,
    BackendName,
    LoadedSettings,
    Origin,
    Settings,
)
from foureyes.assembly.settings import load_settings, pipeline_config, review_config
from foureyes.datatypes import Effort
from foureyes.review.types import ReviewConfig


class Place:
    """A home and a working folder of a user."""

    def __init__(self, root: Path) -> None:
        self.folder = root / "work"
        self.user = root / "xdg" / "foureyes" / "config.yaml"
        self.folder.mkdir()
        self.user.parent.mkdir(parents=True)
        self.environ: dict[str, str] = {"XDG_CONFIG_HOME": str(root / "xdg")}

    def load(self, config: Path | None = None, **flags: object) -> LoadedSettings:
        return load_settings(flags, config=config, environ=self.environ, folder=self.folder)

    def write(self, name: str, text: str) -> Path:
        path = self.user if name == "user" else self.folder / name
        path.write_text(text, encoding="utf-8")
        return path


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_without_anything_the_defaults_hold_and_say_so(place: Place) -> None:
    loaded = place.load()
    assert loaded.settings == Settings()
    assert loaded.settings.backend is BackendName.OFFLINE
    assert loaded.origin("mode").origin is Origin.DEFAULT


def test_a_stronger_origin_wins_and_is_named(place: Place) -> None:
    seen: list[tuple[int, Origin, str]] = []

    def note(loaded: LoadedSettings) -> None:
        provenance = loaded.origin("max_iterations")
        seen.append((loaded.settings.max_iterations, provenance.origin, provenance.place))

    folder = place.write("foureyes.yaml", "max_iterations: 4")
    note(place.load())
    user = place.write("user", "max_iterations: 5")
    note(place.load())
    place.environ["FOUREYES_MAX_ITERATIONS"] = "6"
    note(place.load())
    note(place.load(max_iterations="7"))
    assert seen == [
        (4, Origin.FOLDER, f"{folder}: max_iterations"),
        (5, Origin.CONFIG, f"{user}: max_iterations"),
        (6, Origin.ENVIRONMENT, "FOUREYES_MAX_ITERATIONS"),
        (7, Origin.FLAG, "--max-iterations"),
    ]


def test_a_named_config_replaces_the_users_own(place: Place) -> None:
    place.write("user", "max_iterations: 5\nmax_minutes: 9")
    named = place.write("mine.yaml", "max_iterations: 8")
    settings = place.load(config=named).settings
    assert (settings.max_iterations, settings.max_minutes) == (8, None)


def test_a_key_alone_never_starts_a_paid_model(place: Place) -> None:
    place.environ["ANTHROPIC_API_KEY"] = "k"
    loaded = place.load()
    assert loaded.settings.backend is BackendName.OFFLINE
    assert loaded.api_key is not None


@pytest.mark.parametrize("key", sorted(PROTECTED))
def test_the_working_folder_may_not_set(place: Place, key: str) -> None:
    place.write("foureyes.yaml", f"{key}: claude")
    with pytest.raises(SettingsError, match="may not be set in the working folder"):
        place.load()


def test_protected_names_and_paths_are_settings() -> None:
    fields = Settings.model_fields
    assert set(fields) >= PROTECTED
    assert {k for k, f in fields.items() if "Path" in str(f.annotation)} == PATHS


@pytest.mark.parametrize(
    ("flags", "environ", "folder", "message"),
    [
        ({"mode": "fast"}, {}, "", "--mode: 'fast': input should be 'analyze', "),
        (
            {},
            {"FOUREYES_MAX_ITERATIONS": "many"},
            "",
            "FOUREYES_MAX_ITERATIONS: 'many': input should be a whole number",
        ),
        ({}, {"FOUREYES_BACKED": "x"}, "", "FOUREYES_BACKED: unknown setting 'backed'.*'backend'"),
        ({}, {}, "modell: x", "foureyes.yaml: modell: unknown setting 'modell'.*'model'"),
        ({}, {}, "zzz: 1", "unknown setting 'zzz' .see"),
        ({}, {}, "- a", "not a mapping"),
        ({}, {}, "mode: [", "foureyes.yaml, line [12]: not valid YAML: did not find expected node"),
        ({}, {}, "mode: a\nmode: b", r'line 2: not valid YAML: found duplicate key "mode"'),
        ({}, {}, "as_of: 2026-13-01", "line 1: not valid YAML: month must be in"),
        ({"budget_usd": "-1"}, {}, "", "--budget-usd: '-1': input should be greater than 0"),
        ({"as_of": "soon"}, {}, "", "--as-of: 'soon'"),
        ({"model": ["x=y"]}, {}, "", "--model: unknown agent 'x' .the agents are analyst"),
        ({"model": ["judge="]}, {}, "", "--model: no value"),
        ({"effort": ["judge=huge"]}, {}, "", "--effort: 'huge': input should be 'low', 'medium'"),
        ({"max_turns": ["0"]}, {}, "", "--max-turns: '0': input should be greater than or equal"),
        ({"max_cost_usd": ["x=1"]}, {}, "", "--max-cost-usd: unknown agent 'x'"),
        ({}, {"FOUREYES_MAX_COST_USD": "judge=0"}, "", "FOUREYES_MAX_COST_USD: '0': input"),
        ({}, {"FOUREYES_JUDGE_MODEL": "x"}, "", "unknown setting 'judge_model'"),
        ({"base_url": "ftp://x"}, {}, "", "--base-url: 'ftp://x'"),
        ({"base_url": "http://a:b@x"}, {}, "", "--base-url"),
        ({"base_url": "http://localhost:1"}, {}, "", "--base-url: which key goes to"),
        ({"with_fact_checker": True, "mode": "analyze"}, {}, "", "cannot be combined"),
        ({"fact_checker_strictness": "strict"}, {}, "", "needs the fact checker"),
        ({"fact_checker_max_webfetches": "3"}, {}, "", "needs the fact checker"),
        ({"research_mode": "frontier"}, {}, "", "--research-mode needs the fact checker"),
        ({"skip_challenges": "links"}, {}, "", "--skip-challenges needs the fact checker"),
        ({"research_mode": "bold"}, {}, "", "--research-mode: 'bold': input should be 'standard'"),
    ],
)
def test_a_wrong_setting_is_one_line_that_names_its_place(
    place: Place, flags: Mapping[str, Any], environ: dict[str, str], folder: str, message: str
) -> None:
    place.environ |= environ
    if folder:
        place.write("foureyes.yaml", folder)
    with pytest.raises(InputError, match=message) as caught:
        place.load(**flags)
    assert "\n" not in str(caught.value)


def test_a_missing_config_file_is_named(place: Place) -> None:
    with pytest.raises(InputError, match=r"none.yaml' does not exist"):
        place.load(config=place.folder / "none.yaml")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["big"], ("big", "big", "big", "big")),
        (["judge=j", "big"], ("big", "big", "big", "j")),
        ("big, fact-checker=f", ("big", "big", "f", "big")),
        ({"analyst": "a"}, ("a", None, None, None)),
    ],
)
def test_a_model_is_for_all_agents_or_one(
    place: Place, given: object, expected: tuple[str | None, ...]
) -> None:
    config = pipeline_config(place.load(model=given).settings)
    agents = (config.analyst, config.reviewer, config.fact_checker, config.judge)
    assert tuple(agent.model for agent in agents) == expected


def test_a_model_that_is_no_name_is_refused(place: Place) -> None:
    with pytest.raises(SettingsError, match="no value"):
        place.load(config=place.write("c.yaml", "model: 3"))


def test_effort_and_budget_of_a_turn_are_for_all_agents_or_one(place: Place) -> None:
    place.write("user", "max_turns: 30\neffort: {judge: max}\nmax_cost_usd: {reviewer: 0.5}")
    place.environ["FOUREYES_EFFORT"] = "analyst=low,fact-checker=high"
    config = pipeline_config(place.load(max_turns=["judge=5"]).settings)
    agents = (config.analyst, config.reviewer, config.fact_checker, config.judge)
    assert [agent.effort for agent in agents] == [Effort.LOW, None, Effort.HIGH, Effort.MAX]
    assert [agent.max_turns for agent in agents] == [30, 30, 30, 5]
    assert [agent.max_cost_usd for agent in agents] == [None, Decimal("0.5"), None, None]


def test_what_is_not_set_for_an_agent_is_its_default(place: Place) -> None:
    config = pipeline_config(place.load().settings)
    assert config == PipelineConfig()


def test_one_agents_model_in_a_weak_origin_does_not_hide_a_strong_one(place: Place) -> None:
    place.write("user", "model: [weak, judge=own]")
    config = pipeline_config(place.load(model=["analyst=strong"]).settings)
    assert (config.analyst.model, config.reviewer.model) == ("strong", "weak")
    assert config.judge.model == "own"


@pytest.mark.parametrize(
    ("mode", "lifted"),
    [
        (None, PipelineMode.ANALYZE_REVIEW_WITH_FACT_CHECK),
        ("analyze_and_review", PipelineMode.ANALYZE_REVIEW_WITH_FACT_CHECK),
        ("analyze_review_with_fact_check", PipelineMode.ANALYZE_REVIEW_WITH_FACT_CHECK),
        ("analyze_review_and_judge", PipelineMode.FULL_EVALUATION),
        ("full_evaluation", PipelineMode.FULL_EVALUATION),
    ],
)
def test_the_fact_checker_lifts_the_mode(
    place: Place, mode: str | None, lifted: PipelineMode
) -> None:
    loaded = place.load(mode=mode, with_fact_checker=True, fact_checker_strictness="strict")
    assert loaded.settings.mode is lifted


@pytest.mark.parametrize(("checked", "mode"), [(True, "discovery"), (None, None)])
def test_the_mode_of_research_is_that_of_the_gate(
    place: Place, checked: bool | None, mode: str | None
) -> None:
    place.write("user", "research_mode: discovery")
    config = pipeline_config(place.load(with_fact_checker=checked).settings)
    assert config.research_mode == mode


def test_an_explicit_mode_wins_over_a_configured_fact_checker(place: Place) -> None:
    place.write("user", "with_fact_checker: true")
    assert place.load(mode="analyze").settings.mode is PipelineMode.ANALYZE


@pytest.mark.parametrize(
    ("flags", "variable", "key"),
    [
        ({}, "ANTHROPIC_API_KEY", "anthropic-secret"),
        ({"base_url": "https://api.anthropic.com"}, "ANTHROPIC_API_KEY", "anthropic-secret"),
        ({"base_url": "http://localhost:1", "api_key_env": "LITE_KEY"}, "LITE_KEY", "lite"),
        ({"base_url": "http://localhost:1", "api_key_env": "ABSENT"}, "ABSENT", None),
        ({"base_url": "http://localhost:1", "api_key_env": "none"}, "none", "none"),
    ],
)
def test_each_address_gets_the_key_named_for_it(
    place: Place, flags: Mapping[str, Any], variable: str, key: str | None
) -> None:
    place.environ |= {"ANTHROPIC_API_KEY": "anthropic-secret", "LITE_KEY": "lite"}
    loaded = place.load(**flags)
    secret = loaded.api_key.get_secret_value() if loaded.api_key else None
    assert (loaded.api_key_variable, secret) == (variable, key)
    assert "anthropic-secret" not in repr(loaded)


def test_relative_paths_in_a_file_are_relative_to_it(place: Place) -> None:
    place.write("user", "prompts_dir: prompts\nout: /tmp/runs")
    settings = place.load().settings
    assert settings.prompts_dir == place.user.parent / "prompts"
    assert settings.out == Path("/tmp/runs")


def test_an_empty_variable_and_foreign_ones_are_not_settings(place: Place) -> None:
    place.environ |= {"FOUREYES_MODE": "", "FOUREYES_DATA": "elsewhere"}
    assert place.load().settings == Settings()


@pytest.mark.parametrize("environ", [{}, {"HOME": "/nonexistent"}])
def test_a_user_without_a_config_has_none(place: Place, environ: dict[str, str]) -> None:
    place.environ = environ
    assert place.load().settings == Settings()


@pytest.mark.parametrize("given", [["a:1", "b"], "a:1,b,"])
def test_hosts_are_given_one_by_one_or_with_commas(place: Place, given: object) -> None:
    assert place.load(allowed_hosts=given).settings.allowed_hosts == ("a:1", "b")


def test_budgets_reach_the_loop(place: Place) -> None:
    config = pipeline_config(place.load(budget_usd="2.50", max_minutes="3").settings)
    assert (config.budgets.max_usd, config.budgets.max_minutes) == (Decimal("2.50"), 3.0)


@pytest.mark.parametrize("name", ["max_iterations", "max_fetches"])
def test_the_loops_own_bounds_are_no_narrower(place: Place, name: str) -> None:
    lowest: Mapping[str, Any] = {name: {"max_iterations": 1, "max_fetches": 0}[name]}
    pipeline_config(place.load(**lowest).settings)
    pipeline_config(place.load(max_iterations=50).settings)


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
        environ={"FOUREYES_MODEL": "blue_defender=e", "FOUREYES_DEFENDERS": "2"},
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


@pytest.mark.parametrize("line", ["no_web: true", "defenders: 9", "model: {red_reviewer: x}"])
def test_a_repository_under_review_sets_nothing_of_its_review(tmp_path: Path, line: str) -> None:
    (tmp_path / "foureyes.yaml").write_text(line + "\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="working folder"):
        config(tmp_path)


def test_a_verifier_searches_only_where_somebody_can_be_asked(tmp_path: Path) -> None:
    assert config(tmp_path).web_verifier.max_searches == 0
    asked = config(tmp_path, search="searxng", search_url="https://search.example.org")
    assert asked.web_verifier.max_searches > 0
