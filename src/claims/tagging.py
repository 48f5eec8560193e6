"""Entities of a tagger of the user's beside those that rules find (spaCy, the extra ``spacy``).

spaCy is loaded with the first model, because few need it; nothing is ever downloaded.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, cast

from ..base.errors import InputError
from .model import Claim, Entity, EntityType

Tagger = Callable[[str], Sequence[Entity]]
"""Finds the entities of a text, each with its type."""

# Dates, numbers and the like are left to the grammar, which knows their values.
_TYPES: Mapping[str, EntityType] = {
    "PERSON": EntityType.PERSON,
    "PER": EntityType.PERSON,
    "ORG": EntityType.ORG,
    "GPE": EntityType.LOCATION,
    "LOC": EntityType.LOCATION,
    "FAC": EntityType.LOCATION,
    "PRODUCT": EntityType.PRODUCT,
    "LAW": EntityType.REGULATION,
}


class _Span(Protocol):
    text: str
    label_: str
    start_char: int
    end_char: int


class _Doc(Protocol):
    ents: Sequence[_Span]


class _Spacy(Protocol):
    def load(self, name: str) -> Callable[[str], _Doc]: ...


class SpacyTagger:
    """The names that a spaCy pipeline finds.

    Args:
        name: An installed model, or the folder of one.

    Raises:
        InputError: spaCy is not installed, or has no such model.
    """

    def __init__(self, name: str) -> None:
        try:
            spacy = cast("_Spacy", importlib.import_module("spacy"))
        except ImportError as error:
            raise InputError("spaCy is not installed", "install 'foureyes[spacy]'") from error
        try:
            self._pipeline = spacy.load(name)
        except (OSError, ValueError) as error:
            reason = " ".join(str(error).split())[:200]
            raise InputError(f"cannot load the model {name!r}: {reason}") from error

    def __call__(self, text: str) -> Sequence[Entity]:
        """The entities of `text` whose label has a type here."""
        return [
            Entity(span.text, _TYPES[span.label_], span.start_char, span.end_char)
            for span in self._pipeline(text).ents
            if span.label_ in _TYPES
        ]


def with_tagged_entities(claims: Iterable[Claim], tagger: Tagger) -> tuple[Claim, ...]:
    """`claims` with what `tagger` finds besides: types of untyped names, and further names."""
    return tuple(
        replace(claim, entities=_merged(claim.entities, tagger(claim.text))) for claim in claims
    )


def _merged(own: Sequence[Entity], tagged: Sequence[Entity]) -> tuple[Entity, ...]:
    typed = [_typed(entity, tagged) for entity in own]
    more = [one for one in tagged if not any(_overlap(one, entity) for entity in own)]
    return tuple(sorted([*typed, *more], key=lambda entity: (entity.start, entity.end)))


def _typed(entity: Entity, tagged: Iterable[Entity]) -> Entity:
    if entity.type is not None:
        return entity
    same = next((one for one in tagged if _overlap(one, entity)), None)
    return entity if same is None else replace(entity, type=same.type)


def _overlap(left: Entity, right: Entity) -> bool:
    return left.start < right.end and right.start < left.end
