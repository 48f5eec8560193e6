"""How many annotated entities are found, and how many found names are annotated.

FOUREYES_DATA=../shared/data python benchmarks/entities.py [NAME...]
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from foureyes.claims._regulations import find_regulations
from foureyes.claims.entities import Slots, Spelling, entities_of
from foureyes.claims.lexicon import load_lexicon
from foureyes.claims.model import Entity, EntityType
from foureyes.claims.quantities import find_slots
from measure import line, rows

NAMES = ("ner_wikigold", "ner_sec", "ner_re3d", "ner_wnut17test")
TYPES = {"PERSON": EntityType.PERSON, "ORG": EntityType.ORG, "LOC": EntityType.LOCATION}
_CAPITAL_OR_DIGIT = re.compile(r"[A-Z0-9]")
LEXICON = load_lexicon()


def documents(name: str) -> Iterator[list[dict[str, Any]]]:
    """The rows of each document."""
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows(f"{name}.dev.jsonl"):
        groups[row["group"]].append(row)
    yield from groups.values()


def overlap(one: dict[str, Any], found: Entity) -> bool:
    """Whether an annotated entity and a found one share a character."""
    return one["start"] < found.end and found.start < one["end"]


class Figures:
    """What was counted in one set: of how many things of a sort how many were right."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.hits: Counter[str] = Counter()

    def add(self, kind: str, right: bool) -> None:
        """Count one thing."""
        self.counts[kind] += 1
        self.hits[kind] += right

    def gold(self, gold: dict[str, Any], found: tuple[Entity, ...]) -> bool:
        """Count an annotated entity under each heading; say whether it was found by name."""
        named = [one for one in found if overlap(gold, one)]
        self.add("all", bool(named))
        self.add(f"  {gold['type']}", bool(named))
        if _CAPITAL_OR_DIGIT.search(gold["text"]):
            self.add("written with a capital or a digit", bool(named))
        typed = [one.type for one in named if one.type]
        if typed and gold["utype"] in TYPES:
            self.add("type right where one is given", typed[0] is TYPES[gold["utype"]])
        return bool(named)

    def show(self) -> None:
        """Print each figure, the kinds of the set last."""
        for kind in sorted(self.counts, key=lambda kind: (kind.startswith(" "), kind)):
            print(line(kind, self.hits[kind], self.counts[kind]))


def measure(name: str) -> None:
    """Print the figures of one set."""
    figures = Figures()
    missed: list[str] = []
    sentences = 0
    for document in documents(name):
        spelling = Spelling.of(row["text"] for row in document)
        for row in document:
            sentences += 1
            text = row["text"]
            slots = Slots(*find_slots(text, LEXICON), find_regulations(text, LEXICON.regulations))
            found = entities_of(text, LEXICON, slots, spelling)
            missed += [
                f"{gold['text']!r} {gold['type']} in {row['text'][:120]!r}"
                for gold in row["entities"]
                if not figures.gold(gold, found)
            ]
            for one in found:
                if one.type not in (EntityType.DATE, EntityType.NUMBER):
                    right = any(overlap(gold, one) for gold in row["entities"])
                    figures.add("precision of names", right)
    print(f"\n{name}: n = {sentences} sentences")
    figures.show()
    if "-v" in sys.argv:
        print("\n".join(missed))


def main() -> None:
    """Measure every set, or those that are named."""
    print("python benchmarks/entities.py   (overlap recall, 95 % intervals)")
    for name in [arg for arg in sys.argv[1:] if arg != "-v"] or NAMES:
        measure(name)


if __name__ == "__main__":
    main()
