"""What an experiment shows, worked out and written into its directory."""

from __future__ import annotations

from pathlib import Path

from ..base.files import to_json, write_atomic
from .analysis import Analysis, analyse
from .folder import ExperimentFolder
from .importing.tables import add_ratings
from .markdown import markdown
from .page import write_experiment_page
from .running import recorded_looks


def conclude(folder: ExperimentFolder, ratings: Path | None = None) -> tuple[Analysis, Path]:
    """Work out what the results so far show, with people's `ratings`; returns the page as well.

    Writes analysis.json, report.md and report.html.

    Raises:
        InputError: The ratings cannot be used.
        StorageError: A file cannot be read or written.
    """
    results, items = folder.results(), folder.plan().items
    recorded_looks(folder.path, folder.file, items)
    if ratings is not None:
        results = add_ratings(results, ratings)
    analysis = analyse(folder.file, items, results)
    write_atomic(folder.path / "analysis.json", to_json(Analysis, analysis) + "\n")
    write_atomic(folder.path / "report.md", markdown(analysis))
    return analysis, write_experiment_page(folder, analysis)
