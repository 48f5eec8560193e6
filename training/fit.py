"""Fit the decision on documents and pairs, and write `config/models/decision.json`.

    python training/fit.py DOCUMENTS... --also DOCUMENT... --pairs FOLDER... [--out config/models/decision.json]

`DOCUMENTS` have labelled documents (`draft.md`, `sources/`, `gold.json`); of the pairs those of the
writers held out are drawn (`training/build.py`). The claims are those that foureyes detects, with the source that
the labels name. A multinomial logistic regression is fitted by gradient descent with a ridge; documents,
those given by `--also` and pairs have constants of their own, since wrong claims are common in pairs and rare
in documents, and the constant of documents is kept. The exact checks were made on the first folder of
documents, so each of its claims counts for half a claim. Figures printed are cross-validated over documents. Thresholds
are those of a stated risk (see `RISKS`), chosen on the cross-validated probabilities.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from build import HELD_OUT
from foureyes.claims.detect import detect_claims
from foureyes.claims.model import Claim
from foureyes.documents.parse import parse_document
from foureyes.verification.decide import EXACT, READ, UNREAD
from foureyes.verification.judge import features
from foureyes.verification.passages.retrieval import SourceText
from foureyes.verification.reader.onnx_reader import packaged_reader
from foureyes.verification.registry import load_registry
from foureyes.verification._signals import collect, pairs_to_read
from labelled import AS_OF, LABELS, LEXICON, Case, document_cases

CACHE = Path(tempfile.gettempdir()) / "foureyes-fit"
READER = packaged_reader(CACHE)
REGISTRY = load_registry().with_reader(READER)
PAIR_LABELS = {"s": 0, "c": 1, "u": 2}
RISKS = {"wrong supported": 0.195, "right contradicted": 0.012, "alarms a document": 2.4}
# Pages that mean something else than their sentences say are common only among those made to deceive.
LOST_BY_READING = 0.015
PAGE = "page"
RIDGE = 30.0
# A feature that hardly varies is left as it is.
SMALLEST_SCALE = 1e-3
# Documents are what is checked; a pair counts for a part of a document's claim.
PAIR_WEIGHT, LOOKED_AT_WEIGHT = 0.15, 1.0
# Of a document, of one for the weights alone, of a pair.
USUAL, ALSO, PAIR = 0, 1, 2


def pair_cases(folders: Sequence[Path], most: int) -> list[Case]:
    """Claims of held-out writers with their passages, at most `most`, drawn by chance."""
    rows = [
        (passage["source"], row["c"], PAIR_LABELS[row["y"]])
        for folder in folders
        for path in sorted(folder.glob("*.jsonl"))
        if path.stem.partition("-")[0] in HELD_OUT
        for line in path.read_text(encoding="utf-8").splitlines()
        for passage in (json.loads(line),)
        for row in passage["claims"]
    ]
    cases: list[Case] = []
    for text, claimed, label in random.Random(1).sample(rows, min(most, len(rows))):
        claim = plain_claim(claimed)
        if claim is not None:
            source = SourceText(text, LEXICON)
            cases.append(Case(claim, (source,), frozenset({LABELS[label]}), label, False, ""))
    return cases


def cases_of(folders: Sequence[Path]) -> list[Case]:
    """The labelled claims of documents."""
    labelled = (folder for folder in folders if (folder / "gold.json").is_file())
    return [case for folder in labelled for case in document_cases(folder)]


def plain_claim(text: str) -> Claim | None:
    document = parse_document(f"{text.rstrip('.')} (https://example.org/).\n")
    found = detect_claims(document, LEXICON, as_of=AS_OF, statements=True)
    return found[0] if len(found) == 1 else None


def read_all(cases: Sequence[Case]) -> None:
    """Let the reader read every passage at once, in batches of like length."""
    pairs = [
        pair
        for case in cases
        for source in case.sources
        for pair in pairs_to_read(case.claim, source)
    ]
    print(f"{len(cases)} claims, {len(pairs)} passages to read", flush=True)
    READER.read(pairs)


def best_features(case: Case) -> dict[str, float]:
    """The features of the source that supports the claim most, and P(supported) by its page."""
    found: list[dict[str, float]] = []
    for source in case.sources:
        signals = collect(case.claim, source, REGISTRY)
        page = signals.scores.supports if signals.scores else 0.0
        found.append({**features(case.claim, signals), PAGE: page})
    return max(found, key=lambda one: one["support"])


@dataclass(frozen=True, slots=True)
class Fit:
    """A logistic regression over standardised features."""

    names: tuple[str, ...]
    mean: np.ndarray
    scale: np.ndarray
    weights: np.ndarray
    constant: np.ndarray

    def predict(self, rows: np.ndarray) -> np.ndarray:
        return softmax((rows - self.mean) / self.scale @ self.weights + self.constant)


def softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def fit(
    names: Sequence[str], x: np.ndarray, y: np.ndarray, sort: np.ndarray, w: np.ndarray
) -> Fit:
    """Weights by gradient descent; the constants of all but the usual rows are dropped."""
    mean, scale = x.mean(0), np.where(x.std(0) > SMALLEST_SCALE, x.std(0), 1.0)
    z = np.c_[(x - mean) / scale, np.ones(len(x)), sort == ALSO, sort == PAIR]
    weights = np.zeros((z.shape[1], 3))
    hot = np.eye(3)[y]
    ridge = np.r_[np.full(x.shape[1], RIDGE), 0.01, 0.01, 0.01][:, None]
    rate = 1.0 / (0.5 * np.linalg.norm(z * np.sqrt(w)[:, None], 2) ** 2 + RIDGE)
    velocity = np.zeros_like(weights)
    for _ in range(1500):
        gradient = z.T @ ((softmax(z @ weights) - hot) * w[:, None]) + ridge * weights
        velocity = 0.9 * velocity - rate * gradient
        weights += velocity
    size = x.shape[1]
    return Fit(tuple(names), mean, scale, weights[:size], weights[size])


@dataclass(frozen=True, slots=True)
class Thresholds:
    supported: float
    contradicted: float
    stated: float
    read: float = 0.0


def least_read(read: np.ndarray, p: np.ndarray, t: Thresholds, cases: Sequence[Case]) -> float:
    """The support by the reader that `LOST_BY_READING` of the right claims found do not reach."""
    right = np.array([case.label == 0 for case in cases]) & (p[:, 0] >= t.supported)
    return float(np.quantile(read[right], LOST_BY_READING))


def choose(p: np.ndarray, cases: Sequence[Case], documents: int) -> Thresholds:
    """The thresholds at which the stated risks are met on documents."""
    right = np.array([case.label == 0 for case in cases])
    wrong = np.array(["supported" not in case.accepted for case in cases])
    supported = upper(p[wrong, 0], RISKS["wrong supported"])
    # A claim over the threshold of support is never called contradicted.
    open_ = right & (p[:, 0] < supported)
    allowed = RISKS["right contradicted"] * right.sum() / max(1, open_.sum())
    contradicted = upper(p[open_, 1], allowed)
    quiet = np.sort(p[right & (p[:, 0] < supported) & (p[:, 1] < contradicted), 0])
    most = int(RISKS["alarms a document"] * documents) - int((p[open_, 1] >= contradicted).sum())
    stated = float(quiet[min(max(0, most), len(quiet) - 1)]) if len(quiet) else 0.0
    return Thresholds(supported, contradicted, min(stated, supported))


def upper(values: np.ndarray, share: float) -> float:
    ordered = np.sort(values)[::-1]
    return float(ordered[min(len(ordered) - 1, int(share * len(ordered)))]) + 1e-6


def report(
    p: np.ndarray, t: Thresholds, cases: Sequence[Case], documents: int, read: np.ndarray
) -> dict[str, float]:
    """The figures of the issue at the given thresholds; `read` is the reader's P(supported)."""
    verdict = np.where(p[:, 0] >= t.supported, 0, np.where(p[:, 1] >= t.contradicted, 1, 2))
    verdict = np.where((verdict == 0) & (read < t.read), 2, verdict)
    alarm = (verdict == 1) | ((verdict == 2) & (p[:, 0] < t.stated))
    right = np.array([case.label == 0 for case in cases])
    wrong = np.array(["supported" not in case.accepted for case in cases])
    planted = np.array([case.planted for case in cases])
    denied = np.array([case.label == 1 for case in cases])
    ok = np.array([LABELS[v] in case.accepted for v, case in zip(verdict, cases, strict=True)])
    found = {
        "n": len(cases),
        "verdict right": ok.mean(),
        "right supported": (verdict[right] == 0).mean(),
        "right contradicted": (verdict[right] == 1).mean(),
        "wrong supported": (verdict[wrong] == 0).mean(),
        "contradicted found": (verdict[denied] == 1).mean(),
        "three-way at best": (p.argmax(1) == [case.label for case in cases]).mean(),
    }
    if documents:
        found["planted with alarm"] = alarm[planted].mean()
        found["alarms a document"] = alarm[right].sum() / documents
    return {name: round(float(value), 3) for name, value in found.items()}


def auc(scores: np.ndarray, cases: Sequence[Case]) -> float:
    right = np.array([case.label == 0 for case in cases])
    wrong = np.array(["supported" not in case.accepted for case in cases])
    a, b = scores[right], scores[wrong]
    return float((a[:, None] > b[None]).mean() + 0.5 * (a[:, None] == b[None]).mean())


def run(
    names: Sequence[str],
    rows: list[dict[str, float]],
    cases: list[Case],
    sort: np.ndarray,
    w: np.ndarray,
    *,
    loud: bool,
) -> dict[str, object]:
    """Cross-validate, choose thresholds, fit on all.

    `sort` and `w` are the sort and the weight of each case.
    """
    x = np.array([[row[name] for name in names] for row in rows])
    y = np.array([case.label for case in cases])
    document = np.array([case.document for case in cases])
    p = np.zeros((len(cases), 3))
    inside = sort == USUAL
    for one in sorted(set(document[inside])):
        test = document == one
        p[test] = fit(names, x[~test], y[~test], sort[~test], w[~test]).predict(x[test])
    ours = [case for case, kept in zip(cases, inside, strict=True) if kept]
    count = len(set(document[inside]))
    thresholds = choose(p[inside], ours, count)
    whole = fit(names, x, y, sort, w)
    read = np.ones(len(cases))
    if "support" in names:
        read = np.array([row[PAGE] for row in rows])
        least = least_read(read[inside], p[inside], thresholds, ours)
        thresholds = replace(thresholds, read=least)
    risk = report(p[inside], thresholds, ours, count, read[inside])
    risk["auc"] = round(auc(p[inside, 0], ours), 3)
    if loud:
        print("documents, cross-validated", risk, thresholds)
    pair = sort == PAIR
    if loud and pair.any():
        theirs = [case for case, kept in zip(cases, pair, strict=True) if kept]
        found = report(whole.predict(x[pair]), thresholds, theirs, 0, read[pair])
        print("pairs, document constant", found)
    return {"fit": whole, "thresholds": thresholds, "risk": risk}


def as_data(found: dict[str, object], reader: str, on: str) -> dict[str, object]:
    whole, thresholds = found["fit"], found["thresholds"]
    assert isinstance(whole, Fit)
    assert isinstance(thresholds, Thresholds)
    return {
        "reader": reader,
        "model": {
            "features": list(whole.names),
            "mean": whole.mean.round(5).tolist(),
            "scale": whole.scale.round(5).tolist(),
            "weights": whole.weights.round(5).tolist(),
            "constant": whole.constant.round(5).tolist(),
        },
        "thresholds": {
            "supported": round(thresholds.supported, 4),
            "contradicted": round(thresholds.contradicted, 4),
            "stated": round(thresholds.stated, 4),
            "read": round(thresholds.read, 4),
        },
        "fitted_on": on,
        "risk": found["risk"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("documents", type=Path, nargs="+")
    parser.add_argument("--also", type=Path, nargs="*", default=[])
    parser.add_argument("--pairs", type=Path, nargs="*", default=[])
    parser.add_argument("--out", type=Path)
    parser.add_argument("--most-pairs", type=int, default=700)
    parser.add_argument("--ablate", action="store_true")
    given = parser.parse_args()
    groups = [
        (USUAL, LOOKED_AT_WEIGHT if at == 0 else 1.0, cases_of(sorted(folder.iterdir())))
        for at, folder in enumerate(given.documents)
    ]
    groups.append((ALSO, 1.0, cases_of(sorted(given.also))))
    groups.append((PAIR, PAIR_WEIGHT, pair_cases(given.pairs, given.most_pairs)))
    cases = [case for _, _, found in groups for case in found]
    sort = np.concatenate([np.full(len(found), sort) for sort, _, found in groups])
    w = np.concatenate([np.full(len(found), weight) for _, weight, found in groups])
    read_all(cases)
    rows = [best_features(case) for case in cases]
    names = (*READ, *EXACT)
    with_reader = run(names, rows, cases, sort, w, loud=True)
    without = run((*UNREAD, *EXACT), rows, cases, sort, w, loud=True)
    if given.ablate:
        for name in names:
            left = [one for one in names if one != name]
            found = run(left, rows, cases, sort, w, loud=False)
            print(f"without {name}: {found['risk']}")
    if given.out:
        inside = int((sort != PAIR).sum())
        on = f"{inside} claims of labelled documents, {len(cases) - inside} pairs of held-out writers"
        data = {
            "schema_version": 1,
            "with_reader": as_data(with_reader, READER.identity, on),
            "without_reader": as_data(without, "none", on),
        }
        given.out.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
