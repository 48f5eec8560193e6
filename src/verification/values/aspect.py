"""Whether a number is a level or a change: "rose to 8 %" and "rose by 8 %" share no slot."""

from __future__ import annotations

import re
from enum import StrEnum

_MOVES = (
    r"r(?:ose|isen|is(?:e|es|ing))|gr(?:ew|own|ow|ows|owing)|gain\w*|climb\w*|increas\w*|jump\w*"
    r"|surg\w*|soar\w*|expan\w*|advanc\w*|improv\w*|add(?:s|ed|ing)?|f(?:ell|all|alls|alling|allen)"
    r"|drop\w*|declin\w*|decreas\w*|shr[aiu]nk\w*|lost|los(?:e|es|ing|s)|cut(?:s|ting)?|reduc\w*"
    r"|slump\w*|plung\w*|contract(?:s|ed|ing)|worsen\w*|slip\w*|dip\w*|slid|tumbl\w*|widen\w*"
    r"|narrow\w*|lower(?:s|ed|ing)|rais(?:e|es|ed|ing)|lift(?:s|ed|ing)?|chang\w*|sav(?:e|ed|es|ing)"
)
_HEDGE = (
    r"(?:(?:about|around|some|roughly|nearly|almost|over|under|only|just|a|an|the|another|more than"
    r"|less than|at least|up to|as much as|a further|further|approximately|well|by) )*"
)
# "Raised 5 million": money that was found.
_GIVES = _MOVES.replace("|rais(?:e|es|ed|ing)", "")
_LEVEL_BEFORE = re.compile(
    rf"\b(?:to|at|from|totall?ed|reach\w*|stood at|amount\w* to|accounts? for) {_HEDGE}$"
)
_CHANGE_BEFORE = re.compile(
    rf"(?:\b(?:by|up|down|plus|minus|(?:{_GIVES})|(?:rise|fall|increase|decrease|decline|drop|gain"
    rf"|loss|cut|growth|reduction|improvement|difference|gap|margin|lead) of) {_HEDGE}|[+] ?)$"
)
_CHANGE_AFTER = re.compile(
    r"^[ -](?:percentage points? )?(?:(?:more|less|fewer|up|down|ahead|behind|apart"
    r"|faster|slower|higher|lower|larger|smaller|bigger|greater|deeper|shallower|longer|shorter"
    r"|taller|older|younger|wider|narrower|heavier|lighter|cheaper|dearer|earlier|later|better"
    r"|worse|warmer|colder|stronger|weaker)\b"
    r"|(?:\w+ )?(?:rise|increase|decrease|decline|gain|growth|reduction|improvement|jump"
    r"|slump)\b)"
)
_LOOK = 60


class Aspect(StrEnum):
    """What a number says of its matter."""

    LEVEL = "level"
    CHANGE = "change"
    UNKNOWN = "unknown"


def aspect_of(text: str, start: int, end: int) -> Aspect:
    """The aspect of the number at `text[start:end]`, by the words right beside it."""
    before = text[max(0, start - _LOOK) : start].lower()
    if _CHANGE_AFTER.match(text[end : end + _LOOK].lower()):
        return Aspect.CHANGE
    if _LEVEL_BEFORE.search(before):
        return Aspect.LEVEL
    return Aspect.CHANGE if _CHANGE_BEFORE.search(before) else Aspect.UNKNOWN


def conflict(left: Aspect, right: Aspect) -> bool:
    """Whether one number is a level and the other a change."""
    return {left, right} == {Aspect.LEVEL, Aspect.CHANGE}
