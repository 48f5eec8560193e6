"""A packed run replayed from its record, and every file that it gives held against the pack."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from enum import Enum
from pathlib import Path

from pydantic import JsonValue, ValidationError

from ..assembly.model import LoadedSettings, Origin, Provenance, Settings
from ..assembly.prepared_run import fetch_allowances
from ..assembly.record_config import RunConfig
from ..assembly.replaying import prepare_replay
from ..assembly.rules import OWN_FILES, VERSIONS_FILE
from ..base.errors import RecordEnded, ReplayMismatch, RunDirectoryError
from ..base.files import from_json, read_lines
from ..core.agent_calls import DRAFTER, JUDGE
from ..core.approval import RunStatus
from ..core.record_folder import RULES, TURNS, entry_name
from ..core.result import REPORT_FILE, PipelineResult
from ..core.run_analytics import SESSION_STARTS, RunAnalytics
from ..core.run_store import RUN_FOLDER, TRACED
from ..report.evidence_pack import Difference, PackCheck, run_files, shown
from ..report.html.page import write_report
from ..report.run_text import markdown
from ..report.summary import SUMMARY_FILE
from ..sources.scoring.gaps import gap_decisions
from ._packed_run import ANALYTICS, DECISIONS, EVENTS, PackedRun

APART = {
    "run.json": ("id", "foureyes", "started", "ended", "resumed"),
    ANALYTICS: ("active_s",),
}
"""Keys that differ in every replay, by file."""
GIVEN = ("config.json", "replay.json", VERSIONS_FILE, *DECISIONS)
GIVEN_FOLDERS = ("searches", "sources", RULES)
"""Files that a replay starts from and does not make."""
TEXTS = f"{TURNS}/texts/"
BEFORE_THE_END = ("iterations", "journal")
OF_TURNS = ("turn", "turn_started", "turn_mended", "turn_retried", "tool_refused", "turn_ended")
"""The events of an agent's turns."""
OF_ALL_SESSIONS = ("iterations", "judgement.json", "run.json", "verify")
"""Files that a replay of a resumed run reproduces; the others differ for each session."""


class Reach(Enum):
    """How far a replay came, and so what can be compared."""

    END = "end"
    END_OF_RESUMED = "end of a resumed run"
    BROKEN_OFF = "broken off"


async def replay_differences(run: PackedRun, folder: Path) -> list[Difference]:
    """Replay `run` into a directory below `folder`, and name every file that comes out otherwise.

    Raises:
        FoureyesError: The record is damaged.
    """
    prepared = await prepare_replay(run.folder, _own_rules(run, folder))
    departed: ReplayMismatch | None = None
    result: PipelineResult | None = None
    try:
        result = await prepared.run()
    except ReplayMismatch as error:
        departed = error
    except RecordEnded:
        pass
    reach = _reach(run, prepared.run_dir)
    differences = [*_compared(run, prepared.run_dir, reach), *_report(run, folder)]
    if result is not None and reach is Reach.END_OF_RESUMED:
        differences += _differences_of_sessions(run, result)
    if departed is not None and (reach is Reach.BROKEN_OFF or not differences):
        differences.insert(0, _departure(run, departed))
    return differences


def _own_rules(run: PackedRun, folder: Path) -> LoadedSettings:
    """The pack's rules as if they were given; files of this machine that it names are not read."""
    held = dict(run.settings)
    values = {**{path: held[path] for path in OWN_FILES}, "out": folder}
    origins = dict.fromkeys(OWN_FILES, Provenance(Origin.FLAG, "the pack"))
    return LoadedSettings(Settings.model_validate(values), origins, "", None)


def _reach(run: PackedRun, replayed: Path) -> Reach:
    recorded = run.store.manifest
    if RUN_FOLDER.read_manifest(replayed).status in (None, RunStatus.CANCELLED, RunStatus.FAILED):
        return Reach.BROKEN_OFF
    if recorded.status is RunStatus.BUDGET_EXCEEDED:
        return Reach.BROKEN_OFF
    return Reach.END_OF_RESUMED if recorded.resumed else Reach.END


def _compared(run: PackedRun, replayed: Path, reach: Reach) -> Iterator[Difference]:
    agents = _own_names(run.store.config(RunConfig))
    now = {n: path for n, path in run_files(replayed) if _is_made(n)}
    before = {
        n: path
        for n, path in run_files(run.folder)
        if _is_made(n) and (n in now or not _of_agents(n, agents))
    }
    names, both = before.keys() | now.keys(), before.keys() & now.keys()
    if reach is Reach.BROKEN_OFF:
        names = {n for n in both if n.split("/")[0] in BEFORE_THE_END}
    elif reach is Reach.END_OF_RESUMED:
        names = {n for n in names if n.split("/")[0] in OF_ALL_SESSIONS}
        names |= {n for n in both if n.startswith("journal/")}
        yield from _sessions(run, before[EVENTS], now[EVENTS], agents)
    for name in sorted(names):
        if name not in now:
            yield _differs(run, name, "a file", "nothing: a replay does not give it")
        elif name not in before:
            yield _differs(run, name, "nothing", "a file that a replay gives")
        elif name == EVENTS:
            # Agents in parallel have no order.
            recorded, found = (_summaries(path[name], agents) for path in (before, now))
            yield from _lines(run, (line for _, line in recorded), (line for _, line in found))
        else:
            yield from _file(run, name, before[name], now[name])


def _report(run: PackedRun, folder: Path) -> Iterator[Difference]:
    """The report beside one that is made anew from the pack: it tells of this run's own times."""
    recorded = run.folder / REPORT_FILE
    if recorded.exists():
        yield from _file(run, REPORT_FILE, recorded, write_report(run.folder, folder / REPORT_FILE))


def _differences_of_sessions(run: PackedRun, result: PipelineResult) -> Iterator[Difference]:
    """The figures and the summary of a resumed run, from its events and what a replay came to."""
    analytics = RunAnalytics(run.store.events(), fetch_allowances=fetch_allowances(run.recorded))
    for one in result.iterations:
        claims = len(run.claims(one.iteration).claims) if one.conclusion else 0
        for critic, examination in one.examinations.items():
            analytics.record_examination(critic, one.iteration, examination, claims)
        if one.conclusion is not None:
            analytics.record_conclusion(one.iteration, one.conclusion)
    whole = replace(result, analytics=analytics, run_dir=run.folder)
    decisions = gap_decisions(run.folder).all()
    texts = {ANALYTICS: analytics.to_json(), SUMMARY_FILE: markdown(whole, decisions)}
    for name, text in texts.items():
        recorded, apart = run.store.read(name), APART.get(name, ())
        yield from run.compare(PackCheck.REPLAY, name, recorded, text, apart)


def _is_made(name: str) -> bool:
    return name not in (*GIVEN, REPORT_FILE) and name.split("/")[0] not in GIVEN_FOLDERS


def _own_names(config: RunConfig) -> tuple[str, ...]:
    """The names under which the user's own code answered in place of agents of ours."""
    settings = config.settings
    named = {DRAFTER: settings.analyst, JUDGE: settings.judge}
    return (*config.critics, *config.agents, *(name for name, code in named.items() if code))


def _of_agents(name: str, agents: Collection[str]) -> bool:
    """Whether a file is of the turns of the user's own agents, which a replay without them lacks.

    Their answers it takes from the record as a whole. A text may be of theirs if any took part.
    """
    turn = re.match(rf"(journal|{TURNS})/\d+-([a-z0-9_]+)\.", name)
    return (turn is not None and turn[2] in agents) or (bool(agents) and name.startswith(TEXTS))


def _file(run: PackedRun, name: str, before: Path, now: Path) -> Iterator[Difference]:
    recorded = before.read_bytes().decode("utf-8", "backslashreplace")
    found = now.read_bytes().decode("utf-8", "backslashreplace")
    if recorded != found:
        yield from run.compare(PackCheck.REPLAY, name, recorded, found, APART.get(name, ()))


def _lines(run: PackedRun, recorded: Iterable[str], found: Iterable[str]) -> Iterator[Difference]:
    """Events that one of the runs has and the other has not."""
    before, now = Counter(recorded), Counter(found)
    for line in (before - now).elements():
        yield _differs(run, EVENTS, shown(line), "no such event")
    for line in (now - before).elements():
        yield _differs(run, EVENTS, "no such event", shown(line))


def _sessions(
    run: PackedRun, before: Path, now: Path, agents: Collection[str]
) -> Iterator[Difference]:
    """Events of a resumed run: the last session goes through all its stages.

    Which turns it repeats, and how earlier ones were broken off, differs.
    """
    recorded = list(_summaries(before, agents))
    starts = [at for at, (event, _) in enumerate(recorded, 1) if event in SESSION_STARTS]
    last = recorded[starts[-1] if starts else 0 :]
    apart = (*OF_TURNS, *SESSION_STARTS)
    due = (line for event, line in _summaries(now, agents) if event not in apart)
    yield from _lines(run, (line for event, line in last if event not in OF_TURNS), due)


def _summaries(path: Path, agents: Collection[str]) -> Iterator[tuple[str, str]]:
    """The name of each event, and the event without what differs in each session."""
    for line in read_lines(path):
        try:
            event = from_json(dict[str, JsonValue], line)
        except ValidationError as error:
            raise RunDirectoryError(f"{EVENTS} is damaged") from error
        name = str(event.get("event"))
        # Each session has its own trace and times.
        if name != TRACED and not (event.get("agent") in agents and name in OF_TURNS):
            event.pop("at", None)
            yield name, json.dumps(event, ensure_ascii=False)


def _departure(run: PackedRun, error: ReplayMismatch) -> Difference:
    """Where a replay departed: the member that records the turn."""
    lines = error.diff.splitlines()
    old = next((line[1:] for line in lines[2:] if line.startswith("-")), "the turn on record")
    new = next((line[1:] for line in lines[2:] if line.startswith("+")), error.message)
    member = TURNS
    if turn := re.search(r"\bturn (\S+)", error.message):
        prefix = entry_name(turn[1], "").partition(".")[0]
        files = sorted((run.folder / TURNS).glob(f"{prefix}.*.json"))
        member = f"{TURNS}/{files[0].name}" if files else TURNS
    told, other = (shown(error.message), shown(old), shown(new)), run.other_version
    return Difference(PackCheck.REPLAY, member, *told, other_version=other)


def _differs(run: PackedRun, member: str, recorded: str, found: str) -> Difference:
    return Difference(
        PackCheck.REPLAY, member, "", recorded, found, other_version=run.other_version
    )
