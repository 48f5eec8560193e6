"""The findings sealed before the web is looked at (review spec, safety constraint 3)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from ..base.errors import RunDirectoryError
from ..base.records import to_json
from .model import CompiledFinding


def seal(findings: Iterable[CompiledFinding]) -> dict[str, str]:
    """The sha256 of each finding over all that is said of it, by its number and in their order.

    Raises:
        RunDirectoryError: Two have the same number.
    """
    sealed: dict[str, str] = {}
    for one in findings:
        if one.number in sealed:
            raise _broken(f"finding {one.number} is there twice")
        text = to_json(CompiledFinding, one, indent=None)
        sealed[one.number] = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return sealed


def require_sealed(
    findings: Iterable[CompiledFinding] | None, sealed: Mapping[str, str] | None
) -> None:
    """Refuse findings that are not those that were sealed, if any were.

    `findings` are None where there are none on record. Their order is their priority.

    Raises:
        RunDirectoryError: One was changed, doubled, moved, added or taken away; the message names
            the first.
    """
    if sealed is None:
        return
    if findings is None:
        raise _broken("the sealed findings were taken away")
    found = seal(findings)
    for number in (*sealed, *found):
        before, now = sealed.get(number), found.get(number)
        if before != now:
            what = "changed" if before and now else "was added" if now else "was taken away"
            raise _broken(f"finding {number} {what}")
    for before, now in zip(sealed, found, strict=True):
        if before != now:
            raise _broken(f"finding {now} stands where finding {before} was")


def _broken(what: str) -> RunDirectoryError:
    return RunDirectoryError(
        f"{what} after the findings were sealed for the web verification",
        "nothing that is found outside may alter a finding: restore the review directory, or "
        "review the document again",
    )
