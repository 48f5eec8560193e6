"""Spans and metrics of fetches over the network."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from ...sources.model import Source
from .api import fail, instruments, opened


async def fetched(url: str, load: Callable[[str], Awaitable[Source]]) -> Source:
    """The source that `load` gets over the network for `url`, of which only the host is told.

    What is read before a run begins has no span, which would be a trace of its own.
    """
    with opened("fetch", {"server.address": _host(url)}, "CLIENT", child=True) as span:
        source = await load(url)
        state = source.state.value
        if span is not None:
            span.set_attributes({"foureyes.fetch.state": state})
            if not source.state.readable:
                fail(span, state)
    if (measured := instruments()) is not None:
        measured.fetches.add(1, {"foureyes.fetch.state": state})
    return source


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
