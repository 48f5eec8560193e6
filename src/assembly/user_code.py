"""The user's own code, by its name: ``MODULE:NAME`` or ``FILE.py:NAME``.

Code runs only if a person named it: a name in a run directory from elsewhere does not suffice, nor
one that leads into the working folder.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable
from functools import reduce
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import TypeVar

from ..base.errors import SettingsError
from .model import LoadedSettings, Origin, Settings
from .settings import flag_name

T = TypeVar("T")


def code_name(part: object) -> str:
    """The name under which a run remembers what it was given: that of its code, or as it is."""
    if isinstance(part, str):
        return full_name(part)
    named = part if isinstance(part, FunctionType | MethodType | type) else type(part)
    return f"{named.__module__}:{named.__qualname__}"


def full_name(name: str, folder: Path = Path()) -> str:
    """`name` with the path of a file, in `folder`, made absolute: a run may go on elsewhere."""
    place, _, function = name.rpartition(":")
    return f"{(folder / place).absolute()}:{function}" if place.endswith(".py") else name


def code_names(settings: Settings, key: str) -> tuple[str, ...]:
    """The names of code that the setting `key` holds, with whole paths."""
    named: str | tuple[str, ...] | None = dict(settings)[key]
    return tuple(map(full_name, (named,) if isinstance(named, str) else named or ()))


def load_part(loaded: LoadedSettings, key: str, part: object, *, call: bool = True) -> object:
    """The object `part`, or the one that it names as a value of the setting `key`.

    A class or a function that it names is called for the object, without arguments, if `call`.

    Raises:
        SettingsError: It cannot be found or loaded, or would be taken from the working folder
            although nobody named it on the command line.
    """
    if not isinstance(part, str):
        return part
    given = loaded.origin(key)
    try:
        found = import_named(part, anywhere=given.origin is Origin.FLAG)
        return _loaded(part, found) if call and isinstance(found, type | FunctionType) else found
    except SettingsError as error:
        place = given.place or flag_name(key)
        raise SettingsError(f"{place}: {error.message}", error.hint) from error


def import_named(name: str, *, anywhere: bool) -> object:
    """The object called `name`; `anywhere` lets it be of the working folder.

    Raises:
        SettingsError: It cannot be found or loaded, or may not be taken from there.
    """
    place, _, attribute = name.rpartition(":")
    load = _from_file if place.endswith(".py") else _by_name
    module = load(place, anywhere=anywhere)
    try:
        return reduce(getattr, attribute.split("."), module)
    except AttributeError:
        raise SettingsError(f"{place!r} has no {attribute!r}", "check the name") from None


def _from_file(place: str, *, anywhere: bool) -> ModuleType:
    path = Path(place)
    if not anywhere and not path.is_absolute():
        raise SettingsError(
            f"{str(path)!r} would be taken from the working folder",
            "give its whole path, or name it by the flag",
        )
    spec = importlib.util.spec_from_file_location(f"foureyes_own_{path.stem}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise SettingsError(f"there is no file {str(path)!r}", "check the path")
    module, loader = importlib.util.module_from_spec(spec), spec.loader
    # Records of the module look their types up there.
    sys.modules[spec.name] = module
    _loaded(str(path), lambda: loader.exec_module(module))
    return module


def _by_name(name: str, *, anywhere: bool) -> ModuleType:
    top = name.partition(".")[0]
    spec = importlib.util.find_spec(top) if top else None
    if spec is None:
        raise SettingsError(f"there is no module {name!r}", "install it, or name FILE.py:NAME")
    places = [Path(place) for place in spec.submodule_search_locations or [spec.origin or ""]]
    if not anywhere and any(place.absolute().parent == Path.cwd() for place in places):
        raise SettingsError(
            f"{name!r} would be taken from the working folder", "name it by the flag"
        )
    return _loaded(name, lambda: importlib.import_module(name))


def _loaded(name: str, load: Callable[[], T]) -> T:
    try:
        return load()
    # The module is anyone's code; `sys.exit` in it must not pass for the end of a run.
    except (Exception, SystemExit) as error:
        raise SettingsError(
            f"{name!r} cannot be loaded: {type(error).__name__}: {error}", "mend it"
        ) from error


ShapeT = TypeVar("ShapeT")


def require_shape(part: object, shape: type[ShapeT], what: str, needs: str) -> ShapeT:
    """`part` if it is an object of that shape.

    Raises:
        SettingsError: It is not.
    """
    if isinstance(part, type) or not isinstance(part, shape):
        hint = f"give an object with {needs}"
        raise SettingsError(f"{code_name(part)!r} is not {what}", hint)
    return part
