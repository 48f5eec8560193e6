"""Evidence packs made and checked: `foureyes pack create` and `foureyes pack verify`."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from ..assembly.record_config import RunConfig
from ..base.errors import FoureyesError
from ..base.files import JsonResult, scratch_folder, to_json
from ..base.logs import quiet_logs
from ..base.off_loop import blocking
from ..base.printable import counted, notebook_html
from ..base.registry import first_line
from ..core.approval import ApprovalBasis, RunStatus
from ..core.run_store import RunStore
from ..report.evidence_pack import (
    MANIFEST,
    PACK_FILE,
    Difference,
    PackCheck,
    WrittenPack,
    write_pack,
)
from ..report.pack_reading import unpack
from ..report.summary import headline
from ..report.wording import terminal_lines
from ._conclusions import recompute_conclusions
from ._packed_run import PackedRun, all_quotes, open_packed, quote_differences, snapshot_differences
from ._records import (
    end_differences,
    not_recomputed,
    own_rules,
    record_differences,
    rule_differences,
    unknown_members,
)
from ._replay import replay_differences
from ._written import written_differences

SHOWN_DIFFERENCES = 40

WITHIN = {PackCheck.CONTAINER: PackCheck.MEMBERS, PackCheck.CONCLUSIONS: PackCheck.END}
"""Checks that are reported on the line of another check."""


@dataclass(frozen=True, slots=True, repr=False)
class PackReport(JsonResult):
    """Report of a check of a pack.

    `digest` is the manifest's. `digest_given` tells whether it was held against one that the
    person had. `checked` counts what was looked at, by check; a check that is missing there could
    not be made, and a difference says why. `own_rules` are the registry files, prompts and
    templates that the run did not take from foureyes. `own_code` names the user's own critics and
    policies, which were not asked again: what they said is taken from the record. `versions` names
    what is another version here than where the run was made. `not_recomputed` are the members that
    the check starts from: they are hashed and held against the others, and follow from none.
    """

    pack: str
    digest: str
    digest_given: bool
    run_id: str
    title: str
    status: RunStatus | None
    approval_basis: ApprovalBasis | None
    foureyes: str
    checked: dict[str, int]
    own_rules: tuple[str, ...]
    own_code: tuple[str, ...]
    versions: dict[str, str]
    not_recomputed: tuple[str, ...]
    differences: tuple[Difference, ...]

    def __repr__(self) -> str:
        """One line: the pack, and how much of it differs."""
        return f"<PackReport {self.pack}: {self._numbers()}>"

    def _repr_html_(self) -> str:
        """The same for notebooks, with the run's title."""
        holds = "holds" if self.holds else "does not hold"
        return notebook_html(holds, (self.title, self._numbers(), self.pack))

    def _numbers(self) -> str:
        found = counted(len(self.differences), "difference")
        return f"{sum(self.checked.values())} checked, {found}"

    def model_dump_json(self) -> str:
        """The result as JSON text, by the published schema ``output-verify-pack``."""
        return to_json(PackReport, self, indent=None)

    @property
    def holds(self) -> bool:
        """Whether nothing differs."""
        return not self.differences


def pack_run(run_dir: str | Path, out: Path | None = None) -> WrittenPack:
    """Pack the ended run in `run_dir`, into its own directory unless `out` names a file.

    Raises:
        RunDirectoryError: It is no run directory, is in use, or has not ended.
        StorageError: The file system refused; nothing is left behind.
    """
    store = RunStore.open(Path(run_dir))
    with store.lock():
        return write_pack(store.path, out or store.path / PACK_FILE)


async def verify_pack_async(pack: str | Path, *, digest: str = "") -> PackReport:
    """Check everything in a pack again, from the pack alone: no network, no model.

    Args:
        pack: The zip file.
        digest: What was printed when the pack was made, if the person has it.

    Raises:
        InputError: It is no evidence pack, or one of a newer format.
        StorageError: It cannot be read, or there is no room to unpack it.
    """
    quiet_logs()
    with scratch_folder("pack") as scratch:
        folder = scratch / "run"
        folder.mkdir()
        unpacked = unpack(Path(pack), folder)
        checks = _Checks(folder, [file.name for file in unpacked.manifest.files])
        checks.took(PackCheck.MEMBERS, unpacked.differences, len(unpacked.manifest.files))
        kept = digest.strip().lower()
        if kept and kept != unpacked.digest:
            told = f"digest {kept}", f"digest {unpacked.digest}"
            checks.differences.append(Difference(PackCheck.DIGEST, MANIFEST, "", *told))
        run: PackedRun | None = None
        if unpacked.whole:
            with checks.making(PackCheck.MEMBERS):
                run = open_packed(folder)
                ids = unpacked.manifest.run_id, run.store.manifest.id
                if ids[0] != ids[1]:
                    checks.differences.append(Difference(PackCheck.MEMBERS, "run.json", "id", *ids))
        own = await _contents(run, checks, scratch) if run is not None else ()
        manifest = run.store.manifest if run is not None else None
        return PackReport(
            str(pack),
            unpacked.digest,
            bool(digest),
            unpacked.manifest.run_id,
            manifest.title if manifest else "",
            manifest.status if manifest else None,
            manifest.approval_basis if manifest else None,
            manifest.foureyes if manifest else "",
            checks.checked,
            tuple(own),
            tuple(_own_code(run)) if run else (),
            dict(run.changed) if run else {},
            not_recomputed(checks.members, manifest) if manifest else (),
            _each_once(checks.differences),
        )


verify_pack = blocking(verify_pack_async, "verify_pack")
"""`verify_pack_async` for callers without an event loop."""


async def _contents(run: PackedRun, checks: _Checks, scratch: Path) -> list[str]:
    """Check what the members say, and return the rules of the run's own.

    A check that meets damage ends, and the next one is made.
    """
    checks.other_version = run.other_version
    with checks.making(PackCheck.MEMBERS):
        checks.differences += unknown_members(run, checks.members)
    with checks.making(PackCheck.RECORDS):
        checks.took(PackCheck.RECORDS, record_differences(run), len(list(run.store.events())))
    with checks.making(PackCheck.RECORDS):
        checks.differences += written_differences(run)
    own: list[str] = []
    with checks.making(PackCheck.RULES):
        own += own_rules(run)
        checks.took(PackCheck.RULES, rule_differences(run, own), len(own))
    with checks.making(PackCheck.SNAPSHOTS):
        checks.took(PackCheck.SNAPSHOTS, *snapshot_differences(run))
    with checks.making(PackCheck.QUOTES):
        quoted = tuple(all_quotes(run))
        checks.took(PackCheck.QUOTES, quote_differences(run, quoted), len(quoted))
    with checks.making(PackCheck.VERDICTS):
        concluded = await recompute_conclusions(run)
        checks.took(PackCheck.VERDICTS, concluded.differences, concluded.verdicts)
        checks.took(PackCheck.VOTES, (), sum(len(r.examinations) for r in concluded.results))
        checks.took(PackCheck.END, end_differences(run, concluded.results), len(concluded.results))
    with checks.making(PackCheck.REPLAY):
        (scratch / "replay").mkdir()
        checks.took(PackCheck.REPLAY, await replay_differences(run, scratch / "replay"), 1)
    return own


class _Checks:
    """The checks of one pack so far."""

    def __init__(self, folder: Path, members: Sequence[str]) -> None:
        self.folder = folder
        self.members = members
        self.differences: list[Difference] = []
        self.checked: dict[str, int] = {}
        self.other_version = False

    def took(self, check: PackCheck, differences: Iterable[Difference], count: int) -> None:
        """A check that was made: what it found, and of how many things."""
        self.differences += differences
        self.checked[check] = count

    @contextmanager
    def making(self, check: PackCheck) -> Generator[None]:
        """A check that meets damage ends with a difference that says what it met."""
        try:
            yield
        # Untrusted records may break any function that was written for our own, and a
        # check that could not be made must not look like one that was.
        except Exception as error:  # noqa: BLE001 - see above
            said = str(error) if isinstance(error, FoureyesError) else repr(error)
            found = said.replace(f"{self.folder}/", "")
            member = next((name for name in self.members if name in found), "")
            told = "a record that can be checked", first_line(found)
            other = self.other_version
            self.differences.append(Difference(check, member, "", *told, other_version=other))


def _own_code(run: PackedRun) -> Iterator[str]:
    """The user's own critics, agents and policies that had a say in the run."""
    settings, config = run.recorded, run.store.config(RunConfig)
    for name, code in zip_longest(config.critics, settings.critics, fillvalue="unknown"):
        yield f"critic {name} ({code})"
    for name, code in zip_longest(config.agents, settings.agents, fillvalue="unknown"):
        yield f"agent {name} ({code})"
    own = {
        "analyst": settings.analyst,
        "judge": settings.judge,
        "gate policy": settings.gate_policy,
        "settlement policy": settings.settlement,
    }
    yield from (f"{what} {code}" for what, code in own.items() if code)


def _each_once(differences: Iterable[Difference]) -> tuple[Difference, ...]:
    """Of several checks that found the same place, the first."""
    first: dict[tuple[str, str, str], Difference] = {}
    for one in differences:
        first.setdefault((one.member, one.place, "" if one.place else one.found), one)
    return tuple(first.values())


def pack_lines(report: PackReport) -> Iterator[str]:
    """Yield the result of a pack check as lines."""
    return terminal_lines(
        "pack.txt.jinja",
        report=report,
        end=headline(report.status, report.approval_basis) if report.status else "not ended",
        wrong={WITHIN.get(one.check, one.check) for one in report.differences},
        shown=SHOWN_DIFFERENCES,
        alone=sorted(name for name in report.not_recomputed if "/" not in name),
    )
