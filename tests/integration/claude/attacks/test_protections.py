"""What each protection holds back: the attacks again, with a single protection taken away.

Where two protections stand behind each other, no attack gets through without one of them alone.
Then both are taken away, and more has to get through than without the other one alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from integration.claude.attacks.attack import Group, Protection, Removed
from integration.claude.attacks.catalogue import DESK_GROUPS, GROUPS, NAMED
from integration.claude.attacks.run import passing
from support.messages_server import MessagesServer

pytestmark = [pytest.mark.cli, pytest.mark.soak, pytest.mark.timeout(900)]

SWAPPED = ["a draft swapped for a link", "a form swapped for a link"]
BEHIND: Mapping[Protection, tuple[Protection, Sequence[str]]] = {
    Protection.TOOLS: (Protection.HOOK, ["other tools"]),
    Protection.RULES: (Protection.HOOK, ["reading other files", "editing other files"]),
    Protection.LINKS: (Protection.RULES, SWAPPED),
    Protection.MCP: (Protection.SETTINGS, ["files lying about"]),
    Protection.SIMPLE: (Protection.CANARY, [n for n in NAMED if n.startswith("variables:")]),
    Protection.DESK: (Protection.ALLOWANCE, [n for n in NAMED if n.startswith("fetches over")]),
}
"""What still holds where the key is taken away alone, and the attacks that show it."""

AT_THE_DESK = {Protection.DESK, Protection.ADDRESSES, Protection.GUARD, Protection.FENCE}
"""Of no account where the fact checker's tools are not offered."""


@dataclass
class Ablation:
    """Runs the attacks without some protections, once for each choice."""

    server: MessagesServer
    folder: Path
    rows: dict[Removed, dict[str, set[str]]] = field(
        default_factory=dict[Removed, dict[str, set[str]]]
    )

    async def passing(self, groups: Sequence[Group], *removed: Protection) -> set[str]:
        choice = frozenset(removed)
        row = self.rows.setdefault(choice, {})
        for group in groups:
            if group.name not in row:
                root = self.folder / str(sum(map(len, self.rows.values())))
                row[group.name] = await passing(group, self.server, root, choice)
        return {name for group in groups for name in row[group.name]}


@pytest.fixture(scope="module")
def ablation(running_server: MessagesServer, tmp_path_factory: pytest.TempPathFactory) -> Ablation:
    return Ablation(running_server, tmp_path_factory.mktemp("ablation"))


@pytest.mark.parametrize("protection", Protection)
async def test_each_protection_holds_something_back(
    protection: Protection, ablation: Ablation, capsys: pytest.CaptureFixture[str]
) -> None:
    groups = DESK_GROUPS if protection in AT_THE_DESK else GROUPS
    alone = held = await ablation.passing(groups, protection)
    row = f"without {protection}: {shown(alone)}"
    if not alone:
        behind, names = BEHIND[protection]
        groups = [NAMED[name] for name in names]
        both = await ablation.passing(groups, protection, behind)
        held = both - await ablation.passing(groups, behind)
        row += f"\n  and without {behind}, further: {shown(held)}"
    with capsys.disabled():
        print(f"\n{row}")  # noqa: T201 - the table is the result
    assert held


def shown(names: set[str]) -> str:
    return f"{len(names)} get through" + "".join(f"\n    {name}" for name in sorted(names))
