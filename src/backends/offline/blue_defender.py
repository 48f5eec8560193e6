"""The offline blue defender: what the document itself answers to a flaw that rules have found."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pydantic import JsonValue

from ...claims.arithmetic.attributes import ConsistencyWords, load_consistency
from ...claims.lexicon import Lexicon
from ...core.json_shape import UNWANTED, child
from ...documents.parse import parse_document
from ...redteam.defence import defend
from ...redteam.defence_rules import DefenceRules, load_defence_rules
from ...redteam.model import Flaw, Lens
from ...redteam.reading import Reading
from ...redteam.rebuttal import Rebuttal
from ...redteam.rules import RedTeamRules, load_rules
from ...redteam.team import find_flaws
from ...review.types import DefenceInput, DefenceOutcome, RedFinding

_NOTHING = "Rules found no words of the document that answer it; no language model was used."


@dataclass(frozen=True, slots=True)
class _Accused:
    """A document read once for all findings on it."""

    text: str
    reading: Reading
    flaws: Mapping[Lens, tuple[Flaw, ...]]


class DocumentDefence:
    """Defends documents by rules, which are loaded when it is first asked.

    Args:
        lexicon: The words of claims.
        folder: The user's registry folder.
    """

    def __init__(self, lexicon: Lexicon, folder: Path | None = None) -> None:
        self._lexicon = lexicon
        self._folder = folder
        self._lock = threading.Lock()
        self._last: _Accused | None = None

    def defend(self, inputs: DefenceInput) -> Mapping[str, JsonValue]:
        """The slots of the defence form, by JSON pointer.

        Raises:
            RegistryError: A file of rules is broken.
        """
        finding = inputs.finding
        rebuttal = self._rebuttal(inputs.document, finding)
        outcome, words, argument = DefenceOutcome.SURVIVED, "", _NOTHING
        found = "" if rebuttal is None else inputs.document[rebuttal.start : rebuttal.end]
        # Page feeds and the like are white space to a quotation, and may not stand in a form.
        found = " ".join(found.split()) if UNWANTED.search(found) else found
        if rebuttal is not None and not UNWANTED.search(found):
            outcome = DefenceOutcome.KILLED if rebuttal.whole else DefenceOutcome.WEAKENED
            words, argument = found, rebuttal.argument
        place = child("/defences", finding.id)
        return {
            f"{place}/outcome": outcome.value,
            f"{place}/words": words,
            f"{place}/argument": argument,
        }

    def _rebuttal(self, document: str, finding: RedFinding) -> Rebuttal | None:
        accused = self._read(document)
        for flaw in accused.flaws[finding.lens]:
            if _is_of(flaw, finding):
                return defend(flaw, accused.reading, self._rules[2])
        return None

    def _read(self, document: str) -> _Accused:
        # Defenders of one document run at the same time; the first of them reads it for all.
        with self._lock:
            if self._last is None or self._last.text != document:
                red, consistency, _ = self._rules
                reading = Reading(parse_document(document), self._lexicon, consistency, red)
                flaws = {lens: find_flaws(reading, lens) for lens in Lens}
                self._last = _Accused(document, reading, flaws)
            return self._last

    @cached_property
    def _rules(self) -> tuple[RedTeamRules, ConsistencyWords, DefenceRules]:
        return (
            load_rules(self._folder),
            load_consistency(self._lexicon.words, self._folder),
            load_defence_rules(self._folder),
        )


def _is_of(flaw: Flaw, finding: RedFinding) -> bool:
    """Whether `finding` reports `flaw`."""
    return (flaw.kind, flaw.quote, flaw.location.line, flaw.problem) == (
        finding.issue,
        finding.quote,
        finding.line,
        finding.problem,
    )
