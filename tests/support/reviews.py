"""A document to review, and its review without a model."""

from __future__ import annotations

import hashlib
from datetime import UTC, date, datetime
from pathlib import Path

from foureyes.assembly.analysis import review_document_sync
from foureyes.assembly.review_result import ReviewResult
from foureyes.core.config import BudgetConfig
from foureyes.review.originals import Original, OriginalKind
from foureyes.review.store import ReviewInputs, ReviewStore

AS_OF = date(2026, 1, 2)

PLAN = """# Harbour renewal plan

## 1. Aim

The board proposes to renew the old quay. Traffic rose from 40 to 50 boats, a rise of 30 %. The cost
of the quay is $48 million. See Section 7 for details.

## 2. Costs

The cost of the quay is $38 million. The XKB met twice. The XKB approved the plan [2]. The crane of
the quay can lift 40 tonnes and was built in 1998.

## References

[1] Port of Example. https://example.org/port
"""
SOURCE = """# The quay

The crane of the quay can lift 60 tonnes and was built in 1998. The cost of the quay is $38 million.
"""
FAULTS = (
    "arithmetic_error",
    "inconsistent_number",
    "broken_reference",
    "dangling_note",
    "undefined_acronym",
)
"""What is wrong with `PLAN`, as rules see it."""


def write_plan(folder: Path, text: str = PLAN) -> Path:
    """The plan in `folder`, with a folder of sources beside it."""
    (folder / "sources").mkdir(parents=True)
    (folder / "sources" / "quay.md").write_text(SOURCE, encoding="utf-8")
    path = folder / "plan.md"
    path.write_text(text, encoding="utf-8")
    return path


def reviewed(
    folder: Path, *, yes: bool = True, no_web: bool = False, verify_background: bool = False
) -> ReviewResult:
    """The review of the plan in `folder`, without the network."""
    return review_document_sync(
        write_plan(folder),
        sources=[folder / "sources"],
        yes=yes,
        out=folder / "reviews",
        fetch="none",
        as_of="2026-01-02",
        no_web=no_web,
        verify_background=verify_background,
    )


def open_review(folder: Path, text: str = PLAN) -> ReviewStore:
    """The one review directory in `folder`, made if there is none."""
    known = [path.parent for path in folder.glob("*/review.json")]
    if known:
        return ReviewStore.open(known[0])
    data = text.encode()
    digest = hashlib.sha256(data).hexdigest()
    original = Original("plan.md", OriginalKind.MARKDOWN, digest, text)
    inputs = ReviewInputs(original, data, AS_OF, "test", independent=True, web=False)
    return ReviewStore.create(folder, inputs, BudgetConfig(), now=datetime.now(UTC))
