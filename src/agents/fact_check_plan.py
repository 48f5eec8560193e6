"""The fact check in batches: claims that cite the same source are checked together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..claims.model import Claim
from ..core.types import ClaimWork


@dataclass(frozen=True, slots=True)
class Batch:
    """The claims of one session; `number` counts from 1."""

    number: int
    works: tuple[ClaimWork, ...]


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """How many claims a batch holds at most, and how many bytes its form has."""

    claims: int
    form_bytes: int


def plan_batches(
    works: Sequence[ClaimWork], limits: BatchLimits, form_bytes: Callable[[ClaimWork], int]
) -> tuple[Batch, ...]:
    """`works` in batches within `limits`, those of one source together as far as they fit.

    `form_bytes` says how much a claim adds to the form. Small groups share a batch; a claim that is
    too large for any stands alone.
    """
    batches: list[list[ClaimWork]] = []
    size = 0
    for group in _by_source(works):
        for work in group:
            added = form_bytes(work)
            full = batches and (
                len(batches[-1]) == limits.claims or size + added > limits.form_bytes
            )
            if not batches or full:
                batches.append([])
                size = 0
            batches[-1].append(work)
            size += added
    return tuple(Batch(number, tuple(batch)) for number, batch in enumerate(batches, start=1))


def _by_source(works: Iterable[ClaimWork]) -> Iterator[list[ClaimWork]]:
    """The claims grouped by the source they cite first, in the order of first citation."""
    groups: dict[str, list[ClaimWork]] = {}
    for work in works:
        groups.setdefault(_first_source(work.claim), []).append(work)
    return iter(groups.values())


def _first_source(claim: Claim) -> str:
    return next((address.target for address in claim.cited if address.target), "")
