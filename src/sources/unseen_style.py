"""Decides by its style whether an element is out of a reader's sight, whatever is in it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import prod

from .style_values import SCREEN_WIDTH, Rgb, colour, degrees, lengths, numbers, share, to_float

PROPERTIES = frozenset(
    (
        *("display", "visibility", "opacity", "content-visibility", "filter", "transform", "scale"),
        *("position", "left", "top", "right", "bottom", "inset", "text-indent", "margin-left"),
        *("margin-top", "margin", "translate", "width", "height", "max-width", "max-height"),
        *("overflow", "overflow-x", "overflow-y", "clip", "clip-path", "font-size", "font"),
        *("zoom", "z-index", "color", "background", "background-color", "background-image"),
        *("background-clip", "-webkit-background-clip", "-webkit-text-fill-color"),
        *("text-decoration", "text-decoration-line", "rotate", "mask", "mask-size", "contain"),
        *("letter-spacing", "white-space", "padding-left", "-webkit-text-security"),
        *("animation", "animation-name", "animation-fill-mode", "float", "content"),
        *("mix-blend-mode", "unicode-bidi", "direction"),
    )
)
"""What is read of a style."""
ALIASES = {
    **{"block-size": "height", "max-block-size": "max-height", "overflow-block": "overflow-y"},
    **{"inline-size": "width", "max-inline-size": "max-width", "overflow-inline": "overflow-x"},
    **{"inset-inline-start": "left", "inset-inline-end": "right", "inset-inline": "left"},
    **{"inset-block-start": "top", "inset-block-end": "bottom", "inset-block": "top"},
    **{"margin-inline-start": "margin-left", "margin-inline": "margin-left"},
    **{"margin-block-start": "margin-top", "margin-block": "margin-top"},
    **{"padding-inline-start": "padding-left", "padding-inline": "padding-left"},
    **{"mask-image": "mask", "-webkit-mask": "mask", "-webkit-mask-image": "mask"},
    **{"-webkit-mask-size": "mask-size", "-webkit-clip-path": "clip-path"},
    **{"-webkit-filter": "filter", "-webkit-transform": "transform"},
}
"""Properties that, in a page written from left to right, say the same as others."""
LEAST_OPACITY = 0.05
_FAR_BACK = -1_000
"""Pixels: text that is moved as far up or to the left is not on the screen."""
_FAR_ON = 4_000
"""The same to the right; further down a reader can scroll."""
_TIGHT = -10
"""Pixels between letters that then stand on each other."""
_NARROW = 10
"""Pixels of a box that cuts off what goes beyond it: less than a line, or two letters."""
_BLURRED = 4
_LONGEST = 1_000
_SHORT = ("transform", "filter", "clip", "clip-path", "rotate", "scale", "translate")
"""Properties that no honest page writes at such length; they are not read then."""
_OF_BOXES = frozenset(
    (
        *("transform", "scale", "rotate", "translate", "width", "height", "max-width"),
        *("max-height", "text-indent", "margin-top", "contain"),
    )
)
_COLOUR = re.compile(r"#[0-9a-f]+|[a-z-]+\([^()]*\)|\b[a-z]+\b")


def is_gone(style: Mapping[str, str], *, inline: bool = False) -> bool:
    """Whether an element of this style is not seen, whatever is in it.

    To an `inline` one, a part of a line, size and transformation do nothing (CSS Transforms 1, 2).
    """
    if inline:
        style = {name: value for name, value in style.items() if name not in _OF_BOXES}
    return (
        any(len(style.get(name, "")) > _LONGEST for name in _SHORT)
        or style.get("display") == "none"
        or style.get("content-visibility") == "hidden"
        or style.get("content", "").startswith("url(")
        or opacity(style) < LEAST_OPACITY
        or share(style.get("zoom")) < 0.01
        or style.get("-webkit-text-security", "none") not in ("none", "")
        or any(length <= _TIGHT for length in lengths(style.get("letter-spacing", "")))
        or _is_veiled(style)
        or _is_moved_away(style)
        or _is_clipped(style)
        or _is_turned(style)
        or _is_shrunk(style)
    )


def opacity(style: Mapping[str, str]) -> float:
    """How much of an element shows, from 0 to 1."""
    filtered = re.findall(r"opacity\(\s*([^()]*?)\s*\)", style.get("filter", "")[:_LONGEST])
    return prod(max(0.0, share(value)) for value in (style.get("opacity"), *filtered))


def filtered(colour: Rgb, style: Mapping[str, str]) -> Rgb:
    """`colour` as the filters of a style leave it, of those that may make text like its ground."""
    red, green, blue = colour
    for name, written in re.findall(r"(invert|brightness)\(([^()]*)\)", style.get("filter", "")):
        part = share(written.strip())
        red, green, blue = (
            one + part * (1 - 2 * one) if name == "invert" else min(1.0, one * part)
            for one in (red, green, blue)
        )
    return red, green, blue


def is_blended_away(style: Mapping[str, str], ground: Rgb | None) -> bool:
    """Whether a blend mode makes everything as light, or as dark, as what is behind it."""
    mode = style.get("mix-blend-mode", "normal")
    if ground is None:
        return False
    if mode in ("screen", "lighten", "color-dodge"):
        return min(ground) > 0.9
    return mode in ("multiply", "darken", "color-burn") and max(ground) < 0.1


def gradient_colours(value: str) -> list[str]:
    """The colours of the gradients in `value`, as written, if there are any."""
    found = re.findall(r"gradient\(((?:[^()]|\([^()]*\))*)\)", value[:_LONGEST])
    return [name for inner in found for name in _COLOUR.findall(inner) if colour(name) is not None]


def _is_veiled(style: Mapping[str, str]) -> bool:
    filtered, mask = style.get("filter", ""), style.get("mask", "")
    blurs = re.findall(r"blur\(([^()]*)\)", filtered)
    if any(length >= _BLURRED for blur in blurs for length in lengths(blur)):
        return True
    if re.search(r"contrast\(\s*0*(?:\.0*)?%?\s*\)", filtered):
        return True
    if mask and all(length <= 0 for length in lengths(style.get("mask-size", ""), "x")):
        return True
    shown = [found for name in gradient_colours(mask) if (found := colour(name)) is not None]
    return bool(shown) and all(one.alpha < LEAST_OPACITY for one in shown)


def _is_moved_away(style: Mapping[str, str]) -> bool:
    down = [style.get(name, "") for name in ("margin-top", "margin")]
    across = [style.get(name, "") for name in ("text-indent", "margin-left")]
    position, moved = style.get("position", "static"), style.get("transform", "")
    if position not in ("static", ""):
        if share(style.get("z-index")) < 0:
            return True
        down += [style.get(name, "") for name in ("top", "bottom", "inset")]
        across += [style.get(name, "") for name in ("left", "right")]
    if "translate" in moved or "translate" in style:
        across += [moved, style.get("translate", "")]
    across += [f"{part}px" for part in _matrix(moved)[4:]]
    far_on = (*across, style.get("padding-left", ""))
    return (
        any(length <= _FAR_BACK for value in (*down, *across) for length in lengths(value))
        or any(length >= _FAR_ON for value in far_on for length in lengths(value))
        or (position == "fixed" and "translate" not in moved and _is_off_screen(style))
    )


def _is_off_screen(style: Mapping[str, str]) -> bool:
    """Whether an element that does not scroll stands beyond an edge of the screen."""
    edges = (style.get(side, "") for side in ("left", "top", "right", "bottom"))
    return any(
        (unit in ("%", "vw", "vh") and number >= 100) or (unit in ("px", "") and number >= _FAR_ON)
        for edge in edges
        for number, unit in numbers(edge)
    )


def _is_clipped(style: Mapping[str, str]) -> bool:
    clip, path = style.get("clip", ""), style.get("clip-path", "")
    lifted = style.get("position", "") in ("absolute", "fixed")
    if lifted and clip.startswith("rect") and all(abs(length) <= 2 for length in lengths(clip)):
        return True
    shape, _, said = path.partition("(")
    match shape:
        case "inset":
            return any(
                number >= 50 if unit == "%" else number >= -_FAR_BACK
                for number, unit in numbers(said)
            )
        case "circle" | "ellipse":
            return all(length <= 1 for length in lengths(said.partition(" at ")[0]))
        case "polygon" | "rect":
            return all(abs(length) <= 2 for length in lengths(said))
        case "xywh":
            return any(abs(length) <= 2 for length in lengths(said)[2:4])
        case "path":
            # Two points have no area.
            return len(lengths(said)) < 6
        case _:
            return False


def _is_turned(style: Mapping[str, str]) -> bool:
    """Whether an element is turned until only its edge shows, or made as small as a dot."""
    moved = style.get("transform", "")
    turns = re.findall(r"rotate(?:[xy]\(|3d\([^()]*,\s*0\s*,)[^()]*\)", moved)
    turned = style.get("rotate", "")
    turns += [turned] if re.match(r"[xy]\b|[\d.]+ [\d.]+ 0 ", turned) else []
    turns += re.findall(r"skew[xy]?\([^()]*\)", moved)
    if any(abs(angle % 180 - 90) < 1 for turn in turns for angle in degrees(turn)):
        return True
    matrix = _matrix(moved)
    if matrix and abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]) < 0.0025:
        return True
    flat = f"{moved} scale({style.get('scale', '')})"
    scales = (match[1] for match in re.finditer(r"scale(?:x|y|3d)?\(([^)]*)\)", flat))
    return any(abs(factor) < 0.05 for written in scales for factor in lengths(written))


def _matrix(moved: str) -> list[float]:
    """The six numbers of a matrix in the plane, none if there is no matrix."""
    match = re.search(r"matrix(3d)?\(([^()]*)\)", moved)
    parts = [to_float(part.strip()) for part in match[2].split(",")] if match else []
    if len(parts) == 16:
        parts = [parts[at] for at in (0, 1, 4, 5, 12, 13)]
    return parts if len(parts) == 6 else []


def _is_shrunk(style: Mapping[str, str]) -> bool:
    cut = " ".join(style.get(name, "") for name in ("overflow", "overflow-x", "overflow-y"))
    cut += re.sub(r"layout|size|style", "", style.get("contain", ""))
    if not re.search(r"hidden|clip|scroll|auto|strict|content|paint", cut):
        return False
    if style.get("white-space") in ("nowrap", "pre"):
        indents = lengths(style.get("text-indent", ""))
        if any(length >= SCREEN_WIDTH for length in indents):
            return True
    if "strict" in cut and not (style.keys() & {"height", "width"}):
        return True
    return any(
        (value := style.get(name, ""))
        and all(0 <= length <= _NARROW for length in lengths(value, "x"))
        for name in ("width", "height", "max-width", "max-height")
    )
