from __future__ import annotations

import socket
from collections.abc import Sequence

import pytest
from foureyes import SettingsError
from foureyes.datatypes import SourceState
from foureyes.sources.failure import AddressRefused, FetchFailed
from foureyes.sources.guard import Guard, Resolver, system_resolver
from foureyes.sources.policy import FetchPolicy

PUBLIC = "93.184.215.14"


def resolver(**answers: Sequence[str]) -> Resolver:
    """Knows the names given, with `_` for dots, and no others."""

    async def resolve(host: str, port: int) -> Sequence[str]:
        name = host.replace(".", "_").replace("-", "_")
        if name not in answers:
            raise socket.gaierror(socket.EAI_NONAME, "unknown")
        return answers[name]

    return resolve


def refusal(guard: Guard, url: str) -> str:
    """Why `url` may not be fetched, "" if it may."""
    try:
        guard.require(url)
    except AddressRefused as refused:
        return refused.reason
    return ""


@pytest.mark.parametrize(
    "url",
    [
        "https://tarvia.example/report(2024)#p3",
        "https://tarvia.example:8443/report",
        "http://93.184.215.14/",
        "https://مثال.إختبار",
        "https://tarvia.example/read?from=http://localhost/",
    ],
)
def test_public_addresses_are_allowed(policy: FetchPolicy, url: str) -> None:
    assert not refusal(Guard(policy), url)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://localhost/", "local network"),
        ("http://db.localhost/", "local network"),
        ("http://metadata.google.internal/computeMetadata", "local network"),
        ("http://printer.home.arpa/", "local network"),
        ("http://wiki/", "not a public host name"),
        ("http://169.254.169.254/latest", "metadata"),
        ("http://0xa9fea9fe/", "metadata"),
        ("http://[::ffff:7f00:1]/", "this machine"),
        ("http://127.0.0.1:9000", "this machine"),
        ("127.0.0.1:9000", "scheme"),
        ("tarvia.example/report", "scheme"),
        ("http://tarvia.example:6379/", "port 6379"),
        ("gopher://tarvia.example/", "scheme"),
        ("javascript:alert(1)", "scheme"),
        ("https://", "no host"),
        ("//", "scheme"),
        ("", "scheme"),
    ],
)
def test_everything_else_is_refused_with_the_reason(
    policy: FetchPolicy, url: str, reason: str
) -> None:
    assert reason in refusal(Guard(policy), url)


@pytest.mark.parametrize(
    ("entry", "allowed", "refused"),
    [
        ("localhost", "http://localhost:8000/", "http://127.0.0.1:8000/"),
        ("localhost:8000", "http://localhost:8000/", "http://localhost:8001/"),
        ("wiki.corp:6379", "http://WIKI.corp:6379/", "http://wiki.corp.evil.local:6379/"),
        ("127.0.0.1:8000", "http://127.0.0.1:8000/", "http://127.0.0.2:8000/"),
        ("[::1]:8000", "http://[::1]:8000/", "http://[::1]/"),
    ],
)
def test_a_host_that_the_user_names_is_allowed_and_no_other(
    policy: FetchPolicy, entry: str, allowed: str, refused: str
) -> None:
    guard = Guard(policy, allowed_hosts=[entry])
    assert not refusal(guard, allowed)
    assert refusal(guard, refused)


@pytest.mark.parametrize("entry", ["", "http://wiki.corp", "a b", "wiki.corp:port", "*.corp"])
def test_an_allowed_host_that_cannot_be_read_is_a_settings_error(
    policy: FetchPolicy, entry: str
) -> None:
    with pytest.raises(SettingsError, match="allowed host"):
        Guard(policy, allowed_hosts=[entry])


async def test_the_answers_of_a_public_name_may_be_connected_to(policy: FetchPolicy) -> None:
    guard = Guard(policy, resolver=resolver(tarvia_example=[PUBLIC, "2a00::1", PUBLIC]))
    assert await guard.checked_addresses("tarvia.example", 443) == (PUBLIC, "2a00::1")


@pytest.mark.parametrize("bad", ["127.0.0.1", "10.0.0.1", "fec0::1", "::ffff:169.254.169.254"])
async def test_one_local_address_refuses_the_whole_name(policy: FetchPolicy, bad: str) -> None:
    guard = Guard(policy, resolver=resolver(tarvia_example=[PUBLIC, bad]))
    with pytest.raises(AddressRefused, match=r"tarvia\.example leads to"):
        await guard.checked_addresses("tarvia.example", 443)


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "intranet"])
async def test_a_local_host_is_refused_without_a_look_up(policy: FetchPolicy, host: str) -> None:
    guard = Guard(policy, resolver=resolver(localhost=[PUBLIC], intranet=[PUBLIC]))
    with pytest.raises(AddressRefused):
        await guard.checked_addresses(host, 443)


async def test_an_allowed_name_may_lead_anywhere(policy: FetchPolicy) -> None:
    guard = Guard(policy, allowed_hosts=["wiki.corp"], resolver=resolver(wiki_corp=["10.0.0.7"]))
    assert await guard.checked_addresses("wiki.corp", 80) == ("10.0.0.7",)


async def test_an_ip_address_is_not_looked_up(policy: FetchPolicy) -> None:
    assert await Guard(policy, resolver=resolver()).checked_addresses(PUBLIC, 80) == (PUBLIC,)


async def test_a_name_that_nobody_knows_is_dead(policy: FetchPolicy) -> None:
    guard = Guard(policy, resolver=resolver(example_com=[PUBLIC]))
    for _ in range(2):
        with pytest.raises(FetchFailed, match="there is no host") as caught:
            await guard.checked_addresses("gone.example", 443)
        assert caught.value.state is SourceState.DEAD


async def test_a_name_is_not_dead_where_no_name_can_be_found(policy: FetchPolicy) -> None:
    with pytest.raises(FetchFailed, match="could not be looked up") as caught:
        await Guard(policy, resolver=resolver()).checked_addresses("tarvia.example", 443)
    assert caught.value.state is SourceState.NOT_FETCHED


async def test_a_name_server_that_is_busy_says_nothing_about_the_name(policy: FetchPolicy) -> None:
    async def busy(host: str, port: int) -> Sequence[str]:
        raise socket.gaierror(socket.EAI_AGAIN, "try again")

    with pytest.raises(FetchFailed) as caught:
        await Guard(policy, resolver=busy).checked_addresses("tarvia.example", 443)
    assert caught.value.state is SourceState.NOT_FETCHED


async def test_a_name_without_addresses_is_dead(policy: FetchPolicy) -> None:
    guard = Guard(policy, resolver=resolver(tarvia_example=[]))
    with pytest.raises(FetchFailed, match="has no address"):
        await guard.checked_addresses("tarvia.example", 443)


async def test_the_system_resolver_gives_addresses() -> None:
    assert "127.0.0.1" in await system_resolver("localhost", 80)
