"""Pages from their templates: what they may do is set by a policy that names this code by hash."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from markupsafe import Markup

from ...base.errors import RunDirectoryError
from ...base.files import atomic_file, storage_errors
from ...base.printable import counted, visible
from ...core.critique import critique_line
from ...core.record_folder import program_version
from ...core.result import REPORT_FILE
from ...core.run_store import RUN_FOLDER
from ...review.store import REVIEW_FOLDER
from .. import batch, review_report, summary, wording
from ..batch import BATCH_FILE
from ..check_outcome import CHECK_FILE, not_fetched_lines
from ..wording import Label, claim_label, environment, labels, shown
from ._marking import web_address
from ._review_page import ReviewPage, listed_review
from ._run_report import RunReport, iteration_table, listed_run, text_changes
from .batch_page import BatchPage, CheckPage, choices, listed_batch, listed_check
from .model import ListedRecord, costs, ids, moment, named

if TYPE_CHECKING:
    from jinja2 import Environment


class RecordKind(StrEnum):
    """The kinds of directories that there are reports of."""

    RUN = "run"
    REVIEW = "review"
    BATCH = "batch"
    CHECK = "check"


def kind_of(directory: Path) -> RecordKind | None:
    """Return the kind of record in `directory`; None if it is no record."""
    # This one, unlike that of `Path`, takes what may not be looked at for nothing.
    is_file = os.path.isfile
    kinds = (kind for kind, pages in PAGES.items() if is_file(directory / pages.manifest_file))
    return next(kinds, None)


_HERE = Path(__file__).parent


@cache
def _label(label: Label) -> Markup:
    """Return a label with its sign; cached because few labels are repeated thousands of times."""
    text = '<span class="label t-{}"><span aria-hidden="true">{}</span> {}</span>'
    return Markup(text).format(label.tone, label.sign, visible(label.text))


class Report(Protocol):
    """Content of a page: the names that its template uses."""

    @property
    def template(self) -> str:
        """The name of its template."""
        ...


def open_report(directory: Path) -> Report:
    """The report of the run, review, batch or check in `directory`, for `report_pieces`.

    Raises:
        RunDirectoryError: It is none, or damaged.
    """
    kind = kind_of(directory)
    if kind is None:
        names = " and no ".join(one.manifest_file for one in PAGES.values())
        raise RunDirectoryError(
            f"{str(directory)!r} is the directory of no run, review or batch: there is no {names}",
            "give a folder made by `foureyes run`, `foureyes review` or `foureyes batch`",
        )
    return PAGES[kind].open(directory)


@dataclass(frozen=True, slots=True)
class RecordPages:
    """The pages of one kind of record directory, which has a `manifest_file`.

    `open` reads a directory for its page, `listed` for a line in a list of pages. Both raise an
    `InputError` if it is damaged.
    """

    manifest_file: str
    open: Callable[[Path], Report]
    listed: Callable[[Path], ListedRecord]
    templates: Path = _HERE


PAGES: Mapping[RecordKind, RecordPages] = {
    RecordKind.RUN: RecordPages(RUN_FOLDER.manifest_file, RunReport, listed_run),
    RecordKind.REVIEW: RecordPages(REVIEW_FOLDER.manifest_file, ReviewPage, listed_review),
    RecordKind.BATCH: RecordPages(BATCH_FILE, BatchPage, listed_batch),
    RecordKind.CHECK: RecordPages(CHECK_FILE, CheckPage, listed_check),
}


def write_report(directory: Path, out: Path | None = None) -> Path:
    """Write the report of the record in `directory`, to `out` or as its `report.html`.

    Raises:
        RunDirectoryError: `directory` is no record, or damaged.
        StorageError: The file system refused; what was there before is left.
    """
    path = directory / REPORT_FILE if out is None else out
    write_page(report_pieces(open_report(directory)), path)
    return path


def write_page(pieces: Iterable[str], path: Path) -> None:
    """Write a page that is made piece by piece.

    Raises:
        StorageError: The file system refused; what was there before is left.
    """
    with atomic_file(path) as file:
        file.writelines(piece.encode("utf-8") for piece in pieces)


def report_pieces(report: Report, templates: Path = _HERE) -> Iterator[str]:
    """The page of `report`, piece by piece.

    Args:
        report: What its template asks for.
        templates: Where its template is, which may use those that are here.
    """
    values = {"report": report, "script": _asset("report.js")}
    return _page(report.template, values, templates)


def listing_page(values: Mapping[str, object]) -> str:
    """The page that lists reports; it has no script."""
    return "".join(_page("listing.html", values))


def content_policy() -> str:
    """The Content-Security-Policy of every page: our style, our script, and nothing else."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_hash('report.js')}'",
            f"style-src '{_hash('report.css')}'",
            "base-uri 'none'",
            "form-action 'none'",
            "trusted-types 'none'",
            "require-trusted-types-for 'script'",
        )
    )


def _page(name: str, values: Mapping[str, object], templates: Path = _HERE) -> Iterator[str]:
    template = _environment(templates).get_template(name)
    return template.generate(
        {
            **_GLOBALS,
            **values,
            "policy": content_policy(),
            "style": _asset("report.css"),
            "version": program_version(),
        }
    )


@cache
def _asset(name: str) -> Markup:
    # Not marked safe for what it holds, but ours: the hash of the very bytes is in the policy.
    return Markup((_HERE / name).read_text(encoding="utf-8"))


@cache
def _hash(name: str) -> str:
    digest = hashlib.sha256(_asset(name).encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


@cache
def _environment(templates: Path) -> Environment:
    made = environment(shown, templates, _HERE, _HERE.parent)
    made.filters["spaced"] = wording.spaced
    return made


_GLOBALS: Mapping[str, object] = {
    "batch": batch,
    "claim_label": claim_label,
    "costs": costs,
    "counted": counted,
    "critique_line": critique_line,
    "document_choices": choices,
    "ids": ids,
    "iteration_table": iteration_table,
    "label": _label,
    "labels": labels,
    "moment": moment,
    "named": named,
    "not_fetched": not_fetched_lines,
    "reviews": review_report,
    "shortened": wording.shortened,
    "spaced": wording.spaced,
    "text_changes": text_changes,
    "web_address": web_address,
    "words": summary,
    "wording": wording,
}
"""Names available to every template."""


def replace_report(directory: Path) -> None:
    """Replace `report.html` of the run or the review in `directory`.

    Raises:
        RunDirectoryError: A file of it is damaged; then there is no report.
        StorageError: The file system refused; then there is no report.
    """
    path = directory / REPORT_FILE
    with storage_errors(path, "replace"):
        # A report of an earlier session must not pass for the current state.
        path.unlink(missing_ok=True)
    write_report(directory)
