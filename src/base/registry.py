"""Registry files: thresholds, weights and word lists as validated YAML data.

Each layer keeps the model of its own files beside the code that uses it; this module holds their
common base and the loader. The packaged folder is `config/registry`; a user's folder may replace
single files.
"""

from __future__ import annotations

import difflib
import functools
import importlib.resources
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.resolver import VersionedResolver

from .errors import UNKNOWN_KEY, RegistryError, first_mistake

MAX_REGISTRY_BYTES = 2 * 1024 * 1024


class RegistryModel(BaseModel):
    """Base of every registry file's model: frozen, and unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


ModelT = TypeVar("ModelT", bound=BaseModel)


class PlainResolver(VersionedResolver):
    """Tells numbers and truth values apart as YAML 1.2 does."""

    @property
    def processing_version(self) -> tuple[int, int]:
        """Not looked for in each scalar anew, which takes as long as all the rest of loading."""
        return (1, 2)


MOST_YAML = 5_000_000
_MOST_DEPTH = 100
_BRACKET = re.compile(r"[\[\]{}]")
_DEEP = re.compile(rf"(?:[-?] +){{{_MOST_DEPTH}}}|^ {{400}}", re.MULTILINE)


def packaged_config() -> Traversable:
    """The `config` folder that ships with the package."""
    return importlib.resources.files("foureyes.config")


def parse_yaml(text: str, name: str, *, pure: bool = False) -> object:
    """`text` as plain YAML data; tags that build objects are refused.

    `pure` also reads what libyaml does not, such as ``{url: https://host}``, and is slower.

    Raises:
        RegistryError: The text is not valid YAML, too long, or nested too deeply; the message names
            `name` and the line.
    """
    if problem := unfit_yaml(text):
        raise RegistryError(f"{name}: {problem}", "correct the file")
    try:
        # ruamel.yaml annotates only part of this method.
        loader = cast("Any", YAML(typ="safe", pure=pure))
        loader.Resolver = PlainResolver
        return loader.load(text)
    # A date such as 2024-13-01 is a plain ValueError.
    except (YAMLError, ValueError) as error:
        line, problem = 1, str(error)
        if isinstance(error, MarkedYAMLError):
            # ruamel.yaml annotates neither, and its own text calls the file "<unicode string>".
            marked = cast("Any", error)
            line, problem = int(marked.problem_mark.line) + 1, str(marked.problem)
        raise RegistryError(
            f"{name}, line {line}: not valid YAML: {first_line(problem)}", "correct the file"
        ) from error


def unfit_yaml(text: str) -> str:
    """Why `text` is not parsed, "" if it may be: depth and length would take stack and memory."""
    if len(text) > MOST_YAML:
        return f"it has more than {MOST_YAML:,} characters"
    depth, deepest = 0, 0
    for mark in _BRACKET.finditer(text):
        depth = depth + 1 if mark[0] in "[{" else max(0, depth - 1)
        deepest = max(deepest, depth)
    is_deep = deepest > _MOST_DEPTH or _DEEP.search(text)
    return f"it is nested more than {_MOST_DEPTH} deep" if is_deep else ""


def validate(
    model: type[ModelT], data: object, name: str, hint: str = "correct the file"
) -> ModelT:
    """`data`, which is JSON if it is bytes, as a `model`.

    Raises:
        RegistryError: It does not match; the message names the first key that is wrong in `name`.
    """
    try:
        if isinstance(data, bytes):
            return model.model_validate_json(data)
        return model.model_validate(data)
    except ValidationError as error:
        raise RegistryError(
            f"{name}: {first_mistake(error)}", _key_meant(model, error) or hint
        ) from error


def _key_meant(model: type[BaseModel], error: ValidationError) -> str:
    """Hint for the first unknown key, "" if there is none or nothing is known in its place.

    Known are those that are missing beside it, and else the keys of the model.
    """
    mistakes = error.errors(include_url=False)
    place = next((one["loc"] for one in mistakes if one["type"] == UNKNOWN_KEY), ())
    missing = [one["loc"] for one in mistakes if one["type"] == "missing"]
    needed = [str(loc[-1]) for loc in missing if place and loc[:-1] == place[:-1]]
    known = needed or ([*model.model_fields] if len(place) == 1 else [])
    close = difflib.get_close_matches(str(place[-1]), known, 1) if place else []
    if close:
        return f"did you mean {close[0]!r}?"
    return f"it needs {', '.join(map(repr, needed))}" if needed else ""


def require_known_files(folder: Path) -> None:
    """Refuse a user's folder of registry files of which one would never be read.

    Raises:
        RegistryError: It is no folder, or a YAML file of it replaces no packaged one.
    """
    if not folder.is_dir():
        raise RegistryError(f"{str(folder)!r} is not a folder", "give an existing folder")
    known = sorted(entry.name for entry in (packaged_config() / "registry").iterdir())
    for path in sorted(folder.iterdir()):
        if path.suffix in (".yaml", ".yml") and path.name not in known:
            raise RegistryError(f"{str(path)!r} replaces no registry file", meant(path.name, known))


def meant(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """Hint for an unknown `name`: the nearest known name, else `otherwise` or all known names."""
    known = tuple(known)
    close = difflib.get_close_matches(name, known, 1)
    return f"did you mean {close[0]!r}?" if close else otherwise or f"there are {', '.join(known)}"


def load_registry_file(model: type[ModelT], name: str, folder: Path | None = None) -> ModelT:
    """Load `name` (for example ``gate.yaml``) from `folder` if it is there, else the packaged one.

    Equal files give the same object: nobody may change what is in it.

    Raises:
        RegistryError: The file is broken or does not validate.
    """
    own = folder / name if folder is not None else None
    if own is None or not own.is_file():
        return packaged_file(model, f"registry/{name}", name)
    try:
        text = own.read_bytes()[:MAX_REGISTRY_BYTES].decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RegistryError(f"cannot read {str(own)!r}: {first_line(str(error))}") from error
    return cast("ModelT", _loaded(model, _File(text, str(own))))


def packaged_file(model: type[ModelT], name: str, label: str = "") -> ModelT:
    """Load the file `name` below the packaged `config` folder, which no user's file replaces."""
    text = (packaged_config() / name).read_text(encoding="utf-8")
    return cast("ModelT", _loaded(model, _File(text, label or name)))


@dataclass(frozen=True, slots=True)
class _File:
    """A file's text and, for messages, what it is called."""

    text: str
    label: str = field(compare=False)


@functools.lru_cache(maxsize=128)
def _loaded(model: type[BaseModel], file: _File) -> BaseModel:
    return validate(model, parse_yaml(file.text, file.label), file.label)


def first_line(text: str) -> str:
    """The text's lines joined by spaces, cut to 200 characters: an error stays one line."""
    return " ".join(text.split())[:200]


def complete(keys: Iterable[str]) -> AfterValidator:
    """Validates that a mapping has an entry for each of `keys`."""

    def checked(value: Mapping[str, object]) -> Mapping[str, object]:
        if missing := [key for key in keys if key not in value]:
            raise ValueError(f"lacks {', '.join(missing)}")
        return value

    return AfterValidator(checked)


def expression(text: str) -> str:
    """`text`, which has to be a regular expression.

    Raises:
        ValueError: It is none.
    """
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"it is no pattern: {error}: {text!r}") from error
    return text


def alternatives(forms: Iterable[str]) -> str:
    """A regular expression that matches any of `forms`, the longest that fits."""
    return "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))


def phrase_pattern(phrases: Iterable[str]) -> re.Pattern[str]:
    """A pattern that finds any of `phrases` as whole words, in any case."""
    return re.compile(rf"(?<!\w)(?:{alternatives(phrases)})(?!\w)", re.IGNORECASE)


if TYPE_CHECKING:
    PhrasePattern = re.Pattern[str]
else:
    # A list of phrases in the file, a pattern once it is loaded.
    PhrasePattern = Annotated[tuple[str, ...], AfterValidator(phrase_pattern)]
