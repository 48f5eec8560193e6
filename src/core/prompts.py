"""Prompts: Jinja files of the package, of which a user may replace some.

Values are inserted as they are and are never read as templates. Jinja is imported when the first
prompt is read, because `import foureyes` must stay fast.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import TYPE_CHECKING

from ..base.errors import InputError, PromptError
from ..base.registry import first_line, meant, packaged_config

MAX_CONFIG_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class ConfigFiles:
    """The files under `base`; a file of the same name in `folder` or in `single` goes first.

    Names are relative with ``/`` between parts, for example ``agents/judge/system.md``. Problems
    are raised as `error`, naming the file.
    """

    base: Traversable
    folder: Path | None
    error: type[InputError]
    single: Mapping[str, Path] = field(default_factory=lambda: MappingProxyType({}))

    def text(self, name: str) -> str:
        """The text of the file `name`, its line ends as they are.

        Raises:
            InputError: It is missing, unreadable, over 256 KiB, or not UTF-8.
        """
        place = self._find(name)
        label = self.label(name)
        try:
            with place.open("rb") as file:
                data = file.read(MAX_CONFIG_BYTES + 1)
        except OSError as error:
            raise self.error(f"cannot read {label!r}: {first_line(str(error))}") from error
        if len(data) > MAX_CONFIG_BYTES:
            raise self.error(f"{label!r} is larger than {MAX_CONFIG_BYTES:,} bytes", "shorten it")
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise self.error(
                f"{label!r} is not UTF-8 (byte {error.start})", "convert it"
            ) from error

    def label(self, name: str) -> str:
        """How messages name the file: its path if the user gave it, else its packaged name."""
        own = self._own(name)
        return str(own) if own is not None else name

    def packaged(self) -> tuple[str, ...]:
        """The names of all packaged files, sorted."""
        return tuple(sorted(_walk(self.base, "")))

    def replaced(self) -> tuple[str, ...]:
        """The names of all files in the user's folder, sorted.

        Raises:
            InputError: The folder does not exist.
        """
        if self.folder is None:
            return ()
        if not self.folder.is_dir():
            raise self.error(f"{str(self.folder)!r} is not a folder", "give an existing folder")
        return tuple(sorted(_walk(self.folder, "")))

    def _own(self, name: str) -> Path | None:
        if name in self.single:
            return self.single[name]
        own = self.folder / name if self.folder is not None else None
        return own if own is not None and own.is_file() else None

    def _find(self, name: str) -> Traversable:
        path = PurePosixPath(name)
        if not path.parts or path.is_absolute() or ".." in path.parts or "\\" in name:
            raise self.error(f"{name!r} is not a file of the library", "name one of its files")
        own = self._own(name)
        if own is not None:
            return own
        place = self.base.joinpath(*path.parts)
        if not place.is_file():
            raise self.error(f"there is no file {name!r}", "check its name")
        return place


def _walk(folder: Traversable, prefix: str) -> Iterator[str]:
    for entry in folder.iterdir():
        if entry.name.startswith((".", "__")):
            continue
        if entry.is_dir():
            yield from _walk(entry, f"{prefix}{entry.name}/")
        else:
            yield prefix + entry.name


if TYPE_CHECKING:
    from jinja2 import BaseLoader
    from jinja2.sandbox import ImmutableSandboxedEnvironment

# What an expression in a prompt may raise: a mistake in the file and not in the program.
_EXPRESSION_ERRORS = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


class PromptLibrary:
    """The packaged prompts, of which a user's folder may replace single files.

    Args:
        folder: The user's folder, laid out as the packaged one; further files may be included.
        base: The packaged folder; None for `config/prompts`.
        single: Files that replace one prompt each, before those of the folder.

    Raises:
        PromptError: The folder is missing, a file of it cannot be read, or one under ``agents/``
            or any other Markdown file replaces no prompt and is included by none.
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
        self._optional: dict[str, frozenset[str]] = {}
        self._used: dict[str, dict[str, tuple[str, int]]] = {}
        replaced = (*self._files.replaced(), *single)
        known = self._files.packaged() if replaced else ()
        included = {
            other for name in replaced if name.endswith(".md") for other in self._parse(name)[1]
        }
        for name in replaced:
            needless = name.endswith(".md") and name not in included
            if name not in known and (needless or name.startswith("agents/")):
                raise PromptError(
                    f"{self._files.label(name)!r} replaces no prompt", meant(name, known)
                )

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
        self._optional[name] = frozenset(allowed)

    def render(self, name: str, /, **values: object) -> str:
        """The prompt `name` with `values`.

        Raises:
            PromptError: A variable is missing, or one is given that the prompt does not use and
                that `check` has not allowed.
        """
        from jinja2 import TemplateError as JinjaError

        self._match(name, values)
        try:
            return self._environment.get_template(name).render(values)
        except (JinjaError, *_EXPRESSION_ERRORS) as error:
            raise self._broken(name, error) from error

    def _match(self, name: str, values: Mapping[str, object]) -> None:
        used = self._variables(name)
        for variable, (file, line) in used.items():
            if variable not in values:
                where = f"{self._files.label(file)}, line {line}"
                raise PromptError(f"{where}: no value for the variable {variable!r}")
        surplus = values.keys() - used.keys() - self._optional.get(name, frozenset())
        if surplus:
            raise PromptError(f"{self._files.label(name)}: does not use {min(surplus)!r}")

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

    tree = _parser().parse(text)
    free = meta.find_undeclared_variables(tree)
    uses = [(node.name, node.lineno) for node in tree.find_all(nodes.Name)]
    return [use for use in uses if use[0] in free], list(meta.find_referenced_templates(tree))


@cache
def _parser() -> ImmutableSandboxedEnvironment:
    return _environment(None)


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
