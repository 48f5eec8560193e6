"""The user's settlement policy, found by its name or given as an object (decision 39)."""

from __future__ import annotations

import importlib
import importlib.util
import shlex
import sys
from collections.abc import Callable
from functools import reduce
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import cast

from ..base.errors import RunDirectoryError, SettingsError
from ..core.settlement import SettlementHook, SettlementPolicy
from .model import LoadedSettings, Origin

FLAG = "--settlement"


def settlement_hook(
    loaded: LoadedSettings, policy: SettlementPolicy | None = None
) -> SettlementHook | None:
    """The hook of the settings; None where they name no policy.

    Args:
        loaded: Its mode and its time, and its name where there is no `policy`.
        policy: The policy as an object.

    Raises:
        SettingsError: The policy cannot be found, or would be taken from the working folder
            although nobody named it on the command line.
    """
    settings = loaded.settings
    if settings.settlement is None:
        return None
    if policy is None:
        given = loaded.origin("settlement")
        try:
            policy = named_policy(settings.settlement, anywhere=given.origin is Origin.FLAG)
        except SettingsError as error:
            place = given.place or FLAG
            raise SettingsError(f"{place}: {error.message}", error.hint) from error
    name = full_name(settings.settlement)
    return SettlementHook(name, policy, settings.settlement_mode, settings.settlement_timeout_s)


def policy_name(policy: object) -> str:
    """The name under which a run remembers a policy that it was given as an object."""
    named = policy if isinstance(policy, FunctionType | MethodType) else type(policy)
    return f"{named.__module__}:{named.__qualname__}"


def full_name(name: str) -> str:
    """`name` with the path of a file made absolute: a run may go on in another folder."""
    place, _, function = name.rpartition(":")
    return f"{Path(place).absolute()}:{function}" if place.endswith(".py") else name


def require_same(run_dir: Path, recorded: str | None, given: str | None) -> None:
    """Refuse to go on with a run without the policy that it began with.

    A run directory from elsewhere names code, and naming it must not be enough to run it.

    Raises:
        RunDirectoryError: Another policy is named, or none.
    """
    if recorded is None or recorded == given:
        return
    raise RunDirectoryError(
        f"{str(run_dir)!r} is to be settled by {recorded!r}", f"add {FLAG} {shlex.quote(recorded)}"
    )


def named_policy(name: str, *, anywhere: bool) -> SettlementPolicy:
    """The policy in ``MODULE:FUNCTION`` or ``FILE.py:FUNCTION``.

    Args:
        name: Where it is.
        anywhere: Whether the working folder will do, which may be somebody else's.

    Raises:
        SettingsError: It cannot be found, loaded or called.
    """
    place, _, function = name.rpartition(":")
    if place.endswith(".py"):
        module = _from_file(Path(place), anywhere=anywhere)
    else:
        module = _by_name(place, anywhere=anywhere)
    try:
        found: object = reduce(getattr, function.split("."), module)
    except AttributeError:
        raise SettingsError(f"{place!r} has no {function!r}", "check the name") from None
    if not callable(found):
        raise SettingsError(f"{name!r} cannot be called", "name a function")
    return cast("SettlementPolicy", found)


def _from_file(path: Path, *, anywhere: bool) -> ModuleType:
    if not anywhere and not path.is_absolute():
        raise SettingsError(
            f"{str(path)!r} would be taken from the working folder",
            "give its whole path, or name it by the flag",
        )
    spec = importlib.util.spec_from_file_location(f"foureyes_settlement_{path.stem}", path)
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
        raise SettingsError(f"there is no module {name!r}", "install it, or name FILE.py:FUNCTION")
    places = [Path(place) for place in spec.submodule_search_locations or [spec.origin or ""]]
    if not anywhere and any(place.absolute().parent == Path.cwd() for place in places):
        raise SettingsError(
            f"{name!r} would be taken from the working folder", "name it by the flag"
        )
    _loaded(name, lambda: importlib.import_module(name))
    return sys.modules[name]


def _loaded(name: str, load: Callable[[], object]) -> None:
    try:
        load()
    # The module is anyone's code; `sys.exit` in it must not pass for the end of a run.
    except (Exception, SystemExit) as error:
        raise SettingsError(
            f"{name!r} cannot be loaded: {type(error).__name__}: {error}", "mend it"
        ) from error
