"""The findings sealed before the web is looked at (review spec, safety constraint 3)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from ..base.errors import RunDirectoryError
from ..base.records import to_json
from .model import CompiledFinding


def seal(findings: Sequence[CompiledFinding]) -> dict[str, str]:
    """The sha256 of each finding, by its number, over all that is said of it."""
    return {
        one.number: hashlib.sha256(
            to_json(CompiledFinding, one, indent=None).encode("utf-8", "surrogatepass")
        ).hexdigest()
        for one in findings
    }


def require_sealed(findings: Sequence[CompiledFinding], sealed: Mapping[str, str]) -> None:
    """Refuse findings that are not those that were sealed.

    Raises:
        RunDirectoryError: One was changed, added or taken away; the message names the first.
    """
    found = seal(findings)
    for number in (*sealed, *found):
        before, now = sealed.get(number), found.get(number)
        if before == now:
            continue
        what = "changed" if before and now else "was added" if now else "was taken away"
        raise RunDirectoryError(
            f"finding {number} {what} after the findings were sealed for the web verification",
            "nothing that is found outside may alter a finding: restore the review directory, or "
            "review the document again",
        )
