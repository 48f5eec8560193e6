"""How well scores by rules agree with what people said of sources and domains.

python benchmarks/source_scoring.py [DATA_DIR [EXTENSION]]

DATA_DIR is FOUREYES_DATA, else ../shared/data, if it is left out; EXTENSION names the part of the
data (default dev: files end with .dev.jsonl). Addresses alone are
scored: nothing is fetched, so authority decides. Prints

- expertqa_source_reliability: AUC of the score for experts' "Reliable" against the rest, and for
  "Not reliable at all" being scored below the rest;
- domain_cred1, of which nearly all rows are of low credibility: AUC of its better labels against
  the others, Spearman's rank correlation with the list's own score, and AUC of the pages that
  experts call reliable and of the .gov domains against the list;
- domain_gov: share of .gov domains whose domain lets expect tier 1, and of those that reach it when
  the page is fresh, complete and on topic;
- the time to score 10,000 sources,

each with n and a 95 % interval (Wilson for shares, DeLong for AUC). Says so and stops when the data
is absent: it is not part of the project.
"""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from foureyes.sources.scoring.appraisal import score_source
from foureyes.sources.scoring.model import PageFeatures, ScoringInput, SourceScore, Tier
from foureyes.sources.scoring.rules import ScoringRegistry, load_scoring

AS_OF = date(2026, 1, 1)
Z = 1.96
Row = dict[str, str]


def load(path: Path) -> list[Row]:
    """The rows of a file of JSON lines, their values as text."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [{key: str(value) for key, value in row.items()} for row in rows]


def auc(higher: Sequence[float], lower: Sequence[float]) -> tuple[float, float, float]:
    """The chance that one of `higher` exceeds one of `lower`, with its interval by DeLong."""
    if not higher or not lower:
        return math.nan, 0.0, 1.0
    wins = [sum((h > low) + 0.5 * (h == low) for low in lower) / len(lower) for h in higher]
    losses = [sum((h > low) + 0.5 * (h == low) for h in higher) / len(higher) for low in lower]
    area = sum(wins) / len(wins)
    spread = _variance(wins) / len(wins) + _variance(losses) / len(losses)
    half = Z * math.sqrt(spread)
    return area, max(0.0, area - half), min(1.0, area + half)


def _variance(values: Sequence[float]) -> float:
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)


def wilson(hits: int, n: int) -> tuple[float, float]:
    """The 95 % interval of a share, by Wilson's score."""
    share, spread = hits / n, Z * Z / n
    middle = (share + spread / 2) / (1 + spread)
    half = Z * math.sqrt(share * (1 - share) / n + spread / (4 * n)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def spearman(left: Sequence[float], right: Sequence[float]) -> float:
    """The correlation of the ranks; equal values share their mean rank."""
    a, b = _ranks(left), _ranks(right)
    mean = (len(a) + 1) / 2
    top = sum((x - mean) * (y - mean) for x, y in zip(a, b, strict=True))
    bottom = sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b)
    return top / math.sqrt(bottom) if bottom else 0.0


def _ranks(values: Sequence[float]) -> list[float]:
    counts = Counter(values)
    ranks: dict[float, float] = {}
    below = 0
    for value in sorted(counts):
        ranks[value] = below + (counts[value] + 1) / 2
        below += counts[value]
    return [ranks[value] for value in values]


def show_auc(name: str, higher: Sequence[float], lower: Sequence[float]) -> None:
    """Print one AUC with its interval and counts."""
    area, low, high = auc(higher, lower)
    print(f"  {name}: AUC {area:.3f} [{low:.3f}, {high:.3f}], n = {len(higher)} + {len(lower)}")


def show_share(name: str, hits: int, n: int) -> None:
    """Print one share with its interval and counts."""
    low, high = wilson(hits, n)
    print(f"  {name}: {hits / n:.4f} [{low:.4f}, {high:.4f}], {hits} of {n}")


def scored(urls: Sequence[str], registry: ScoringRegistry) -> list[SourceScore]:
    """The scores of addresses of which nothing else is known."""
    return [score_source(ScoringInput(url), registry, as_of=AS_OF) for url in urls]


def experts(rows: Sequence[Row], registry: ScoringRegistry) -> list[float]:
    """Scores against experts' views of cited pages; those of the reliable ones are returned."""
    scores = scored([row["url"] for row in rows], registry)
    by_label: dict[str, list[float]] = {}
    for row, score in zip(rows, scores, strict=True):
        by_label.setdefault(row["label"], []).append(score.total)
    good, some, bad = (
        by_label[label] for label in ("Reliable", "Somewhat reliable", "Not reliable at all")
    )
    show_auc("Reliable above the rest", good, [*some, *bad])
    show_auc("Reliable above Not reliable at all", good, bad)
    show_auc("Not reliable at all below the rest", [*good, *some], bad)
    known = sum(1 for score in scores if score.site.name != "unknown")
    show_share("addresses of a known class", known, len(rows))
    return good


def totals(rows: Sequence[Row], registry: ScoringRegistry) -> list[float]:
    """The scores of the rows' domains."""
    urls = [f"https://{row['domain']}/" for row in rows]
    return [float(score.total) for score in scored(urls, registry)]


def domains(rows: Sequence[Row], registry: ScoringRegistry) -> list[float]:
    """Scores against a list of domains of low credibility; the scores are returned."""
    scores = totals(rows, registry)
    better = ("mixed", "reliable")
    pairs = list(zip(rows, scores, strict=True))
    high = [score for row, score in pairs if row["label"] in better]
    low = [score for row, score in pairs if row["label"] not in better]
    show_auc("mixed or reliable above the rest", high, low)
    rho = spearman(scores, [float(row["score"]) for row in rows])
    print(f"  rank correlation with the list's score: {rho:.3f}, n = {len(rows)}")
    show_share("below 40 (T4 or T5)", sum(1 for score in scores if score < 40), len(rows))
    return scores


def public_bodies(rows: Sequence[Row], registry: ScoringRegistry) -> None:
    """Tiers of .gov domains."""
    bare = scored([f"https://www.{row['domain']}/" for row in rows], registry)
    show_share(
        "domain lets expect T1", sum(1 for s in bare if s.expected_tier is Tier.T1), len(rows)
    )
    best = ScoringInput(
        "", title="budget", modified=AS_OF, features=PageFeatures(data_tables=True, references=True)
    )
    pages = (replace(best, url=f"https://{row['domain']}/budget") for row in rows)
    full = (score_source(page, registry, as_of=AS_OF, topic="budget") for page in pages)
    show_share("T1 when fresh and complete", sum(1 for s in full if s.tier is Tier.T1), len(rows))


def speed(registry: ScoringRegistry) -> None:
    """Time for 10,000 sources of 2,000 characters over 500 hosts."""
    text = "Pods are scheduled by priority and by the room that is left on each node. " * 27
    sources = [
        ScoringInput(
            f"https://host{number % 500}.example.org/guide/{number}",
            title=f"Guide {number}",
            modified=AS_OF,
            text=text,
            features=PageFeatures(code_examples=True),
        )
        for number in range(10_000)
    ]
    wall, cpu = time.perf_counter(), time.process_time()
    for source in sources:
        score_source(source, registry, as_of=AS_OF, topic="pod scheduling priority")
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"10,000 sources: {wall:.2f} s wall, {cpu:.2f} s CPU")


def main() -> None:
    """Print the figures."""
    default = os.environ.get("FOUREYES_DATA", "../shared/data")
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else default)
    part = sys.argv[2] if len(sys.argv) > 2 else "dev"
    registry = load_scoring()
    names = ("expertqa_source_reliability", "domain_cred1", "domain_gov")
    paths = {name: folder / f"{name}.{part}.jsonl" for name in names}
    print(f"python benchmarks/source_scoring.py {folder} {part}")
    speed(registry)
    if missing := [path for path in paths.values() if not path.is_file()]:
        print(f"{missing[0]} is absent: nothing is compared")
        return
    rows = {name: load(path) for name, path in paths.items()}
    print(f"expertqa_source_reliability, {len(rows[names[0]])} rows")
    good = experts(rows[names[0]], registry)
    print(f"domain_cred1, {len(rows[names[1]])} rows")
    low = domains(rows[names[1]], registry)
    show_auc("pages that experts call Reliable above the list", good, low)
    show_auc(".gov domains above the list", totals(rows[names[2]], registry), low)
    print(f"domain_gov, {len(rows[names[2]])} rows")
    public_bodies(rows[names[2]], registry)


if __name__ == "__main__":
    main()
