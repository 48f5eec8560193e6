"""A name server on loopback whose answers a test chooses, and a resolver that asks it."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

_HEADER = struct.Struct("!6H")
_A_RECORD = struct.pack("!HHHIH", 0xC00C, 1, 1, 0, 4)
_NO_SUCH_NAME = 3


@dataclass(slots=True)
class DnsServer(asyncio.DatagramProtocol):
    """Answers A queries over UDP. Use it with `async with`.

    A name has a list of answers; each query takes the next one and the last one stays. `default`
    is the answer for every other name; without one there is no such name.
    """

    answers: dict[str, list[list[str]]] = field(default_factory=dict[str, list[list[str]]])
    default: list[str] = field(default_factory=list[str])
    asked: list[str] = field(default_factory=list[str])
    _transport: asyncio.DatagramTransport | None = None

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self._transport, _ = await loop.create_datagram_endpoint(
            lambda: self, local_addr=("127.0.0.1", 0)
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._transport is not None:
            self._transport.close()

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        if self._transport is not None:
            self._transport.sendto(self._reply(data), addr)

    def _reply(self, query: bytes) -> bytes:
        name, end = _read_name(query)
        self.asked.append(name)
        answers = self.answers.get(name, [self.default])
        addresses = answers.pop(0) if len(answers) > 1 else answers[0]
        code = 0 if addresses else _NO_SUCH_NAME
        header = _HEADER.pack(
            int.from_bytes(query[:2], "big"), 0x8180 | code, 1, len(addresses), 0, 0
        )
        records = b"".join(_A_RECORD + ipaddress.IPv4Address(a).packed for a in addresses)
        return header + query[12 : end + 4] + records

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """Look `host` up at this server, as a `Resolver` of the guard."""
        if self._transport is None:
            raise RuntimeError("open the server with `async with` first")
        place = self._transport.get_extra_info("sockname")
        loop = asyncio.get_running_loop()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            asking.setblocking(False)
            await loop.sock_sendto(asking, _query(host), place)
            reply = await asyncio.wait_for(loop.sock_recv(asking, 512), 5)
        return _addresses(reply)


def _query(host: str) -> bytes:
    labels = b"".join(bytes([len(part)]) + part.encode("ascii") for part in host.split("."))
    return _HEADER.pack(7, 0x0100, 1, 0, 0, 0) + labels + b"\0" + struct.pack("!HH", 1, 1)


def _read_name(message: bytes) -> tuple[str, int]:
    """The name that a message asks for, and the offset behind it."""
    labels: list[str] = []
    offset = 12
    while length := message[offset]:
        labels.append(message[offset + 1 : offset + 1 + length].decode("ascii"))
        offset += length + 1
    return ".".join(labels), offset + 1


def _addresses(reply: bytes) -> Sequence[str]:
    _, flags, _, count, _, _ = _HEADER.unpack(reply[:12])
    if flags & 0xF:
        raise socket.gaierror(socket.EAI_NONAME, "there is no such name")
    _, end = _read_name(reply)
    starts = range(end + 4 + 12, end + 4 + 16 * count, 16)
    return [str(ipaddress.IPv4Address(reply[start : start + 4])) for start in starts]
