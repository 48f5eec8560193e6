"""Replays from beginning to end: a run directory again, from its record."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Unpack

from ..agents.declared_agent import Agent
from ..base.errors import ReplayMismatch, SettingsError
from ..base.files import make_folder, storage_errors
from ..base.logs import quiet_logs
from ..base.off_loop import blocking
from ..base.printable import first_difference
from ..core.record_folder import RULES
from ..core.result import PipelineResult
from ..core.run_store import RunStore
from ..report.summary import SUMMARY_FILE
from ._components import RunComponents
from .model import LoadedSettings, Origin
from .plugins import NO_PARTS, LoadedPlugins, RunOptions, load_agents, load_options
from .prepared_run import PreparedRun
from .record_config import ALONE, GIVEN_FOLDER, REPLAY_FILE, Notify, RunConfig, absolute
from .replay import RecordedCritic, Replay
from .rules import OWN_FILES, copied_rules, write_versions
from .setting_values import SettingValues
from .settings import pipeline_config

REPLAY_OPTIONS = (*OWN_FILES, "agents", "out")
"""Settings that a replay accepts; everything else is as recorded."""

ITERATIONS, JUDGEMENT = "iterations", "judgement.json"
FOLDERS = (ITERATIONS, "verify")
"""With judgement and summary the artefacts, which a replay has to give byte for byte."""


@dataclass(frozen=True)
class PreparedReplay(PreparedRun):
    """A replay with its directory, ready to go."""

    _: KW_ONLY
    _replay: Replay

    async def run(self, notify: Notify | None = None) -> PipelineResult:
        """Replay to the end of the record.

        Raises:
            ReplayMismatch: A turn, or a file at the end, is not as recorded.
            RecordEnded: The recorded run was broken off; the replay is `cancelled` there.
            FoureyesError: The replay cannot go on.
        """
        result = await super().run(notify)
        recorded = self._replay.store
        if self._replay.cut_short:
            # Between two turns the record does not show how far the run came.
            compare(recorded.path, self.run_dir, artefacts(recorded.path, ITERATIONS))
            return result
        names = (*FOLDERS, JUDGEMENT)
        # Failed requests of an earlier session are neither repeated nor counted.
        if not recorded.manifest.resumed:
            names = (*names, SUMMARY_FILE)
            for turn in self._replay.backend.unasked():
                if not self._replay.answered(turn):
                    raise ReplayMismatch(
                        f"the replay departs from the record: turn {turn} was not asked for",
                        f"recorded in {str(recorded.path)!r}",
                    )
        files = {*artefacts(recorded.path, *names), *artefacts(self.run_dir, *names)}
        compare(recorded.path, self.run_dir, files)
        return result


async def prepare_replay(
    run_dir: Path, loaded: LoadedSettings, own: RunOptions = NO_PARTS
) -> PreparedReplay:
    """Make the directory of a replay of the run in `run_dir`, with its settings and snapshots.

    The user's own agents that are given again take part turn by turn; of those that are not, the
    record has the answers.

    Raises:
        RunDirectoryError: `run_dir` is no run directory, damaged, or from a newer version.
        SettingsError: A flag was given that would make it another run.
        InputError: A prompt, template or registry file is broken.
    """
    changes = replay_settings(loaded)
    replay = Replay(run_dir)
    recorded = replay.store
    config = recorded.config(RunConfig)
    settings = config.settings.model_copy(update={**copied_rules(recorded.path), **changes})
    effective = LoadedSettings(settings, loaded.origins, "", None)
    given = load_agents(effective, own) if own.get("agents") or "agents" in changes else ()
    plugins = recorded_plugins(replay, config, tuple(given))
    components = RunComponents(effective, plugins, replay)
    make_folder(loaded.settings.out)
    store = RunStore.create(
        loaded.settings.out,
        recorded.inputs(),
        config.model_copy(update={"settings": settings}),
        mode=recorded.manifest.mode,
        research_mode=pipeline_config(settings).research_mode,
        now=datetime.now(UTC),
    )
    of = {"id": recorded.manifest.id, "path": str(recorded.path.absolute())}
    store.write(REPLAY_FILE, json.dumps(of) + "\n")
    write_versions(store.path)
    for name in ("sources", GIVEN_FOLDER, RULES):
        if (recorded.path / name).is_dir():
            with storage_errors(store.path / name, "copy to"):
                shutil.copytree(recorded.path / name, store.path / name, dirs_exist_ok=True)
    frozen = settings.model_copy(update=ALONE)
    held = config.model_copy(update={"settings": frozen, "folders": ()})
    return PreparedReplay(store, held, components, _replay=replay)


def recorded_plugins(
    replay: Replay, config: RunConfig, agents: Sequence[Agent[Any]] = ()
) -> LoadedPlugins:
    """The user's own critics and policies as the run on record tells them; no code is loaded.

    Raises:
        SettingsError: One of the `agents` took no part in the run.
    """
    settings = config.settings
    given = {agent.name: agent for agent in agents}
    for name in given:
        if name not in config.agents:
            raise SettingsError(f"no agent {name!r} took part in the recorded run", "leave it out")
    return LoadedPlugins(
        tuple(RecordedCritic(name, replay) for name in config.critics),
        partial(replay.gate_word, settings.gate_policy) if settings.gate_policy else None,
        replay.settle if settings.settlement else None,
        tuple(given.get(name, RecordedCritic(name, replay)) for name in config.agents),
        replay if settings.analyst else None,
        replay if settings.judge else None,
    )


def replay_settings(loaded: LoadedSettings) -> dict[str, object]:
    """The settings that were given for the replay alone."""
    given = [key for key, origin in loaded.origins.items() if origin.origin is Origin.FLAG]
    for key in given:
        if key not in REPLAY_OPTIONS:
            raise SettingsError(
                f"{loaded.origins[key].place} cannot be combined with a replay",
                "it takes the settings of the recorded run",
            )
    values = dict(absolute(loaded.settings))
    return {key: values[key] for key in given if key != "out"}


def compare(recorded: Path, replayed: Path, names: Iterable[str]) -> None:
    """Raise `ReplayMismatch` unless the named files of both run directories are the same bytes."""
    for name in sorted(names):
        before, now = recorded / name, replayed / name
        texts = text_of(before), text_of(now)
        if texts[0] != texts[1]:
            raise ReplayMismatch(
                f"no turn departs from the record, but {name} differs",
                f"compare {str(before)!r} and {str(now)!r}",
                first_difference(*texts),
            )


def artefacts(run_dir: Path, *names: str) -> Iterator[str]:
    """The files that `names`, files and folders of `run_dir`, lead to, relative to it."""
    for name in names:
        path = run_dir / name
        files = path.rglob("*") if path.is_dir() else [path]
        yield from (file.relative_to(run_dir).as_posix() for file in files if file.is_file())


def text_of(path: Path) -> str:
    """The text of a file, with its line ends and anything else that it holds; "" if missing."""
    with storage_errors(path, "read"):
        return path.read_bytes().decode("utf-8", "surrogateescape") if path.exists() else ""


async def replay_run_async(
    run_dir: str | Path,
    *,
    notify: Notify | None = None,
    agents: Sequence[Agent[Any] | str] = (),
    **settings: Unpack[SettingValues],
) -> PipelineResult:
    """Run the run in `run_dir` again from its record, as `foureyes run --replay` does.

    Args:
        run_dir: The recorded run; it is only read.
        notify: Called with each event.
        agents: Your own agents of the run, to hold their prompts and forms against the record;
            of those left out the recorded answers are taken.
        settings: `out`, `prompts_dir`, `templates_dir`, `registry_dir` or `analyst_prompt`;
            everything else is as recorded.

    Returns:
        The result; its files, in a new run directory, are those of the recorded run.

    Raises:
        ReplayMismatch: It took another way; the error tells where, and `diff` what changed.
        RecordEnded: The recorded run was broken off, and the replay ended `cancelled` there.
        InputError: The run directory or a setting cannot be used.
    """
    quiet_logs()
    own: RunOptions = {**settings, "agents": agents}
    prepared = await prepare_replay(Path(run_dir), load_options(own), own)
    return await prepared.run(notify)


replay_run = blocking(replay_run_async, "replay_run")
"""`replay_run_async` for callers without an event loop."""
