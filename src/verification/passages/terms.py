"""The words that a passage is found and compared by."""

from __future__ import annotations

import re

_WORD = re.compile(r"\d[\d,.]*\d|\d|[^\W\d_][\w'’-]+")
_SUFFIX = re.compile(r"(?:ing|ed|es|s|ly|e)$")
_SHORT_SUFFIX = re.compile(r"(?:s|e)$")
_SHORT, _STEMMED = 4, 5
_SAYING_NOTHING = """
the a an of in on at to for and or is are was were be been by with as that this it its from
than has have had not no which who whose their they he she his her more less about after
before over under between during per each other into out up down also only one two but all
so
"""
STOP_WORDS = frozenset(_SAYING_NOTHING.split())


def terms(text: str) -> list[str]:
    """The words and figures of a text in lower case, crudely stemmed, without stop words."""
    words = (word.replace("’", "'") for word in _WORD.findall(text.lower()))
    return [_stem(word) for word in words if word not in STOP_WORDS]


def _stem(word: str) -> str:
    if word[0].isdigit() or len(word) < _SHORT:
        return word
    return (_SUFFIX if len(word) >= _STEMMED else _SHORT_SUFFIX).sub("", word)
