"""How words are related: synonyms, derived, broader, opposite words, and words used alike.

The data is `config/lexical/thesaurus.txt.gz`, made from WordNet and word vectors by
`benchmarks/build_thesaurus.py`; `config/lexical/LICENSE.md` has their terms.
"""

from __future__ import annotations

import functools
import gzip
from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from ..base.registry import packaged_config

_STEPS = 9


class Relation(StrEnum):
    """What a second word is to a first one."""

    SAME = "same"
    SYNONYM = "synonym"
    DERIVED = "derived"  # abolition to abolish
    BROADER = "broader"  # vehicle to lorry
    NARROWER = "narrower"  # lorry to vehicle
    RELATED = "related"  # used in much the same places; may be an opposite that no list has
    ANTONYM = "antonym"
    NONE = "none"


class Related(NamedTuple):
    """A relation and how sure it is, 0–1: how much of the use of the two words it covers."""

    relation: Relation
    weight: float


_LETTERS = {
    "S": Relation.SYNONYM,
    "D": Relation.DERIVED,
    "A": Relation.ANTONYM,
    "B": Relation.BROADER,
    "N": Relation.NARROWER,
    "R": Relation.RELATED,
}
SAME = Related(Relation.SAME, 1.0)
UNRELATED = Related(Relation.NONE, 0.0)


class Thesaurus:
    """The relations of word stems; all is read when it is first asked for."""

    def __init__(self, load: Callable[[], Mapping[str, str]]) -> None:
        """`load` gives, for each stem, the rest of its line in the data file."""
        self._load = functools.cache(load)
        self._read: dict[str, Mapping[str, Related]] = {}

    def of(self, stem: str) -> Mapping[str, Related]:
        """Every stem that is related to `stem`, with what it is to it."""
        known = self._read.get(stem)
        if known is None:
            known = self._read[stem] = MappingProxyType(_parse(self._load().get(stem, "")))
        return known

    def relation(self, stem: str, other: str) -> Related:
        """What `other` is to `stem`."""
        return SAME if stem == other else self.of(stem).get(other, UNRELATED)


def _parse(entry: str) -> dict[str, Related]:
    found: dict[str, Related] = {}
    for field in entry.split("\t") if entry else ():
        relation = _LETTERS[field[0]]
        for mark in field[1:].split(" "):
            # The surest relation stands first: a synonym may also be used alike.
            found.setdefault(mark[:-1], Related(relation, int(mark[-1]) / _STEPS))
    return found


def _packaged() -> dict[str, str]:
    packed = (packaged_config() / "lexical" / "thesaurus.txt.gz").read_bytes()
    lines = gzip.decompress(packed).decode("utf-8").splitlines()
    return dict(line.split("\t", 1) for line in lines)


# Nothing changes it, and it is worth reading only once in a process.
THESAURUS = Thesaurus(_packaged)
