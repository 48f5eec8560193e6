"""Every state of decision 18 on one site, with whatever else a server can do to its reader."""

from __future__ import annotations

from pathlib import Path

from foureyes.datatypes import SourceState
from foureyes.sources.policy import FetchPolicy
from unit.sources.fetch_child import FetchPlan, fetch_apart
from unit.sources.state_site import state_site

ELSEWHERE = {SourceState.NOT_FETCHED}
"""Shown by other tests: it is what becomes of an address that was never asked for."""


async def test_every_state_is_told_right_within_64_megabytes(
    tmp_path: Path, policy: FetchPolicy
) -> None:
    timeouts = policy.timeouts.model_copy(update={"read": 5, "attempt": 12})
    limits = {"sent_bytes": 16_000_000, "decoded_bytes": 16_000_000}
    retries = policy.retries.model_copy(update={"attempts": 1})
    bounded = policy.limits.model_copy(update=limits)
    changes = {"timeouts": timeouts, "retries": retries, "limits": bounded}
    patient = policy.model_copy(update=changes)
    async with state_site(tmp_path / "tls") as site:
        plan = FetchPlan(
            tmp_path / "sources",
            patient,
            site.allowed,
            site.trusted,
            tuple(page.url for page in site.pages if page.state is SourceState.OK)[:5],
            tuple(page.url for page in site.pages),
        )
        outcome = await fetch_apart(plan, tmp_path)
    found = {source.url: source for source in outcome.sources}
    wrong = [
        (page.name, found[page.url].state, found[page.url].reason)
        for page in site.pages
        if found[page.url].state is not page.state or page.reason not in found[page.url].reason
    ]
    assert wrong == []
    assert {page.state for page in site.pages} | ELSEWHERE == set(SourceState)
    assert outcome.peak_kb - outcome.idle_kb < 64 * 1024
