"""Turn hand-written pairs into training and validation rows.

    python training/build.py PAIRS_FOLDER[=MOST]... --out OUT [--replay N] [--documents FOLDER...]
        [--verbatim N]

Each folder holds JSON Lines of passages with their claims (see `training/README.md`); `MOST` of them
are drawn. A claim is read with its best units alone, or with the page round its best window, as `check`
reads it: always where something elsewhere on the page takes the sentence back, and where the units
lose words of the claim. Writers
in `HELD_OUT` go to `valid.jsonl` and are never trained on; of the writers that the given weights
have seen, `--replay` claims are drawn. The claims of labelled documents are read as `check` reads
them. `--verbatim` sentences of pages that state what they say are supported claims, too: writers
hardly ever copy one. Needs foureyes installed; the rows are `p` (passage), `h` (claim), `y` (0 supported,
1 contradicted, 2 unverifiable) and `w` (writer).
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from foureyes.verification.passages.retrieval import SourceText, render
from foureyes.verification.passages.units import UnitKind, terms
from foureyes.verification._signals import pairs_to_read
from labelled import LEXICON, document_cases

LABELS = {"s": 0, "c": 1, "u": 2}
HELD_OUT = frozenset({"w7", "n5", "h1", "s3"})
SEEN = frozenset({"w1", "w2", "w3", "w4", "w5"})
# A part of a passage that lacks more of the claim's words than this may lack the evidence, too.
MOST_LOST = 0.08
SHORT_WORDS = 45
# A sentence that is copied has no more and no fewer words than this.
COPIED_WORDS = range(8, 46)
UNITS = 3
# How often the page is read instead of a part of it.
PAGES = 0.55
# Pages whose every sentence is meant, by folder.
PLAIN = frozenset({"pairs2", "pairs6", "pairs7", "pairs10"})
# What makes such claims right or wrong may stand anywhere on the page.
OF_THE_PAGE = frozenset({"framed", "frame_kept"})


class Row(NamedTuple):
    """One passage and claim with its label and writer."""

    p: str
    h: str
    y: int
    w: str


def read_rows(folder: Path, rng: random.Random) -> Iterator[Row]:
    """The rows of every passage in a folder."""
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                passage = json.loads(line)
            except ValueError:
                continue
            source = SourceText(passage["source"].strip(), LEXICON)
            for claim in passage["claims"]:
                text = claim.get("c", "").strip()
                if text and claim.get("y") in LABELS:
                    whole = claim.get("k") in OF_THE_PAGE or rng.random() < PAGES
                    part = page(source, text) if whole else choose_part(source, text)
                    yield Row(part, text, LABELS[claim["y"]], path.stem.partition("-")[0])


def document_rows(folder: Path) -> Iterator[Row]:
    """What `check` would let the reader read of the labelled claims in a folder of documents.

    Claims with a second acceptable verdict are left out; of several sources they are read as one.
    """
    for document in sorted(path.parent for path in folder.glob("*/gold.json")):
        for case in document_cases(document):
            if len(case.accepted) > 1:
                continue
            for part, text in pairs_to_read(case.claim, case.sources[-1]):
                yield Row(part, text, case.label, document.name)


def verbatim_rows(texts: Iterator[tuple[str, str]], most: int, rng: random.Random) -> list[Row]:
    """`most` sentences of the pages (writer, text), each a claim that its page supports."""
    found: list[tuple[SourceText, str, str]] = []
    for writer, text in texts:
        source = SourceText(text, LEXICON)
        found += (
            (source, unit.text, writer)
            for unit in source.units
            if unit.kind is UnitKind.SENTENCE and len(unit.text.split()) in COPIED_WORDS
        )
    drawn = rng.sample(found, min(most, len(found)))
    return [Row(page(source, claim), claim, LABELS["s"], writer) for source, claim, writer in drawn]


def plain_pages(folders: Sequence[str], documents: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """Writer and text of the pages whose sentences are all meant; none of held-out writers."""
    for folder in (Path(name.partition("=")[0]) for name in folders):
        for path in sorted(folder.glob("*.jsonl")) if folder.name in PLAIN else ():
            writer = path.stem.partition("-")[0]
            if writer not in HELD_OUT:
                for line in path.read_text(encoding="utf-8").splitlines():
                    yield writer, json.loads(line)["source"].strip()
    for path in sorted(path for folder in documents for path in folder.glob("*/sources/*.md")):
        yield path.parent.parent.name, path.read_text(encoding="utf-8")


def page(source: SourceText, claim: str) -> str:
    """The page as the reader would get it."""
    windows = source.rank(claim, 1)
    return source.surroundings(windows[0]) if windows else source.text


def choose_part(source: SourceText, claim: str) -> str:
    """The passage as the reader would get it, with all the words of the claim that the source has."""
    whole = render(source.units)
    if len(whole.split()) <= SHORT_WORDS:
        return whole
    part = render(source.best_units(claim, UNITS))
    wanted = set(terms(claim))
    had = len(wanted & set(terms(whole)))
    if part and had - len(wanted & set(terms(part))) <= MOST_LOST * len(wanted):
        return part
    return page(source, claim)


def drawn(named: str, rng: random.Random) -> list[Row]:
    """The rows of a folder, or as many of them as its name asks for; all of held-out writers."""
    folder, _, most = named.partition("=")
    rows = list(read_rows(Path(folder), rng))
    if not most:
        return rows
    kept = [row for row in rows if row.w in HELD_OUT]
    others = [row for row in rows if row.w not in HELD_OUT]
    return kept + rng.sample(others, min(int(most), len(others)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", metavar="PAIRS_FOLDER[=MOST]")
    parser.add_argument("--documents", type=Path, nargs="*", default=[])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--replay", type=int, default=3000)
    parser.add_argument("--verbatim", type=int, default=0)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    rows = [row for folder in given.folders for row in drawn(folder, rng)]
    valid = [row for row in rows if row.w in HELD_OUT]
    seen = [row for row in rows if row.w in SEEN]
    train = [row for row in rows if row.w not in HELD_OUT | SEEN]
    train += rng.sample(seen, min(given.replay, len(seen)))
    train += [row for folder in given.documents for row in document_rows(folder)]
    train += verbatim_rows(plain_pages(given.folders, given.documents), given.verbatim, rng)
    rng.shuffle(train)
    given.out.mkdir(parents=True, exist_ok=True)
    for name, part in (("train", train), ("valid", valid)):
        lines = (json.dumps(row._asdict(), ensure_ascii=False) + "\n" for row in part)
        (given.out / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
        print(name, len(part), dict(Counter((row.w, row.y) for row in part)))


if __name__ == "__main__":
    main()
