"""Records of a packed run: members, times, order and parties, and the end that they lead to.

Each of these stands in the pack more than once, and all places have to agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from math import inf

from pydantic import BaseModel

from ..assembly.rules import OWN_FILES, VERSIONS_FILE
from ..base.errors import SnapshotError
from ..base.files import to_json
from ..base.registry import packaged_config
from ..core import approval
from ..core.agent_calls import apply_judgement
from ..core.approval import SETTLEMENT_FILE, RunEnding, RunStatus, Settlement
from ..core.artefacts import Judgement
from ..core.iteration import FetchedSources, IterationResult, claims_name
from ..core.record_folder import RULES, RunEvent, read_turns
from ..core.result import REPORT_FILE
from ..core.run_analytics import SESSION_STARTS, AnalyticsFile
from ..core.run_store import TRACED, Manifest
from ..core.work import Material
from ..report.evidence_pack import FILES, MANIFEST, Difference, PackCheck, packaged_rules, run_files
from ..report.summary import SUMMARY_FILE
from ..sources.model import Snapshot, Source
from ._packed_run import ANALYTICS, DECISIONS, EVENTS, PackedRun, differs

REQUIRED = (ANALYTICS, EVENTS, "brief.md", "config.json", "materials.json", "run.json")
"""Files that every run leaves, however it ends."""
_TOLD = (REPORT_FILE, SUMMARY_FILE)
"""Files that a run leaves only if it came to its end."""
_KNOWN = (
    r"iterations/[A-Za-z_][\w-]{0,80}_iteration_\d{1,6}\.(?:json|md)",
    r"(?:journal|turns)/[\w-]{1,60}\.[0-9a-f]{24}\.json",
    r"turns/texts/[0-9a-f]{64}\.gz",
    r"rules/(?:registry|prompts|templates)/(?:[\w.-]{1,80}/){0,6}[\w.-]{1,80}",
    r"rules/[\w.-]{1,80}\.md",
    r"searches/[0-9a-f]{64}\.json",
    r"sources/[0-9a-f]{64}(?:\.txt|\.json)?",
    r"verify/(?:iteration_\d{1,6}/)?[a-z_]{1,60}\.json",
)
_MEMBER = re.compile("|".join(_KNOWN))
_SLACK = timedelta(seconds=2)
"""Between two clocks readings of one moment, or two events of agents in parallel."""
_CLOSING = timedelta(seconds=120)
"""Between the end in the manifest and the event that says so."""
_SHARE = 0.05
_SECONDS = 15.0
_MILESTONES = ("drafting", "drafted", "gathering_evidence", "evidence_gathered", "iteration_ended")
_EVENTS = frozenset(
    (
        *(*SESSION_STARTS, TRACED, *_MILESTONES, "draft_failed", "examining", "examined"),
        *("critic_failed", "search_unavailable", "deepened", "settling", "settled", "judging"),
        *("judged", "judge_failed", "not_written", "run_ended", "turn", "turn_started"),
        *("turn_mended", "turn_retried", "tool_refused", "turn_ended"),
    )
)
_TRACE = re.compile(r"[0-9a-f]{32}")


class _Stamped(BaseModel):
    timestamp: datetime | None = None


def unknown_members(run: PackedRun, members: Iterable[str]) -> Iterator[Difference]:
    """Members that no run leaves, and those that every run leaves and that are not there.

    A run that was broken off has no report; what another version left of its rules is not known.
    """
    names, manifest = set(members), run.store.manifest
    for name in sorted(names):
        if name not in FILES and not _MEMBER.fullmatch(name):
            yield Difference(PackCheck.MEMBERS, name, "", "nothing", "a file that no run writes")
    broken_off = manifest.status in (None, RunStatus.CANCELLED, RunStatus.FAILED)
    rules = () if run.other_version else (VERSIONS_FILE, *packaged_rules(manifest))
    for name in (*REQUIRED, *(() if broken_off else _TOLD), *rules):
        if name not in names:
            found = "nothing: the member is missing"
            yield Difference(PackCheck.MEMBERS, name, "", "a member", found)


def own_rules(run: PackedRun) -> list[str]:
    """The registry files, prompts and templates that are not those of the foureyes at hand."""
    own: list[str] = []
    packaged = packaged_config() / "registry"
    for name, path in run_files(run.folder):
        known = packaged / name.removeprefix(f"{RULES}/registry/")
        same = known.is_file() and known.read_bytes() == path.read_bytes()
        if name.startswith(f"{RULES}/") and not same:
            own.append(name)
    return sorted(own)


def rule_differences(run: PackedRun, own: Iterable[str]) -> Iterator[Difference]:
    """Rules that the run's settings do not name."""
    given = dict(run.recorded)
    named = {name for key, name in OWN_FILES.items() if given[key]}
    for name in own:
        if name.split("/")[1] not in named:
            told, other = ("the rules of foureyes", "a file of the pack's own"), run.other_version
            yield Difference(PackCheck.RULES, name, "", *told, other_version=other)


def record_differences(run: PackedRun) -> Iterator[Difference]:
    """Where the run's own records do not agree with each other.

    Raises:
        FoureyesError: One of them is damaged.
    """
    yield from _sources(run)
    yield from _materials(run)
    events = list(run.store.events())
    yield from _times(run, events)
    yield from _order(events)
    yield from _sessions(run, events)
    yield from _backend(run)


def _sources(run: PackedRun) -> Iterator[Difference]:
    """Snapshots and lists of claims beside what the journal kept of the sources when fetched."""
    copies: dict[str, list[Snapshot]] = {}
    fetched: dict[tuple[str, str], Source] = {}
    for path in sorted(run.store.journal.glob("*-sources.*.json")):
        iteration = path.name.partition("-")[0]
        for source in run.record(FetchedSources, f"journal/{path.name}").sources:
            fetched[iteration, source.url] = source
            if source.snapshot is not None:
                copies.setdefault(source.snapshot.sha256, []).append(source.snapshot)
    for sha256, snapshots in copies.items():
        yield from _kept(run, sha256, snapshots)
    for iteration in run.iterations():
        for url, source in run.claims(iteration).sources.items():
            kept = fetched.get((str(iteration), url), source)
            if kept != source:
                member = f"iterations/{claims_name(iteration)}"
                texts = to_json(Source, source), to_json(Source, kept)
                yield differs(member, f"sources.{url}", *texts)


def _kept(run: PackedRun, sha256: str, fetched: list[Snapshot]) -> Iterator[Difference]:
    try:
        stored = run.snapshots.snapshot(sha256)
    except SnapshotError:
        # The check of snapshots reports it.
        return
    # The same bytes may have been given under another name, too.
    materials = run.record(tuple[Material, ...], "materials.json")
    given = {one.url for one in materials if one.sha256 == sha256}
    is_other = stored.url_chain not in {one.url_chain for one in fetched}
    if stored not in fetched and not (is_other and given & set(stored.url_chain)):
        found = to_json(Snapshot, fetched[-1])
        yield differs(f"sources/{sha256}.json", "", to_json(Snapshot, stored), found)


def _materials(run: PackedRun) -> Iterator[Difference]:
    for number, material in enumerate(run.record(tuple[Material, ...], "materials.json")):
        try:
            text = run.snapshots.text(material.sha256)
            title = run.snapshots.snapshot(material.sha256).title
        except SnapshotError as error:
            yield differs("materials.json", f"{number}.sha256", material.sha256, str(error))
            continue
        if material.text and material.text != text:
            yield differs("materials.json", f"{number}.text", material.text, text)
        if material.title not in (title, material.url):
            yield differs("materials.json", f"{number}.title", material.title, title)


def _times(run: PackedRun, events: list[RunEvent]) -> Iterator[Difference]:
    """Times that run backwards, or lie outside the run."""
    manifest = run.store.manifest
    for before, after in pairwise(events):
        if after.at < before.at - _SLACK:
            yield differs(EVENTS, after.event, str(after.at), f"after {before.at}")
    if not events:
        return
    first, last = events[0].at, events[-1].at
    if first < manifest.started - _SLACK:
        yield differs(EVENTS, events[0].event, str(first), f"after {manifest.started}")
    ended = manifest.ended
    if ended is None:
        return
    ends = [event.at for event in events if event.event == "run_ended"]
    said = max(ends, default=last)
    if abs(said - ended) > _CLOSING:
        yield differs("run.json", "ended", str(ended), str(said))
    yield from _stamps(run, manifest.started, max(ended, last))
    yield from _lasted(run, events)


def _stamps(run: PackedRun, started: datetime, ended: datetime) -> Iterator[Difference]:
    for path in sorted(run.folder.rglob("*_iteration_*.json")):
        name = path.relative_to(run.folder).as_posix()
        stamp = run.record(_Stamped, name).timestamp
        if stamp is not None and not started - _SLACK <= stamp <= ended + _SLACK:
            yield differs(name, "timestamp", str(stamp), f"between {started} and {ended}")


def _lasted(run: PackedRun, events: list[RunEvent]) -> Iterator[Difference]:
    """The time that the run took, beside its events."""
    seconds = sum(
        max(0.0, (after.at - before.at).total_seconds())
        for before, after in pairwise(events)
        if after.event not in SESSION_STARTS
    )
    said = run.record(AnalyticsFile, ANALYTICS).active_s
    if abs(said - seconds) > _SECONDS + _SHARE * max(said, seconds):
        yield differs(ANALYTICS, "active_s", f"{said:.0f}", f"{seconds:.0f} by its events")


def _order(events: list[RunEvent]) -> Iterator[Difference]:
    """Events that cannot have happened in this order, such as an end before its beginning."""
    open_turns: set[str] = set()
    stage: float = inf
    for event in events:
        if event.event in SESSION_STARTS:
            open_turns.clear()
            stage = -1
        elif event.event == "run_ended":
            stage = inf
        elif event.event == "turn_started":
            open_turns.add(event.detail)
        elif event.event == "turn_ended":
            task = event.detail.rpartition(": ")[0]
            if not event.detail.endswith(": ok") and task not in open_turns:
                yield differs(EVENTS, task, "turn_ended", "no turn_started before it")
            open_turns.discard(task)
        elif event.event in _MILESTONES:
            at = event.iteration * len(_MILESTONES) + _MILESTONES.index(event.event)
            if at < stage:
                yield differs(EVENTS, event.event, f"iteration {event.iteration}", "a later stage")
            stage = max(stage, at)


def _sessions(run: PackedRun, events: list[RunEvent]) -> Iterator[Difference]:
    """Sessions and traces that cannot be: a session that did not begin, words for a trace."""
    begun = sum(event.event == "run_resumed" for event in events)
    said = run.store.manifest.resumed
    # A session that was killed at once is counted and has said nothing.
    if begun > said or (said and not begun):
        yield differs("run.json", "resumed", str(said), f"{begun} by its events")
    last = [event for event in events if event.event in ("run_ended", "not_written")][-1:]
    status = run.store.manifest.status
    ended = [event.detail for event in last if event.event == "run_ended"]
    if ended and ended != [status] and status is not RunStatus.FAILED:
        yield differs(EVENTS, "run_ended", ended[0], str(status))
    for event in events:
        if event.event not in _EVENTS:
            yield differs(EVENTS, event.event, event.detail, "no event of a run")
    for before, event in pairwise(events):
        if event.event == TRACED and not (
            before.event in SESSION_STARTS and _TRACE.fullmatch(event.detail)
        ):
            yield differs(EVENTS, TRACED, event.detail, "the id of a trace at a session's start")


def _backend(run: PackedRun) -> Iterator[Difference]:
    """Who answered: the settings beside the record of each turn."""
    named = str(run.recorded.backend)
    if ":" in named:  # a backend of one's own has the name that its code gives it
        return
    for turns in read_turns(run.folder).values():
        for turn in turns:
            answered = turn.backend.partition(" ")[0]
            if answered != named:
                yield differs("config.json", "settings.backend", named, answered)
                return


def not_recomputed(members: Iterable[str], manifest: Manifest) -> tuple[str, ...]:
    """The members that are hashed and held against others, and that nothing computes again.

    Of the events, a replay computes all but the times.
    """
    given = {"config.json", "brief.md", "draft.md", "replay.json", VERSIONS_FILE, MANIFEST, EVENTS}
    given |= {*DECISIONS}
    folders = ("searches/", "rules/", "turns/")
    if manifest.resumed or manifest.status in BROKEN_OFF:
        folders += ("journal/",)
    return tuple(sorted(name for name in members if name in given or name.startswith(folders)))


SETTLEMENT = f"verify/{SETTLEMENT_FILE}"
BROKEN_OFF = (RunStatus.CANCELLED, RunStatus.FAILED, RunStatus.BUDGET_EXCEEDED)
ACCEPTED = (RunStatus.APPROVED, RunStatus.REVIEWED, RunStatus.NOT_REVIEWED)


def end_differences(run: PackedRun, results: Sequence[IterationResult]) -> Iterator[Difference]:
    """Whether votes, gate and judge bear out the status, and the counts the delivered draft."""
    manifest = run.store.manifest
    if not results or len(results) < len(manifest.iterations):
        return
    decided = approval.decide(results[-1]).status
    said = manifest.status
    if decided is None and said in ACCEPTED:
        yield _end("status", str(said), "no approval: a critic, the gate or code objects")
    if decided is not None and said not in BROKEN_OFF:
        judgement = None
        if (run.folder / "judgement.json").exists():
            judgement = run.record(Judgement, "judgement.json")
        settlement = None
        settles = run.recorded.settlement is not None or (run.folder / SETTLEMENT).exists()
        if settles and decided is RunStatus.APPROVED:
            settlement = run.record(Settlement, SETTLEMENT)
            yield from _settlement_differences(run, settlement, results[-1].iteration)
        settled = approval.apply_settlement(RunEnding(decided, ""), settlement)
        expected = apply_judgement(settled, judgement).status
        if said is not expected:
            yield _end("status", str(said), expected.value)
    agreed = decided in (RunStatus.APPROVED, RunStatus.REVIEWED)
    best = results[-1] if agreed else approval.best_draft(results)
    number = best.iteration if best else None
    if number != manifest.best_iteration and said not in BROKEN_OFF:
        yield _end("best_iteration", str(manifest.best_iteration), str(number))


def _settlement_differences(
    run: PackedRun, recorded: Settlement, iteration: int
) -> Iterator[Difference]:
    mode, policy = run.recorded.settlement_mode, run.recorded.settlement or "no policy"
    found = replace(recorded, mode=mode, iteration=iteration, policy=policy)
    found = replace(found, blocked=approval.recompute_blocked(found))
    texts = to_json(Settlement, recorded), to_json(Settlement, found)
    yield from run.compare(PackCheck.END, SETTLEMENT, *texts)
    if run.store.manifest.settlement_blocked is not found.blocked:
        said = str(run.store.manifest.settlement_blocked).lower()
        yield _end("settlement_blocked", said, str(found.blocked).lower())


def _end(place: str, recorded: str, found: str) -> Difference:
    return Difference(PackCheck.END, "run.json", place, recorded, found)
