"""Parsers of strangers' files in a process of their own, with bounds of memory and time.

A small file may make a parser take any amount of both, and a flaw in native code may end it. Here
only that process ends. Linux and macOS bound its memory; elsewhere only the time is bounded.

This file is also the program of that process::

    python confined.py MODULE:FUNCTION ARGUMENTS  <file  >record
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from typing import cast

from pydantic import JsonValue

from .errors import SourceError

MEMORY_BYTES = 512 * 1024 * 1024
"""Address space of the process: what the parser itself takes is less than half of it."""
SECONDS = 20.0
_MOST_ANSWER = 256 * 1024 * 1024
_POLL_S = 0.25
_KEPT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PYTHONPATH", "SYSTEMROOT")
_NO_MEMORY = 3


class OutOfBounds(SourceError):
    """A parser needed more than it may have, or broke; the message says which."""


def confined(
    function: str,
    body: bytes,
    *arguments: JsonValue,
    seconds: float = SECONDS,
    stop: Callable[[], bool] = lambda: False,
) -> JsonValue:
    """Result of `function` for `body` and `arguments`, called in a separate process.

    Args:
        function: ``module:name``; it takes bytes first and returns what JSON can hold.
        body: The file.
        arguments: Further arguments.
        seconds: How long it may take.
        stop: Polled regularly; true ends the call early.

    Raises:
        OutOfBounds: It took too long or too much memory, or its process broke.
    """
    if stop():
        raise _too_long(seconds)
    # Without -P a file in the working folder could take the place of a module.
    command = [sys.executable, "-P", "-m", __name__, function, json.dumps(arguments)]
    variables = {name: os.environ[name] for name in _KEPT if name in os.environ}
    until = time.monotonic() + seconds
    # A file, because what a pipe does not hold at once would have to be sent meanwhile.
    with tempfile.TemporaryFile() as given:
        given.write(body)
        given.seek(0)
        out, errors = subprocess.PIPE, subprocess.DEVNULL
        process = subprocess.Popen(command, stdin=given, stdout=out, stderr=errors, env=variables)
        with process:
            while True:
                try:
                    answer, _ = process.communicate(timeout=_POLL_S)
                    break
                except subprocess.TimeoutExpired:
                    if time.monotonic() > until or stop():
                        process.kill()
                        process.communicate()
                        raise _too_long(seconds) from None
                except BaseException:
                    process.kill()
                    raise
    if process.returncode == 0 and len(answer) <= _MOST_ANSWER:
        return cast("JsonValue", json.loads(answer))
    if process.returncode == _NO_MEMORY or len(answer) > _MOST_ANSWER:
        raise OutOfBounds(f"reading it takes more than {MEMORY_BYTES // 2**20} MiB of memory")
    # Native code that gets no memory mostly ends its process by itself.
    raise OutOfBounds(f"its parser broke, or needs more than {MEMORY_BYTES // 2**20} MiB of memory")


def _too_long(seconds: float) -> OutOfBounds:
    return OutOfBounds(f"reading it takes too long: more than {seconds:g} s")


def _bound() -> None:
    try:
        import resource
    except ImportError:
        return
    for kind, most in ((resource.RLIMIT_AS, MEMORY_BYTES), (resource.RLIMIT_CORE, 0)):
        _, hard = resource.getrlimit(kind)
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (least, hard))


def _main(function: str, arguments: str) -> int:
    module, name = function.split(":")
    call = getattr(import_module(module), name)
    body = sys.stdin.buffer.read()
    _bound()
    try:
        answer = json.dumps(call(body, *json.loads(arguments)))
        sys.stdout.write(answer)
        sys.stdout.flush()
    except MemoryError:
        return _NO_MEMORY
    return 0


if __name__ == "__main__":
    # Not `sys.exit`: what is left to tidy up may need the memory that there is not.
    os._exit(_main(*sys.argv[1:]))
