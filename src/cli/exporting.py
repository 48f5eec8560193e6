"""The command `export`: a run in a format that other tools read."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import assert_never

from ..base.files import write_atomic
from ..base.vocabulary import Severity
from ..core.record_folder import program_version
from ..report.exports.claim_review import claim_reviews
from ..report.exports.junit import junit_xml
from ..report.exports.model import Json
from ..report.exports.recorded import examined_run
from ..report.exports.sarif import sarif_log
from ..report.exports.web_annotation import annotation_page
from ..report.html.run_files import RunFiles
from .terminal import say


class ExportFormat(StrEnum):
    """What a run can be written as."""

    SARIF = "sarif"
    WEB_ANNOTATION = "web-annotation"
    JUNIT = "junit"
    CLAIM_REVIEW = "claim-review"


def export_run(run_dir: Path, form: ExportFormat, out: Path, publisher: str) -> None:
    """Write the delivered draft of `run_dir` with what was found in it, as `form`, to `out`.

    Raises:
        InputError: There is no run, or no draft of it was examined.
        StorageError: The file system refused.
    """
    write_atomic(out, _exported(RunFiles(run_dir), form, publisher))
    say(f"{form}: {out}")


def _exported(files: RunFiles, form: ExportFormat, publisher: str) -> str:
    examined = examined_run(files)
    made = files.manifest.ended or files.manifest.started
    match form:
        case ExportFormat.SARIF:
            return _json(sarif_log([examined], foureyes=program_version()))
        case ExportFormat.WEB_ANNOTATION:
            return _json(annotation_page(examined, made))
        case ExportFormat.JUNIT:
            return junit_xml([examined], Severity.MEDIUM)
        case ExportFormat.CLAIM_REVIEW:
            return _json(claim_reviews(examined, publisher, made.date()))
        case _:
            assert_never(form)


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
