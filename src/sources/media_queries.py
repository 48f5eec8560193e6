"""Decides whether a style sheet or a part of it holds on a usual screen."""

from __future__ import annotations

import re

from .style_values import SCREEN_WIDTH, lengths

_ELSEWHERE = re.compile(
    r"\b(?:print|speech|tty|braille|embossed|tv|projection|handheld)\b"
    r"|prefers-color-scheme\s*:\s*dark|prefers-contrast\s*:\s*more|forced-colors\s*:\s*active"
    r"|prefers-reduced-motion\s*:\s*reduce|\bhover\s*:\s*none|pointer\s*:\s*coarse"
    r"|orientation\s*:\s*portrait|scripting\s*:\s*none"
)
_WIDTHS = re.compile(r"(min|max)-width\s*:\s*([\d.]+(?:px|em|rem))")
_AFTER = re.compile(r"\bwidth\s*([<>])=?\s*([\d.]+(?:px|em|rem))")
_BEFORE = re.compile(r"([\d.]+(?:px|em|rem))\s*([<>])=?\s*width\b")


def on_screen(query: str) -> bool:
    """Whether one of the media that `query` lists is a usual screen."""
    for one in query.lower().split(","):
        asked = one.strip()
        denied = asked.startswith("not ")
        if _holds(asked.removeprefix("not ")) is not denied:
            return True
    return False


def _holds(asked: str) -> bool:
    if _ELSEWHERE.search(asked):
        return False
    bounds = [("<" if side == "max" else ">", width) for side, width in _WIDTHS.findall(asked)]
    bounds += _AFTER.findall(asked)
    bounds += [("<" if sign == ">" else ">", width) for width, sign in _BEFORE.findall(asked)]
    return all(
        length >= SCREEN_WIDTH if sign == "<" else length <= SCREEN_WIDTH
        for sign, width in bounds
        for length in lengths(width)
    )
