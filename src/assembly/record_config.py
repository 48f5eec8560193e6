"""`config.json` of runs and reviews: what it keeps, and what a resume may change of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from ..base.errors import RunDirectoryError
from ..base.vocabulary import FetchMode, SearchName
from ..core.config import Config
from ..core.work import Progress
from .model import PART_KEYS, LoadedSettings, Settings
from .rules import copied_rules
from .user_code import code_names, full_name

Notify = Callable[[Progress], None]

GIVEN_FOLDER = "given"
REPLAY_FILE = "replay.json"
"""In the run directory of a replay: which run it is a replay of."""
BUDGETS = ("budget_usd", "budget_tokens", "budget_turns", "budget_tool_calls", "max_minutes")
LIMITS = ("max_parallel", "defenders", *BUDGETS)
"""The settings that whoever goes on with a run or a review may set anew."""
CONNECTIONS = (
    *("search_url", "search_key_env", "knowledge_base"),
    *("base_url", "api_key_env", "source_cache"),
)
"""The settings that are always those of whoever goes on with a run."""


ALONE = {
    "fetch": FetchMode.FROZEN,
    "search": SearchName.NONE,
    "memory": "none",
    "source_cache": "none",
}
"""The settings under which a record is read again: what it does not have, nobody gets."""


class RunConfig(Config):
    """`config.json` of a run directory: the settings in force, and the folders of sources.

    `files` are the single files that were given, which the run keeps copies of. `near` are the
    folders that relative citations may start from, `own` the draft's file. `critics` and `agents`
    are the names under which the user's own vote.
    """

    settings: Settings
    folders: tuple[Path, ...] = ()
    files: tuple[Path, ...] = ()
    near: tuple[Path, ...] = ()
    own: Path | None = None
    critics: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()


class ReviewRunConfig(Config):
    """`config.json` of a review directory: the settings in force, and the sources given.

    `near` are the folders that relative citations may start from, `own` the document's file.
    """

    settings: Settings
    folders: tuple[Path, ...] = ()
    near: tuple[Path, ...] = ()
    own: Path | None = None
    urls: tuple[str, ...] = ()


def absolute(settings: Settings) -> Settings:
    """`settings` with absolute paths: a resume may be started in another working folder."""
    paths: dict[str, object] = {
        key: value.absolute() for key, value in settings if isinstance(value, Path)
    }
    for key in PART_KEYS:
        names = code_names(settings, key)
        several = isinstance(dict(settings)[key], tuple)
        paths[key] = names if several else next(iter(names), None)
    return settings.model_copy(update={**paths, "out": settings.out})


def resumed(folder: Path, kept: Settings, loaded: LoadedSettings) -> dict[str, object]:
    """Changes by the caller's settings when the run or review in `folder` goes on.

    These are connections, limits that are given, and the copies of the user's own rules.

    Raises:
        RunDirectoryError: The backend or the search provider is another one than answered so far.
    """
    mine = loaded.settings
    for key, before, now, what in (
        ("backend", kept.backend, mine.backend, f"was made with the {kept.backend} backend"),
        ("search", kept.search, mine.search, f"searches with {kept.search}"),
    ):
        if full_name(before) != full_name(now):
            raise RunDirectoryError(
                f"{str(folder)!r} {what}, and the settings choose {now}", f"add --{key} {before}"
            )
    given = (name for name in LIMITS if name in loaded.origins)
    return {
        **{name: dict(mine)[name] for name in (*CONNECTIONS, *given)},
        "max_turns": {**kept.max_turns, **mine.max_turns},
        "max_cost_usd": {**kept.max_cost_usd, **mine.max_cost_usd},
        **copied_rules(folder),
    }


def ignore(_progress: Progress) -> None:
    """Do nothing."""


def left_over(out: Path, manifest_file: str) -> Path | None:
    """The directory that an earlier worker left in `out`. An unfinished one is removed."""
    for folder in sorted(out.iterdir()) if out.is_dir() else []:
        if not folder.name.startswith(".") and (folder / manifest_file).is_file():
            return folder
        shutil.rmtree(folder)
    return None
