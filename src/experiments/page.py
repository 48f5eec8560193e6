"""The page of an experiment: conclusion, arms, differences, items, cost and quality, power.

Places across a drawing are percentages, so that it is as wide as the page.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from ..base.printable import counted
from ..core.record_folder import program_version
from ..core.result import REPORT_FILE
from ..report.html.batch_page import Head
from ..report.html.model import ListedRecord, moment
from ..report.html.page import RecordPages, report_pieces, write_page
from ..report.wording import Label, labels
from .analysis import Analysis
from .folder import EXPERIMENT, ExperimentFolder, analyse_folder
from .markdown import ShownAnalysis
from .statistics.comparison import Concluded
from .statistics.samples import Direction

SHOWN_ROWS = 1_000
_HERE = Path(__file__).parent
_STEPS = (1.0, 2.0, 5.0, 10.0)
_TICKS = 5
_EDGE = 7.0
"""Percent from an end within which a figure is written towards the middle."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A named value: where it lies, and on which side of it its text ends."""

    at: float
    text: str

    @property
    def anchor(self) -> str:
        """The class of its text."""
        if self.at < _EDGE:
            return "start"
        return "end-of" if self.at > 100 - _EDGE else "middle"


@dataclass(frozen=True, slots=True)
class Axis:
    """The values from `low` to `high`, which differ."""

    low: float
    high: float

    def at(self, value: float) -> float:
        """Where `value` lies, in percent."""
        # Halves, so that ends which are far apart do not overflow.
        return 100 * (value / 2 - self.low / 2) / (self.high / 2 - self.low / 2)

    @property
    def ticks(self) -> tuple[Tick, ...]:
        """At most six round values."""
        raw = self.high / _TICKS - self.low / _TICKS
        power = 10.0 ** math.floor(math.log10(raw))
        step = next(power * one for one in _STEPS if power * one >= raw)
        first = math.ceil(self.low / step)
        values = (number * step for number in range(first, first + _TICKS + 1))
        return tuple(Tick(self.at(one), f"{one:.6g}") for one in values if one <= self.high)


def axis_of(values: Iterable[float], room: float = 0.06) -> Axis:
    """An axis that holds `values`, with `room` at both ends as a share of what they span."""
    given = [*values]
    low, high = min(given), max(given)
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        wide = abs(low) / 2 or 1.0
        return Axis(low - wide, high + wide)
    more = room * (high - low)
    return Axis(low - more, high + more)


@dataclass(frozen=True, slots=True)
class Forest:
    """The differences of all treatments on one metric, with their axis and the margin."""

    title: str
    axis: Axis
    margin: float | None
    rows: tuple[tuple[str, Concluded], ...]


def forests(analysis: Analysis) -> Iterator[Forest]:
    """A drawing for each declared metric that was compared."""
    for metric in dict.fromkeys(one.metric for one in analysis.declared):
        found = [one for one in analysis.declared if one.metric == metric]
        rows = tuple((one.treatment, one.concluded) for one in found if one.concluded)
        if not rows:
            continue
        spec = rows[0][1].comparison.metric
        intervals = [concluded.comparison.interval for _, concluded in rows]
        edges = [0.0] if spec.margin is None else [0.0, -spec.margin, spec.margin]
        axis = axis_of([*edges, *(end for one in intervals for end in (one.low, one.high))])
        primary = " (primary)" if found[0].primary else ""
        good_side = "right" if spec.direction is Direction.HIGHER else "left"
        title = f"{metric}{primary}: {good_side} of 0 is better"
        yield Forest(title, axis, spec.margin, rows)


class ExperimentPage(ShownAnalysis):
    """Everything on the page of an analysis; nothing is written.

    Args:
        analysis: What was found.
        head: What the page is called.
        facts: What else is known.
        home: The folder that the page lies in; runs below it are linked to. None for no links.
    """

    template = "experiment.html"

    def __init__(
        self, analysis: Analysis, head: Head, facts: Iterable[tuple[str, str]], home: Path | None
    ) -> None:
        super().__init__(analysis)
        self.manifest = head
        primary, design = analysis.primary, analysis.design
        self.facts = (
            *facts,
            ("primary metric", f"{primary.name}, {primary.direction.value} is better"),
            ("margin", "none" if primary.margin is None else f"{primary.margin:g}"),
            ("baseline", analysis.baseline),
            ("items", f"{analysis.complete} of {analysis.items} complete"),
            ("level", f"{design.alpha:g}"),
            ("power", f"{design.power:g}"),
        )
        self.end = _end(analysis)
        self.forests = [*forests(analysis)]
        sign = 1 if primary.direction is Direction.HIGHER else -1
        gains = [(sign * (one.treatment_value - one.baseline_value), one) for one in analysis.flips]
        self.flips = sorted(gains, key=lambda flip: flip[0])[:SHOWN_ROWS]
        self.more_flips = max(0, len(analysis.flips) - SHOWN_ROWS)
        self._home = home.absolute() if home else None

    def link(self, run_dir: str) -> tuple[str, str]:
        """The directory of a run, and where its page is; "" if there is none below this one."""
        path, home = Path(run_dir), self._home
        if home is None or not run_dir or not path.is_relative_to(home) or ".." in path.parts:
            return run_dir, ""
        below = path.relative_to(home)
        if not (path / REPORT_FILE).is_file():
            return str(below), ""
        place = quote(below.as_posix(), errors="surrogateescape")
        return str(below), f"./{place}/{REPORT_FILE}"


def _end(analysis: Analysis) -> Label:
    found = labels("conclusions")[analysis.conclusion]
    verdicts = {
        one.treatment: one.concluded.conclusion.value if one.concluded else "not compared"
        for one in analysis.declared
        if one.primary
    }
    said = [*verdicts] if len(verdicts) == 1 else [f"{arm} {end}" for arm, end in verdicts.items()]
    text = f"{found.text}: {', '.join(said)}, against {analysis.baseline}"
    return Label(text, found.sign, found.tone)


def write_experiment_page(
    folder: ExperimentFolder, analysis: Analysis, out: Path | None = None
) -> Path:
    """Write the page of an experiment to `out`, or as `report.html` into its directory.

    Runs are linked to where the page lies above them.

    Raises:
        StorageError: The file system refused; what was there before is left.
    """
    path = folder.path / REPORT_FILE if out is None else out
    page = experiment_page(folder, analysis, path.absolute().parent)
    write_page(report_pieces(page, _HERE), path)
    return path


def experiment_page(
    folder: ExperimentFolder, analysis: Analysis, home: Path | None
) -> ExperimentPage:
    """The page of an experiment; `home` as in `ExperimentPage`."""
    manifest = folder.manifest
    facts = (
        ("experiment", manifest.id),
        ("started", moment(manifest.started)),
        ("state", manifest.state.value),
        ("trials of an item", str(folder.file.trials)),
        *(
            ("imported from", f"{one.file} ({one.format}, sha256 {one.sha256[:12]}…)")
            for one in folder.file.imported
        ),
    )
    return ExperimentPage(analysis, Head(manifest.name, manifest.foureyes), facts, home)


def write_comparison_page(
    analysis: Analysis, before: ExperimentFolder, after: ExperimentFolder, path: Path
) -> None:
    """Write what changed from one experiment to another as a page.

    Raises:
        StorageError: The file system refused; what was there before is left.
    """
    facts = (("before", str(before.path)), ("after", str(after.path)))
    title = f"{before.manifest.name}, compared with {after.manifest.name}"
    page = ExperimentPage(analysis, Head(title, program_version()), facts, path.absolute().parent)
    write_page(report_pieces(page, _HERE), path)


def _open(directory: Path) -> ExperimentPage:
    # Nothing but pages is served, so that runs are named and not linked to.
    folder = ExperimentFolder(directory)
    return experiment_page(folder, analyse_folder(folder), None)


def _listed(directory: Path) -> ListedRecord:
    folder = ExperimentFolder(directory)
    kind = f"experiment, {counted(len(folder.file.variants), 'arm')}"
    manifest = folder.manifest
    end = labels("experiments")[manifest.state]
    return ListedRecord(manifest.name, kind, end, moment(manifest.started))


EXPERIMENT_PAGES = RecordPages(EXPERIMENT.manifest_file, _open, _listed, _HERE)
"""Experiments, as `ReportServer` serves them; what they show is worked out when asked for."""
