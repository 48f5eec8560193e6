"""The one error tree.

    FoureyesError
    ├── InputError               something the user gave; the command line exits with 4
    │   ├── DocumentError        a document that cannot be read
    │   ├── SettingsError        a setting, flag or variable
    │   ├── RegistryError        a file under config/registry
    │   ├── TemplateError        an agent template
    │   ├── PromptError          a prompt file
    │   ├── StatisticsError      numbers that no statistic can be made from
    │   ├── RunDirectoryError    a run directory that cannot be used
    │   │   ├── ReplayMismatch   a replay differs from the run on record
    │   │   └── RecordEnded      a replay reached the end of an incomplete record
    │   └── BackendUnavailable   the chosen backend cannot run on this machine
    ├── StorageError             the disk refused a read or write (exit 4)
    ├── SourceError
    │   └── SnapshotError        a stored snapshot is missing or does not match its hash
    ├── ReplyError               an agent's output cannot be read; never a verdict
    ├── TransitionRefused        this actor may not make this transition of a claim
    ├── EditRefused              an edit that the task's policy does not allow
    └── BudgetExceeded           a limit would be passed

Every error is one line that names the thing, and a hint that says what to do. Arguments are
positional so that errors survive pickling.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails


class FoureyesError(Exception):
    """Base of every error this package raises on purpose.

    Args:
        message: One line that names the thing that is wrong.
        hint: What the user can do about it; may be empty.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class InputError(FoureyesError):
    """Something the user gave cannot be used."""


class DocumentError(InputError):
    """A document is missing, empty, binary, not UTF-8 or too large."""


class SettingsError(InputError):
    """A setting is unknown, of the wrong type, or may not come from where it was found."""


class RegistryError(InputError):
    """A registry file is broken or does not validate."""


class TemplateError(InputError):
    """A template lacks a slot, or is not valid JSON."""


class PromptError(InputError):
    """A prompt file is missing or uses an unknown variable."""


class StatisticsError(InputError):
    """Values are too few, not finite or out of range: no statistic can be made from them."""


class RunDirectoryError(InputError):
    """A run directory is missing, locked, damaged or from a newer version."""


class ReplayMismatch(RunDirectoryError):
    """A replay differs from the run on record.

    Args:
        message: Where, and what is different.
        hint: What the user can do about it.
        diff: The first difference as a short unified diff, "" if it cannot be shown.
    """

    def __init__(self, message: str, hint: str = "", diff: str = "") -> None:
        super().__init__(message, hint)
        self.args = (message, hint, diff)
        self.diff = diff


class RecordEnded(RunDirectoryError):
    """A replay reached the end of an incomplete record."""


class BackendUnavailable(InputError):
    """The chosen backend cannot run here."""


class StorageError(FoureyesError):
    """The file system refused a read or a write."""


class SourceError(FoureyesError):
    """A source or its snapshot cannot be used."""


class SnapshotError(SourceError):
    """A stored snapshot is missing or its bytes do not match their hash."""


class ReplyError(FoureyesError):
    """An agent's output cannot be read. It is a failure of the turn and never a verdict."""


class TransitionRefused(FoureyesError):
    """This actor may not make this transition of a claim."""


class EditRefused(FoureyesError):
    """An edit would change something outside the slots of the template."""


class BudgetExceeded(FoureyesError):
    """A limit would be passed.

    Args:
        name: The limit's name, for example ``cost_usd``.
        limit: Its value.
        used: What would have been used, in the same unit.
    """

    def __init__(self, name: str, limit: float, used: float) -> None:
        super().__init__(f"{name} limit of {limit:g} would be exceeded ({used:g} needed)")
        self.args = (name, limit, used)
        self.name = name
        self.limit = limit
        self.used = used


_TYPES = {
    "a whole number": ("int_parsing", "int_type", "int_from_float"),
    "a number": ("float_parsing", "float_type", "decimal_parsing"),
    "true or false": ("bool_parsing", "bool_type"),
    "text": ("string_type",),
    "a list": ("list_type", "tuple_type"),
    "keys with values": (
        *("dict_type", "mapping_type", "dataclass_type"),
        *("model_type", "model_attributes_type"),
    ),
}
UNKNOWN_KEY = "extra_forbidden"
"""Pydantic's name of the mistake."""
_SAID = {
    "missing": "it is missing",
    UNKNOWN_KEY: "there is no such key",
    **dict.fromkeys(
        ("date_from_datetime_parsing", "date_parsing"), "not a date; write one as 2026-03-31"
    ),
    **{name: f"Input should be {kind}" for kind, names in _TYPES.items() for name in names},
}
"""By pydantic's name of the mistake, where its own words speak of Python."""


def mistake_text(mistake: ErrorDetails) -> str:
    """The words for a mistake that pydantic found, without its place."""
    own = mistake["msg"].removeprefix("Value error, ")
    return _SAID.get(mistake["type"], own)


def first_mistake(error: ValidationError) -> str:
    """The first mistake in data with its place, on one line.

    A misspelt key is unknown, and missing under its name: the first says more.
    """
    first = min(error.errors(include_url=False), key=lambda one: one["type"] != UNKNOWN_KEY)
    reason = " ".join(mistake_text(first).split())[:200]
    return ": ".join(filter(None, (".".join(map(str, first["loc"])), reason)))
