"""Names that change where they lead, on a name server of our own: the guard holds at each look-up.

The server answers with a public address first. The wire below leads that address to the test's own
site, so that a first connection is really made without leaving this machine.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from typing import cast

import httpcore2
import pytest
from foureyes.datatypes import SourceState
from foureyes.sources._download import Downloader
from foureyes.sources.failure import AddressRefused
from foureyes.sources.guard import Guard
from foureyes.sources.policy import FetchPolicy
from support.http_site import HttpSite
from unit.sources.dns_server import DnsServer

PUBLIC, METADATA = "93.184.215.14", "169.254.169.254"


class Detour(httpcore2.AsyncNetworkBackend):
    """Connects to loopback where the public address is asked for, and notes every address."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._inner = cast("httpcore2.AsyncNetworkBackend", httpcore2.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the signature is httpcore's
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        self.asked.append(host)
        assert host == PUBLIC
        return await self._inner.connect_tcp("127.0.0.1", port, timeout)

    async def sleep(self, seconds: float) -> None:
        await self._inner.sleep(seconds)


@pytest.fixture
async def names() -> AsyncGenerator[DnsServer]:
    async with DnsServer(default=[PUBLIC]) as server:
        yield server


@pytest.fixture
def wire() -> Detour:
    return Detour()


@pytest.fixture
async def downloader(
    policy: FetchPolicy, names: DnsServer, wire: Detour
) -> AsyncGenerator[Downloader]:
    guard = Guard(policy, resolver=names.resolve)
    opened = Downloader(guard, policy, network=wire)
    yield opened
    await opened.aclose()


async def test_a_redirect_chain_into_a_private_address_is_refused(
    site: HttpSite, names: DnsServer, downloader: Downloader
) -> None:
    names.answers["inner.example"] = [["10.1.2.3"]]
    port = site.port
    site.redirect("/a", f"http://second.example:{port}/b", 301)
    site.redirect("/b", f"//third.example:{port}/c", 307)
    site.redirect("/c", f"http://inner.example:{port}/secret")
    with pytest.raises(AddressRefused, match=r"inner\.example leads to 10\.1\.2\.3: a private"):
        await downloader.load(f"http://first.example:{port}/a")
    assert site.paths() == ["/a", "/b", "/c"]


@pytest.mark.parametrize("target", ["http://127.0.0.1/", "http://[::ffff:a9fe:a9fe]/latest"])
async def test_a_redirect_to_a_private_address_itself_is_refused(
    site: HttpSite, downloader: Downloader, target: str
) -> None:
    site.redirect("/a", target)
    with pytest.raises(AddressRefused, match="it redirects to"):
        await downloader.load(f"http://first.example:{site.port}/a")


@pytest.mark.parametrize("flipped", [["127.0.0.1"], [METADATA], [PUBLIC, "192.168.0.1"]])
async def test_a_name_that_flips_between_two_requests_is_refused(
    site: HttpSite, names: DnsServer, wire: Detour, downloader: Downloader, flipped: list[str]
) -> None:
    names.answers["flips.example"] = [[PUBLIC], flipped]
    site.redirect("/a", "/b")
    site.page("/b", "<p>what only this machine should see</p>")
    with pytest.raises(AddressRefused, match=r"flips\.example leads to") as caught:
        await downloader.load(f"http://flips.example:{site.port}/a")
    assert caught.value.state is SourceState.REFUSED_BY_POLICY
    assert (site.paths(), wire.asked) == (["/a"], [PUBLIC])
    assert names.asked == ["flips.example", "flips.example"]


async def test_a_flip_after_the_check_changes_nothing(
    site: HttpSite, names: DnsServer, wire: Detour, downloader: Downloader
) -> None:
    names.answers["flips.example"] = [[PUBLIC], ["127.0.0.1"]]
    site.page("/a", "<p>She is 62 metres long.</p>")
    await downloader.load(f"http://flips.example:{site.port}/a")
    assert (wire.asked, names.asked) == ([PUBLIC], ["flips.example"])
