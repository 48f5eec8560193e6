"""Rules of a run beside its settings: the user's own files, versions, and the reader."""

from __future__ import annotations

import hashlib
import json
import platform
import shutil
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ..base.errors import InputError
from ..base.files import storage_errors
from ..base.registry import packaged_config
from ..core.record_folder import RULES, program_version
from ..verification.decide import DECISION_FILE
from ..verification.reader.model import NoReader
from ..verification.reader.onnx_reader import packaged_reader
from ..verification.registry import Registry, load_registry
from .model import ReaderName, Settings
from .settings import reader_cache

VERSIONS_FILE = "versions.json"
DECIDING = (
    "lxml",
    "numpy",
    "nupunkt",
    "onnxruntime",
    "publicsuffixlist",
    "py3langid",
    "pypdfium2",
    "pyromark",
    "tokenizers",
    "trafilatura",
)
"""The libraries of which another version may read a document or a source in another way."""

OURS = frozenset({"out", "memory", "source_cache", "require_approval", "require_independent"})
"""Settings that whoever places jobs sets, that are each machine's own, or only set exit codes."""
OWN_FILES = {
    "registry_dir": "registry",
    "prompts_dir": "prompts",
    "templates_dir": "templates",
    "analyst_prompt": "analyst_prompt.md",
}
"""The settings that name the user's own rules, and what their copies in a run are called."""


def settings_digest(settings: Settings) -> str:
    """A digest of the settings that decide results; output folders do not count.

    The user's own registry, prompts and templates count by what they say, wherever they lie. What
    is not there adds nothing: who needs it refuses it.

    Raises:
        StorageError: One of those could not be read.
    """
    digest, given = hashlib.sha256(), _given(settings)
    for name, path in given.items():
        with storage_errors(path, "read"):
            files = sorted(path.rglob("*")) if path.is_dir() else [path]
            for file in files:
                inside = file.relative_to(path)
                if file.is_file() and not any(part.startswith(".") for part in inside.parts):
                    content = hashlib.sha256(file.read_bytes()).hexdigest()
                    digest.update(f"{name}\0{inside.as_posix()}\0{content}\1".encode())
    own = digest.hexdigest() if given else ""
    text = settings.model_dump_json(exclude=set(OURS)) + own
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def require_same_settings(settings: Settings, digest: str, whose: str) -> None:
    """Refuse to work under other settings than those of `whose` jobs.

    Raises:
        InputError: `settings` come to another digest.
    """
    if settings_digest(settings) != digest:
        raise InputError(
            f"this worker's settings are not those of {whose}",
            "give all workers the same FOUREYES_ variables, config file, registry, prompts and "
            "templates, unchanged since it began",
        )


def keep_rules(settings: Settings, folder: Path) -> None:
    """Copy the user's own registry, prompts and templates below `folder`, with `versions.json`.

    Raises:
        StorageError: The file system refused.
    """
    for name, path in _given(settings).items():
        target = folder / RULES / name
        with storage_errors(path, "copy"):
            target.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                shutil.copytree(path, target, ignore=shutil.ignore_patterns(".*"))
            else:
                shutil.copyfile(path, target)
    write_versions(folder)


def _given(settings: Settings) -> dict[str, Path]:
    """The user's own folders and files that `settings` name, by what their copies are called."""
    given: dict[str, Path | None] = {name: dict(settings)[key] for key, name in OWN_FILES.items()}
    return {name: path for name, path in given.items() if path is not None}


def copied_rules(run_dir: Path) -> dict[str, object]:
    """The settings that lead to the copies which `keep_rules` made; none for what it had not."""
    kept = {key: run_dir / RULES / name for key, name in OWN_FILES.items()}
    return {key: path for key, path in kept.items() if path.exists()}


def write_versions(folder: Path) -> None:
    """Put `versions.json` into `folder`.

    Raises:
        StorageError: The file system refused.
    """
    path = folder / VERSIONS_FILE
    with storage_errors(path, "write"):
        path.write_text(json.dumps(versions(), indent=2) + "\n", encoding="utf-8")


def versions() -> dict[str, str]:
    """The versions in use of everything that decides what a run finds.

    The packaged reader, and the decision that weighs what it reads, count by their hashes.

    Raises:
        InputError: The reader's card is missing or broken.
    """
    found = {"foureyes": program_version(), "python": platform.python_version()}
    for name in DECIDING:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = ""
    decision = (packaged_config() / "models" / DECISION_FILE).read_bytes()
    found["reader"] = packaged_reader().identity
    return found | {"decision": hashlib.sha256(decision).hexdigest()}


def open_registry(settings: Settings) -> Registry:
    """The registry that `settings` name, with their reader.

    The reader's scores are kept in the user's cache folder: numbers under hashes, which reveal
    nothing of the texts.

    Raises:
        RegistryError: A file is broken or does not validate.
    """
    none = settings.reader is ReaderName.NONE
    reader = NoReader() if none else packaged_reader(reader_cache())
    return load_registry(settings.registry_dir).with_reader(reader)
