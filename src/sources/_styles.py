"""Values of style sheets, and whether an element of a style is out of a reader's sight."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from math import prod

from tinycss2 import color4

Rgb = tuple[float, float, float]

SCREEN_WIDTH = 1280
_MOST_NESTED = 8
_LONGEST_COLOUR = 200
_PIXELS = {
    **{"px": 1.0, "pt": 1.33, "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "pc": 16.0, "": 1.0},
    **{"cm": 37.8, "mm": 3.78, "in": 96.0, "vw": 12.8, "vh": 8.0, "%": 12.8},
}
_DEGREES = {"deg": 1.0, "turn": 360.0, "grad": 0.9, "rad": 57.29578}
_NUMBER = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,2})?)\s*(%|[a-z]*)", re.I)
_ANGLE = re.compile(r"([+-]?[\d.]+)(deg|turn|grad|rad)")
_INNERMOST = re.compile(r"(?<![\w-])(calc|min|max|clamp|)\(([^()]*)\)")
_MIXED = re.compile(r"color-mix\(in [^,]*,\s*([^,%]+?)\s*([\d.]+%)?\s*,\s*([^,%]+?)\s*([\d.]+%)?\)")
_LIGHT = re.compile(r"light-dark\(([^,]+),[^,]*\)")
_FROM = re.compile(r"\w+\(from ([a-z]+|#[0-9a-f]+) \w \w \w\)")
_FROM_NOTHING = re.compile(r"\(from [^\s()]+ ([\d.][^a-z()]*)\)")
_OF_SYSTEM = {
    **dict.fromkeys(("canvas", "field", "window"), "white"),
    **dict.fromkeys(("canvastext", "windowtext"), "black"),
}


def computed(value: str) -> str:
    """`value` with its calc(), min(), max() and clamp() worked out, as far as they can be."""
    for _ in range(_MOST_NESTED):
        now = _INNERMOST.sub(_worked_out, value)
        if now == value:
            break
        value = now
    return value


def _worked_out(match: re.Match[str]) -> str:
    try:
        numbers = [_sum(part) for part in match[2].split(",")]
    except (ValueError, ZeroDivisionError):
        return match[0]
    if match[1] == "clamp" and len(numbers) == 3:
        numbers = [max(numbers[0], min(numbers[1:]))]
    return f"{max(numbers) if match[1] == 'max' else min(numbers):.6g}px"


def _sum(written: str) -> float:
    terms = re.findall(r"(?:^|\s([+-])\s)((?:(?!\s[+-]\s).)+)", written)
    return sum((-1 if sign == "-" else 1) * _product(term) for sign, term in terms)


def _product(written: str) -> float:
    first, *others = re.split(r"\s*([*/])\s*", written.strip())
    product = _pixels(first)
    for sign, factor in zip(others[::2], others[1::2], strict=False):
        product *= _pixels(factor) if sign == "*" else 1 / _pixels(factor)
    return product


def _pixels(written: str) -> float:
    match = _NUMBER.fullmatch(written)
    if match is None or match[2].lower() not in _PIXELS:
        raise ValueError(written)
    return to_float(match[1]) * _PIXELS[match[2].lower()]


def lengths(value: str, least: str = "") -> list[float]:
    """The lengths in `value` in pixels; with `least`, something that is never small if none."""
    found = [number * _PIXELS.get(unit, 1.0) for number, unit in numbers(value)]
    return found or ([float("inf")] if least else [])


def numbers(value: str) -> list[tuple[float, str]]:
    """The numbers in `value` with their units."""
    return [(to_float(number), unit.lower()) for number, unit in _NUMBER.findall(value)]


def degrees(value: str) -> list[float]:
    """The angles in `value`."""
    return [to_float(number) * _DEGREES[unit] for number, unit in _ANGLE.findall(value)]


def share(value: str | None, default: float = 1.0) -> float:
    """`value` between 0 and 1 or in percent."""
    match = _NUMBER.fullmatch(value or "")
    if match is None:
        return default
    return to_float(match[1]) / (100 if match[2] == "%" else 1)


def font_size(value: str, around: float) -> float:
    """A size of type in pixels, where that of the text around it is `around`."""
    match = _NUMBER.fullmatch(value)
    if match is None:
        return around
    number, unit = to_float(match[1]), match[2].lower()
    if unit in ("em", "%"):
        return around * number / (100 if unit == "%" else 1)
    return number * _PIXELS.get(unit, 1.0)


def to_float(written: str) -> float:
    """The number, 0 if it is none."""
    with suppress(ValueError):
        return float(written)
    return 0.0


def colour(value: str) -> color4.Color | None:
    """The colour that `value` names, with what mixes or chooses colours worked out."""
    if len(value) > _LONGEST_COLOUR:
        return None
    value = _LIGHT.sub(r"\1", value)
    value = _FROM_NOTHING.sub(r"(\1)", _FROM.sub(r"\1", value))
    if mixed := _MIXED.fullmatch(value):
        return _mixed(mixed)
    parsed = color4.parse_color(_OF_SYSTEM.get(value, value)) if value else None
    return None if parsed is None or isinstance(parsed, str) else _in_srgb(parsed)


_LIGHTEST = {"oklab": 1.0, "oklch": 1.0, "lab": 100.0, "lch": 100.0}


def _in_srgb(value: color4.Color) -> color4.Color:
    """`value` in the colour space sRGB, one of lightness and hue as a grey that is as light."""
    lightest = _LIGHTEST.get(value.space)
    if lightest is None:
        with suppress(NotImplementedError):
            return value.to("srgb")
        # Spaces of red, green and blue differ little in what is light and dark.
        return color4.Color("srgb", value.coordinates, value.alpha)
    light = min(1.0, max(0.0, float(value.coordinates[0] or 0) / lightest))
    linear = light**3 if lightest == 1 else max(0.0, (light + 0.16) / 1.16) ** 3
    grey = 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055
    return color4.Color("srgb", [grey] * 3, value.alpha)


def _mixed(match: re.Match[str]) -> color4.Color | None:
    """The mixture if both are nearly one colour, else the one of which there is more."""
    one, other = colour(match[1]), colour(match[3])
    first, second = share(match[2], -1), share(match[4], -1)
    first = first if first >= 0 else (1 - second if second >= 0 else 0.5)
    return one if first >= 0.5 else other


def rgb(value: color4.Color) -> Rgb:
    """The parts of a colour, from 0 to 1."""
    red, green, blue = (float(part or 0) for part in value.to("srgb").coordinates)
    return red, green, blue


def contrast(one: Rgb, other: Rgb) -> float:
    """The contrast of two colours, 1 to 21, as in WCAG 2.2."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(parts: Rgb) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


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
    for one in re.split(r",|\bor\b", query.lower()):
        asked = one.strip()
        denied = asked.startswith("not ")
        if _holds(asked.removeprefix("not ")) is not denied:
            return True
    return False


# The first words of the names that properties have in browsers.
_FAMILIES = frozenset(
    (
        *("accent", "align", "all", "animation", "appearance", "aspect", "backdrop", "background"),
        *("border", "bottom", "box", "break", "clip", "color", "column", "columns", "contain"),
        *("container", "content", "cursor", "display", "filter", "flex", "float", "font", "gap"),
        *("grid", "height", "hyphens", "initial", "inset", "isolation", "justify", "left"),
        *("letter", "line", "list", "margin", "mask", "max", "min", "mix", "object", "opacity"),
        *("outline", "overflow", "overscroll", "padding", "perspective", "place", "pointer"),
        *("position", "right", "rotate", "row", "scale", "scroll", "scrollbar", "shape", "tab"),
        *("text", "top", "touch", "transform", "transition", "translate", "user", "view"),
        *("visibility", "white", "width", "will", "word", "writing", "z", "zoom"),
    )
)
_ASKED = re.compile(r"\((-webkit-|--)?([a-z]+)[a-z-]*\s*:[^()]*(?:\([^()]*\)[^()]*)*\)")


def is_supported(query: str) -> bool:
    """Whether a usual browser has the properties that a condition of @supports asks for."""
    known = [bool(one[1]) or one[2] in _FAMILIES for one in _ASKED.finditer(query)]
    holds = any(known) if re.search(r"\)\s*or\b", query) else all(known)
    return holds is not query.startswith("not")


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
        *("mix-blend-mode", "unicode-bidi", "direction", "line-height"),
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
LEAST_FONT = 2.0
LEAST_CONTRAST = 1.15
_FAR_BACK = -1_000
"""Pixels: text that is moved as far up or to the left is not on the screen."""
_PLACED_BACK = -500
"""The same of what is placed by itself, and of how far a line is indented."""
_FAR_ON = 4_000
"""The same to the right; further down a reader can scroll."""
_LEAST_ZOOM = 0.12
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
        or share(style.get("zoom")) < _LEAST_ZOOM
        or style.get("-webkit-text-security", "none") not in ("none", "")
        or any(length <= _TIGHT for length in lengths(style.get("letter-spacing", "")))
        or _is_veiled(style)
        or _is_moved_away(style)
        or _is_clipped(style)
        or _is_turned(style)
        or _is_shrunk(style)
    )


def is_unreadable(style: Mapping[str, str]) -> bool:
    """Whether text right in an element of this style, on a white page, cannot be seen."""
    ink = colour(style.get("color", ""))
    own = any(name.startswith("background") for name in style)
    return (
        is_gone(style)
        or style.get("visibility") in ("hidden", "collapse")
        or font_size(style.get("font-size", ""), 16.0) < LEAST_FONT
        or (ink is not None and ink.alpha < LEAST_OPACITY)
        or (ink is not None and not own and contrast(rgb(ink), (1.0, 1.0, 1.0)) < LEAST_CONTRAST)
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
    placed = [style.get("text-indent", "")]
    position, moved = style.get("position", "static"), style.get("transform", "")
    if position not in ("static", ""):
        if share(style.get("z-index")) < 0:
            return True
        down.append(style.get("bottom", ""))
        across += [style.get(name, "") for name in ("left", "right")]
        placed += [style.get(name, "") for name in ("top", "left", "inset")]
    if "translate" in moved or "translate" in style:
        across += [moved, style.get("translate", "")]
    across += [f"{part}px" for part in _matrix(moved)[4:]]
    far_on = (*across, style.get("padding-left", ""))
    return (
        any(length <= _FAR_BACK for value in (*down, *across) for length in lengths(value))
        or any(length <= _PLACED_BACK for value in placed for length in lengths(value))
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
    if lifted and clip.startswith("rect") and all(length <= 2 for length in lengths(clip)):
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
        case "polygon" if len(set(re.split(r"\s*,\s*", said.strip(" )")))) < 3:
            return True
        case "polygon" | "rect":
            return all(length <= 2 for length in lengths(said))
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
    if any(length < 0.2 for length in lengths(style.get("line-height", ""))):
        return True
    return any(
        (value := style.get(name, ""))
        and all(0 <= length <= _NARROW for length in lengths(value, "x"))
        for name in ("width", "height", "max-width", "max-height")
    )
