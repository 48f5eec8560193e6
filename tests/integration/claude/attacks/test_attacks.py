"""Every attack is refused, with its reason in the run's events."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.attacks import NOTHING, Group
from support.attacks_catalogue import GROUPS
from support.attacks_run import faults, run_group
from support.messages_server import MessagesServer

pytestmark = pytest.mark.cli


def test_there_are_at_least_130_attacks_of_every_family() -> None:
    names = [attack.name for group in GROUPS for attack in group.attacks]
    assert len(names) >= 130
    assert len(set(names)) == len(names)
    families = {group.family for group in GROUPS}
    assert families == {
        "paths", "tools", "form", "allowances", "fetch", "mentions", "files", "environment",
        "our own failures",
    }  # fmt: skip


OTHER_PROVIDERS = {"variables: Vertex", "variables: Foundry"}
"""They are kept off as Bedrock is; of the soak."""


@pytest.mark.parametrize(
    "group",
    [
        pytest.param(
            one, id=one.name, marks=[pytest.mark.soak] if one.name in OTHER_PROVIDERS else []
        )
        for one in GROUPS
    ],
)
async def test_no_attack_gets_through(
    group: Group, running_server: MessagesServer, tmp_path: Path
) -> None:
    assert faults(group, await run_group(group, running_server, tmp_path / "scene", NOTHING)) == []
