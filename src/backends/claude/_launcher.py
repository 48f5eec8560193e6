"""The CLI on a leash: it dies with this process, however this process ends.

A CLI that waits for its server does not see that nobody listens any more; killed outright, we
would leave it behind for minutes. The kernel can end it, but only a process itself can ask for
that. So this file is also a program, which asks and then becomes the CLI::

    python launcher.py PARENT CLI [ARGUMENT...]
"""

from __future__ import annotations

import os
import shlex
import signal
import sys
from pathlib import Path

PR_SET_PDEATHSIG = 1
PID_FILE = "cli.pid"


def bundled_cli() -> Path:
    """Where the SDK keeps its own CLI."""
    import claude_agent_sdk

    return Path(claude_agent_sdk.__file__).parent / "_bundled" / "claude"


def leash(cli: Path | None, folder: Path) -> Path | None:
    """A program that runs the CLI and is killed when the calling thread or process is gone.

    Args:
        cli: The CLI to run; None for the bundled one.
        folder: Where the program is written.

    Returns:
        The program. `cli` as given where there is no such kernel call, no interpreter to ask with,
        no leave to run programs from `folder`, or no CLI at that place: the SDK looks elsewhere
        for its own, and tells best of one that is missing.
    """
    python = Path(sys.executable)
    if sys.platform != "linux" or not python.name.startswith(("python", "pypy")):
        return cli
    found = (cli or bundled_cli()).absolute()
    program = folder / "leash-cli"
    words = [str(python), "-I", "-S", __file__, str(os.getpid()), str(found)]
    pid_file = shlex.quote(str(folder / PID_FILE))
    program.write_text(
        f'#!/bin/sh\necho $$ >{pid_file}\nexec {shlex.join(words)} "$@"\n', encoding="utf-8"
    )
    program.chmod(0o700)
    return program if os.access(found, os.X_OK) and os.access(program, os.X_OK) else cli


def cpu_seconds(folder: Path) -> float:
    """The processor time that the CLI on the leash of `folder` has taken so far.

    0.0 where nobody knows: it has not started, has gone, or runs without a leash.
    """
    try:
        pid = int((folder / PID_FILE).read_text(encoding="utf-8"))
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except (OSError, ValueError):
        return 0.0
    user_and_system = int(fields[11]) + int(fields[12])
    return user_and_system / os.sysconf("SC_CLK_TCK")


def main(parent: int, command: list[str]) -> None:
    """Become `command`, to be killed when the thread that started this process ends."""
    import ctypes

    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    # The parent may have gone before we asked.
    if os.getppid() != parent:
        sys.exit("the parent process is gone")
    # The interpreter ignores these two, and what is ignored stays so in the next program.
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(ignored, signal.SIG_DFL)
    os.execv(command[0], command)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
