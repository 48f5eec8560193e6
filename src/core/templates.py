"""Prompts, and templates: forms and documents with open slots, and the policy that guards them.

Prompts are Jinja files, of which a user may replace some. Values are inserted as they are and are
never read as templates. Jinja is imported when the first prompt is read, because `import foureyes`
must stay fast.

Notation of a JSON template:

- A string ``[TODO: …]`` is a slot. The agent reads the words in it. The words ``may be empty``
  allow an empty string, ``at most N characters`` sets the longest text (4,000 without it).
- ``["[at most N]", example]`` is a growing list. The agent sees the example alone.
- An object with the one key ``[each claim]`` gets one entry for each claim, made from the example
  under that key. Code fills its fixed fields; a slot that code fills can be changed.
- Everything else is fixed.

An edit has to name text that occurs once; so the agent sees each slot with its place in the form.

In a Markdown template each ``[TODO: …]`` is a slot, and headings without one are fixed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from pydantic import JsonValue

from ..base.errors import DocumentError, EditRefused, InputError, PromptError, TemplateError
from ..base.files import read_document
from ..base.registry import first_line, meant, packaged_config
from .edit_policy import (
    SLOT_START,
    Fields,
    Fixed,
    Grows,
    JsonSlots,
    MarkdownDraft,
    Shape,
    Slot,
    child,
    initial_value,
    open_slot,
    outline,
    parse_json,
    plain_json,
    violations,
)

if TYPE_CHECKING:
    from jinja2 import BaseLoader
    from jinja2.sandbox import ImmutableSandboxedEnvironment


MAX_CONFIG_BYTES = 256 * 1024


class ConfigFiles:
    """The files under `base`; one of the same name in `folder` or in `single` goes first.

    Names are relative with ``/`` between parts, for example ``agents/judge/system.md``. Problems
    are raised as `error`, naming the file.

    Raises:
        InputError: `folder` does not exist.
    """

    def __init__(
        self,
        base: Traversable,
        folder: Path | None,
        error: type[InputError],
        single: Mapping[str, Path] = MappingProxyType({}),
    ) -> None:
        if folder is not None and not folder.is_dir():
            raise error(f"{str(folder)!r} is not a folder", "give an existing folder")
        self.base, self.folder, self.single = base, folder, single
        self._error = error
        own = {name: folder / name for name, _ in _walk(folder, "")} if folder else {}
        self.replaced: Mapping[str, Path] = {**own, **single}

    @cached_property
    def packaged(self) -> Mapping[str, Traversable]:
        """All packaged files by their names, sorted."""
        return dict(sorted(_walk(self.base, "")))

    def text(self, name: str) -> str:
        """The text of the file `name`, its line ends as they are.

        Raises:
            InputError: It is missing, unreadable, over 256 KiB, or not UTF-8.
        """
        own = self.replaced.get(name)
        try:
            if own is not None:
                return read_document(own, max_bytes=MAX_CONFIG_BYTES)
            return self.packaged[name].read_text("utf-8")
        except DocumentError as error:
            raise self._error(error.message, error.hint) from error
        except KeyError:
            raise self._error(f"there is no file {name!r}", "check its name") from None

    def label(self, name: str) -> str:
        """How messages name the file: its path if the user gave it, else its packaged name."""
        own = self.replaced.get(name)
        return str(own) if own is not None else name


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        if entry.name.startswith((".", "__")):
            continue
        if entry.is_dir():
            yield from _walk(entry, f"{prefix}{entry.name}/")
        else:
            yield prefix + entry.name, entry


# What an expression in a prompt may raise: a mistake in the file and not in the program.
_EXPRESSION_ERRORS = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


COMMON_VARIABLES = "iteration", "max_iterations", "file_name", "readable", "split", "section_tokens"
_RENDERED = "agents/", "web-research/"


class PromptLibrary:
    """The packaged prompts, of which a user's folder may replace single files.

    Args:
        folder: The user's folder, laid out as the packaged one; further files may be included.
        base: The packaged folder; None for `config/prompts`.
        single: Files that replace one prompt each, before those of the folder.

    Raises:
        PromptError: The folder is missing, a file of it cannot be read, or one under ``agents/``
            or any other Markdown file replaces no prompt and is included by none, or one uses a
            variable that the packaged prompts of its folder do not have.
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        base: Traversable | None = None,
        single: Mapping[str, Path] = MappingProxyType({}),
    ) -> None:
        packaged = base if base is not None else packaged_config() / "prompts"
        self._files = ConfigFiles(packaged, folder, PromptError, single)
        self._used: dict[str, dict[str, tuple[str, int]]] = {}
        replaced = sorted(self._files.replaced)
        known = self._files.packaged if replaced else ()
        included = {
            other for name in replaced if name.endswith(".md") for other in self._parse(name)[1]
        }
        for name in replaced:
            needless = name.endswith(".md") and name not in included
            if name not in known and (needless or name.startswith("agents/")):
                raise PromptError(
                    f"{self._files.label(name)!r} replaces no prompt", meant(name, known)
                )
        if replaced:
            self._check_all(PromptLibrary(base=packaged))

    def _check_all(self, packaged: PromptLibrary) -> None:
        """A prompt may use the variables of any packaged in its folder; users' all the common."""
        names = [name for name in self._files.packaged if name.startswith(_RENDERED)]
        known: dict[str, set[str]] = {}
        for name in names:
            folder = name.rpartition("/")[0]
            common = COMMON_VARIABLES if folder.endswith("/user") else ()
            known.setdefault(folder, {*common}).update(packaged._variables(name))
        for name in names:
            self.check(name, known[name.rpartition("/")[0]])

    def with_override(self, name: str, path: Path) -> PromptLibrary:
        """A library in which the file at `path` stands for the prompt `name`.

        Raises:
            PromptError: There is no such prompt or file, or it cannot be read.
        """
        single = {**self._files.single, name: path}
        return PromptLibrary(self._files.folder, base=self._files.base, single=single)

    def check(self, name: str, allowed: Collection[str]) -> None:
        """Validate the prompt `name` before it is needed; it may leave `allowed` variables out.

        Raises:
            PromptError: It or a file it includes is missing or broken, or uses a variable that is
                not `allowed`; the message names file, line and variable.
        """
        for variable, (file, line) in self._variables(name).items():
            if variable not in allowed:
                raise PromptError(
                    f"{self._files.label(file)}, line {line}: unknown variable {variable!r}",
                    f"known are {', '.join(sorted(allowed)) or 'none'}",
                )

    def render(self, name: str, /, **values: object) -> str:
        """The prompt `name` with `values`.

        Raises:
            PromptError: A variable is missing, or the prompt is broken.
        """
        from jinja2 import TemplateError as JinjaError

        try:
            return self._environment.get_template(name).render(values)
        except (JinjaError, *_EXPRESSION_ERRORS) as error:
            raise self._broken(name, error) from error

    def _variables(self, name: str) -> dict[str, tuple[str, int]]:
        """Each variable of a prompt and the files it includes, with the place of its first use."""
        if name in self._used:
            return self._used[name]
        found: dict[str, tuple[str, int]] = {}
        files = [name]
        for file in files:
            variables, included = self._parse(file)
            for variable, line in variables:
                found.setdefault(variable, (file, line))
            files += [other for other in included if other not in files]
        self._used[name] = found
        return found

    def _parse(self, name: str) -> tuple[list[tuple[str, int]], list[str]]:
        """The variables of one file with their lines, and the files that it includes."""
        from jinja2 import TemplateSyntaxError

        try:
            variables, included = _uses(self._files.text(name))
        except TemplateSyntaxError as error:
            raise self._broken(name, error) from error
        if None in included:
            label = self._files.label(name)
            raise PromptError(f"{label}: an included file must be named in quotation marks")
        return variables, [other for other in included if other is not None]

    def _broken(self, name: str, error: Exception) -> PromptError:
        line = getattr(error, "lineno", None)
        where = f"{self._files.label(name)}, line {line}" if line else self._files.label(name)
        return PromptError(f"{where}: {first_line(str(error)) or type(error).__name__}")

    @cached_property
    def _environment(self) -> ImmutableSandboxedEnvironment:
        from jinja2 import FunctionLoader

        return _environment(FunctionLoader(self._files.text))


@lru_cache(maxsize=256)
def _uses(text: str) -> tuple[list[tuple[str, int]], list[str | None]]:
    """The variables of a prompt with their lines, and the files that it includes, None unnamed."""
    from jinja2 import meta, nodes

    tree = _environment(None).parse(text)
    free = meta.find_undeclared_variables(tree)
    uses = [(node.name, node.lineno) for node in tree.find_all(nodes.Name)]
    return [use for use in uses if use[0] in free], list(meta.find_referenced_templates(tree))


def _environment(loader: BaseLoader | None) -> ImmutableSandboxedEnvironment:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    return ImmutableSandboxedEnvironment(
        loader=loader,
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )


EACH_CLAIM = "[each claim]"
DEFAULT_SLOT_CHARS = 4000
DEFAULT_DRAFT_CHARS = 200_000
_LIST_RULE = re.compile(r"\[at most ([1-9]\d{0,3})\]")
_SLOT_CHARS = re.compile(r"at most (\d[\d,]{0,8}) characters")

Claims = Mapping[str, Mapping[str, JsonValue]]


@dataclass(frozen=True, slots=True)
class JsonTemplate:
    """A form's first text, and what may change in it."""

    text: str
    policy: JsonSlots


@dataclass(frozen=True, slots=True)
class MarkdownTemplate:
    """A document's first text, and what may change in it."""

    text: str
    policy: MarkdownDraft


class TemplateLibrary:
    """The packaged templates, of which a user's folder may replace single files.

    A replaced template may change words and limits, not the structure that code reads.

    Args:
        folder: The user's folder, laid out as the packaged one.
        base: The packaged folder; None for `config/templates`.

    Raises:
        TemplateError: A file of the folder is unknown or broken, or lacks a slot.
    """

    def __init__(self, folder: Path | None = None, *, base: Traversable | None = None) -> None:
        packaged = base if base is not None else packaged_config() / "templates"
        self._packaged = ConfigFiles(packaged, None, TemplateError)
        self._files = ConfigFiles(packaged, folder, TemplateError)
        known = self._packaged.packaged
        for name in sorted(self._files.replaced):
            if name not in known:
                raise TemplateError(
                    f"{self._files.label(name)!r} replaces no template", meant(name, known)
                )
            self._validate(name)

    def json_template(self, name: str, *, claims: Claims | None = None) -> JsonTemplate:
        """The form `name`, with one entry for each claim id in `claims`.

        A claim's mapping gives the values of its entry's fixed fields, and may fill slots and
        lists. `claims` is given exactly if the template has a ``[each claim]`` entry.

        Raises:
            TemplateError: The template is broken, or has no place for a given value.
        """
        shape, has_claims = _read_form(self._files, name, claims)
        policy = JsonSlots(shape)
        if claims is not None and not has_claims:
            raise TemplateError(f"{self._files.label(name)}: there is no {EACH_CLAIM!r} entry")
        for violation in violations(policy.shape, initial_value(policy.shape)):
            raise TemplateError(f"{self._files.label(name)}: a value for {violation}")
        return JsonTemplate(policy.initial_text(), policy)

    def markdown_template(
        self, name: str, *, max_chars: int = DEFAULT_DRAFT_CHARS
    ) -> MarkdownTemplate:
        """The document `name`, of at most `max_chars` characters when it is filled.

        Raises:
            TemplateError: The template is broken.
        """
        text = self._files.text(name)
        return MarkdownTemplate(text, _document(text, self._files.label(name), max_chars))

    def _validate(self, name: str) -> None:
        label = self._files.label(name)
        if not name.endswith(".json"):
            _document(self._files.text(name), label, DEFAULT_DRAFT_CHARS)
            return
        sample: Claims = {EACH_CLAIM: {}}
        own = dict(outline(_read_form(self._files, name, sample)[0]))
        wanted = dict(outline(_read_form(self._packaged, name, sample)[0]))
        for path, part in {**own, **wanted}.items():
            told = f"{_KINDS[type(part)]} {path}"
            if path not in wanted:
                raise TemplateError(f"{label}: nothing reads {told}", "take it out")
            if type(own.get(path)) is not type(part):
                raise TemplateError(f"{label}: {told} is missing", "put it back")


def _read_form(files: ConfigFiles, name: str, claims: Claims | None) -> tuple[Fields, bool]:
    """The shape of a form, and whether it has an entry for each claim."""
    label = files.label(name)
    try:
        data = _parsed(files.text(name))
    except EditRefused as error:
        raise TemplateError(f"{label}: {error.message}") from error
    reader = _FormReader(label, claims)
    shape = reader.shape(data, "")
    if not isinstance(shape, Fields):
        raise TemplateError(f"{label}: the template must be an object with slots")
    return shape, reader.has_claims


# One form is made for hundreds of findings.
_parsed = lru_cache(maxsize=64)(parse_json)


class _FormReader:
    """Reads the notation of one JSON template."""

    def __init__(self, label: str, claims: Claims | None) -> None:
        self._label = label
        self._claims = claims
        self.has_claims = False

    def shape(self, data: JsonValue, path: str) -> Shape:
        if isinstance(data, str) and data.startswith("[TODO"):
            if not (data.startswith(SLOT_START) and data.endswith("]")):
                raise self._error(path, "a slot is written '[TODO: …]'")
            limit = _SLOT_CHARS.search(data)
            chars = int(limit[1].replace(",", "")) if limit else DEFAULT_SLOT_CHARS
            words = data.removeprefix(SLOT_START).removesuffix("]").strip()
            return open_slot(path, words, chars, may_be_empty="may be empty" in data)
        if isinstance(data, list):
            return self._list(data, path)
        if isinstance(data, dict) and EACH_CLAIM in data:
            if len(data) != 1 or self._claims is None or self.has_claims:
                raise self._error(path, f"{EACH_CLAIM!r} stands alone, once, and needs claims")
            self.has_claims = True
            fields: dict[str, Shape] = {}
            for id_, given in self._claims.items():
                entry = self.shape(data[EACH_CLAIM], child(path, id_))
                fields[id_] = self._entry(entry, given, path)
            return Fields(fields)
        if isinstance(data, dict):
            return Fields({key: self.shape(part, child(path, key)) for key, part in data.items()})
        return Fixed(data)

    def _list(self, data: list[JsonValue], path: str) -> Shape:
        rule = _LIST_RULE.fullmatch(data[0]) if data and isinstance(data[0], str) else None
        if rule is not None:
            if len(data) != 2:
                raise self._error(path, "a growing list holds its rule and one example")
            return Grows(self.shape(data[1], child(path, "-")), int(rule[1]))
        for element in data:
            inner = self.shape(element, child(path, "-"))
            if any(not isinstance(part, Fixed) for _, part in outline(inner)):
                raise self._error(path, "a list with slots begins with its rule '[at most N]'")
        return Fixed(data)

    def _entry(self, entry: Shape, given: Mapping[str, JsonValue], path: str) -> Fields:
        if not isinstance(entry, Fields):
            raise self._error(path, f"{EACH_CLAIM!r} must be an object")
        for key in given:
            if key not in entry.fields:
                raise self._error(child("", EACH_CLAIM), f"there is no field {key!r}")
        filled = {key: _filled(entry.fields[key], value) for key, value in given.items()}
        return Fields({**entry.fields, **filled})

    def _error(self, path: str, message: str) -> TemplateError:
        return TemplateError(f"{self._label}: {path or 'the file'}: {message}")


def _filled(shape: Shape, given: JsonValue) -> Shape:
    value = plain_json(given)
    slot = isinstance(shape, Slot) or (isinstance(shape, Grows) and isinstance(value, list))
    return replace(shape, initial=value) if slot else Fixed(value)


_KINDS: Mapping[type, str] = {
    Slot: "the slot",
    Fixed: "the fixed value",
    Grows: "the growing list",
}


def _document(text: str, label: str, max_chars: int) -> MarkdownDraft:
    policy = MarkdownDraft.of_template(text, max_chars)
    if not policy.markers or not policy.headings:
        raise TemplateError(f"{label}: a document needs a heading and a slot '[TODO: …]'")
    return policy
