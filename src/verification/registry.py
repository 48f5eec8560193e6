"""Everything that the engine looks up, loaded once."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from ..base.registry import load_registry_file
from ..base.vocabulary import ChallengeStep
from ..claims.lexicon import Lexicon, load_lexicon
from .decide import DecisionFile, load_decision
from .policy import (
    CHALLENGE_FILE,
    ChallengePolicy,
    CritiquePolicy,
    DeepeningPolicy,
    GateProfiles,
    VerificationPolicy,
)
from .reader.model import Reader
from .reader.onnx_reader import packaged_reader
from .severity import SeverityPolicy


@dataclass(frozen=True, slots=True)
class Registry:
    """The word lists, severities, gate limits and thresholds of a run."""

    lexicon: Lexicon
    severity: SeverityPolicy
    gate: GateProfiles
    verification: VerificationPolicy
    critique: CritiquePolicy
    deepening: DeepeningPolicy
    challenge: ChallengePolicy
    reader: Reader
    decision: DecisionFile

    def with_reader(self, reader: Reader) -> Registry:
        """The registry with another reader."""
        return replace(self, reader=reader)

    def without(self, steps: Collection[ChallengeStep]) -> Registry:
        """The registry with these challenges switched off."""
        return replace(self, challenge=self.challenge.without(steps))


def load_registry(folder: Path | None = None) -> Registry:
    """Load the registry: each file from `folder` if it is there, else the packaged one.

    Raises:
        RegistryError: A file is broken or does not validate.
    """
    return _loaded(folder) if folder else _packaged(None)


def _loaded(folder: Path | None) -> Registry:
    return Registry(
        lexicon=load_lexicon(folder),
        severity=load_registry_file(SeverityPolicy, "severity.yaml", folder),
        gate=load_registry_file(GateProfiles, "gate.yaml", folder),
        verification=load_registry_file(VerificationPolicy, "verification.yaml", folder),
        critique=load_registry_file(CritiquePolicy, "critique.yaml", folder),
        deepening=load_registry_file(DeepeningPolicy, "deepening.yaml", folder),
        challenge=load_registry_file(ChallengePolicy, CHALLENGE_FILE, folder),
        reader=packaged_reader(None),
        decision=load_decision(),
    )


# Takes as long as the check of a short document, and stays the same while a process lives.
_packaged = cache(_loaded)
