"""How well reader and exact checks tell texts that support a claim from those that do not.

FOUREYES_DATA=../shared/data python benchmarks/stance.py [--most N]

Prints for each public set the balanced accuracy of P(supported) at one threshold for all sets (the
one that suits the others best, so that no set chooses its own), with a 95 % bootstrap interval over
groups, and at the threshold that suits the set best; and the risk-coverage curve: the share of
wrong answers among the claims whose probability is furthest from the threshold.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from foureyes.claims.classify import bare_claim
from foureyes.claims.model import Claim
from foureyes.verification._signals import collect, pairs_to_read
from foureyes.verification.decide import weigh
from foureyes.verification.judge import features
from foureyes.verification.passages.retrieval import SourceText
from foureyes.verification.registry import Registry, load_registry
from measure import line, rows

SETS = (
    "wice_oracle.dev.jsonl",
    "fever_symmetric.dev.jsonl",
    "factcheckbench_stance.dev.jsonl",
)
RESAMPLES = 1000
THRESHOLDS = tuple(step / 100 for step in range(5, 100))
COVERAGES = (0.1, 0.25, 0.5, 0.75, 1.0)
MOST = 400


@dataclass(frozen=True, slots=True)
class Example:
    """A claim and a text; `group` are those that must not be parted."""

    group: str
    claim: str
    text: str
    supported: bool


@dataclass(frozen=True, slots=True)
class Scored:
    """An example with its probability of being supported."""

    group: str
    supported: bool
    probability: float


def load(name: str) -> Iterator[Example]:
    """The examples of a set; WiCE's chunks are read as one text."""
    for row in rows(name):
        chunks = row.get("evidence_chunks")
        text = "\n".join(" ".join(chunk) for chunk in chunks) if chunks else row["evidence"][0]
        yield Example(str(row["group"]), row["claim"], text, row["label"] == "supported")


def score(examples: Sequence[Example], registry: Registry) -> list[Scored]:
    """The probabilities of all examples; the reader reads them in one go."""
    read: list[tuple[Claim, SourceText]] = [
        (bare_claim(one.claim, registry.lexicon), SourceText(one.text, registry.lexicon))
        for one in examples
    ]
    registry.reader.read([pair for claim, source in read for pair in pairs_to_read(claim, source)])
    return [
        Scored(one.group, one.supported, _probability(claim, source, registry))
        for one, (claim, source) in zip(examples, read, strict=True)
    ]


def _probability(claim: Claim, source: SourceText, registry: Registry) -> float:
    signals = collect(claim, source, registry)
    model = registry.decision.of(registry.reader).model
    return weigh(model, features(claim, signals)).supported


def _balanced(answers: Sequence[Scored], threshold: float) -> float:
    shares = [
        [(one.probability >= threshold) == side for one in answers if one.supported is side]
        for side in (True, False)
    ]
    return sum(sum(right) / max(1, len(right)) for right in shares) / len(shares)


def _interval(answers: Sequence[Scored], threshold: float) -> tuple[float, float]:
    """The 95 % interval of the balanced accuracy, groups drawn with replacement."""
    groups: dict[str, list[Scored]] = {}
    for answer in answers:
        groups.setdefault(answer.group, []).append(answer)
    chance, names = random.Random(1), list(groups)
    drawn = sorted(
        _balanced(
            [one for name in chance.choices(names, k=len(names)) for one in groups[name]], threshold
        )
        for _ in range(RESAMPLES)
    )
    return drawn[round(0.025 * RESAMPLES)], drawn[round(0.975 * RESAMPLES) - 1]


def _report(name: str, answers: Sequence[Scored], threshold: float) -> None:
    low, high = _interval(answers, threshold)
    print(f"\n{name}: n = {len(answers)}")
    shared = f"balanced accuracy at {threshold:.2f}, chosen on the others"
    print(f"{shared:<52} {_balanced(answers, threshold):.3f}  [{low:.3f}, {high:.3f}]")
    best, own = max((_balanced(answers, at), at) for at in THRESHOLDS)
    print(f"{'balanced accuracy, own best threshold':<52} {best:.3f}  (at {own})")
    certain = sorted(answers, key=lambda one: -abs(one.probability - threshold))
    for coverage in COVERAGES:
        kept = certain[: round(coverage * len(certain))]
        wrong = sum((one.probability >= threshold) != one.supported for one in kept)
        print(line(f"risk at coverage {coverage:.2f}", wrong, len(kept)))


def main() -> None:
    """Print the figures of every set."""
    most = int(sys.argv[sys.argv.index("--most") + 1]) if "--most" in sys.argv else MOST
    registry = load_registry()
    print(f"python benchmarks/stance.py --most {most}")
    sets = {name: score(list(islice(load(name), most)), registry) for name in SETS}
    for name, answers in sets.items():
        others = [found for other, found in sets.items() if other != name]
        _, threshold = max((sum(_balanced(found, at) for found in others), at) for at in THRESHOLDS)
        _report(name, answers, threshold)


if __name__ == "__main__":
    main()
