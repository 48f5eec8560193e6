"""Reads the head of a response, and maps statuses and network faults to source states."""

from __future__ import annotations

import errno
import re
import ssl
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus

import httpcore2
import httpx2

from ..base.vocabulary import SourceState
from .failure import FetchFailed

_NO_WAY = frozenset((errno.ENETUNREACH, errno.ENETDOWN, errno.EHOSTUNREACH))


def content_type_of(response: httpx2.Response) -> tuple[str, str]:
    """Media type in lower case without parameters, and the charset as declared; "" if absent."""
    return declared_type(response.headers.get("content-type", ""))


def declared_type(header: str) -> tuple[str, str]:
    """Media type in lower case without parameters, and charset, of a Content-Type header."""
    charset = re.search(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", header, re.I)
    return header.partition(";")[0].strip().lower(), charset[1] if charset else ""


def failure_of(response: httpx2.Response, retry_after_cap: float) -> FetchFailed | None:
    """The failure that a status means, or None for success.

    A server that asks to wait longer than `retry_after_cap` seconds is not worth another attempt.
    """
    status = response.status_code
    wait = _retry_after(response.headers.get("retry-after", ""))
    patient = wait is None or wait <= retry_after_cap
    named = f"the server answered {_status_name(status)}"
    match status:
        case _ if 200 <= status < 300:
            return None
        case 404 | 410:
            return FetchFailed(SourceState.DEAD, named)
        case 402:
            return FetchFailed(SourceState.PAYWALLED, named)
        case 408:
            return FetchFailed(SourceState.TIMEOUT, named, True)
        case 429:
            asked = f", asking to wait {wait:g} s" if wait is not None else ""
            return FetchFailed(SourceState.RATE_LIMITED, named + asked, patient, wait)
        case _ if 400 <= status < 500 or status == 999:
            return FetchFailed(SourceState.BLOCKED, named)
        case 500 | 502 | 503 | 504:
            return FetchFailed(SourceState.SERVER_ERROR, named, patient, wait)
        case _:
            return FetchFailed(SourceState.SERVER_ERROR, named)


def _status_name(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _retry_after(value: str) -> float | None:
    """The seconds in a Retry-After header: a number, or a date from now."""
    if re.fullmatch(r"[0-9]{1,9}", value.strip()):
        return float(value)
    try:
        when = parsedate_to_datetime(value)
    except ValueError:
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())


@contextmanager
def translate_faults(host: str) -> Generator[None]:
    """Translate errors of the network and the HTTP libraries into source states."""
    try:
        yield
    except TimeoutError as error:
        reason = f"{host} did not answer in full in time"
        raise FetchFailed(SourceState.TIMEOUT, reason, True) from error
    except httpcore2.ConnectTimeout as error:
        raise FetchFailed(
            SourceState.TIMEOUT, f"{host} could not be reached in time", True
        ) from error
    except httpcore2.TimeoutException as error:
        raise FetchFailed(SourceState.TIMEOUT, f"{host} fell silent", True) from error
    except httpcore2.ConnectError as error:
        raise _connect_failure(host, error) from error
    except (httpcore2.NetworkError, httpcore2.ProtocolError) as error:
        reason = f"{host} broke off or broke the protocol: {_one_line(error)}"
        raise FetchFailed(SourceState.SERVER_ERROR, reason, True) from error
    except httpx2.DecodingError as error:
        reason = f"{host} sent damaged compressed data"
        raise FetchFailed(SourceState.SERVER_ERROR, reason, True) from error


def _connect_failure(host: str, error: httpcore2.ConnectError) -> FetchFailed:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            reason = f"the certificate of {host} is not valid: {cause.verify_message}"
            return FetchFailed(SourceState.TLS_ERROR, reason)
        if isinstance(cause, ssl.SSLError):
            reason = f"no secure connection to {host}: {cause.reason or 'TLS failed'}"
            return FetchFailed(SourceState.TLS_ERROR, reason)
        if isinstance(cause, OSError) and cause.errno in _NO_WAY:
            return FetchFailed(SourceState.NOT_FETCHED, f"there is no network towards {host}")
        if isinstance(cause, ConnectionRefusedError):
            return FetchFailed(SourceState.SERVER_ERROR, f"{host} refuses connections", True)
        # The connection pool raises the error anew, without its cause.
        cause = cause.__cause__ or cause.__context__
    return FetchFailed(SourceState.SERVER_ERROR, f"{host} cannot be connected to", True)


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:120]
