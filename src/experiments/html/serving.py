"""Experiments in the list of reports that is served on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from ...base.counting import counted
from ...engine.work_folder import WorkState
from ...report.html.charts import moment
from ...report.html.model import Label, Tone
from ...report.html.serving import ListedRecord
from ..analysis import Analysis, analyse
from ..folder import EXPERIMENT, ExperimentFolder
from .page import experiment_pieces, write_experiment_page

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
        # This one, unlike that of `Path`, takes what may not be looked at for nothing.
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
        return write_experiment_page(folder, analysed(folder), out)

    def pieces(self, directory: Path) -> Iterator[str]:
        """Its page; nothing but pages is served, so that runs are named and not linked to.

        Raises:
            InputError: It is damaged.
        """
        folder = ExperimentFolder(directory)
        return experiment_pieces(folder, analysed(folder), None)


def analysed(folder: ExperimentFolder) -> Analysis:
    """What the results of `folder` show so far."""
    return analyse(folder.file, folder.plan().items, folder.results())
