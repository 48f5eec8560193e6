"""Calls for programs without an event loop, over those for programs with one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar

from .errors import InputError
from .off_loop import in_loop

P = ParamSpec("P")
T = TypeVar("T")


def run_blocking(call: Callable[[], Coroutine[Any, Any, T]], name: str, twin: str) -> T:
    """Result of `call`, run to its end in a new event loop.

    Args:
        call: The call to make.
        name: Whom the caller asked for.
        twin: What to await in its place within an event loop.

    Raises:
        InputError: An event loop runs in this thread already.
    """
    if in_loop():
        raise InputError(f"{name} cannot be called within a running event loop", f"await {twin}")
    return asyncio.run(call())


def blocking(call: Callable[P, Coroutine[Any, Any, T]], name: str) -> Callable[P, T]:
    """`call` under `name`, for callers without an event loop."""

    @wraps(call)
    def blocked(*args: P.args, **kwargs: P.kwargs) -> T:
        return run_blocking(partial(call, *args, **kwargs), name, call.__name__)

    blocked.__name__ = blocked.__qualname__ = name
    blocked.__doc__ = f"`{call.__name__}` for callers without an event loop."
    return blocked
