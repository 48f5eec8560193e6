"""The page of an experiment: conclusion, arms, differences, items, cost and quality, power."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote

from ..base.counting import counted
from ..core.record_folder import program_version
from ..core.result import REPORT_FILE
from ..engine.work_folder import WorkState
from ..report.html.charts import moment
from ..report.html.model import Fact, Label, Table, Tone
from ..report.html.page import report_pieces, write_page
from ..report.html.serving import ListedRecord
from .analysis import Analysis
from .folder import EXPERIMENT, ExperimentFolder, analyse_folder
from .markdown import (
    ARM_HEADINGS,
    FAILURE_HEADINGS,
    HEADINGS,
    arm_rows,
    basis,
    compared_rows,
    exceptions,
    failure_rows,
    frontier_sentences,
    look_sentences,
    powers,
    slice_exceptions,
)
from .plots import CONCLUSIONS, MAP_HEIGHT, Dots, Forest, Map, difference, dots, forests
from .plots import frontier_map as map_of
from .statistics.comparison import Conclusion
from .statistics.samples import Direction
from .treatments import Flip, ItemPair

SHOWN_ROWS = 1_000
_HERE = Path(__file__).parent
_TEXTS = frozenset({0, 1, 9})


@dataclass(frozen=True, slots=True)
class Head:
    """Head of the page: title, reason, and the version of foureyes that made the results."""

    title: str
    reason: str
    foureyes: str


@dataclass(frozen=True, slots=True)
class RunLink:
    """A run in words, its directory, and where its page is; "" if there is none below ours."""

    of: str
    path: str
    href: str


@dataclass(frozen=True, slots=True)
class FlipRow:
    """An item on which a treatment differs from the baseline."""

    item: str
    treatment: str
    change: Label
    before: str
    after: str
    baseline_run: RunLink
    treatment_run: RunLink


class ExperimentPage:
    """Everything on the page of an analysis; nothing is written. See `analysis_pieces`."""

    template = "experiment.html"
    map_height = MAP_HEIGHT

    def __init__(
        self, analysis: Analysis, head: Head, facts: Iterable[Fact], home: Path | None
    ) -> None:
        self.manifest = head
        self.facts = (*facts, *_declared_facts(analysis))
        self._analysis = analysis
        self._home = home

    @property
    def end(self) -> Label:
        """The conclusion."""
        found = CONCLUSIONS[self._analysis.conclusion]
        text = f"{found.text}: {', '.join(self._verdicts())}, against {self._analysis.baseline}"
        return Label(text, found.sign, found.tone)

    def _verdicts(self) -> Iterator[str]:
        primary = [one for one in self._analysis.declared if one.primary]
        for one in primary:
            concluded = one.concluded.conclusion.value if one.concluded else "not compared"
            yield one.treatment if len(primary) == 1 else f"{one.treatment} {concluded}"

    @property
    def note(self) -> str:
        """The limits of the conclusion."""
        return self._analysis.note

    @property
    def basis(self) -> Sequence[str]:
        """The basis of the conclusion."""
        return [*basis(self._analysis), *look_sentences(self._analysis)]

    @property
    def exceptions(self) -> Sequence[str]:
        """Failures and omissions."""
        return [*exceptions(self._analysis.declared)]

    @property
    def arms(self) -> Table:
        """Each arm by itself."""
        rows = tuple(arm_rows(self._analysis))
        return Table(ARM_HEADINGS, rows, caption="How the trials of each arm ended, and their use")

    @property
    def failures(self) -> Table | None:
        """Why trials did not finish, as much as is shown."""
        found = self._analysis.failures
        if not found:
            return None
        rows = tuple(failure_rows(found[:SHOWN_ROWS]))
        more = len(found) - SHOWN_ROWS
        caption = "Trials that did not finish"
        caption += (
            f"; {counted(more, 'more reason is', 'more reasons are')} in analysis.json"
            if more > 0
            else ""
        )
        return Table(FAILURE_HEADINGS, rows, caption=caption, texts=frozenset({0, 2, 3}))

    @property
    def forests(self) -> Iterator[Forest]:
        """The differences on each declared metric."""
        return forests(self._analysis)

    @property
    def declared(self) -> Table:
        """Every treatment on every declared metric."""
        rows = tuple(compared_rows(self._analysis.declared))
        caption = "Every treatment on every declared metric; p-values adjusted by Holm"
        return Table(("treatment", *HEADINGS), rows, caption=caption, texts=_TEXTS)

    @property
    def dots(self) -> Iterator[Dots]:
        """The differences of all items on the primary metric."""
        return dots(self._analysis)

    @property
    def flips(self) -> Sequence[FlipRow]:
        """The items that differ, the worst first, as many as are shown."""
        sign = 1 if self._analysis.primary.direction is Direction.HIGHER else -1

        def gain(flip: Flip) -> float:
            return sign * _change(flip)

        worst = sorted(self._analysis.flips, key=gain)[:SHOWN_ROWS]
        return [self._flip_row(one, better=gain(one) > 0) for one in worst]

    @property
    def more_flips(self) -> int:
        """How many there are that are not shown."""
        return max(0, len(self._analysis.flips) - SHOWN_ROWS)

    def _flip_row(self, one: Flip, *, better: bool) -> FlipRow:
        change = CONCLUSIONS[Conclusion.BETTER if better else Conclusion.WORSE]
        return FlipRow(
            one.item,
            one.treatment,
            change,
            f"{one.baseline_value:g}",
            f"{one.treatment_value:g}",
            self._link(one.item, self._analysis.baseline, one.baseline_run),
            self._link(one.item, one.treatment, one.treatment_run),
        )

    def _link(self, item: str, arm: str, run_dir: str) -> RunLink:
        of = f"{item} in {arm}"
        if self._home is None or not run_dir:
            return RunLink(of, run_dir, "")
        path, home = Path(run_dir), self._home.absolute()
        if not path.is_relative_to(home) or ".." in path.parts:
            return RunLink(of, run_dir, "")
        below = path.relative_to(home)
        there = (home / below / REPORT_FILE).is_file()
        href = f"./{quote(below.as_posix(), errors='surrogateescape')}/{REPORT_FILE}"
        return RunLink(of, str(below), href if there else "")

    @property
    def frontier_sentences(self) -> Sequence[str]:
        """The frontier in sentences."""
        return [*frontier_sentences(self._analysis.frontier)]

    @property
    def map(self) -> Map | None:
        """The arms by expense and quality."""
        found = self._analysis.frontier
        return map_of(found, self._analysis.primary) if found else None

    @property
    def slices(self) -> Table | None:
        """The primary metric on parts of the items."""
        if not self._analysis.slices:
            return None
        rows = tuple(compared_rows(self._analysis.slices))
        caption = "Every treatment on the primary metric, slice by slice"
        return Table(("treatment", *HEADINGS), rows, caption=caption, texts=_TEXTS)

    @property
    def slice_exceptions(self) -> Sequence[str]:
        """Slices that were not compared or left out."""
        return [*slice_exceptions(self._analysis)]

    @property
    def powers(self) -> Sequence[str]:
        """The power of each comparison."""
        return [*powers(self._analysis)]


def _change(flip: Flip) -> float:
    pair = ItemPair(flip.item, flip.treatment, flip.baseline_value, flip.treatment_value)
    return difference(pair)


def _declared_facts(analysis: Analysis) -> Iterator[Fact]:
    primary, design = analysis.primary, analysis.design
    margin = "none" if primary.margin is None else f"{primary.margin:g}"
    yield Fact("primary metric", f"{primary.name}, {primary.direction.value} is better")
    yield Fact("margin", margin)
    yield Fact("baseline", analysis.baseline)
    yield Fact("items", f"{analysis.complete} of {analysis.items} complete")
    yield Fact("level", f"{design.alpha:g}")
    yield Fact("power", f"{design.power:g}")


def analysis_pieces(
    analysis: Analysis, head: Head, facts: Iterable[Fact], home: Path | None
) -> Iterator[str]:
    """The page of an analysis, piece by piece.

    Args:
        analysis: What was found.
        head: What the page is called.
        facts: What else is known.
        home: The folder that the page lies in; runs below it are linked to. None for no links.
    """
    return report_pieces(ExperimentPage(analysis, head, facts, home), _HERE)


def write_experiment_page(
    folder: ExperimentFolder, analysis: Analysis, out: Path | None = None
) -> Path:
    """Write the page of an experiment to `out`, or as `report.html` into its directory.

    Runs are linked to where the page lies above them.

    Raises:
        StorageError: The file system refused; what was there before is left.
    """
    path = folder.path / REPORT_FILE if out is None else out
    write_page(experiment_pieces(folder, analysis, path.absolute().parent), path)
    return path


def experiment_pieces(
    folder: ExperimentFolder, analysis: Analysis, home: Path | None
) -> Iterator[str]:
    """The page of an experiment, piece by piece; `home` as in `analysis_pieces`."""
    manifest = folder.manifest
    facts = (
        Fact("experiment", manifest.id),
        Fact("started", moment(manifest.started)),
        Fact("state", manifest.state.value),
        Fact("trials of an item", str(folder.file.trials)),
        *(
            Fact("imported from", f"{one.file} ({one.format}, sha256 {one.sha256[:12]}…)")
            for one in folder.file.imported
        ),
    )
    head = Head(manifest.name, "", manifest.foureyes)
    return analysis_pieces(analysis, head, facts, home)


def write_comparison_page(
    analysis: Analysis, before: ExperimentFolder, after: ExperimentFolder, path: Path
) -> None:
    """Write what changed from one experiment to another as a page.

    Raises:
        StorageError: The file system refused; what was there before is left.
    """
    facts = (Fact("before", str(before.path)), Fact("after", str(after.path)))
    title = f"{before.manifest.name}, compared with {after.manifest.name}"
    head = Head(title, "", program_version())
    write_page(analysis_pieces(analysis, head, facts, path.absolute().parent), path)


_STATES: Mapping[WorkState, Label] = MappingProxyType(
    {
        WorkState.RUNNING: Label("running", "…", Tone.OPEN),
        WorkState.FINISHED: Label("finished", "■", Tone.MUTED),
        WorkState.BUDGET: Label("budget reached", "✗", Tone.BAD),
        WorkState.CANCELLED: Label("cancelled", "⊘", Tone.OPEN),
    }
)


class ExperimentRecords:
    """Experiments, as `ReportServer` serves them; what they show is worked out when asked for."""

    def holds(self, directory: Path) -> bool:
        """Whether `directory` is an experiment's."""
        # Unlike `Path.is_file` it treats unreadable paths as missing.
        return os.path.isfile(directory / EXPERIMENT.manifest_file)

    def listed(self, directory: Path, href: str) -> ListedRecord:
        """How the list shows it.

        Raises:
            InputError: It is damaged.
        """
        folder = ExperimentFolder(directory)
        kind = f"experiment, {counted(len(folder.file.variants), 'arm')}"
        manifest = folder.manifest
        return ListedRecord(
            manifest.name, kind, _STATES[manifest.state], moment(manifest.started), href
        )

    def written(self, directory: Path, out: Path | None) -> Path:
        """Write its page anew, to `out` or as its `report.html`; where it is.

        Raises:
            InputError: It is damaged.
            StorageError: The file system refused; what was there before is left.
        """
        folder = ExperimentFolder(directory)
        return write_experiment_page(folder, analyse_folder(folder), out)

    def pieces(self, directory: Path) -> Iterator[str]:
        """Its page; nothing but pages is served, so that runs are named and not linked to.

        Raises:
            InputError: It is damaged.
        """
        folder = ExperimentFolder(directory)
        return experiment_pieces(folder, analyse_folder(folder), None)
