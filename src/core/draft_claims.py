"""The claims of a draft, and what code makes of each before the critics see it."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial

from ..base.likeness import jaccard, masked_tokens
from ..claims.detect import detect
from ..claims.document_day import day_written
from ..claims.duplicates import new_id
from ..claims.model import Change, Claim, Detection, Lineage
from ..documents.model import Document
from ..documents.parse import parse_document
from ..verification.assessing.assess import assess_claim
from ..verification.check import refine_assessments
from ..verification.model import ClaimAssessment
from ..verification.passages.retrieval import SourceIndex
from ..verification.registry import Registry

_SAME_CLAIM = 0.5
_PART_OF = 0.8


def match_claims(previous: Sequence[Claim], current: Sequence[Claim]) -> tuple[Claim, ...]:
    """`current` with the ids of the claims of `previous` that they continue.

    One to one: equal text first; then, within a section, the pairs with the highest token Jaccard
    (numbers masked) of at least 0.5; what is left gets a new id that no other claim has. A new
    claim that is a part of an earlier one, and one that holds several earlier ones, say so in
    their `lineage`.
    """
    matched = _equal_texts(previous, current)
    matched |= _alike(previous, current, matched)
    taken = {claim.id for claim in previous}
    result: list[Claim] = []
    for index, claim in enumerate(current):
        old = matched.get(index)
        name = claim.id if old is None else previous[old].id
        if old is None and name in taken:
            name = new_id(claim.text, taken | {other.id for other in current})
        taken.add(name)
        result.append(claim if claim.id == name else replace(claim, id=name))
    lineages = _splits(previous, current, matched) | _merges(previous, current, matched)
    return tuple(
        replace(claim, lineage=lineages[index]) if index in lineages else claim
        for index, claim in enumerate(result)
    )


def _splits(
    previous: Sequence[Claim], current: Sequence[Claim], matched: Mapping[int, int]
) -> dict[int, Lineage]:
    """The new claims whose words are those of an earlier one of which something else is left."""
    earlier = _Waiting(enumerate(previous))
    parts: dict[int, list[int]] = {}
    for index, claim in enumerate(current):
        if index not in matched:
            for old in earlier.holding(claim):
                parts.setdefault(old, []).append(index)
    kept = set(matched.values())
    return {
        index: Lineage(Change.SPLIT, (previous[old].id,))
        for old, found in parts.items()
        if len(found) + (old in kept) > 1
        for index in found
    }


def _merges(
    previous: Sequence[Claim], current: Sequence[Claim], matched: Mapping[int, int]
) -> dict[int, Lineage]:
    """The claims that hold the words of several earlier ones which stand nowhere else."""
    present = _Waiting(enumerate(current))
    became = {old: index for index, old in matched.items()}
    held: dict[int, list[int]] = {}
    for old, claim in enumerate(previous):
        for index in present.holding(claim):
            if became.get(old, index) == index:
                held.setdefault(index, []).append(old)
    return {
        index: Lineage(Change.MERGED, tuple(previous[old].id for old in found))
        for index, found in held.items()
        if len(found) > 1
    }


def _equal_texts(previous: Sequence[Claim], current: Sequence[Claim]) -> dict[int, int]:
    waiting: dict[str, list[int]] = {}
    for index in range(len(previous) - 1, -1, -1):
        waiting.setdefault(previous[index].text, []).append(index)
    return {
        index: old.pop() for index, claim in enumerate(current) if (old := waiting.get(claim.text))
    }


def _alike(
    previous: Sequence[Claim], current: Sequence[Claim], matched: dict[int, int]
) -> dict[int, int]:
    used = set(matched.values())
    waiting = _Waiting((index, claim) for index, claim in enumerate(previous) if index not in used)
    pairs = [
        (-score, index, old)
        for index, claim in enumerate(current)
        if index not in matched
        for score, old in waiting.like(claim)
    ]
    found: dict[int, int] = {}
    for _, index, old in sorted(pairs):
        if index not in found and old not in used:
            found[index] = old
            used.add(old)
    return found


class _Waiting:
    """Claims by section and word, so that only those with a rare word in common are compared."""

    def __init__(self, claims: Iterable[tuple[int, Claim]]) -> None:
        self._tokens: dict[int, frozenset[str]] = {}
        self._posted: dict[tuple[str, str], list[int]] = {}
        for index, claim in claims:
            self._tokens[index] = masked_tokens(claim.text)
            for token in self._tokens[index]:
                self._posted.setdefault((claim.location.section, token), []).append(index)

    def like(self, claim: Claim) -> Iterator[tuple[float, int]]:
        """The claims of its section that are alike enough to be the same, with their score."""
        tokens = masked_tokens(claim.text)
        for index in self._sharing(tokens, claim.location.section, _SAME_CLAIM):
            score = jaccard(tokens, self._tokens[index])
            if score >= _SAME_CLAIM:
                yield score, index

    def holding(self, claim: Claim) -> Iterator[int]:
        """The longer claims of its section that have nearly all of its words."""
        tokens = masked_tokens(claim.text)
        for index in self._sharing(tokens, claim.location.section, _PART_OF):
            other = self._tokens[index]
            if len(other) > len(tokens) and len(tokens & other) >= _PART_OF * len(tokens):
                yield index

    def _sharing(self, tokens: frozenset[str], section: str, share: float) -> list[int]:
        posted = [self._posted.get((section, token), []) for token in tokens]
        posted.sort(key=len)
        rare = posted[: len(posted) - math.ceil(share * len(posted)) + 1]
        return sorted({index for indices in rare for index in indices})


@dataclass(frozen=True, slots=True)
class DraftClaims:
    """Finds and assesses the claims of one run's drafts by rules."""

    registry: Registry
    as_of: date
    _last: list[Claim] = field(init=False, default_factory=list[Claim])

    def detect(self, draft: str) -> tuple[Document, Detection]:
        """The parsed draft, and the claims in it; one of the last draft keeps its id."""
        lexicon = self.registry.lexicon
        document = parse_document(draft, lexicon.document_words)
        found = detect(document, lexicon, as_of=self.as_of, statements=True)
        claims = match_claims(self._last, found.claims)
        self._last[:] = claims
        return document, replace(found, claims=claims)

    async def assess(
        self, document: Document, claims: Sequence[Claim], index: SourceIndex
    ) -> dict[str, ClaimAssessment]:
        """Assess each of `claims` against the sources of `index`; the assessments by claim id."""
        registry = self.registry
        written, language = day_written(document, registry.lexicon), document.language
        assess = partial(assess_claim, as_of=self.as_of, written=written, language=language)
        assessments: list[ClaimAssessment] = []
        for claim in claims:
            assessments.append(assess(claim, index, registry))
            # Long documents take seconds; others of this process, and a Ctrl-C, get their turn.
            await asyncio.sleep(0)
        # Takes seconds for a draft with many uncited claims.
        refined, _ = await asyncio.to_thread(
            refine_assessments, document, claims, assessments, index, registry
        )
        return {one.claim_id: one for one in refined}
