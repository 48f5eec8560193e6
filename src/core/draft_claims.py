"""The claims of a draft, and what code makes of each before the critics see it."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
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
from ..documents.references import with_named_works
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
    matched = _match(previous, current)
    taken = {claim.id for claim in previous}
    result: list[Claim] = []
    for index, claim in enumerate(current):
        old = matched.get(index)
        name = claim.id if old is None else previous[old].id
        if old is None and name in taken:
            name = new_id(claim.text, taken | {other.id for other in current})
        taken.add(name)
        result.append(claim if claim.id == name else replace(claim, id=name))
    lineages = _lineages(previous, current, matched)
    return tuple(
        replace(claim, lineage=lineages[index]) if index in lineages else claim
        for index, claim in enumerate(result)
    )


def _match(previous: Sequence[Claim], current: Sequence[Claim]) -> dict[int, int]:
    """The claim before of each current one that has one: equal texts first, then the most alike."""
    waiting: defaultdict[str, deque[int]] = defaultdict(deque)
    for index, claim in enumerate(previous):
        waiting[claim.text].append(index)
    matched = {
        index: waiting[claim.text].popleft()
        for index, claim in enumerate(current)
        if waiting[claim.text]
    }
    left = set(range(len(previous))) - set(matched.values())
    pairs = sorted(
        (-jaccard(own, other), index, old)
        for index, own, old, other in _within_sections(current, previous, matched, left)
    )
    for score, index, old in pairs:
        if -score >= _SAME_CLAIM and index not in matched and old in left:
            matched[index] = old
            left.remove(old)
    return matched


def _lineages(
    previous: Sequence[Claim], current: Sequence[Claim], matched: Mapping[int, int]
) -> dict[int, Lineage]:
    """The current claims that were parts of one, and those that several became."""
    became = {old: index for index, old in matched.items()}
    parts: defaultdict[int, list[int]] = defaultdict(list)
    for index, own, old, other in _within_sections(
        current, previous, matched, range(len(previous))
    ):
        if _holds(other, own):
            parts[old].append(index)
    found = {
        index: Lineage(Change.SPLIT, (previous[old].id,))
        for old, of in parts.items()
        if len(of) + (old in became) > 1
        for index in of
    }
    merged: defaultdict[int, list[int]] = defaultdict(list)
    for old, own, index, other in _within_sections(previous, current, (), range(len(current))):
        if became.get(old, index) == index and _holds(other, own):
            merged[index].append(old)
    several = {index: of for index, of in merged.items() if len(of) > 1}
    return found | {
        index: Lineage(Change.MERGED, tuple(previous[old].id for old in of))
        for index, of in several.items()
    }


def _holds(whole: frozenset[str], part: frozenset[str]) -> bool:
    return len(whole) > len(part) and len(part & whole) >= _PART_OF * len(part)


def _within_sections(
    some: Sequence[Claim], others: Sequence[Claim], but: Container[int], of: Iterable[int]
) -> Iterator[tuple[int, frozenset[str], int, frozenset[str]]]:
    """Each of `some` but those in `but` with each `of` the `others` in its section."""
    there: defaultdict[str, list[tuple[int, frozenset[str]]]] = defaultdict(list)
    for place in of:
        claim = others[place]
        there[claim.location.section].append((place, masked_tokens(claim.text)))
    for place, claim in enumerate(some):
        if place not in but:
            own = masked_tokens(claim.text)
            for other, words in there[claim.location.section]:
                yield place, own, other, words


@dataclass(frozen=True, slots=True)
class DraftClaims:
    """Finds and assesses the claims of one run's drafts by rules.

    `works` are the titles of the given sources by address.
    """

    registry: Registry
    as_of: date
    works: Mapping[str, str]
    _last: list[Claim] = field(init=False, default_factory=list[Claim])

    def detect(self, draft: str) -> tuple[Document, Detection]:
        """The parsed draft, and the claims in it; one of the last draft keeps its id."""
        lexicon = self.registry.lexicon
        document = with_named_works(parse_document(draft, lexicon.document_words), self.works)
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
            partial(refine_assessments, written=written),
            document,
            claims,
            assessments,
            index,
            registry,
        )
        return {one.claim_id: one for one in refined}
