"""Messages about errors in user data, readable without knowledge of Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_WHOLE = "Input should be a whole number"
_NUMBER = "Input should be a number"
_TRUTH = "Input should be true or false"
_TEXT = "Input should be text"
_LIST = "Input should be a list"
_KEYS = "Input should be keys with values"
_SAID = {
    "missing": "it is missing",
    "extra_forbidden": "there is no such key",
    "int_parsing": _WHOLE,
    "int_type": _WHOLE,
    "int_from_float": _WHOLE,
    "float_parsing": _NUMBER,
    "float_type": _NUMBER,
    "decimal_parsing": _NUMBER,
    "bool_parsing": _TRUTH,
    "bool_type": _TRUTH,
    "string_type": _TEXT,
    "list_type": _LIST,
    "tuple_type": _LIST,
    "dict_type": _KEYS,
    "mapping_type": _KEYS,
    "model_type": _KEYS,
    "model_attributes_type": _KEYS,
    "dataclass_type": _KEYS,
}
"""By pydantic's name of the mistake, where its own words speak of Python."""


def mistake_text(mistake: ErrorDetails) -> str:
    """The words for a mistake that pydantic found, without its place."""
    own = mistake["msg"].removeprefix("Value error, ")
    return _SAID.get(mistake["type"], own)
