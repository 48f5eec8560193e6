"""Where traffic ends that would leave this machine."""

from __future__ import annotations

import socket
import threading


class Tripwire:
    """A proxy that serves nothing and counts who calls: traffic that would leave is sent here."""

    def __init__(self) -> None:
        self.calls: list[bytes] = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def _listen(self) -> None:
        while True:
            connection, _ = self._socket.accept()
            with connection:
                connection.settimeout(1)
                self.calls.append(connection.recv(200))
