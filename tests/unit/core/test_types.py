from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from foureyes import Role, ToolSpec, TurnLimits
from foureyes.datatypes import Effort
from support.claude_turn import review_task


async def no_answer(_arguments: Mapping[str, object]) -> str:
    return ""


TOOL = ToolSpec("find", "", {}, True, no_answer)


@pytest.mark.parametrize(
    "changes",
    [
        {"role": Role.JUDGE},
        {"name": "2/reviewer"},
        {"system_prompt": "other"},
        {"user_prompt": "other"},
        {"template": "{}"},
        {"readable": {}},
        {"tools": (TOOL,)},
        {"model": "other"},
        {"effort": Effort.LOW},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_what_determines_the_answer_is_in_the_fingerprint(changes: dict[str, Any]) -> None:
    assert review_task(**changes).fingerprint() != review_task().fingerprint()


def test_limits_of_a_turn_are_not_in_its_fingerprint() -> None:
    assert review_task(limits=TurnLimits(1, 2.0)).fingerprint() == review_task().fingerprint()
