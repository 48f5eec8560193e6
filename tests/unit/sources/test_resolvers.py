from __future__ import annotations

import errno
import socket
from collections.abc import Sequence

import httpcore2
import pytest
from foureyes.base.registry import load_registry_file
from foureyes.datatypes import SourceState
from foureyes.sources._download import translate_faults
from foureyes.sources.failure import FetchFailed
from foureyes.sources.fetcher import Fetcher
from foureyes.sources.guard import Guard
from foureyes.sources.policy import FetchPolicy, Resolved, ResolverRule, resolve
from foureyes.sources.snapshot_store import SnapshotStore
from pydantic import ValidationError
from support.http_site import HttpSite
from unit.sources.dns_server import DnsServer

RULES = load_registry_file(FetchPolicy, "fetch.yaml").resolvers
DOI = "10.5555/12345678(ab)<1>"


@pytest.mark.parametrize(
    ("cited", "address", "service"),
    [
        (f"doi:{DOI}", "https://doi.org/10.5555/12345678(ab)%3C1%3E", "doi.org"),
        ("DOI: 10.5555/ab", "https://doi.org/10.5555/ab", "doi.org"),
        ("http://dx.doi.org/10.5555/ab", "https://doi.org/10.5555/ab", "doi.org"),
        ("arXiv:2101.00001v2", "https://arxiv.org/abs/2101.00001v2", "arxiv.org"),
        ("arxiv:hep-th/9901001", "https://arxiv.org/abs/hep-th/9901001", "arxiv.org"),
        ("http://arxiv.org/pdf/2101.00001", "https://arxiv.org/pdf/2101.00001", "arxiv.org"),
        (
            "https://web.archive.org/web/20240501000000/http://tarvia.example/a?b=c#d",
            "https://web.archive.org/web/20240501000000id_/http://tarvia.example/a?b=c",
            "web.archive.org",
        ),
        (
            "http://web.archive.org/web/2024if_/https://tarvia.example/",
            "https://web.archive.org/web/2024id_/https://tarvia.example/",
            "web.archive.org",
        ),
        ("https://archive.is/AbC12", "https://archive.ph/AbC12", "archive.today"),
        ("https://doi.org.evil.example/10.5555/ab", "https://doi.org.evil.example/10.5555/ab", ""),
        ("https://tarvia.example/doi:10.5555/ab", "https://tarvia.example/doi:10.5555/ab", ""),
    ],
)
def test_a_citation_is_asked_for_where_a_service_answers_for_it(
    cited: str, address: str, service: str
) -> None:
    assert resolve(cited, RULES) == Resolved(address, service)


def test_a_broken_pattern_is_told_of() -> None:
    with pytest.raises(ValidationError, match="is no pattern"):
        ResolverRule(name="x", pattern="(", address="https://x.example/")


def at(policy: FetchPolicy, place: str) -> FetchPolicy:
    """The policy with the services of identifiers at `place`."""
    rules = [rule.model_copy(update={"address": f"{place}/{{0}}"}) for rule in policy.resolvers]
    return policy.model_copy(update={"resolvers": tuple(rules)})


async def test_an_identifier_leads_to_its_source(
    site: HttpSite, store: SnapshotStore, policy: FetchPolicy, guard: Guard
) -> None:
    site.redirect("/10.5555/ab", "/articles/7", 301)
    final = site.page("/articles/7", "She is 62 m long.", media_type="text/plain")
    async with Fetcher(store, at(policy, site.url("")), guard) as fetcher:
        source = await fetcher.fetch("doi:10.5555/ab")
        missing = await fetcher.fetch("doi:10.5555/none")
    assert (source.state, missing.state) == (SourceState.OK, SourceState.DEAD)
    assert source.snapshot is not None
    chain = ("doi:10.5555/ab", site.url("/10.5555/ab"), final)
    assert source.snapshot.url_chain == chain


@pytest.mark.parametrize(
    ("cited", "default", "state", "reason"),
    [
        ("doi:10.5555/ab", [], SourceState.NOT_FETCHED, "the network is down"),
        ("https://tarvia.example/a", [], SourceState.NOT_FETCHED, "the network is down"),
        ("doi:10.5555/ab", ["93.184.215.14"], SourceState.NOT_FETCHED, "no host doi.org"),
        ("https://gone.example/a", ["93.184.215.14"], SourceState.DEAD, "no host gone.example"),
    ],
)
async def test_without_a_network_nothing_is_dead(
    store: SnapshotStore,
    policy: FetchPolicy,
    cited: str,
    default: list[str],
    state: SourceState,
    reason: str,
) -> None:
    unknown: dict[str, list[list[str]]] = {"doi.org": [[]], "gone.example": [[]]}
    async with DnsServer(unknown, default) as names:
        guard = Guard(policy, resolver=names.resolve)
        async with Fetcher(store, policy, guard) as fetcher:
            source = await fetcher.fetch(cited)
    assert source.state is state
    assert reason in source.reason


async def test_a_name_server_that_is_busy_is_not_the_network(policy: FetchPolicy) -> None:
    async def busy(host: str, port: int) -> Sequence[str]:
        if host == "tarvia.example":
            raise socket.gaierror(socket.EAI_AGAIN, "try again")
        return ["93.184.215.14"]

    with pytest.raises(FetchFailed, match="its name server does not answer") as caught:
        await Guard(policy, resolver=busy).checked_addresses("tarvia.example", 443)
    assert (caught.value.state, caught.value.transient) == (SourceState.NOT_FETCHED, True)


@pytest.mark.parametrize("code", [errno.ENETUNREACH, errno.ENETDOWN, errno.EHOSTUNREACH])
def test_a_machine_without_a_way_out_has_not_fetched(code: int) -> None:
    with pytest.raises(FetchFailed, match="no network") as caught, translate_faults("a.example"):
        raise httpcore2.ConnectError from OSError(code, "no way")
    assert caught.value.state is SourceState.NOT_FETCHED
