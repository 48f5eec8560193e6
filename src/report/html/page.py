"""Pages from their templates: what they may do is set by a policy that names this code by hash."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup

from ...base.files import atomic_file
from ...core.record_folder import program_version
from .charts import TIERS
from .evidence_json import Json
from .model import Label, Row, Tone, spaced
from .run_report import SHOWN_PLACES, RunReport
from .text import script_json, visible, web_address

if TYPE_CHECKING:
    from jinja2 import Environment

REPORT_FILE = "report.html"
_HERE = Path(__file__).parent
_CHUNK = 100
"""Claims whose details stand together: the page reads those that it shows."""

_MOST_OPEN = 200
"""Lines of a comparison that are shown at once; laying out thousands takes a browser a second."""


@cache
def _label(label: Label) -> Markup:
    """A label with its sign; there are few, and each stands on a page thousands of times."""
    text = '<span class="label t-{}"><span aria-hidden="true">{}</span> {}</span>'
    return Markup(text).format(label.tone, label.sign, visible(label.text))


def _tier_tone(tier: str) -> Tone:
    return TIERS[tier].tone


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some rows of the list, each with its choices, and their details as JSON."""

    rows: tuple[tuple[Row, str], ...]
    json: Markup


def write_report(run_dir: Path, out: Path | None = None) -> Path:
    """Write the report of the run in `run_dir`, into `out` or its own `report.html`.

    Raises:
        RunDirectoryError: `run_dir` is no run directory, or damaged.
        StorageError: The file system refused; what was there before is left.
    """
    report = RunReport(run_dir)
    path = run_dir / REPORT_FILE if out is None else out
    with atomic_file(path) as file:
        for piece in report_pieces(report):
            file.write(piece.encode("utf-8"))
    return path


def report_pieces(report: RunReport) -> Iterator[str]:
    """The page of `report`, piece by piece."""
    return _page("run.html", {"report": report, "script": _asset("report.js")})


def listing_page(values: Mapping[str, object]) -> str:
    """The page that lists runs; it has no script."""
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


def _page(name: str, values: Mapping[str, object]) -> Iterator[str]:
    template = _environment().get_template(name)
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
def _environment() -> Environment:
    # Takes 50 ms to import, which commands without a report need not pay.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


def _shown(value: object) -> object:
    """What a template prints: texts of others with everything in them visible."""
    return value if isinstance(value, Markup | int | float) else visible(str(value))


def _chunks(rows: Iterable[tuple[Row, Json]]) -> Iterator[Chunk]:
    """Rows together with their details, `_CHUNK` at a time."""
    rest = iter(rows)
    while some := list(islice(rest, _CHUNK)):
        coded = tuple((row, " ".join(map(str, row.facets))) for row, _ in some)
        yield Chunk(coded, Markup(script_json([details for _, details in some])))


_GLOBALS: Mapping[str, object] = {
    "chunks": _chunks,
    "chunk_size": _CHUNK,
    "label": _label,
    "most_open": _MOST_OPEN,
    "most_places": SHOWN_PLACES,
    "spaced": spaced,
    "tier_tone": _tier_tone,
    "web_address": web_address,
}
"""What templates may use beside the report."""
