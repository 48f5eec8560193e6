"""What a document argues against, in the words in which it would be held."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from ..claims.lexicon import Lexicon
from ..claims.model import Claim, Polarity
from .extraction import stated_claim

_THAT = re.compile(r"\bthat (?=\S)", re.IGNORECASE)
_CONTRARY = re.compile(r"\W*contrary to\b", re.IGNORECASE)
_FEWEST_WORDS = 3


def represented(claim: Claim, lexicon: Lexicon, *, as_of: date) -> Claim:
    """`claim`, or of a refuted one the statement that is refuted, at the same place.

    "Critics say that it cost 4 million, but it cost 2" argues against "It cost 4 million", and "It
    is a myth that it leaks" against "It leaks".
    """
    if claim.polarity is not Polarity.REFUTED:
        return claim
    held = _held(claim.text, lexicon)
    if held == claim.text or len(held.split()) < _FEWEST_WORDS:
        return claim
    stated = stated_claim(held, lexicon, as_of)
    return replace(
        claim,
        text=stated.text,
        kind=stated.kind,
        quantities=stated.quantities,
        dates=stated.dates,
        quotes=stated.quotes,
        entities=stated.entities,
        references=stated.references,
        core=stated.core,
        # No word of it is corrected, so that its place as a whole will do.
        anchors=((0, claim.location.start),),
        referents=(),
        resolved="",
    )


def _held(text: str, lexicon: Lexicon) -> str:
    words = lexicon.routing
    refuting = words.refuted.search(text)
    if refuting is None:
        contrast = words.contrast.search(text)
        held = text[: contrast.start()] if contrast else text
        speaker = words.speaker.search(held)
        return _sentence(held[speaker.end() :] if speaker else held)
    that = _THAT.search(text, refuting.start())
    if that is None:
        return _sentence(text[: refuting.start()].removeprefix("That "))
    held = text[that.end() :]
    return _sentence(held.partition(",")[0] if _CONTRARY.match(text) else held)


def _sentence(text: str) -> str:
    text = text.strip(" ,;.").removeprefix("that ")
    return f"{text[:1].upper()}{text[1:]}."
