"""Runs from beginning to end: prepared, run, resumed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from ..base.errors import InputError, RunDirectoryError
from ..base.files import make_folder, remove_left_scratch, scratch_folder
from ..base.off_loop import off_loop
from ..core.approval import RunStatus
from ..core.budget import Budget
from ..core.run_store import RUN_FOLDER, RunInputs, RunStore, brief_title
from ..core.work import Material
from ._components import RunComponents
from .backend import price_is_known
from .materials import gather, near_folders, sort_sources
from .model import CODE_KEYS, BackendName, LoadedSettings, Origin, Settings
from .plugins import NO_PARTS, LoadedPlugins, RunOptions, load_plugins, require_same_code
from .prepared_run import PreparedRun
from .record_config import REPLAY_FILE, RunConfig, absolute, left_over, resumed
from .rules import keep_rules
from .settings import pipeline_config


@dataclass(frozen=True, slots=True)
class RunInput:
    """Input of a run. Without a brief the draft's title is the topic.

    `file` is that of the draft: its relative citations start from there, and it is no source.
    """

    brief: str | None = None
    draft: str | None = None
    sources: tuple[str, ...] = ()
    file: Path | None = None


async def prepare_run(
    inputs: RunInput, loaded: LoadedSettings, own: RunOptions = NO_PARTS
) -> PreparedRun:
    """Check everything that can be checked beforehand, read the sources, make the run directory.

    Args:
        inputs: What the run begins with.
        loaded: The settings.
        own: The user's own components that the settings name, as objects.

    Raises:
        InputError: Something given cannot be used; no run directory was made.
        StorageError: The folder for run directories cannot be written.
    """
    settings = loaded.settings
    require_input(inputs, settings)
    plugins = load_plugins(loaded, own)
    loaded.refuse_links(settings.out)
    given = sort_sources(inputs.sources)
    components = RunComponents(loaded, plugins, own=own)
    priced = price_is_known(settings, agents=plugins.declared)
    Budget(pipeline_config(settings).budgets, priced=priced)
    await off_loop(make_folder, settings.out)
    with scratch_folder("run") as staging:
        file = inputs.file.resolve() if inputs.file else None
        materials = await gather(given, loaded, staging, file)
        await off_loop(keep_rules, settings, staging)
        config = RunConfig(
            settings=absolute(settings),
            folders=given.folders,
            files=given.files,
            near=near_folders(file) if inputs.draft is not None else (),
            own=file,
            **critic_names(plugins),
        )
        store = await off_loop(create_store, inputs, config, materials, staging)
    return PreparedRun(store, config, components)


def require_input(inputs: RunInput, settings: Settings) -> None:
    """Refuse a run that has nothing to work from."""
    if inputs.brief is None and inputs.draft is None:
        raise InputError(
            "nothing to do: there is no INPUT", "give a brief, or a draft with --draft FILE"
        )
    offline = settings.backend is BackendName.OFFLINE and settings.analyst is None
    if offline and inputs.draft is None and not inputs.sources:
        raise InputError(
            "the offline analyst has nothing to write from",
            "give --sources with a folder, files or addresses, or --draft FILE",
        )


def critic_names(plugins: LoadedPlugins) -> dict[str, tuple[str, ...]]:
    """The names under which the user's own critics and agents vote."""
    return {
        "critics": tuple(critic.name for critic in plugins.critics),
        "agents": tuple(agent.name for agent in plugins.agents),
    }


def create_store(
    inputs: RunInput, config: RunConfig, materials: tuple[Material, ...], contents: Path
) -> RunStore:
    """The run directory with everything that a resume needs; `contents` goes into it."""
    now, settings, brief = datetime.now(UTC), config.settings, inputs.brief
    if brief is None:
        brief = f"# {brief_title(inputs.draft or '')}\n"
    return RunStore.create(
        settings.out,
        RunInputs(brief, settings.as_of or now.date(), materials, inputs.draft),
        config,
        mode=settings.mode,
        research_mode=pipeline_config(settings).research_mode,
        now=now,
        contents=contents,
    )


async def prepare_resume(
    run_dir: Path, loaded: LoadedSettings, own: RunOptions = NO_PARTS
) -> PreparedRun:
    """Open a run directory to go on with it.

    The run keeps its settings. Who answers, with which key, the budgets and the code of critics and
    policies are the caller's, so that a run directory from elsewhere can neither start a paid
    model, nor redirect a key, nor have code run.

    Args:
        run_dir: The run.
        loaded: The caller's settings.
        own: The user's own components that they name, as objects.

    Raises:
        RunDirectoryError: It is no run directory, damaged, from a newer version, or began with
            other critics or policies.
        InputError: Its backend is not the one that the settings choose now.
    """
    await off_loop(remove_left_scratch)
    store = RunStore.open(run_dir)
    if (store.path / REPLAY_FILE).exists():
        raise RunDirectoryError(
            f"{str(run_dir)!r} is a replay, which cannot go on",
            "replay its record again with `foureyes run --replay`",
        )
    config = store.config(RunConfig)
    mine = loaded.settings
    changes = resumed(run_dir, config.settings, loaded)
    limits = loaded.origin("research_mode")
    if limits.origin is Origin.FLAG and mine.research_mode is not config.settings.research_mode:
        raise RunDirectoryError(
            f"{limits.place} cannot change the limits of a run that has begun", "begin another run"
        )
    require_same_code(store.path, config.settings, mine)
    settings = config.settings.model_copy(update=added_plugins(config.settings, absolute(mine)))
    effective = replace(loaded, settings=settings.model_copy(update=changes))
    plugins = load_plugins(effective, own)
    bound = bind_critics(store, config.model_copy(update={"settings": settings}), plugins)
    components = RunComponents(effective, plugins, own=own)
    config = bound.model_copy(update={"settings": effective.settings})
    return PreparedRun(store, config, components)


def added_plugins(kept: Settings, mine: Settings) -> dict[str, object]:
    """The critics and policies that whoever goes on adds to a run that had none."""
    before, held = dict[str, object](kept), dict[str, object](mine)
    named = {key for key in CODE_KEYS if held[key] and not before[key]}
    if "settlement" in named:
        named |= {"settlement_mode", "settlement_timeout_s"}
    return {key: held[key] for key in named}


def bind_critics(store: RunStore, config: RunConfig, plugins: LoadedPlugins) -> RunConfig:
    """`config` with the names of these critics, kept if it is not what the run began with.

    Raises:
        RunDirectoryError: Its critics voted under other names, or it is in use.
    """
    names = critic_names(plugins)
    for key, before in {"critics": config.critics, "agents": config.agents}.items():
        if before and before != names[key]:
            raise RunDirectoryError(
                f"{str(store.path)!r} has votes of {', '.join(before)}, and the {key} given are "
                f"named {', '.join(names[key])}",
                "name them as before",
            )
    changed = config.model_copy(update=names)
    if changed != store.config(RunConfig):
        with store.lock():
            store.write("config.json", changed.model_dump_json(indent=2) + "\n")
    return changed


async def run_to_end(inputs: RunInput, loaded: LoadedSettings) -> Path:
    """The directory of the run that has ended; the only one in the folder of run directories.

    Raises:
        FoureyesError: The run could not begin, or could not go on.
    """
    run_dir = left_over(loaded.settings.out, RUN_FOLDER.manifest_file)
    if run_dir is None:
        prepared = await prepare_run(inputs, loaded)
    elif RunStore.open(run_dir).manifest.status not in (None, RunStatus.CANCELLED):
        return run_dir
    else:
        prepared = await prepare_resume(run_dir, loaded)
    await prepared.run()
    return prepared.run_dir
