"""What an agent gives to a tool."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.types import ToolFailure


def text_argument(arguments: Mapping[str, object], name: str) -> str:
    """The text given for `name`.

    Raises:
        ToolFailure: It is missing, empty, or no text.
    """
    value = arguments.get(name)
    if not isinstance(value, str) or not value:
        raise ToolFailure(f"{name} is missing")
    return value
