"""A hook of mkdocs that writes the reference from the program itself, at each build.

A line `<!-- commands -->`, `<!-- settings -->`, `<!-- names -->` or `<!-- datatypes -->` of a page
becomes all commands with their options, the table of settings, or the public names of the library
and the types that they lead to, for mkdocstrings.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Sequence

import foureyes
import typer.main
from foureyes import datatypes
from foureyes.assembly.model import PROTECTED, Settings
from foureyes.assembly.settings import flag_name
from foureyes.cli._app import TREE, LazyGroup, app
from typer.core import TyperArgument, TyperCommand, TyperOption

RULE = re.compile(r"\s\((?:decisions? \d|design, )[^()]*\)|, decision \d+(?=\))")
"""What docstrings tell the project's own people: the rule behind a sentence."""
DEFAULT = re.compile(r" \[default: .*\]")


def on_page_markdown(markdown: str, **_: object) -> str:
    """The text of a page with its generated parts; mkdocs calls this for each page."""
    for name, part in PARTS.items():
        if (mark := f"<!-- {name} -->") in markdown:
            markdown = markdown.replace(mark, "\n".join(part()))
    return markdown


def on_page_content(html: str, **_: object) -> str:
    """The page without what only the project's own people can look up; called by mkdocs."""
    return RULE.sub("", html)


def on_post_page(output: str, **_: object) -> str:
    """The page with a name for the theme's search, for those who hear it; called by mkdocs."""
    search = 'data-md-component="search" role="dialog"'
    return output.replace(search, f'{search} aria-label="Search"')


def commands() -> Iterator[str]:
    """Every command with its arguments and options."""
    top = typer.main.get_command(app)
    assert isinstance(top, LazyGroup)
    for name in TREE:
        yield from described(f"foureyes {name}", top.get_command(None, name))


def described(called: str, command: object) -> Iterator[str]:
    """A section for a command; for a group one for each command in it."""
    if isinstance(command, LazyGroup):
        for name in command.tree:
            yield from described(f"{called} {name}", command.get_command(None, name))
        return
    assert isinstance(command, TyperCommand)
    arguments = [given for given in command.params if isinstance(given, TyperArgument)]
    options = [given for given in command.params if isinstance(given, TyperOption)]
    yield f"\n## {called}\n"
    yield plain(inspect.cleandoc(command.help or ""))
    if command.epilog:
        yield f"\n{command.epilog}"
    yield f"\n```text\n{called}{usage(arguments)}{' [OPTIONS]' if options else ''}\n```\n"
    for given in arguments:
        yield entry(str(given.metavar), given.help or "")
    for given in options:
        names = ", ".join(given.opts)
        yield entry(f"{names} {given.metavar}" if given.metavar else names, given.help or "")


def usage(arguments: Sequence[TyperArgument]) -> str:
    """The arguments as the line of usage shows them."""
    shown = (str(given.metavar) for given in arguments)
    return "".join(
        f" {name}" if given.required else f" [{name}]"
        for name, given in zip(shown, arguments, strict=True)
    )


def entry(name: str, meaning: str) -> str:
    """An entry of a list of definitions, with the default last."""
    default = DEFAULT.search(meaning)
    told = f" *Default: {default[0][len(' [default: ') : -1]}.*" if default else ""
    return f"`{name}`\n:   {plain(DEFAULT.sub('', meaning))}{told}\n"


def plain(text: str) -> str:
    """Text of the help as Markdown, in which nothing but code is marked up."""
    return text.replace("<", "&lt;").replace("*", r"\*")


def settings() -> Iterator[str]:
    """The table of settings, with whether a working folder's file may hold them."""
    yield "| flag | default | in the folder's file | affects |"
    yield "| --- | --- | --- | --- |"
    for key, default, meaning in described_settings():
        allowed = "no" if key in PROTECTED else "yes"
        yield f"| `{flag_name(key)}` | {default} | {allowed} | {meaning} |"


def described_settings() -> Iterator[tuple[str, str, str]]:
    """Key, default and meaning of each setting."""
    for name, field in Settings.model_fields.items():
        default = "" if field.default in (None, (), {}) else str(field.default)
        meaning = " ".join((field.description or "").split())
        yield name, "off" if field.default is False else default, meaning


def names() -> Iterator[str]:
    """A directive of mkdocstrings for each public name, by what it is for."""
    grouped: dict[str, list[str]] = {group: [] for group in GROUPS}
    for name in foureyes.__all__:
        if name != "__version__":
            grouped[group_of(name)].append(name)
    for group, members in grouped.items():
        yield f"\n## {group}\n"
        yield from (f"::: foureyes.{name}\n" for name in members)


def group_of(name: str) -> str:
    """The first group whose pattern fits the kind of a public name, or its module."""
    value: object = getattr(foureyes, name)
    kind = "function" if inspect.isfunction(value) else "class"
    kind = "error" if inspect.isclass(value) and issubclass(value, Exception) else kind
    place = f"{kind} {getattr(value, '__module__', '').removeprefix('foureyes.')}"
    return next(group for group, pattern in GROUPS.items() if re.match(pattern, place))


def types() -> Iterator[str]:
    """A directive of mkdocstrings for each type that the public names lead to."""
    yield from (f"::: foureyes.datatypes.{name}\n" for name in datatypes.__all__)


GROUPS = {
    "Calls": r"function ",
    "Runs of your own parts": r"class (assembly\.(analysis|plugins|setting_values)|core\.config)",
    "Agents": r"class (agents|core\.(agent_base|contexts|prompts|templates))\b",
    "Backends": r"class (backends|core\.task_tools)\b",
    "What parts are given and give": r"class core\.(types|settlement)",
    "Results": r"class (core|assembly|review)\b",
    "Experiments": r"class experiments\b",
    "Claims, sources and the gate": r"class (claims|sources|verification)\b",
    "Findings and vocabularies": r"class ",
    "Errors": r"error ",
}
"""The groups of the reference, by the kind of a name and its module."""
PARTS: dict[str, Callable[[], Iterator[str]]] = {
    "commands": commands,
    "settings": settings,
    "names": names,
    "datatypes": types,
}
