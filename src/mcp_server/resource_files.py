"""The files of runs and reviews that can be read as resources, by name alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = "foureyes://runs/"
TEMPLATE = ROOT + "{name}/{+path}"
MOST_BYTES = 8_000_000
"""The largest file that is read; a larger one is for the disk."""

MEDIA_TYPES: Mapping[str, str] = {
    ".md": "text/markdown",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".html": "text/html",
    ".zip": "application/zip",
}
BINARY = frozenset({".zip"})

_KNOWN = re.compile(
    r"[a-z_]+\.(?:md|json|jsonl|html|zip)"
    r"|iterations/[a-z_]+_iteration_[0-9]+\.(?:md|json)"
    r"|verify/(?:iteration_[0-9]+/)?[a-z_]+\.json"
)
# These describe the machine and who pays, and nothing of the document.
_WITHHELD = frozenset({"config.json", "versions.json", "replay.json"})
_MAIN = (
    *("summary.md", "report.md", "report.html", "annotated.md"),
    *("verify/claim_ledger.json", "verify/evidence_gate_result.json"),
)


def is_known(name: str) -> bool:
    """Whether `name` is a file that a run or review may have and that may be read."""
    return _KNOWN.fullmatch(name) is not None and name not in _WITHHELD


def uri_of(directory: Path, name: str) -> str:
    """The address of the file `name` of a directory."""
    return f"{ROOT}{directory.name}/{name}"


def split_uri(uri: str) -> tuple[str, str] | None:
    """The directory's name and the file's, None for what is no address of a file of ours."""
    if not uri.startswith(ROOT):
        return None
    directory, slash, name = uri.removeprefix(ROOT).partition("/")
    return (directory, name) if slash and directory and is_known(name) else None


def files_of(directory: Path) -> Iterator[str]:
    """The files of a run or review that can be read, by name."""
    places = (directory, directory / "iterations", directory / "verify")
    for folder in (*places, *sorted(directory.glob("verify/iteration_*"))):
        for path in sorted(folder.glob("*.*")):
            name = path.relative_to(directory).as_posix()
            if is_known(name) and readable_file(directory, name) is not None:
                yield name


def readable_file(directory: Path, name: str) -> Path | None:
    """The file, None if there is no ordinary one in the directory itself."""
    path = directory / name
    try:
        inside = path.resolve(strict=True) == directory.resolve(strict=True) / name
    except (OSError, RuntimeError):
        return None
    return path if inside and path.is_file() else None


def resources_of(directory: Path) -> tuple[str, ...]:
    """The addresses of the files of a run or review that tell most, drafts included."""
    drafts = (name for name in files_of(directory) if name.startswith("iterations/analysis_"))
    main = (name for name in _MAIN if readable_file(directory, name) is not None)
    return tuple(uri_of(directory, name) for name in (*main, *drafts))
