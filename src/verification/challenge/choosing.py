"""Which claims are challenged: those that the argument rests on and that code could not settle."""

from __future__ import annotations

from collections.abc import Collection

from ...base.vocabulary import Verdict
from ..model import Ledger, LedgerEntry
from .policy import ChallengePolicy

_ORDER = {Verdict.SUPPORTED: 0, Verdict.PARTIALLY_SUPPORTED: 1, Verdict.UNVERIFIABLE: 2}


def choose_claims(
    ledger: Ledger,
    settled: Collection[str],
    policy: ChallengePolicy,
    *,
    asked: Collection[str] = (),
) -> frozenset[str]:
    """The ids of the claims to challenge (decision 40), the same whatever the ledger's order.

    `settled` are the claims that code decided. `asked` are those that earlier iterations of the run
    challenged: they are challenged again, and with them the run has at most `policy.claims`. Claims
    that somebody found supported come first.
    """
    eligible = [e for e in ledger.entries if _is_eligible(e, settled, policy)]
    again = [entry.claim_id for entry in eligible if entry.claim_id in asked]
    fresh = sorted((e for e in eligible if e.claim_id not in asked), key=_importance)
    room = max(0, policy.claims - len(asked))
    return frozenset((*again, *(entry.claim_id for entry in fresh[:room])))


def _is_eligible(entry: LedgerEntry, settled: Collection[str], policy: ChallengePolicy) -> bool:
    if entry.verdict not in _ORDER or entry.open_slot:
        return False
    important = policy.background or entry.load_bearing
    return important and (policy.decided or entry.claim_id not in settled)


def _importance(entry: LedgerEntry) -> tuple[bool, int, str]:
    return not entry.load_bearing, _ORDER[entry.verdict], entry.claim_id
