"""A short document with findings of several kinds, what it cites, and its record as exports."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from foureyes import CheckResult, ExitCode, ExportFormat, check, export_record
from foureyes.datatypes import CheckRecord, Source, SourceState
from pydantic import TypeAdapter

LOG = "# Log\n\nThe mean crossing took 45 minutes.\n\nThe ferry made 200 calls at Norrvik in May.\n"
DRAFT = (
    "# Ferry\n\nThe mean crossing took 65 minutes ([log](log.md)).\n\n"
    "The ferry made 200 calls at Norrvik in May ([log](log.md)).\n\n"
    "The crew numbers 34 people.\n\n"
    "The fund rose from 905 million to 1,460 million dinars,\nan increase of 72 per cent.\n"
)
UNREAD = Source("https://example.org/\x1b[31m", SourceState.NOT_FETCHED, "no access")


def check_draft(folder: Path, draft: str = DRAFT) -> CheckResult:
    """`draft` checked against the log, which is put into `folder`."""
    (folder / "log.md").write_text(LOG, encoding="utf-8")
    return check(draft, sources=[folder / "log.md"], fetch="none")


def record_of(checked: CheckResult, path: str = "docs/ferry.md") -> CheckRecord:
    """The record of the check as one of the document at `path`, with a source not looked at."""
    record = checked.record(ExitCode.NOT_APPROVED)
    outcome = replace(record.outcome, document=path, not_fetched=(UNREAD.url,))
    return replace(record, outcome=outcome, sources=(*record.sources, UNREAD))


def exported(
    record: CheckRecord, form: ExportFormat, folder: Path, publisher: str = "foureyes"
) -> str:
    """The text of a record that lies in `folder`."""
    (folder / "check.json").write_bytes(TypeAdapter(CheckRecord).dump_json(record))
    return "".join(export_record(folder, form, publisher=publisher).pieces)
