"""What an experiment shows: its files, the tables on the terminal, and the exit code."""

from __future__ import annotations

from pathlib import Path

from ..base.files import write_atomic
from ..base.records import to_json
from ..base.vocabulary import ExitCode
from ..experiments.analysis import Analysis, analyse
from ..experiments.folder import ExperimentFolder
from ..experiments.importing.tables import add_ratings
from ..experiments.markdown import (
    ARM_HEADINGS,
    HEADINGS,
    LOOK_HEADINGS,
    arm_rows,
    compared_rows,
    describe_looks,
    exceptions,
    look_rows,
    markdown,
    powers,
)
from ..experiments.page import write_experiment_page
from ..experiments.running import recorded_looks
from ..experiments.statistics.comparison import Conclusion
from .options import print_json
from .tables import Column, show_table
from .terminal import print_line, print_lines

EPILOG = (
    "Exit codes of run, resume, report, compare and import: 0 better, 10 equivalent, 1 worse, "
    "2 inconclusive, 3 a budget was reached, 4 bad input, 130 cancelled. Where there are several "
    "treatments: worse if any is, else better if any is."
)
EQUIVALENT = 10


def report_on(folder: ExperimentFolder, ratings: Path | None, *, json: bool) -> int:
    """Write what an experiment shows into its directory, and print it; the exit code."""
    results, items = folder.results(), folder.plan().items
    recorded_looks(folder.path, folder.file, items)
    if ratings is not None:
        results = add_ratings(results, ratings)
    analysis = analyse(folder.file, items, results)
    write_atomic(folder.path / "analysis.json", to_json(Analysis, analysis) + "\n")
    write_atomic(folder.path / "report.md", markdown(analysis))
    page = write_experiment_page(folder, analysis)
    show(analysis, json=json)
    if not json:
        print_line(f"report: {folder.given / page.name}")
    return exit_code_of(analysis)


def show(analysis: Analysis, *, json: bool) -> None:
    """Print what an experiment shows."""
    if json:
        print_json(Analysis, analysis)
        return
    show_table([Column(name) for name in ARM_HEADINGS], arm_rows(analysis))
    rows = compared_rows((*analysis.declared, *analysis.slices))
    show_table([Column("variant"), *(Column(name) for name in HEADINGS)], rows)
    if analysis.looks:
        show_table([Column(name) for name in LOOK_HEADINGS], look_rows(analysis))
        print_line(describe_looks(analysis))
    print_lines((*exceptions(analysis.declared), *powers(analysis)))
    if analysis.note:
        print_line(f"not at its end: {analysis.note}")
    print_line(f"conclusion: {analysis.conclusion.value}")


def exit_code_of(analysis: Analysis) -> int:
    """The exit code of a conclusion."""
    match analysis.conclusion:
        case Conclusion.BETTER:
            return ExitCode.OK
        case Conclusion.EQUIVALENT:
            return EQUIVALENT
        case Conclusion.WORSE:
            return ExitCode.NOT_APPROVED
        case Conclusion.INCONCLUSIVE:
            return ExitCode.INCONCLUSIVE
