"""Removes from a page's tree what a reader cannot see, and marks struck-out text.

A small cascade of the page's own styles (`<style>`, `style=`, presentational attributes) decides.
Styles in other files are not loaded and scripts do not run: text that these hide counts as seen.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import cast
from urllib.parse import unquote_to_bytes

import cssselect
import tinycss2
from lxml import etree
from lxml.html import HtmlElement
from tinycss2 import ast

from .style_values import Rgb, colour, computed, contrast, font_size, is_supported, on_screen, rgb
from .unseen_style import ALIASES, LEAST_OPACITY, PROPERTIES, gradient_colours, is_gone, opacity

STRUCK = "~~"
"""Stands before and behind text that its page has struck out, as in Markdown."""

COMMENT = "Reader’s comment: "
"""Stands before each line of what readers of a page have written below it."""

_NEVER_SHOWN = frozenset(
    (
        *("template", "noscript", "noframes", "noembed", "iframe", "object", "svg", "canvas"),
        *("select", "datalist", "textarea", "audio", "video", "progress", "meter", "rp", "option"),
        *("annotation", "annotation-xml", "applet", "frameset", "portal", "mphantom"),
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
_UNSEEN_CLASSES = frozenset(
    ("sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "screen-reader-only")
)
"""Names by which widespread style sheets, which lie in other files, hide text in any window."""
_STRUCK_TAGS = frozenset(("del", "s", "strike"))
_INLINE = frozenset(
    (
        *(
            "a",
            "abbr",
            "b",
            "bdi",
            "bdo",
            "big",
            "cite",
            "code",
            "data",
            "del",
            "dfn",
            "em",
            "font",
        ),
        *(
            "i",
            "ins",
            "kbd",
            "label",
            "mark",
            "q",
            "s",
            "samp",
            "small",
            "span",
            "strike",
            "strong",
        ),
        *("sub", "sup", "time", "tt", "u", "var"),
    )
)
# Bounds of what a page may make this work: more is read as if it stood in another file.
_MOST_CSS = 2_000_000
_MOST_RULES = 5_000
_MOST_MATCHES = 200_000
_MOST_STEPS = 8
_LONGEST_SELECTOR = 300
_MOST_NESTED = 8
# Rules outside of all layers win over those within.
_NO_LAYER = 1_000_000
_MOST_SELECTORS = 200
_POSITIONAL = re.compile(r":(?:nth-|first-of|last-of|only-of|has\b)")
_LEAST_FONT = 2.0
_LEAST_CONTRAST = 1.15
_LEAST_WORDS = 5
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)")
_STATES = re.compile(
    r":(?:focus-within|focus-visible|target-within|fullscreen|modal|popover-open|playing|open)\b"
)
_ALWAYS = re.compile(r":(?:dir\(ltr\)|defined\b|read-only\b)")
_ANY = re.compile(r":(?:-webkit-|-moz-)any\(")
_PART = re.compile(
    r"-webkit-.*|before|after|first-line|first-letter|marker|placeholder|selection|backdrop"
)
_DATA = re.compile(r"data:[^\s\"')]+", re.IGNORECASE)
_NONE_OF = re.compile(r":not\(([^(),]*(?:,[^(),]*)+)\)")
# Of which type the elements that are counted are must be said within the brackets.
_OF_TYPE = re.compile(
    r"\b([a-z]\w*)((?:[.#:\[][^\s>+~,]*?)?):not\((?=:(?:first|last|only|nth|nth-last)-of-type)"
)
_SELECTORS = re.compile(r"(?:[^,(\[]|\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\])+")
_WORD = re.compile(r"[^\W_]+")
_OLD_COLOUR = re.compile(r"^([0-9a-f]{6})$")
_OF_ALL = re.compile(r"(?:^|,)\s*(?::root|html|body|\*)\s*(?:,|$)")


def remove_unseen(tree: HtmlElement) -> int:
    """Take out of `tree`, in place, what a reader of the page does not see.

    Folded text (a closed `<details>`) stays: one click shows it. Struck-out text stays between
    `STRUCK` marks.

    Returns:
        How many characters are hidden.
    """
    hidden = sum(_replace_by_shadow(template) for template in list(tree.iter("template")))
    styles = _Styles(tree)
    hidden += sum(_remove(element) for element in _never_shown(tree))
    for formula in tree.iter("math"):
        _keep_to_formula(formula)
    hidden += _remove_styled(tree, styles)
    for element in list(tree.iter("dialog", "details")):
        # The search for the main text knows neither.
        element.tag = "div"
    return hidden


def _replace_by_shadow(template: HtmlElement) -> int:
    """Put the shadow tree of `template` where a browser shows it in place of what is in its parent.

    Returns:
        How many characters it hides: none where it has a slot for them.
    """
    around = template.getparent()
    if around is None or not template.get("shadowrootmode"):
        return 0
    template.tag = "div"
    if template.xpath(".//slot"):
        return 0
    hidden = sum(_remove(other) for other in list(around) if other is not template)
    hidden += _count(f"{around.text or ''} {template.tail or ''}".strip())
    around.text = template.tail = " "
    return hidden


def _keep_to_formula(formula: HtmlElement) -> None:
    """Drop the text that stands for a formula where it says more than the formula itself."""
    said = re.sub(r"\\[A-Za-z]+", " ", formula.get("alttext", ""))
    shown = set(_WORD.findall(" ".join(formula.itertext())))
    said_more = set(_WORD.findall(said)) - shown
    if any(len(word) > 2 or word.isdigit() for word in said_more):
        del formula.attrib["alttext"]


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
    for one in tree.xpath("//*[@class]"):
        if not _UNSEEN_CLASSES.isdisjoint(one.get("class", "").split()):
            found.append(one)
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
    opacity: float = 1.0
    # Whether each element right in it is a box of its own, as in a flex or grid container.
    boxes: bool = False

    @property
    def own_text(self) -> bool:
        """Whether text right in the element can be seen."""
        if not self.visible or self.size < _LEAST_FONT or self.opacity < LEAST_OPACITY:
            return False
        if self.colour is None or self.ground is None:
            return self.colour is not None
        return contrast(self.colour, self.ground) >= _LEAST_CONTRAST


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
        inline = _is_inline(element, style, around)
        if style and element.tag not in ("html", "body") and is_gone(style, inline=inline):
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


def _is_inline(element: HtmlElement, style: Mapping[str, str], around: _Seen) -> bool:
    """Whether an element is part of a line, so that size and transformation do nothing to it."""
    return (
        element.tag in _INLINE
        and style.get("display", "inline") in ("inline", "")
        and style.get("position", "static") in ("static", "relative", "")
        and style.get("float", "none") in ("none", "")
        and not around.boxes
    )


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
        self._animations = rules.animations
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
                self._add(element, rule, number)

    def _add(
        self,
        element: HtmlElement,
        rule: _Rule,
        number: int,
    ) -> None:
        known = self._found.setdefault(element, {})
        for name, value, important in rule.declarations:
            weight = (important, -rule.layer if important else rule.layer, rule.specificity, number)
            if name not in known or known[name][0] <= weight:
                known[name] = weight, value

    def of(self, element: HtmlElement) -> Mapping[str, str]:
        """The style of `element`, values in lower case with variables filled in."""
        inline = element.get("style")
        if inline:
            nodes = tinycss2.parse_blocks_contents(inline)
            for node in nodes:
                if node.type == "declaration" and node.name.startswith("--"):
                    value = tinycss2.serialize(node.value).strip().lower()
                    self._variables.setdefault(node.name, value)
            declared = tuple(_read_declarations(nodes))
            self._add(element, _Rule("", None, (9,), declared, _NO_LAYER), 0)
        found = {name: value for name, (_, value) in self._found.get(element, {}).items()}
        found |= self._animated(found)
        for attribute, name in (
            ("bgcolor", "background-color"),
            ("color", "color"),
            ("text", "color"),
        ):
            value = element.get(attribute)
            if value and (attribute != "text" or element.tag == "body"):
                written = value.strip().lower()
                found.setdefault(name, _OLD_COLOUR.sub(r"#\1", written))
        return {name: computed(self._fill_variables(value)) for name, value in found.items()}

    def _animated(self, found: Mapping[str, str]) -> dict[str, str]:
        """What an element's animations make of its style and leave so."""
        said = " ".join(value for name, value in found.items() if name.startswith("animation"))
        words = said.replace(",", " ").split()
        named = [self._animations[word] for word in words if word in self._animations]
        held = not {"forwards", "both"}.isdisjoint(words)
        return {name: value for one in named if held or one.steady for name, value, _ in one.end}

    def _fill_variables(self, value: str) -> str:
        for _ in range(_MOST_NESTED):
            if "var(" not in value or len(value) > 1_000:
                break
            value = _VARIABLE.sub(lambda m: self._variables.get(m[1], m[2] or ""), value)
        return value.strip()


_Declared = tuple[str, str, bool]
_Weight = tuple[bool, int, tuple[int, ...], int]


@dataclass(frozen=True, slots=True)
class _Rule:
    """What holds for the elements that `path` finds; an element's own style has none."""

    selector: str
    path: etree.XPath | None
    specificity: tuple[int, ...]
    declarations: tuple[_Declared, ...]
    layer: int


@dataclass(frozen=True, slots=True)
class _Animation:
    """How an animation ends; one that is `steady` is so from the beginning."""

    end: tuple[_Declared, ...]
    steady: bool


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a rule stands: within the selectors of others, in a layer, and how deep."""

    around: str = ""
    layer: str = ""
    depth: int = 0

    def within(self, around: str) -> _Place:
        return _Place(around, self.layer, self.depth + 1)


@dataclass(slots=True)
class _Rules:
    """The rules of the page's sheets that may hide something."""

    found: list[_Rule] = field(default_factory=list[_Rule])
    variables: dict[str, str] = field(default_factory=dict[str, str])
    animations: dict[str, _Animation] = field(default_factory=dict[str, _Animation])
    layers: dict[str, int] = field(default_factory=dict[str, int])
    contained: bool = False

    def read(self, sheet: str) -> None:
        """Add the rules of `sheet`."""
        self.contained |= re.search(r"\bcontainer(?:-type)?\s*:", sheet) is not None
        self._nodes(tinycss2.parse_stylesheet(sheet, True, True), _Place())

    def _nodes(self, nodes: Sequence[ast.Node], place: _Place) -> None:
        if place.depth > _MOST_NESTED:
            return
        for node in nodes:
            if node.type == "qualified-rule":
                self._read_qualified(node, place)
            elif node.type == "at-rule" and node.lower_at_keyword.endswith("keyframes"):
                self._animation(node)
            elif node.type == "at-rule" and node.lower_at_keyword == "import":
                self._imported(node, place)
            elif node.type == "at-rule" and node.lower_at_keyword == "property":
                self._registered(node)
            elif node.type == "at-rule":
                self._read_at_rule(node, place)

    def _read_at_rule(self, rule: ast.Node, place: _Place) -> None:
        """Read the rules within `rule` if it holds on a usual screen."""
        query = tinycss2.serialize(rule.prelude).strip()
        inside = place.within(place.around)
        match rule.lower_at_keyword:
            case "font-face" | "page":
                return
            case "layer":
                inside = self._layer(query, rule.content is not None, inside)
            case "media" if not on_screen(query):
                return
            case "supports" if not is_supported(query.lower()):
                return
            case "container" if not self.contained:
                return
            case "scope":
                root = re.match(r"\(((?:[^()]|\([^()]*\))*)\)", query)
                inside = place.within(
                    _nest(root[1].strip(), place.around) if root else place.around
                )
            case _:
                pass
        if rule.content is not None:
            inner = tinycss2.parse_blocks_contents(rule.content, True, True)
            if place.around:
                self._declarations(inner, inside)
            self._nodes(inner, inside)

    def _registered(self, rule: ast.Node) -> None:
        """Keep the value that a variable has before it is set."""
        name = tinycss2.serialize(rule.prelude).strip()
        for node in tinycss2.parse_blocks_contents(rule.content or (), True, True):
            if node.type == "declaration" and node.lower_name == "initial-value":
                self.variables.setdefault(name, tinycss2.serialize(node.value).strip())

    def _layer(self, query: str, has_rules: bool, place: _Place) -> _Place:
        """The place in the layer that `query` names; a later one wins over those before it."""
        named = [name.strip() for name in query.split(",") if name.strip()]
        for name in named or [f"#{len(self.layers)}"]:
            full = f"{place.layer}.{name}" if place.layer else name
            self.layers.setdefault(full, len(self.layers))
            if has_rules:
                return replace(place, layer=full)
        return place

    def _imported(self, rule: ast.Node, place: _Place) -> None:
        """Read a sheet that an import carries within its own address."""
        written = _DATA.search(tinycss2.serialize(rule.prelude))
        address = re.sub(r"\\(.)", r"\1", written[0]) if written else ""
        sheet = tinycss2.parse_stylesheet(_carried_sheet(address), True, True)
        self._nodes(sheet, place.within(""))

    def _animation(self, rule: ast.Node) -> None:
        """Keep how an animation ends, and whether it is so all the time."""
        frames: list[tuple[_Declared, ...]] = []
        last: tuple[_Declared, ...] = ()
        for frame in tinycss2.parse_blocks_contents(rule.content or (), True, True):
            if frame.type == "qualified-rule":
                inner = tinycss2.parse_blocks_contents(frame.content or (), True, True)
                frames.append(tuple(_read_declarations(inner)))
                if re.search(r"\bto\b|\b100%", tinycss2.serialize(frame.prelude).lower()):
                    last = frames[-1]
        name = tinycss2.serialize(rule.prelude).strip().lower()
        self.animations[name] = _Animation(last, steady=len(set(frames)) == 1)

    def _read_qualified(self, rule: ast.Node, place: _Place) -> None:
        written = _nest(tinycss2.serialize(rule.prelude).strip(), place.around)
        if len(written) > _LONGEST_SELECTOR * 20:
            return
        inside = place.within(written)
        inner = tinycss2.parse_blocks_contents(rule.content or (), True, True)
        self._declarations(inner, inside)
        self._nodes(inner, inside)

    def _declarations(self, nodes: Sequence[ast.Node], place: _Place) -> None:
        selector = place.around
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
            layer = self.layers.get(place.layer, _NO_LAYER)
            left = _MOST_RULES - len(self.found)
            self.found += _compile(selector, declarations, layer, left)


def _read_declarations(nodes: Iterable[ast.Node]) -> Iterator[_Declared]:
    for node in nodes:
        if node.type != "declaration":
            continue
        name = ALIASES.get(node.lower_name, node.lower_name)
        if name == "all":
            yield from ((one, "", node.important) for one in sorted(PROPERTIES))
        elif name in PROPERTIES:
            # A comment between words is written as one again, which makes another value of it.
            words = [part for part in node.value if part.type != "comment"]
            value = " ".join(tinycss2.serialize(words).lower().split())
            yield name, value, node.important


def _nest(selectors: str, around: str) -> str:
    """Each of `selectors` below, or at "&" in the place of, each of those `around` it."""
    if not around:
        return selectors
    pairs = product(_SELECTORS.findall(around), _SELECTORS.findall(selectors))
    nested = (_nested(own.strip(), outer.strip()) for outer, own in pairs)
    return ", ".join(islice(nested, _MOST_SELECTORS))


def _nested(own: str, outer: str) -> str:
    if "&" not in own:
        return f"{outer} {own}"
    return re.sub(r"(?<=[^\s>+~,(])&", f":is({outer})", own).replace("&", outer)


def _compile(
    selector: str, declarations: tuple[_Declared, ...], layer: int, left: int
) -> list[_Rule]:
    """A rule for each selector of a list; those that cannot be read select nothing."""
    try:
        parsed = cssselect.parse(_plain_selector(selector))
    except (cssselect.SelectorError, RecursionError):
        return []
    # A list with one selector that a browser does not know is none.
    parts = [one.pseudo_element for one in parsed]
    if any(isinstance(one, str) and not _PART.fullmatch(one) for one in parts):
        return []
    rules: list[_Rule] = []
    for one in parsed[: max(left, 0)]:
        if one.pseudo_element is not None:
            continue
        try:
            path = cssselect.HTMLTranslator().selector_to_xpath(one)
            if len(path) > 20 * _LONGEST_SELECTOR or path.count("/") > 2 + 2 * _MOST_STEPS:
                continue
            found = etree.XPath(path)
            rules.append(_Rule(selector, found, one.specificity(), declarations, layer))
        except (cssselect.SelectorError, etree.XPathSyntaxError, RecursionError):
            continue
    return rules


def _plain_selector(selector: str) -> str:
    """`selector` in the words that are known here: states that a reader brings about hold never."""
    known = _ANY.sub(":is(", _ALWAYS.sub("", _STATES.sub(":hover", selector)))
    known = _OF_TYPE.sub(r"\1\2:not(\1", known)
    return _NONE_OF.sub(lambda m: "".join(f":not({one.strip()})" for one in m[1].split(",")), known)


def _matching(tree: HtmlElement, path: etree.XPath | None) -> list[HtmlElement]:
    if path is None:
        return []
    try:
        return cast("list[HtmlElement]", path(tree))
    except etree.XPathError:
        return []


def _sheets(tree: HtmlElement) -> Iterator[str]:
    left = _MOST_CSS
    for element in tree.iter("style", "link"):
        if not on_screen(element.get("media", "")) or _is_inert(element):
            continue
        text = _linked_sheet(element) if element.tag == "link" else (element.text or "")
        if len(text) <= left:
            left -= len(text)
            yield text


def _is_inert(sheet: HtmlElement) -> bool:
    """Whether a sheet stands where a browser reads none."""
    return any(one.tag in _NEVER_SHOWN and one.tag != "svg" for one in sheet.iterancestors())


def _linked_sheet(link: HtmlElement) -> str:
    return (
        _carried_sheet(link.get("href", "")) if "stylesheet" in link.get("rel", "").lower() else ""
    )


def _carried_sheet(written: str) -> str:
    """The sheet that an address carries within itself, "" for one that lies elsewhere."""
    address = written.strip()
    if not address.lower().startswith("data:"):
        return ""
    head, _, body = address.partition(",")
    data = unquote_to_bytes(body)
    if head.lower().endswith(";base64"):
        try:
            data = base64.b64decode(data)
        except ValueError:
            return ""
    return data.decode("utf-8", "replace")


def _inherit(element: HtmlElement, style: Mapping[str, str], around: _Seen) -> _Seen:
    struck = around.struck or element.tag in _STRUCK_TAGS
    if element.tag == "ins" and around.struck:
        struck = False
    if not style:
        return replace(around, struck=struck, boxes=False)
    line = f"{style.get('text-decoration', '')} {style.get('text-decoration-line', '')}"
    shown = "" if element.tag in ("html", "body") else style.get("visibility", "")
    text = _colour(style.get("-webkit-text-fill-color", "") or style.get("color", ""), around)
    clip = f"{style.get('background-clip', '')}{style.get('-webkit-background-clip', '')}"
    if "text" in clip:
        # The text is a hole through which a picture shows.
        text = around.colour
    return _Seen(
        visible=around.visible if shown in ("", "inherit") else shown not in ("hidden", "collapse"),
        struck=struck or "line-through" in line,
        colour=text,
        ground=None if "text" in clip else _ground(style, around, text),
        size=_font_size(style, around.size),
        opacity=around.opacity * opacity(style),
        boxes=re.search("flex|grid", style.get("display", "")) is not None,
    )


def _font_size(style: Mapping[str, str], around: float) -> float:
    value = style.get("font-size", "")
    if not value and (
        match := re.search(r"(?:^|\s)(0|[\d.]+(?:px|pt|em|rem|%))(?=[\s/])", style.get("font", ""))
    ):
        value = match[1]
    return font_size(value, around)


def _colour(value: str, around: _Seen) -> Rgb | None:
    """The colour of text; None for one that is transparent."""
    if not value or value in ("inherit", "currentcolor", "initial", "unset"):
        return around.colour
    parsed = colour(value)
    if parsed is None:
        return around.colour
    return rgb(parsed) if parsed.alpha >= LEAST_OPACITY else None


def _ground(style: Mapping[str, str], around: _Seen, text: Rgb | None) -> Rgb | None:
    """The colour behind text; None where a picture or a gradient makes it unknown."""
    written = style.get("background", "")
    pictured = f"{written} {style.get('background-image', '')}"
    if "url(" in pictured:
        return None
    if "gradient" in pictured:
        parsed = [found for name in gradient_colours(pictured) if (found := colour(name))]
        grounds = {rgb(one) for one in parsed if one.alpha >= LEAST_OPACITY}
        return grounds.pop() if len(grounds) == 1 else None
    for value in (style.get("background-color", ""), written, *written.split()):
        if value == "currentcolor":
            return text
        ground = colour(value)
        if ground is not None:
            return rgb(ground) if ground.alpha >= LEAST_OPACITY else around.ground
    return around.ground
