"""A claim laid over a source's tables, enumerations and lists, for tests of what these say."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from foureyes.claims.lexicon import Lexicon
from foureyes.verification.judging.alignment import Aligner
from foureyes.verification.policy import VerificationPolicy
from foureyes.verification.reading.form import ClaimForm, claim_form
from foureyes.verification.reading.index import TextIndex
from foureyes.verification.reading.records import RecordCheck
from support.claim_kit import cited, claims_of, registry

Check = Callable[
    [ClaimForm, TextIndex, Sequence[int], Lexicon, VerificationPolicy], list[RecordCheck]
]


def checks(check: Check, sentence: str, text: str) -> list[RecordCheck]:
    """What `check` finds for the first claim of `sentence` in a source with this text."""
    known = registry()
    index = TextIndex(text, known.lexicon)
    form = claim_form(claims_of(cited(sentence))[0], known.lexicon)
    aligner = Aligner(form, index, known.lexicon, known.verification)
    held = [number for _, number in aligner.best_segments]
    return check(form, index, held, known.lexicon, known.verification)


def outcomes(check: Check, sentence: str, text: str) -> list[tuple[str, str]]:
    """The outcomes that `check` finds, each with what the source gives."""
    return [(one.outcome.value, one.found) for one in checks(check, sentence, text)]
