"""The user's own critics, policies and search providers, by name and as objects."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import cast

import pytest
from foureyes import (
    ApprovalBasis,
    Critic,
    PipelineMode,
    SettingsError,
    SettlementAnswer,
    SettlementCase,
)
from foureyes.assembly.model import LoadedSettings, Origin, Provenance, Settings
from foureyes.assembly.plugins import LoadedPlugins, load_options, load_plugins
from foureyes.assembly.search import build_provider
from foureyes.assembly.settings import flag_name, load_settings
from foureyes.assembly.user_code import code_name, full_name
from foureyes.core.approval import SettlementHook
from foureyes.datatypes import SettlementMode

CODE = """
from dataclasses import dataclass

@dataclass
class Policies:
    ok: bool = True
    def yes(self, case):
        return {"ok": self.ok, "reason": case.draft}

MINE = Policies()
NUMBER = 3
"""
CASE = SettlementCase(None, 1, "a draft", ApprovalBasis.DETERMINISTIC_CHECKS, (), None, None)


def loaded(name: str | None, origin: Origin = Origin.FLAG) -> LoadedSettings:
    settings = Settings(
        mode=PipelineMode.FULL_EVALUATION,
        settlement=name,
        settlement_mode=SettlementMode.STRICT,
    )
    place = {Origin.FLAG: "--settlement", Origin.ENVIRONMENT: "FOUREYES_SETTLEMENT"}[origin]
    return LoadedSettings(settings, {"settlement": Provenance(origin, place)}, "", None)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a module and a file in it; as with `python -m`, modules are found."""
    for name in ("settling_here.py", "policy.py"):
        (tmp_path / name).write_text(CODE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    return tmp_path


def test_no_name_is_no_hook() -> None:
    assert load_plugins(loaded(None)) == LoadedPlugins()


@pytest.mark.parametrize("name", ["settling_here:MINE.yes", "policy.py:MINE.yes"])
async def test_a_policy_is_found_in_a_module_or_a_file(name: str) -> None:
    hook = load_plugins(loaded(name)).settlement
    assert isinstance(hook, SettlementHook)
    assert (hook.name, hook.mode) == (full_name(name), SettlementMode.STRICT)
    assert (await hook(CASE)).reason == "a draft"


@pytest.mark.parametrize("name", ["settling_here:MINE.yes", "policy.py:MINE.yes"])
def test_nothing_is_loaded_from_a_working_folder_that_the_command_line_does_not_name(
    name: str,
) -> None:
    with pytest.raises(SettingsError, match=r"^FOUREYES_SETTLEMENT: .* from the working folder"):
        load_plugins(loaded(name, Origin.ENVIRONMENT))
    assert "settling_here" not in sys.modules


def test_a_file_is_loaded_by_its_whole_path(folder: Path) -> None:
    plugins = load_plugins(loaded(f"{folder}/policy.py:MINE.yes", Origin.ENVIRONMENT))
    assert plugins.settlement is not None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("no_such_module:f", "there is no module 'no_such_module'"),
        ("nowhere.py:f", "there is no file 'nowhere.py'"),
        ("policy.py:f", "'policy.py' has no 'f'"),
        ("policy.py:NUMBER", "'policy.py:NUMBER' cannot be called"),
        ("leaves.py:f", "'leaves.py' cannot be loaded: SystemExit: 0"),
        ("broken.py:f", "'broken.py' cannot be loaded: SyntaxError"),
    ],
)
def test_a_policy_that_cannot_be_used_is_named(name: str, said: str, folder: Path) -> None:
    (folder / "leaves.py").write_text("import sys\nsys.exit(0)\n", encoding="utf-8")
    (folder / "broken.py").write_text("def f(:\n", encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        load_plugins(loaded(name))
    assert caught.value.message.startswith(f"--settlement: {said}")


@pytest.mark.parametrize("key", ["settlement", "settlement_mode", "settlement_timeout_s"])
def test_the_working_folders_file_may_set_none_of_it(key: str, folder: Path) -> None:
    (folder / "foureyes.yaml").write_text(f"{key}: '1:2'\n", encoding="utf-8")
    with pytest.raises(SettingsError, match=f"{key} may not be set in the working folder"):
        load_settings(environ={}, folder=folder)


def plain(case: SettlementCase) -> SettlementAnswer:
    return SettlementAnswer(True, reason=case.draft)


class Policy:
    """A policy that is an object."""

    def __call__(self, case: SettlementCase) -> SettlementAnswer:
        """Yes."""
        return plain(case)


def test_a_policy_given_as_an_object_is_remembered_by_where_it_was_defined() -> None:
    assert code_name(plain) == f"{__name__}:plain"
    assert code_name(Policy()) == f"{__name__}:Policy"
    hook = load_plugins(loaded(code_name(plain)), {"settlement": plain}).settlement
    assert isinstance(hook, SettlementHook)
    assert hook.policy is plain


PARTS = """
class Tone:
    name = "tone"
    async def examine(self, work):
        raise NotImplementedError

class Shelf:
    name, local = "shelf", True
    async def search(self, query, limit):
        raise NotImplementedError

def made():
    return Tone()

def broken():
    raise OSError("no disk")

async def late(case):
    return None

ready = Tone()
"""


def of(folder: Path, **flags: object) -> LoadedSettings:
    (folder / "parts.py").write_text(PARTS, encoding="utf-8")
    return load_settings({**flags, "with_fact_checker": True}, environ={}, folder=folder)


@pytest.mark.parametrize("name", ["Tone", "made", "ready"])
def test_a_critic_is_an_object_or_what_makes_one(name: str, folder: Path) -> None:
    (critic,) = load_plugins(of(folder, critics=[f"parts.py:{name}"])).critics
    assert critic.name == "tone"


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ({"critics": ["parts.py:Shelf"]}, "'foureyes_own_parts:Shelf' is not a critic"),
        ({"critics": ["parts.py:broken"]}, "--critics: .* cannot be loaded: OSError: no disk"),
        ({"critics": ["parts.py:nobody"]}, "--critics: 'parts.py' has no 'nobody'"),
        ({"critics": ["parts.py:Tone", "parts.py:ready"]}, "two critics are named 'tone'"),
        ({"gate_policy": "parts.py:ready"}, "--gate-policy: 'parts.py:ready' cannot be called"),
        ({"gate_policy": "parts.py:late"}, "a gate policy cannot be async"),
    ],
)
def test_a_part_that_cannot_be_used_is_named(
    flags: dict[str, object], said: str, folder: Path
) -> None:
    with pytest.raises(SettingsError, match=said):
        load_plugins(of(folder, **flags))


def test_a_search_provider_is_found_by_its_name(folder: Path) -> None:
    provider = build_provider(of(folder, search="parts.py:Shelf"))
    assert provider is not None
    assert (provider.name, provider.local) == ("shelf", True)
    with pytest.raises(SettingsError, match="is not a search provider"):
        build_provider(of(folder, search="parts.py:Tone"))


def test_one_name_is_a_list_of_one() -> None:
    assert load_options({"critics": "parts:Tone"}).settings.critics == ("parts:Tone",)


def test_a_class_in_place_of_its_object_is_refused() -> None:
    with pytest.raises(SettingsError, match="give an object with a name and async examine"):
        load_plugins(loaded(None), {"critics": [cast("Critic", Policy)]})


@pytest.mark.parametrize("key", ["gate_policy", "settlement"])
def test_a_policy_needs_a_fact_check(key: str, folder: Path) -> None:
    """There is no gate without one, and no approval to have the last word on."""
    flags: dict[str, object] = {key: "parts.py:late"}
    with pytest.raises(SettingsError, match=f"{flag_name(key)} needs the fact checker"):
        load_plugins(load_settings(flags, environ={}, folder=folder))
    variable = {f"FOUREYES_{key.upper()}": "parts.py:late"}
    plugins = load_plugins(load_settings(environ=variable, folder=folder))
    assert (plugins.gate, plugins.settlement) == (None, None)


@pytest.mark.parametrize(
    ("key", "value"), [("settlement_mode", "strict"), ("settlement_timeout_s", 5)]
)
def test_how_a_settlement_policy_counts_is_refused_without_one(
    key: str, value: object, folder: Path
) -> None:
    flags = {key: value, "with_fact_checker": True}
    with pytest.raises(SettingsError, match=f"{flag_name(key)} does nothing without a settlement"):
        load_plugins(load_settings(flags, environ={}, folder=folder))
    variable = {f"FOUREYES_{key.upper()}": str(value)}
    assert load_plugins(load_settings(environ=variable, folder=folder)).settlement is None


@pytest.mark.parametrize("key", ["critics", "gate_policy"])
def test_the_working_folders_file_names_no_code(key: str, folder: Path) -> None:
    (folder / "foureyes.yaml").write_text(f"{key}: 'parts.py:Tone'\n", encoding="utf-8")
    with pytest.raises(SettingsError, match=f"{key} may not be set in the working folder"):
        load_settings(environ={}, folder=folder)


def test_what_is_no_provider_and_names_no_code_is_refused(folder: Path) -> None:
    with pytest.raises(SettingsError, match=r"--search: 'google': input should be 'none'"):
        load_settings({"search": "google"}, environ={}, folder=folder)
