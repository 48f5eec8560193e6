"""Log set-up: plain lines or JSON on standard error. Called at the edge."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from typing import cast

import structlog

from .printable import printable, visible


def quiet_logs() -> None:
    """Keep a caller's standard output clean: warnings go to standard error.

    A caller that has set up structlog keeps its own set-up.
    """
    if not structlog.is_configured():
        set_up_logs(level=logging.WARNING)


def set_up_logs(*, level: int = logging.INFO) -> None:
    """Send the package's log events at `level` and above to standard error."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            _shown,
            structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), pad_event_to=0),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )


def _shown(
    _logger: structlog.typing.WrappedLogger, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Fields of a log event, made safe for a terminal; a traceback keeps its lines."""
    return {
        name: _fit(value) if name == "exception" else printable(_text(value))
        for name, value in event.items()
    }


def _text(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, cast("Sequence[object]", value))) or "none"
    return str(value)


def _fit(traceback: object) -> str:
    return "\n".join(map(printable, visible(str(traceback)).split("\n")))
