"""Takes this process, and all it starts, off the network: nothing is left but loopback."""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
import struct
import sys
from pathlib import Path

CLONE_NEWUSER = 0x10000000
CLONE_NEWNET = 0x40000000
SIOCSIFFLAGS = 0x8914
IFF_UP = 0x1


def isolate() -> bool:
    """Move into a network of our own, as far as the kernel lets us.

    Call it before there is a second thread: those would stay outside.

    Returns:
        False where there are no such networks or we may not make one.
    """
    if sys.platform != "linux":
        return False
    user, group = os.getuid(), os.getgid()
    unshare = ctypes.CDLL(None).unshare
    if unshare(CLONE_NEWNET) != 0:
        if unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0:
            return False
        # The same ids within, else the files of the tests would belong to nobody.
        Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="ascii")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="ascii")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", IFF_UP))
    return True
