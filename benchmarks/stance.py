"""How well the engine tells texts that support a claim from those that do not, on public sets.

FOUREYES_DATA=../shared/data python benchmarks/stance.py [fit]

Prints for each set the balanced accuracy of `support_score` at the threshold of
`config/registry/verification.yaml`, with a 95 % bootstrap interval over groups, and at the
threshold that suits the set best; what the verdict alone passes wrongly and decides; and the
risk–coverage curve: the share of wrong answers among the claims whose score is furthest from the
threshold. ``fit`` fits the weights anew (needs numpy), with every set weighing
alike, and prints the balanced accuracy by five-fold cross-validation over groups.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from foureyes.base.vocabulary import Verdict
from foureyes.claims.detect import detect_claims
from foureyes.documents.parse import parse_document
from foureyes.verification.judging.judge import judge
from foureyes.verification.meaning.support import SupportFeatures, support_features, support_score
from foureyes.verification.reading.form import claim_form
from foureyes.verification.reading.index import TextIndex
from foureyes.verification.registry import Registry, load_registry
from measure import line, rows

SETS = ("wice_oracle.dev.jsonl", "fever_symmetric.dev.jsonl", "factcheckbench_stance.dev.jsonl")
AS_OF = date(2026, 1, 1)
RESAMPLES, FOLDS = 1000, 5
STEPS, RIDGE = 20, 1.0
THRESHOLDS = tuple(step / 100 for step in range(5, 96))
COVERAGES = (0.1, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class Example:
    """A claim and a text; `group` are those that must not be parted."""

    group: str
    claim: str
    text: str
    supported: bool


def load(name: str) -> Iterator[Example]:
    """The examples of a set; WiCE's chunks are read as one text."""
    for row in rows(name):
        chunks = row.get("evidence_chunks")
        text = "\n".join(" ".join(chunk) for chunk in chunks) if chunks else row["evidence"][0]
        yield Example(str(row["group"]), row["claim"], text, row["label"] == "supported")


def main() -> None:
    """Print the figures of every set, or fit the weights."""
    registry = load_registry()
    sets = {name: list(load(name)) for name in SETS}
    print(f"python benchmarks/stance.py {' '.join(sys.argv[1:])}".rstrip())
    if "fit" in sys.argv:
        _fit(sets, registry)
        return
    for name, examples in sets.items():
        _report(name, examples, registry)


def _report(name: str, examples: Sequence[Example], registry: Registry) -> None:
    weights = registry.verification.score
    indexes = [TextIndex(example.text, registry.lexicon) for example in examples]
    scores = [
        support_score(example.claim, index, weights)
        for example, index in zip(examples, indexes, strict=True)
    ]
    answers = [
        (example.group, example.supported, score >= weights.threshold)
        for example, score in zip(examples, scores, strict=True)
    ]
    low, high = _interval(answers)
    print(f"\n{name}: n = {len(examples)}")
    shared = "balanced accuracy, shared threshold"
    print(f"{shared:<40} {_balanced(answers):.3f}  [{low:.3f}, {high:.3f}]")
    own, limit = max(
        (_balanced([(g, t, s >= at) for s, (g, t, _) in zip(scores, answers, strict=True)]), at)
        for at in THRESHOLDS
    )
    print(f"{'balanced accuracy, own best threshold':<40} {own:.3f}  (at {limit})")
    _print_verdicts(examples, indexes, registry)
    certain = sorted(
        zip(scores, answers, strict=True), key=lambda pair: -abs(pair[0] - weights.threshold)
    )
    for coverage in COVERAGES:
        kept = [answer for _, answer in certain[: round(coverage * len(certain))]]
        wrong = sum(truth != said for _, truth, said in kept)
        print(line(f"risk at coverage {coverage:.2f}", wrong, len(kept)))


def _print_verdicts(
    examples: Sequence[Example], indexes: Sequence[TextIndex], registry: Registry
) -> None:
    verdicts = [
        _verdict(example.claim, index, registry)
        for example, index in zip(examples, indexes, strict=True)
    ]
    passed = sum(
        verdict is Verdict.SUPPORTED and not example.supported
        for example, verdict in zip(examples, verdicts, strict=True)
    )
    print(line("wrongly supported by the verdict", passed, sum(not e.supported for e in examples)))
    decided = sum(verdict is not Verdict.UNVERIFIABLE for verdict in verdicts)
    print(line("decided by the verdict", decided, len(examples)))


def _verdict(claim: str, index: TextIndex, registry: Registry) -> Verdict:
    document = parse_document(f"{claim.strip().rstrip('.')} (https://example.org/source).\n")
    claims = detect_claims(document, registry.lexicon, as_of=AS_OF)
    found = [
        judge(
            claim_form(claim, registry.lexicon), index, registry.lexicon, registry.verification
        ).verdict
        for claim in claims
    ]
    if Verdict.CONTRADICTED in found:
        return Verdict.CONTRADICTED
    return Verdict.SUPPORTED if set(found) == {Verdict.SUPPORTED} else Verdict.UNVERIFIABLE


def _balanced(answers: Sequence[tuple[str, bool, bool]]) -> float:
    shares = [
        [truth == said for _, truth, said in answers if truth is side] for side in (True, False)
    ]
    return sum(sum(right) / max(1, len(right)) for right in shares) / len(shares)


def _interval(answers: Sequence[tuple[str, bool, bool]]) -> tuple[float, float]:
    """The 95 % interval of the balanced accuracy, groups drawn with replacement."""
    groups: dict[str, list[tuple[str, bool, bool]]] = {}
    for answer in answers:
        groups.setdefault(answer[0], []).append(answer)
    chance, names = random.Random(1), list(groups)
    drawn = sorted(
        _balanced([a for name in chance.choices(names, k=len(names)) for a in groups[name]])
        for _ in range(RESAMPLES)
    )
    return drawn[round(0.025 * RESAMPLES)], drawn[round(0.975 * RESAMPLES) - 1]


def _fit(sets: dict[str, list[Example]], registry: Registry) -> None:
    read = [
        (name, example, support_features(example.claim, TextIndex(example.text, registry.lexicon)))
        for name, examples in sets.items()
        for example in examples
    ]
    rows_ = [
        Row(name, f"{name}/{example.group}", example.supported, tuple(features))
        for name, example, features in read
        if features
    ]
    groups = sorted({row.group for row in rows_})
    random.Random(1).shuffle(groups)
    fold = {group: place % FOLDS for place, group in enumerate(groups)}
    answers: dict[str, list[tuple[str, bool, bool]]] = {name: [] for name in sets}
    for part in range(FOLDS):
        weights = _logistic([row for row in rows_ if fold[row.group] != part])
        for row in rows_:
            if fold[row.group] == part:
                answers[row.set].append(("", row.supported, _total(weights, row) >= 0))
    for name, said in answers.items():
        print(f"{name:<40} cross-validated balanced accuracy {_balanced(said):.3f}")
    constant, *slopes = _logistic(rows_)
    print(f"constant: {constant:.3f}")
    for field, slope in zip(SupportFeatures._fields, slopes, strict=True):
        print(f"{field}: {slope:.3f}")


@dataclass(frozen=True, slots=True)
class Row:
    """The features of an example of a set."""

    set: str
    group: str
    supported: bool
    features: tuple[float, ...]


def _logistic(data: Sequence[Row]) -> list[float]:
    """Constant and slopes by Newton's method; every set, and each answer, weighs alike."""
    sizes = Counter((row.set, row.supported) for row in data)
    x = np.array([(1.0, *row.features) for row in data])
    y = np.array([float(row.supported) for row in data])
    weight = np.array([len(data) / sizes[row.set, row.supported] / len(sizes) for row in data])
    solution = np.zeros(x.shape[1])
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-(x @ solution)))
        slope = x.T @ (weight * (y - p)) - RIDGE * solution
        curve = (x * (weight * p * (1 - p))[:, None]).T @ x + RIDGE * np.eye(x.shape[1])
        solution = solution + np.linalg.solve(curve, slope)
    return [float(value) for value in solution]


def _total(weights: Sequence[float], row: Row) -> float:
    return weights[0] + sum(w * v for w, v in zip(weights[1:], row.features, strict=True))


if __name__ == "__main__":
    main()
