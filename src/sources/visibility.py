"""Removes from a page's tree what a reader cannot see, and marks struck-out text.

A small cascade of the page's own styles (`<style>`, `style=`, presentational attributes) decides.
Styles in other files are not loaded and scripts do not run: text that these hide counts as seen.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast
from urllib.parse import unquote_to_bytes

import cssselect
import tinycss2
from lxml import etree
from lxml.html import HtmlElement
from tinycss2 import ast, color4

STRUCK = "~~"
"""Stands before and behind text that its page has struck out, as in Markdown."""

COMMENT = "Reader’s comment: "
"""Stands before each line of what readers of a page have written below it."""

_NEVER_SHOWN = frozenset(
    (
        *("template", "noscript", "noframes", "noembed", "iframe", "object", "svg", "canvas"),
        *("select", "datalist", "textarea", "audio", "video", "progress", "meter", "rp", "option"),
        *("annotation", "annotation-xml", "applet", "frameset", "portal"),
    )
)
_NO_TEXT = frozenset(("head", "title", "script", "style", "meta", "link"))
_LINES = frozenset(("p", "li", "div", "dd", "td", "blockquote", "section", "article", "pre"))
_COMMENT_NAMES = frozenset(
    (
        *("comment", "comments", "commentlist", "disqus", "replies", "reply"),
        *("kommentar", "kommentare", "commentaire", "commentaires", "comentario", "comentarios"),
        *("usercomment", "usercomments", "commentbody", "commenttext"),
    )
)
# "no-comments", "comments-open" on an article say whether there are any.
_NOT_COMMENTS = frozenset(("no", "open", "closed", "post", "article", "entry", "count", "link"))
_STRUCK_TAGS = frozenset(("del", "s", "strike"))
_PROPERTIES = frozenset(
    (
        *("display", "visibility", "opacity", "content-visibility", "filter", "transform", "scale"),
        *("position", "left", "top", "right", "bottom", "inset", "text-indent", "margin-left"),
        *("margin-top", "margin", "translate", "width", "height", "max-width", "max-height"),
        *("overflow", "overflow-x", "overflow-y", "clip", "clip-path", "font-size", "font"),
        *("zoom", "z-index", "color", "background", "background-color", "background-image"),
        *("background-clip", "-webkit-background-clip", "-webkit-text-fill-color"),
        *("text-decoration", "text-decoration-line"),
    )
)
# Bounds of what a page may make this work: more is read as if it stood in another file.
_MOST_CSS = 2_000_000
_MOST_RULES = 5_000
_MOST_MATCHES = 200_000
_MOST_STEPS = 8
_LONGEST_SELECTOR = 300
_MOST_NESTED = 8
_POSITIONAL = re.compile(r":(?:nth-|first-of|last-of|only-of|has\b)")
_FAR_BACK = -1_000
"""Pixels: text that is moved as far up or to the left is not on the screen."""
_FAR_ON = 4_000
"""The same to the right; further down a reader can scroll."""
_SCREEN_WIDTH = 1280
_LEAST_FONT = 2.0
_LEAST_OPACITY = 0.05
_LEAST_CONTRAST = 1.15
_LEAST_WORDS = 5
_LENGTH = {
    **{"px": 1.0, "pt": 1.33, "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "pc": 16.0, "": 1.0},
    **{"cm": 37.8, "mm": 3.78, "in": 96.0, "vw": 12.8, "vh": 8.0, "%": 12.8},
}
_NUMBER = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,2})?)\s*(%|[a-z]*)", re.I)
_WIDTHS = re.compile(r"(min|max)-width\s*:\s*([\d.]+)(px|em|rem)")
_NOT_SCREEN = re.compile(r"\b(?:print|speech|tty|braille|embossed|tv|projection|handheld)\b")
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)")
_VEILED = re.compile(r"opacity\(\s*0*(?:\.0+)?%?\s*\)|blur\(\s*(?:[5-9]|\d{2,})[\d.]*(?:px|em|rem)")

_OF_ALL = re.compile(r"(?:^|,)\s*(?::root|html|body|\*)\s*(?:,|$)")

Rgb = tuple[float, float, float]


def remove_unseen(tree: HtmlElement) -> int:
    """Take out of `tree`, in place, what a reader of the page does not see.

    Folded text (a closed `<details>`) stays: one click shows it. Struck-out text stays between
    `STRUCK` marks.

    Returns:
        How many characters are hidden.
    """
    hidden = sum(_remove(element) for element in _never_shown(tree))
    hidden += _remove_styled(tree, _Styles(tree))
    for element in list(tree.iter("dialog", "details")):
        # The search for the main text knows neither.
        element.tag = "div"
    return hidden


def mark_comments(tree: HtmlElement) -> None:
    """Put `COMMENT` before each block that stands in a page's comments, in place.

    They are recognised by class, id or item type, as in browsers' reader views and archives.
    """
    inside: set[HtmlElement] = set()
    for element in tree.iter():
        if element.tag in _NO_TEXT:
            continue
        parent = element.getparent()
        if parent in inside or _is_comments(element):
            inside.add(element)
            if (element.text or "").strip() and (element.tag in _LINES or parent not in inside):
                element.text = COMMENT + (element.text or "").lstrip()


def _is_comments(element: HtmlElement) -> bool:
    if element.tag in ("html", "body", "main"):
        return False
    if "/comment" in element.get("itemtype", "").lower():
        return True
    names = re.split(r"[\s_-]+", f"{element.get('class', '')} {element.get('id', '')}".casefold())
    if any(name in _COMMENT_NAMES for name in names):
        return _NOT_COMMENTS.isdisjoint(names)
    return False


def _never_shown(tree: HtmlElement) -> list[HtmlElement]:
    found = list(tree.iter(*_NEVER_SHOWN))
    found += [one for one in tree.iter("dialog") if "open" not in one.attrib]
    for one in tree.xpath("//*[@hidden or @aria-hidden or @popover]"):
        hidden = one.get("hidden", "until-found").casefold() != "until-found"
        unspoken = one.get("aria-hidden", "").casefold() == "true"
        if hidden or unspoken or "popover" in one.attrib:
            found.append(one)
    return found


def _remove(element: HtmlElement) -> int:
    """Drop `element` with all that is in it; tell how many characters of it count."""
    if element.getparent() is None or element.tag in ("html", "body"):
        return 0
    count = _count(_text(element))
    element.drop_tree()
    return count


def _text(element: HtmlElement) -> str:
    if element.tag in _NO_TEXT:
        return ""
    return " ".join("".join(element.itertext()).split())


def _count(text: str) -> int:
    return len(text) if text.count(" ") >= _LEAST_WORDS - 1 else 0


@dataclass(frozen=True, slots=True)
class _Seen:
    """The inherited properties that decide whether an element's own text is visible."""

    visible: bool = True
    struck: bool = False
    colour: Rgb | None = (0.0, 0.0, 0.0)
    ground: Rgb | None = (1.0, 1.0, 1.0)
    size: float = 16.0

    @property
    def own_text(self) -> bool:
        """Whether text right in the element can be seen."""
        if not self.visible or self.size < _LEAST_FONT:
            return False
        if self.colour is None or self.ground is None:
            return self.colour is not None
        return _contrast(self.colour, self.ground) >= _LEAST_CONTRAST


def _remove_styled(tree: HtmlElement, styles: _Styles) -> int:
    """Take out of `tree` what the styles hide, from the top; how many characters of it count."""
    hidden = 0
    # No recursion, since pages nest as deep as they like.
    pending = [(tree, _Seen())]
    while pending:
        element, around = pending.pop()
        if element.tag in _NO_TEXT:
            continue
        style = styles.of(element)
        if style and element.tag not in ("html", "body") and _is_gone(style):
            hidden += _remove(element)
            continue
        seen = _inherit(element, style, around)
        # The search for the main text has rules of its own for styles.
        element.attrib.pop("style", None)
        element.text, count = _own(element.text, seen)
        hidden += count
        for child in element:
            child.tail, count = _own(child.tail, seen)
            hidden += count
            pending.append((child, seen))
    return hidden


def _own(text: str | None, seen: _Seen) -> tuple[str | None, int]:
    """Text right in an element as it is seen, and how many characters of it are not."""
    if text is None or not text.strip():
        return text, 0
    if not seen.own_text:
        return " ", _count(" ".join(text.split()))
    return (_struck(text) if seen.struck else text), 0


def _struck(text: str) -> str:
    """`text` between marks; white space stays outside them."""
    core = text.strip()
    start = text.index(core)
    bare = core.replace(STRUCK, "")
    return f"{text[:start]}{STRUCK}{' '.join(bare.split())}{STRUCK}{text[start + len(core) :]}"


class _Styles:
    """The declarations that win for each element, as far as they can hide it."""

    def __init__(self, tree: HtmlElement) -> None:
        rules = _Rules()
        for sheet in _sheets(tree):
            rules.read(sheet)
        self._variables = rules.variables
        self._found: dict[HtmlElement, dict[str, tuple[_Weight, str]]] = {}
        small = sum(1 for _ in tree.iter()) <= 3_000
        matches = 0
        for number, rule in enumerate(rules.found):
            if not small and _POSITIONAL.search(rule.selector):
                continue
            for element in _matching(tree, rule.path):
                matches += 1
                if matches > _MOST_MATCHES:
                    return
                self._add(element, rule.declarations, rule.specificity, number)

    def _add(
        self,
        element: HtmlElement,
        declarations: Iterable[_Declared],
        specificity: tuple[int, ...],
        number: int,
    ) -> None:
        known = self._found.setdefault(element, {})
        for name, value, important in declarations:
            weight = (important, specificity, number)
            if name not in known or known[name][0] <= weight:
                known[name] = weight, value

    def of(self, element: HtmlElement) -> Mapping[str, str]:
        """The style of `element`, values in lower case with variables filled in."""
        inline = element.get("style")
        if inline:
            self._add(element, _read_declarations(tinycss2.parse_blocks_contents(inline)), (9,), 0)
        found = {name: value for name, (_, value) in self._found.get(element, {}).items()}
        for attribute, name in (
            ("bgcolor", "background-color"),
            ("color", "color"),
            ("text", "color"),
        ):
            value = element.get(attribute)
            if value and (attribute != "text" or element.tag == "body"):
                found.setdefault(name, value.strip().lower())
        return {name: self._fill_variables(value) for name, value in found.items()}

    def _fill_variables(self, value: str) -> str:
        for _ in range(_MOST_NESTED):
            if "var(" not in value or len(value) > 1_000:
                break
            value = _VARIABLE.sub(lambda m: self._variables.get(m[1], m[2] or ""), value)
        return value.strip()


_Declared = tuple[str, str, bool]
_Weight = tuple[bool, tuple[int, ...], int]


@dataclass(frozen=True, slots=True)
class _Rule:
    selector: str
    path: etree.XPath
    specificity: tuple[int, ...]
    declarations: tuple[_Declared, ...]


@dataclass(slots=True)
class _Rules:
    """The rules of the page's sheets that may hide something."""

    found: list[_Rule] = field(default_factory=list[_Rule])
    variables: dict[str, str] = field(default_factory=dict[str, str])

    def read(self, sheet: str) -> None:
        """Add the rules of `sheet`."""
        self._nodes(tinycss2.parse_stylesheet(sheet, True, True), "", 0)

    def _nodes(self, nodes: Sequence[ast.Node], around: str, depth: int) -> None:
        if depth > _MOST_NESTED:
            return
        for node in nodes:
            if node.type == "qualified-rule":
                self._read_qualified(node, around, depth)
            elif node.type == "at-rule" and node.content is not None and _applies(node):
                inner = tinycss2.parse_blocks_contents(node.content, True, True)
                if around:
                    self._declarations(inner, around)
                self._nodes(inner, around, depth + 1)

    def _read_qualified(self, rule: ast.Node, around: str, depth: int) -> None:
        written = tinycss2.serialize(rule.prelude).strip()
        if len(written) > _LONGEST_SELECTOR * 20:
            return
        selector = _nest(written, around) if around else written
        inner = tinycss2.parse_blocks_contents(rule.content or (), True, True)
        self._declarations(inner, selector)
        self._nodes(inner, selector, depth + 1)

    def _declarations(self, nodes: Sequence[ast.Node], selector: str) -> None:
        for node in nodes:
            if node.type == "declaration" and node.name.startswith("--"):
                value = tinycss2.serialize(node.value).strip().lower()
                if _OF_ALL.search(selector):
                    self.variables[node.name] = value
                else:
                    # Of a theme that the page may not be in.
                    self.variables.setdefault(node.name, value)
        declarations = tuple(_read_declarations(nodes))
        if declarations:
            self.found += _compile(selector, declarations, _MOST_RULES - len(self.found))


def _read_declarations(nodes: Iterable[ast.Node]) -> Iterator[_Declared]:
    for node in nodes:
        if node.type == "declaration" and node.lower_name in _PROPERTIES:
            # A comment between words is written as one again, which makes another value of it.
            words = [part for part in node.value if part.type != "comment"]
            value = " ".join(tinycss2.serialize(words).lower().split())
            yield node.lower_name, value, node.important


def _nest(selector: str, around: str) -> str:
    own = f":is({around})"
    return selector.replace("&", own) if "&" in selector else f"{own} {selector}"


def _compile(selector: str, declarations: tuple[_Declared, ...], left: int) -> list[_Rule]:
    """A rule for each selector of a list; those that cannot be read select nothing."""
    try:
        parsed = cssselect.parse(selector)
    except (cssselect.SelectorError, RecursionError):
        return []
    rules: list[_Rule] = []
    for one in parsed[: max(left, 0)]:
        if one.pseudo_element is not None:
            continue
        try:
            path = cssselect.HTMLTranslator().selector_to_xpath(one)
            if len(path) > 20 * _LONGEST_SELECTOR or path.count("/") > 2 + 2 * _MOST_STEPS:
                continue
            rules.append(_Rule(selector, etree.XPath(path), one.specificity(), declarations))
        except (cssselect.SelectorError, etree.XPathSyntaxError, RecursionError):
            continue
    return rules


def _matching(tree: HtmlElement, path: etree.XPath) -> list[HtmlElement]:
    try:
        return cast("list[HtmlElement]", path(tree))
    except etree.XPathError:
        return []


def _sheets(tree: HtmlElement) -> Iterator[str]:
    left = _MOST_CSS
    for element in tree.iter("style", "link"):
        if _NOT_SCREEN.search(element.get("media", "").lower()):
            continue
        text = _mark_link(element) if element.tag == "link" else (element.text or "")
        if len(text) <= left:
            left -= len(text)
            yield text


def _mark_link(link: HtmlElement) -> str:
    """The sheet that a link carries within its own address, "" for one that lies elsewhere."""
    address = link.get("href", "").strip()
    if "stylesheet" not in link.get("rel", "").lower() or not address.lower().startswith("data:"):
        return ""
    head, _, body = address.partition(",")
    data = unquote_to_bytes(body)
    if head.lower().endswith(";base64"):
        try:
            data = base64.b64decode(data)
        except ValueError:
            return ""
    return data.decode("utf-8", "replace")


def _applies(rule: ast.Node) -> bool:
    """Whether the rules in `rule` hold on a usual screen."""
    if rule.lower_at_keyword in ("keyframes", "font-face", "page", "property", "-webkit-keyframes"):
        return False
    if rule.lower_at_keyword != "media":
        return True
    query = tinycss2.serialize(rule.prelude).lower()
    if _NOT_SCREEN.search(query) or re.search(r"prefers-color-scheme\s*:\s*dark", query):
        return False
    for side, number, unit in _WIDTHS.findall(query):
        width = _float(number) * _LENGTH[unit]
        if width > _SCREEN_WIDTH if side == "min" else width < _SCREEN_WIDTH:
            return False
    return True


def _is_gone(style: Mapping[str, str]) -> bool:
    """Whether an element of this style is not seen, whatever is in it."""
    return (
        style.get("display") == "none"
        or style.get("content-visibility") == "hidden"
        or _below(style.get("opacity"), _LEAST_OPACITY)
        or _VEILED.search(style.get("filter", "")) is not None
        or _below(style.get("zoom"), 0.01)
        or _is_moved_away(style)
        or _is_clipped(style)
        or _is_shrunk(style)
    )


def _is_moved_away(style: Mapping[str, str]) -> bool:
    down = [style.get(name, "") for name in ("margin-top", "margin")]
    across = [style.get(name, "") for name in ("text-indent", "margin-left")]
    if style.get("position", "static") not in ("static", ""):
        if _below(style.get("z-index"), 0):
            return True
        down += [style.get(name, "") for name in ("top", "bottom", "inset")]
        across += [style.get(name, "") for name in ("left", "right")]
    if "translate" in style.get("transform", "") or "translate" in style:
        across += [style.get("transform", ""), style.get("translate", "")]
    return any(
        length <= _FAR_BACK for value in (*down, *across) for length in _lengths(value)
    ) or any(length >= _FAR_ON for value in across for length in _lengths(value))


def _is_clipped(style: Mapping[str, str]) -> bool:
    clip, path = style.get("clip", ""), style.get("clip-path", "")
    if clip.startswith("rect") and all(abs(length) <= 2 for length in _lengths(clip)):
        return True
    if path.startswith("inset"):
        return any(float(n) >= 50 for n, unit in _NUMBER.findall(path) if unit == "%")
    if path.startswith(("circle", "ellipse")):
        return all(length <= 1 for length in _lengths(path.partition(" at ")[0]))
    if path.startswith("polygon"):
        return all(abs(length) <= 2 for length in _lengths(path))
    flat = f"{style.get('transform', '')} scale({style.get('scale', '')})"
    if re.search(r"rotate[xy]\(-?90deg\)", flat):
        return True
    scales = (match[1] for match in re.finditer(r"scale(?:x|y|3d)?\(([^)]*)\)", flat))
    return any(abs(factor) < 0.05 for written in scales for factor in _lengths(written))


def _is_shrunk(style: Mapping[str, str]) -> bool:
    overflow = " ".join(style.get(name, "") for name in ("overflow", "overflow-x", "overflow-y"))
    if not re.search(r"hidden|clip|scroll|auto", overflow):
        return False
    return any(
        (value := style.get(name, "")) and all(0 <= length <= 2 for length in _lengths(value, "x"))
        for name in ("width", "height", "max-width", "max-height")
    )


def _inherit(element: HtmlElement, style: Mapping[str, str], around: _Seen) -> _Seen:
    struck = around.struck or element.tag in _STRUCK_TAGS
    if element.tag == "ins" and around.struck:
        struck = False
    if not style:
        return replace(around, struck=struck)
    line = f"{style.get('text-decoration', '')} {style.get('text-decoration-line', '')}"
    shown = "" if element.tag in ("html", "body") else style.get("visibility", "")
    colour = _colour(style.get("-webkit-text-fill-color", "") or style.get("color", ""), around)
    clip = f"{style.get('background-clip', '')}{style.get('-webkit-background-clip', '')}"
    if "text" in clip:
        # The text is a hole through which a picture shows.
        colour = around.colour
    return _Seen(
        visible=around.visible if shown in ("", "inherit") else shown not in ("hidden", "collapse"),
        struck=struck or "line-through" in line,
        colour=colour,
        ground=None if "text" in clip else _ground(style, around),
        size=_font_size(style, around.size),
    )


def _font_size(style: Mapping[str, str], around: float) -> float:
    value = style.get("font-size", "")
    if not value and (
        match := re.search(r"(?:^|\s)(0|[\d.]+(?:px|pt|em|rem|%))(?=[\s/])", style.get("font", ""))
    ):
        value = match[1]
    match = _NUMBER.fullmatch(value)
    if match is None:
        return around
    number, unit = _float(match[1]), match[2].lower()
    if unit in ("em", "%"):
        return around * number / (100 if unit == "%" else 1)
    return number * _LENGTH.get(unit, 1.0)


def _colour(value: str, around: _Seen) -> Rgb | None:
    """The colour of text; None for one that is transparent."""
    if not value or value in ("inherit", "currentcolor", "initial", "unset"):
        return around.colour
    parsed = color4.parse_color(value)
    if parsed is None or isinstance(parsed, str):
        return around.colour
    return _rgb(parsed)


def _ground(style: Mapping[str, str], around: _Seen) -> Rgb | None:
    """The colour behind text; None where a picture or a gradient makes it unknown."""
    written = style.get("background", "")
    if "url(" in written or "gradient" in written or "url(" in style.get("background-image", ""):
        return None
    for value in (style.get("background-color", ""), written, *written.split()):
        parsed = color4.parse_color(value) if value else None
        if parsed is not None and not isinstance(parsed, str):
            return _rgb(parsed) or around.ground
    return around.ground


def _rgb(colour: color4.Color) -> Rgb | None:
    if colour.alpha < _LEAST_OPACITY:
        return None
    red, green, blue = (float(value or 0) for value in colour.to("srgb").coordinates)
    return red, green, blue


def _contrast(one: Rgb, other: Rgb) -> float:
    """The contrast of two colours, 1 to 21, as in WCAG 2.2."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Rgb) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _lengths(value: str, least: str = "") -> list[float]:
    """The lengths in `value` in pixels; with `least`, something that is never small if none."""
    found = [
        _float(number) * _LENGTH.get(unit.lower(), 1.0) for number, unit in _NUMBER.findall(value)
    ]
    return found or ([float("inf")] if least else [])


def _below(value: str | None, limit: float) -> bool:
    match = _NUMBER.fullmatch(value or "")
    if match is None:
        return False
    return _float(match[1]) / (100 if match[2] == "%" else 1) < limit


def _float(written: str) -> float:
    try:
        return float(written)
    except ValueError:
        return 0.0
