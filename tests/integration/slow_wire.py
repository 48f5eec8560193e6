"""A wire to a server on loopback that can be cut: nothing comes through, and nothing ends."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from socket import SHUT_RDWR, SHUT_WR, create_connection, create_server, socket


class Wire:
    """Passes on what comes to `port`, in threads of its own."""

    def __init__(self, to_port: int) -> None:
        self._to_port = to_port
        self._open = threading.Event()
        self._open.set()
        self._listener = create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._ends: list[socket] = []
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    def _start(self, work: Callable[..., None], *arguments: socket) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def cut(self) -> None:
        """Let nothing through."""
        self._open.clear()

    def mend(self) -> None:
        """Let everything through again."""
        self._open.set()

    def close(self) -> None:
        """End it with all connections."""
        self.mend()
        for end in (self._listener, *self._ends):
            # Whoever waits for it is woken by this, and not by closing it.
            with suppress(OSError):
                end.shutdown(SHUT_RDWR)
        for thread in self._threads:
            thread.join(5)
        for end in (self._listener, *self._ends):
            end.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = create_connection(("127.0.0.1", self._to_port))
                self._ends += [near, far]
                self._start(self._pass, near, far)
                self._start(self._pass, far, near)

    def _pass(self, source: socket, target: socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                self._open.wait()
                target.sendall(data)
            target.shutdown(SHUT_WR)


@contextmanager
def wire(to_port: int) -> Generator[Wire]:
    """A wire to `to_port`."""
    made = Wire(to_port)
    try:
        yield made
    finally:
        made.close()
