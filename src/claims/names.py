"""The registry file `entities.yaml`, compiled for use."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ..base.registry import RegistryModel, load_registry_file

ENTITIES_FILE = "entities.yaml"


class EntitiesFile(RegistryModel):
    """The whole of `entities.yaml`; every word in lower case."""

    common: tuple[str, ...]
    joints: tuple[str, ...]
    titles: tuple[str, ...]
    given_names: tuple[str, ...]
    organisations: tuple[str, ...]
    places: tuple[str, ...]
    place_names: tuple[str, ...]
    products: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NameBook:
    """The lists of `entities.yaml` as sets and patterns."""

    common: frozenset[str]
    joint: re.Pattern[str]
    titles: frozenset[str]
    given_names: frozenset[str]
    organisations: frozenset[str]
    places: frozenset[str]
    place_names: frozenset[str]
    products: frozenset[str]

    @classmethod
    def compile(cls, file: EntitiesFile) -> NameBook:
        """The sets and patterns of `file`."""
        joints = "|".join(sorted(file.joints, key=len, reverse=True))
        return cls(
            common=frozenset(file.common),
            joint=re.compile(rf"(?:['’]s?)?[ \u00a0](?:(?:{joints})[ \u00a0])?"),
            titles=frozenset(file.titles),
            given_names=frozenset(file.given_names),
            organisations=frozenset(file.organisations),
            places=frozenset(file.places),
            place_names=frozenset(file.place_names),
            products=frozenset(file.products),
        )


def load_names(folder: Path | None = None) -> NameBook:
    """The packaged lists, or those of `folder`.

    Raises:
        RegistryError: The file is broken or does not validate.
    """
    return NameBook.compile(load_registry_file(EntitiesFile, ENTITIES_FILE, folder))
