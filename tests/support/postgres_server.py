"""A PostgreSQL server of the tests' own, on loopback."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from socket import socket

_BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)


class PostgresServer:
    """A server with an empty data folder, which `close` stops and removes.

    PostgreSQL refuses to run as root: then it runs as Debian's user `postgres`.
    """

    def __init__(self) -> None:
        if not _BINARIES:
            raise RuntimeError("PostgreSQL is not installed: apt-get install postgresql")
        self._binaries = _BINARIES[0]
        self._user = pwd.getpwnam("postgres").pw_uid if os.getuid() == 0 else os.getuid()
        # Not below the folders of pytest, which only their owner may enter.
        self._folder = Path(tempfile.mkdtemp(prefix="foureyes-postgres-", dir="/tmp"))
        os.chown(self._folder, self._user, -1)
        with socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port: int = probe.getsockname()[1]
        self._run("initdb", "-D", str(self._data), "-U", "foureyes", "-A", "trust", "--no-sync")
        self.start()

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._port

    def database(self, name: str) -> str:
        """The address of a new, empty database."""
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self._port), "-U", "foureyes", name)
        return f"postgresql://foureyes@127.0.0.1:{self._port}/{name}"

    def start(self) -> None:
        """Start it and wait until it answers."""
        options = f"-p {self._port} -c listen_addresses=127.0.0.1 -k {self._folder} -F"
        log = str(self._folder / "log")
        self._run("pg_ctl", "-D", str(self._data), "-w", "-l", log, "-o", options, "start")

    def stop(self) -> None:
        """Stop it as a machine that is switched off would."""
        self._run("pg_ctl", "-D", str(self._data), "-w", "-m", "immediate", "stop")

    def close(self) -> None:
        """Stop it and remove what it kept."""
        self.stop()
        for _ in range(50):
            shutil.rmtree(self._folder, ignore_errors=True)
            if not self._folder.exists():
                return
            time.sleep(0.1)

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._binaries / program), *arguments]
        done = subprocess.run(
            command,
            user=self._user,
            cwd="/",
            env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if program != "pg_ctl" else subprocess.DEVNULL,
            stderr=subprocess.STDOUT if program != "pg_ctl" else subprocess.DEVNULL,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{program} failed: {done.stdout}")
