"""`src/assembly/setting_values.py`: every setting as a keyword, as type checkers see it.

Run as a program it writes the file anew.
"""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from foureyes.assembly.model import PART_KEYS, Settings

ROOT = Path(__file__).parents[1]
FILE = ROOT / "src" / "assembly" / "setting_values.py"
WRITTEN = {Decimal: "Decimal | float | str", date: "date | str", Path: "Path | str"}
OF_EVERY_AGENT = {
    "model": "str | Sequence[str] | Mapping[str, str] | None",
    "effort": "Effort | str | Sequence[str] | Mapping[str, str] | None",
    "max_turns": "int | str | Sequence[str] | Mapping[str, int] | None",
    "max_cost_usd": "Decimal | float | str | Sequence[str] | Mapping[str, float] | None",
}
HEAD = '''"""The settings as keywords, for editors and type checkers; `Settings` says what each is.

Written by `python tools/setting_values.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Literal, TypedDict

from ..base.vocabulary import ChallengeStep, FetchMode, ResearchMode, SettlementMode, Strictness
from ..core.config import Effort, PipelineMode
from .model import ReaderName


class SettingValues(TypedDict, total=False):
    """Settings by name: a misspelt one is refused by type checkers, and else by the call.

    `model`, `effort`, `max_turns` and `max_cost_usd` are for all agents, ``agent=value`` for one,
    or a mapping of agents.
    """

'''


def written(hint: Any) -> str:
    """The type that a caller may give for a setting of the type `hint`."""
    origin = get_origin(hint)
    if origin is Annotated:
        return written(get_args(hint)[0])
    if origin in (Union, UnionType):
        return " | ".join(dict.fromkeys(written(part) for part in get_args(hint)))
    if origin is Literal:
        return f"Literal[{', '.join(map(repr, get_args(hint)))}]"
    if origin is tuple:
        return f"Sequence[{written(get_args(hint)[0])}]"
    if hint is NoneType:
        return "None"
    if issubclass(hint, StrEnum):
        return f"{hint.__name__} | Literal[{', '.join(repr(one.value) for one in hint)}]"
    return WRITTEN.get(hint) or str(hint.__name__)


def source() -> str:
    """The file, not laid out yet."""
    fields = {
        name: OF_EVERY_AGENT.get(name) or written(field.annotation)
        for name, field in Settings.model_fields.items()
        if name not in PART_KEYS
    }
    lines = [f"    {name}: {hint}" for name, hint in fields.items()]
    return HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    FILE.write_text(source(), encoding="utf-8")
    ruff = Path(sys.executable).with_name("ruff")
    for step in (("format", "--quiet"), ("check", "--fix", "--quiet")):
        subprocess.run([ruff, *step, FILE], check=True)
