"""Installed parts, which backend would run and why, what is missing, and the reader's speed."""

from __future__ import annotations

import importlib.metadata
import platform
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from ..backends.claude.backend import session_limit
from ..backends.claude.endpoint import Check, State, probe
from ..base.errors import BackendUnavailable, InputError, SettingsError
from ..core.tasks import Role
from ..report.wording import terminal_lines
from ..verification.reader.onnx_reader import OnnxModel, packaged_model
from .backend import claude_settings
from .model import BackendName, LoadedSettings, ReaderName
from .search import build_provider
from .settings import FOLDER_FILE, telemetry_variables
from .telemetry import described

UNCHOSEN = "nothing chose another; a key in the environment alone never starts a paid model"
_PAIRS = 8
# About 96 tokens with a claim: three sentences, as retrieval hands them over.
_PASSAGE = (
    "The bridge over the Aller was opened in June 1932 after three years of work and replaced a "
    "ferry that had carried passengers since 1871. It is 503 metres long, has four lanes for "
    "motor traffic and a path for pedestrians, and was designed for 12,000 vehicles a day. Since "
    "the repairs of 2014 the limit for lorries has been 40 tonnes; heavier ones take the motorway."
)
_CLAIM = "The bridge, which opened in 1932, is {} metres long and carries four lanes of traffic."


@dataclass(frozen=True, slots=True)
class Part:
    """An installed (or missing) distribution; `version` is None when it is missing."""

    name: str
    version: str | None


@dataclass(frozen=True, slots=True)
class SettingLine:
    """One setting in force; `place` names the flag, variable or file that gave it."""

    name: str
    value: str
    origin: str
    place: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Result of `foureyes doctor`.

    `missing` keeps the chosen backend from running; `checks` is all that was looked at of it.
    `reader` is None where the settings turn it off.
    """

    foureyes: str
    python: str
    system: str
    backend: str
    why: str
    missing: tuple[str, ...]
    notes: tuple[str, ...]
    checks: tuple[Check, ...]
    parts: tuple[Part, ...]
    settings: tuple[SettingLine, ...]
    reader: ReaderReport | None = None


async def diagnose(loaded: LoadedSettings, *, ask: bool = False) -> Diagnosis:
    """Diagnose this installation as it would run with `loaded`.

    Args:
        loaded: The settings in force.
        ask: Put questions to a paid provider too.
    """
    checks = await backend_checks(loaded, ask=ask)
    packaged = loaded.settings.reader is ReaderName.PACKAGED
    reader = report_reader(packaged_model()) if packaged else None
    parts = tuple(required_parts())
    absent = [part.name for part in parts if part.version is None]
    lacks = [f"{name} is not installed: pip install {name}" for name in absent]
    try:
        build_provider(loaded)
    except SettingsError as error:
        lacks.append(str(error))
    if reader is not None and reader.problem:
        lacks.append(reader.problem)
    lacks += [f"{one.subject}: {one.detail}" for one in checks if one.state is State.MISSING]
    place = loaded.origin("backend").place
    return Diagnosis(
        foureyes=importlib.metadata.version("foureyes"),
        python=platform.python_version(),
        system=f"{platform.system()} {platform.machine()}",
        backend=loaded.settings.backend,
        why=f"{place} says so" if place else UNCHOSEN,
        missing=tuple(lacks),
        notes=tuple(notes(loaded)),
        checks=checks,
        parts=parts,
        settings=tuple(
            SettingLine(name, format_value(value), given.origin, given.place)
            for name, value in loaded.settings
            for given in [loaded.origin(name)]
        ),
        reader=reader,
    )


def required_parts() -> Iterator[Part]:
    """Yield the required distributions with their installed versions."""
    for requirement in importlib.metadata.requires("foureyes") or []:
        if "extra ==" not in requirement:
            name = re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0]
            try:
                yield Part(name, importlib.metadata.version(name))
            except importlib.metadata.PackageNotFoundError:
                yield Part(name, None)


async def backend_checks(loaded: LoadedSettings, *, ask: bool) -> tuple[Check, ...]:
    """Check the chosen backend; the offline one needs nothing."""
    if loaded.settings.backend is not BackendName.CLAUDE:
        return ()
    try:
        settings = claude_settings(loaded)
    except (BackendUnavailable, SettingsError) as error:
        subject, _, detail = str(error).partition(": ")
        return (Check(subject, State.MISSING, detail),)
    return await probe(settings, ask=ask or None)


def notes(loaded: LoadedSettings) -> Iterator[str]:
    """Yield notes on the configuration."""
    if loaded.settings.backend is BackendName.OFFLINE:
        yield "offline means no language model: approval is by rules only"
    if loaded.settings.backend is BackendName.CLAUDE:
        yield f"at most {session_limit(loaded.settings.max_parallel)} model sessions at once"
    yield from described(telemetry_variables())
    if (Path.cwd() / FOLDER_FILE).is_file():
        yield f"{FOLDER_FILE} in the working folder takes part"


def format_value(value: object) -> str:
    """A setting's value as a person would write it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Mapping):
        by_agent = cast("Mapping[Role, object]", value)
        value = tuple(f"{role}={entry}" for role, entry in by_agent.items())
    if isinstance(value, tuple):
        value = ", ".join(map(str, cast("tuple[object, ...]", value)))
    return "-" if value in (None, "") else str(value)


def diagnosis_lines(diagnosis: Diagnosis) -> Iterator[str]:
    """The diagnosis for a person."""
    return terminal_lines("doctor.txt.jinja", found=diagnosis)


@dataclass(frozen=True, slots=True)
class ReaderFile:
    """A file of the reader with what its card says about it."""

    name: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ReaderReport:
    """The reader's files and its speed here.

    `problem` says why it cannot be loaded, "" if it was; the times are None then.
    """

    name: str = ""
    identity: str = ""
    files: tuple[ReaderFile, ...] = ()
    load_seconds: float | None = None
    ms_a_pair: float | None = None
    problem: str = ""


def report_reader(model: OnnxModel) -> ReaderReport:
    """Load `model`, if it is not, and measure how long it takes for a few pairs."""
    report = ReaderReport()
    try:
        card = model.card
        files = tuple(ReaderFile(one.name, one.bytes, one.sha256) for one in card.files)
        report = ReaderReport(card.name, card.identity, files)
        begun = time.perf_counter()
        model.load()
        load_seconds = time.perf_counter() - begun
        pairs = [(_PASSAGE, _CLAIM.format(500 + number)) for number in range(_PAIRS)]
        model.score(pairs[:1])
        begun = time.perf_counter()
        model.score(pairs)
        ms = (time.perf_counter() - begun) / _PAIRS * 1000
    except InputError as error:
        return replace(report, problem=str(error))
    return replace(report, load_seconds=load_seconds, ms_a_pair=ms)
