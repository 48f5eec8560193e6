"""Every attack is refused, with its reason in the run's events."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from integration.claude.attacks.attack import NOTHING, Group
from integration.claude.attacks.catalogue import GROUPS, NAMED
from integration.claude.attacks.run import faults, run_group
from support.messages_server import MessagesServer
from support.variants import variants

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


ALIKE = {
    "a draft swapped for a link": "a form swapped for a link",
    "a form left half filled": "a claim rewritten behind our back",
    "fetches over the allowance one by one": "fetches over the allowance at once",
    "settings that find a key": "settings that allow",
    "settings that redirect": "settings that allow",
    "variables: CLAUDE_CODE_SIMPLE": "a CLI without our hooks",
    "variables: Foundry": "variables: Bedrock",
    "variables: Vertex": "variables: Bedrock",
}
"""Groups that are left to the soak, each with one that the same protection holds back."""


TOGETHER = {
    "form": (
        "reading other files", "other tools", "edits of the form", "mentions of files",
        "files lying about", "settings that allow", "variables",
    ),
    "desk": ("fetching", "pages and snapshots", "searching"),
}  # fmt: skip
"""Groups that do not disturb each other either: one session makes all their attacks at once."""


def merged(name: str) -> Group:
    groups = [NAMED[one] for one in TOGETHER[name]]
    attacks = tuple(attack for group in groups for attack in group.attacks)
    return replace(groups[0], name=f"{name}: all at once", attacks=attacks)


CASES = {one.name: one for one in GROUPS} | {name: merged(name) for name in TOGETHER}
APART = {one for names in TOGETHER.values() for one in names}


@pytest.mark.parametrize("group", variants(CASES, {*ALIKE, *APART}))
async def test_no_attack_gets_through(
    group: Group, running_server: MessagesServer, tmp_path: Path
) -> None:
    assert faults(group, await run_group(group, running_server, tmp_path / "scene", NOTHING)) == []
