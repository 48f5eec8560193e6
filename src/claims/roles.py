"""The registry file `roles.yaml`, compiled for use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pydantic import Field

from ..base.registry import RegistryModel, load_registry_file
from .words import stem

ROLES_FILE = "roles.yaml"


class VerbGroup(RegistryModel):
    """Verbs of one concept; `marks` leads from a preposition to the role that follows it."""

    concept: str
    words: tuple[str, ...]
    subject: str
    object: str = ""
    marks: dict[str, str] = Field(default_factory=dict[str, str])


class RolesFile(RegistryModel):
    """The whole of `roles.yaml`; every word in lower case."""

    verbs: tuple[VerbGroup, ...]
    control: tuple[str, ...]
    auxiliaries: tuple[str, ...]
    adverbs: tuple[str, ...]
    demonyms: tuple[tuple[str, ...], ...]
    shared_name_words: tuple[str, ...]


class VerbSense(NamedTuple):
    """What the places round a verb stand for; `tail` are the words that belong to the verb."""

    concept: str
    tail: tuple[str, ...]
    subject: str
    object: str
    marks: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class RoleBook:
    """The lists of `roles.yaml` by stem; `verbs` has the senses with the longest tail first."""

    verbs: Mapping[str, tuple[VerbSense, ...]]
    control: frozenset[str]
    auxiliaries: frozenset[str]
    adverbs: frozenset[str]
    demonyms: Mapping[str, frozenset[str]]
    shared: frozenset[str]

    @classmethod
    def compile(cls, file: RolesFile, irregular: Mapping[str, str]) -> RoleBook:
        """The look-up tables of `file`; `irregular` leads from irregular forms to base forms."""
        verbs: dict[str, list[VerbSense]] = {}
        for group in file.verbs:
            for phrase in group.words:
                head, *tail = phrase.split()
                sense = VerbSense(
                    group.concept, tuple(tail), group.subject, group.object, group.marks
                )
                verbs.setdefault(stem(head, irregular), []).append(sense)
        return cls(
            verbs={
                head: tuple(sorted(senses, key=lambda sense: -len(sense.tail)))
                for head, senses in verbs.items()
            },
            control=frozenset(stem(word, irregular) for word in file.control),
            auxiliaries=frozenset(file.auxiliaries),
            adverbs=frozenset(file.adverbs),
            demonyms=_groups([[stem(w, irregular) for w in group] for group in file.demonyms]),
            shared=frozenset(stem(word, irregular) for word in file.shared_name_words),
        )


def _groups(groups: Sequence[Sequence[str]]) -> dict[str, frozenset[str]]:
    return {one: frozenset(group) for group in groups for one in group}


def load_roles(irregular: Mapping[str, str], folder: Path | None = None) -> RoleBook:
    """The packaged lists, or those of `folder`.

    Raises:
        RegistryError: The file is broken or does not validate.
    """
    return RoleBook.compile(load_registry_file(RolesFile, ROLES_FILE, folder), irregular)
