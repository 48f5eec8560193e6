"""Restates a claim that a document argues against as its opponents would state it."""

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


def restate_refuted(claim: Claim, lexicon: Lexicon, *, as_of: date) -> Claim:
    """`claim`, or if it is refuted, the statement that the document refutes, at the same place.

    "Critics say that it cost 4 million, but it cost 2" argues against "It cost 4 million", and "It
    is a myth that it leaks" against "It leaks".
    """
    if claim.polarity is not Polarity.REFUTED:
        return claim
    stated_text = _state_opposite(claim.text, lexicon)
    if stated_text == claim.text or len(stated_text.split()) < _FEWEST_WORDS:
        return claim
    stated = stated_claim(stated_text, lexicon, as_of)
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


def _state_opposite(text: str, lexicon: Lexicon) -> str:
    words = lexicon.routing
    refuting = words.refuted.search(text)
    if refuting is None:
        contrast = words.contrast.search(text)
        stated_text = text[: contrast.start()] if contrast else text
        speaker = words.speaker.search(stated_text)
        return _sentence(stated_text[speaker.end() :] if speaker else stated_text)
    that = _THAT.search(text, refuting.start())
    if that is None:
        return _sentence(text[: refuting.start()].removeprefix("That "))
    stated_text = text[that.end() :]
    return _sentence(stated_text.partition(",")[0] if _CONTRARY.match(text) else stated_text)


def _sentence(text: str) -> str:
    text = text.strip(" ,;.").removeprefix("that ")
    return f"{text[:1].upper()}{text[1:]}."
