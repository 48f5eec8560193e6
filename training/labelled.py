"""The labelled claims of documents, with the sources that their labels name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from foureyes.claims.detect import detect_claims
from foureyes.claims.lexicon import load_lexicon
from foureyes.claims.model import Claim
from foureyes.documents.parse import parse_document
from foureyes.verification.passages.retrieval import SourceText

LEXICON = load_lexicon(None)
AS_OF = date(2026, 1, 1)
LABELS = ("supported", "contradicted", "unverifiable")
_WORD = re.compile(r"[a-z0-9]+")
_NOISE = re.compile(r"\[\^\w+\]|https?://\S+|\]\([^)]*\)")


@dataclass(frozen=True, slots=True)
class Case:
    """One labelled claim with its sources' texts. `document` is "" for a pair."""

    claim: Claim
    sources: tuple[SourceText, ...]
    accepted: frozenset[str]
    label: int
    planted: bool
    document: str


def words(text: str) -> set[str]:
    return set(_WORD.findall(_NOISE.sub(" ", text.lower())))


def document_cases(folder: Path) -> Iterator[Case]:
    """The labelled claims of a document that are detected and have a source."""
    gold = json.loads((folder / "gold.json").read_text(encoding="utf-8"))
    draft = (folder / "draft.md").read_text(encoding="utf-8")
    texts = {
        path.name: SourceText(path.read_text(encoding="utf-8"), LEXICON)
        for path in sorted((folder / "sources").glob("*.md"))
    }
    claims = detect_claims(parse_document(draft), LEXICON, as_of=AS_OF, statements=True)
    for row in gold["claims"]:
        names = [name for name in row.get("sources") or [row["source"]] if name in texts]
        claim = matching(row, claims, draft)
        if claim is None or not names:
            continue
        sources = [texts[name] for name in names]
        if len(sources) > 1:
            sources.append(SourceText.joined(sources))
        verdict = row["verdict"] if row["verdict"] in LABELS else "unverifiable"
        yield Case(
            claim,
            tuple(sources),
            frozenset({row["verdict"], *(row.get("also_accept") or ())}),
            LABELS.index(verdict),
            bool(row["planted"]),
            folder.name,
        )


def matching(row: dict[str, object], claims: Sequence[Claim], draft: str) -> Claim | None:
    """The claim on the line of a label that shares most words with it."""
    wanted, line = words(str(row["text"])), int(str(row["line"]))
    best: tuple[float, float, Claim | None] = (0.5, 0.0, None)
    for claim in claims:
        last = draft.count("\n", 0, claim.location.end - 1) + 1
        if not claim.location.line <= line <= last:
            continue
        own = words(draft[claim.location.start : claim.location.end])
        score = len(wanted & own) / max(1, len(wanted)), len(wanted & own) / max(1, len(own))
        if score > best[:2]:
            best = (*score, claim)
    return best[2]
