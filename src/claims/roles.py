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
    """Verbs of one concept; `marks` leads from a preposition to the role that follows it.

    With `heads` only a subject with one of these words will do: "the prize went to Moe".
    """

    concept: str
    words: tuple[str, ...]
    subject: str
    object: str = ""
    marks: dict[str, str] = Field(default_factory=dict[str, str])
    heads: tuple[str, ...] = ()


class Grammar(RegistryModel):
    """Small words that tell where a phrase ends and how a verb stands."""

    auxiliaries: frozenset[str]
    adverbs: frozenset[str]
    determiners: frozenset[str]
    prepositions: frozenset[str]
    joining: frozenset[str]
    pronouns: frozenset[str]
    particles: frozenset[str]
    participles: frozenset[str]


class NounGroup(RegistryModel):
    """Nouns for one party of an event, and the role of the one "of" whom they speak."""

    concept: str
    words: tuple[str, ...]
    holder: str
    of: str


class RolesFile(RegistryModel):
    """The whole of `roles.yaml`; every word in lower case."""

    verbs: tuple[VerbGroup, ...]
    speech: tuple[str, ...]
    doubtful_speech: tuple[str, ...]
    forms: dict[str, str]
    once: frozenset[str]
    opposites: tuple[tuple[str, str], ...]
    nouns: tuple[NounGroup, ...]
    control: tuple[str, ...]
    grammar: Grammar
    demonyms: tuple[tuple[str, ...], ...]
    shared_name_words: tuple[str, ...]
    female: tuple[str, ...]
    male: tuple[str, ...]


class VerbSense(NamedTuple):
    """What the places round a verb stand for; `tail` are the words that belong to the verb."""

    concept: str
    tail: tuple[str, ...]
    subject: str
    object: str
    marks: Mapping[str, str]
    heads: frozenset[str]


@dataclass(frozen=True, slots=True)
class RoleBook:
    """The lists of `roles.yaml` by stem; `verbs` has the senses with the longest tail first."""

    verbs: Mapping[str, tuple[VerbSense, ...]]
    speech: frozenset[str]
    doubtful: frozenset[str]
    past: frozenset[str]
    once: frozenset[str]
    opposites: Mapping[str, str]
    nouns: Mapping[str, NounGroup]
    control: frozenset[str]
    grammar: Grammar
    demonyms: Mapping[str, frozenset[str]]
    shared: frozenset[str]
    female: frozenset[str]
    male: frozenset[str]

    @classmethod
    def compile(cls, file: RolesFile, irregular: Mapping[str, str]) -> RoleBook:
        """The look-up tables of `file`; `irregular` leads from irregular forms to base forms."""
        verbs: dict[str, list[VerbSense]] = {}
        for group in file.verbs:
            for phrase in group.words:
                head, *tail = phrase.split()
                heads = frozenset(stem(word, irregular) for word in group.heads)
                sense = VerbSense(
                    group.concept, tuple(tail), group.subject, group.object, group.marks, heads
                )
                irregular_forms = {
                    stem(f, irregular) for f, base in file.forms.items() if base == head
                }
                for form in _stems(head, irregular) | irregular_forms:
                    verbs.setdefault(form, []).append(sense)
        return cls(
            verbs={
                head: tuple(sorted(senses, key=lambda sense: -len(sense.tail)))
                for head, senses in verbs.items()
            },
            speech=frozenset(form for verb in file.speech for form in _stems(verb, irregular)),
            doubtful=frozenset(form for v in file.doubtful_speech for form in _stems(v, irregular)),
            past=frozenset(file.forms),
            once=file.once,
            opposites=dict(file.opposites) | {right: left for left, right in file.opposites},
            nouns={stem(word, irregular): group for group in file.nouns for word in group.words},
            control=frozenset(form for word in file.control for form in _stems(word, irregular)),
            grammar=file.grammar,
            demonyms=_groups([[stem(w, irregular) for w in group] for group in file.demonyms]),
            shared=frozenset(stem(word, irregular) for word in file.shared_name_words),
            female=frozenset(file.female),
            male=frozenset(file.male),
        )


def _stems(verb: str, irregular: Mapping[str, str]) -> set[str]:
    """The stems of a verb's regular forms; short ones such as "sued" keep their endings."""
    forms = (verb, verb + "s", verb + ("d" if verb.endswith("e") else "ed"))
    return {stem(form, irregular) for form in forms}


def _groups(groups: Sequence[Sequence[str]]) -> dict[str, frozenset[str]]:
    return {one: frozenset(group) for group in groups for one in group}


def load_roles(irregular: Mapping[str, str], folder: Path | None = None) -> RoleBook:
    """The packaged lists, or those of `folder`.

    Raises:
        RegistryError: The file is broken or does not validate.
    """
    return RoleBook.compile(load_registry_file(RolesFile, ROLES_FILE, folder), irregular)
