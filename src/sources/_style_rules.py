"""Reads the rules of a page's own style sheets that may hide text, as a browser applies them.

Conditions are those of a usual screen. What a bound leaves out is read as if it stood in another
file.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from urllib.parse import unquote_to_bytes

import cssselect
import tinycss2
from lxml import etree
from tinycss2 import ast

from ._styles import ALIASES, PROPERTIES, computed, is_gone, is_supported, is_unreadable, on_screen

MOST_NESTED = 8
"""Rules, or variables, within each other that are followed."""
GENERATED = ("before", "after")
"""Where in an element a style may put words of its own."""
INLINE = (9,)
"""The specificity of an element's own style, which is above that of all selectors."""
_MOST_RULES = 5_000
_MOST_STEPS = 8
_LONGEST_SELECTOR = 300
# Rules outside of all layers win over those within.
_NO_LAYER = 1_000_000
_MOST_SELECTORS = 200
_STATES = re.compile(
    r":(?:focus-within|focus-visible|target-within|fullscreen|modal|popover-open|playing|open)\b"
)
_ALWAYS = re.compile(r":(?:dir\(ltr\)|defined\b|read-only\b)")
_ANY = re.compile(r":(?:-webkit-|-moz-)any\(")
# Selectors with steps are unknown to the parser within others.
_FIRST_OF = re.compile(r":(?:is|where)\(([^()]*)\)([^,]*)")
_WEIGHTLESS = re.compile(r":where\([^()]*\)")
_COUNTED_OF = re.compile(r":nth-(?:last-)?child\([^()]*\bof\s([^()]*)\)")
_PART = re.compile(
    r"-webkit-.*|before|after|first-line|first-letter|marker|placeholder|selection|backdrop"
)
_DATA = re.compile(r"data:[^\s\"')]+", re.IGNORECASE)
_NONE_OF = re.compile(r":not\(([^(),]*(?:,[^(),]*)+)\)")
# Of which type the elements that are counted are must be said within the brackets.
_OF_TYPE = re.compile(
    r"\b([a-z]\w*)((?:[.#:\[][^\s>+~,]*?)?):not\((?=:(?:first|last|only|nth|nth-last)-of-type)"
)
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_SAYING = re.compile(r"[^\W\d_]{2}")
_SELECTORS = re.compile(r"(?:[^,(\[]|\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\])+")
_OF_ALL = re.compile(r"(?:^|,)\s*(?::root|html|body|\*)\s*(?:,|$)")
_CONTAINER = re.compile(r"\bcontainer(?:-type)?\s*:")

# What a browser does not know as a value it drops, and an earlier one holds.
_FOR_ALL = r"|initial|inherit|unset|revert(?:-layer)?|.*var\(.*"
_VALUES = {
    "visibility": re.compile("visible|hidden|collapse" + _FOR_ALL),
    "display": re.compile(
        "none|contents|list-item|flow-root|run-in|math|ruby.*|table.*|(?:block|inline)(?: .*)?"
        "|(?:-webkit-)?(?:inline-)?(?:block|box|flex|grid|table)(?: .*)?" + _FOR_ALL
    ),
}
_ANY_VALUE = re.compile(".*", re.DOTALL)

Declaration = tuple[str, str, bool]
"""A property, its value in lower case, and whether it is important."""


Ending = tuple[tuple[Declaration, ...], bool]


@dataclass(frozen=True, slots=True)
class Declared:
    """Declarations, and what decides whether they win over others."""

    declarations: tuple[Declaration, ...]
    specificity: tuple[int, ...]
    layer: int = _NO_LAYER

    def weight(self, *, important: bool) -> tuple[int, tuple[int, ...]]:
        """The greater one wins; of what is important, that in the first layer (CSS Cascade 5)."""
        return -self.layer if important else self.layer, self.specificity


@dataclass(frozen=True, slots=True)
class Rule:
    """What is declared for the elements that `path` finds."""

    selector: str
    path: etree.XPath
    declared: Declared


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
    """What a page's sheets say that may hide something, in order; variables by their names.

    `contained` is whether a sheet makes any element a container. An animation has how it ends, and
    whether it is so from the beginning.
    """

    found: list[Rule] = field(default_factory=list[Rule])
    variables: dict[str, str] = field(default_factory=dict[str, str])
    animations: dict[str, Ending] = field(default_factory=dict[str, Ending])
    layers: dict[str, int] = field(default_factory=dict[str, int])
    contained: bool = False

    def add(self, nodes: Sequence[ast.Node], place: _Place) -> None:
        """Add the rules of `nodes`, which stand at `place`."""
        if place.depth > MOST_NESTED:
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
                inside = place.within(_nest(root[1].strip(), place.around)) if root else inside
            case "media" | "supports" | "container":
                pass
            case _:
                # Fonts, pages of print, how a transition starts.
                return
        if rule.content is not None:
            inner = tinycss2.parse_blocks_contents(rule.content, True, True)
            if place.around:
                self._declarations(inner, inside)
            self.add(inner, inside)

    def _registered(self, rule: ast.Node) -> None:
        """Keep the value that a variable has before it is set."""
        name = tinycss2.serialize(rule.prelude).strip()
        for node in tinycss2.parse_blocks_contents(rule.content or (), True, True):
            if node.type == "declaration" and node.lower_name == "initial-value":
                self.variables.setdefault(name, tinycss2.serialize(node.value).strip().lower())

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
        sheet = tinycss2.parse_stylesheet(carried_sheet(address), True, True)
        self.add(sheet, place.within(""))

    def _animation(self, rule: ast.Node) -> None:
        """Keep how an animation ends, and whether it is so all the time."""
        frames: list[tuple[Declaration, ...]] = []
        last: tuple[Declaration, ...] = ()
        for frame in tinycss2.parse_blocks_contents(rule.content or (), True, True):
            if frame.type == "qualified-rule":
                inner = tinycss2.parse_blocks_contents(frame.content or (), True, True)
                frames.append(tuple(read_declarations(inner)))
                if re.search(r"\bto\b|\b100%", tinycss2.serialize(frame.prelude).lower()):
                    last = frames[-1]
        name = tinycss2.serialize(rule.prelude).strip().lower()
        self.animations[name] = last, len(set(frames)) == 1

    def _read_qualified(self, rule: ast.Node, place: _Place) -> None:
        written = _nest(tinycss2.serialize(rule.prelude).strip(), place.around)
        if len(written) > _LONGEST_SELECTOR * 20:
            return
        inside = place.within(written)
        inner = tinycss2.parse_blocks_contents(rule.content or (), True, True)
        self._declarations(inner, inside)
        self.add(inner, inside)

    def _declarations(self, nodes: Sequence[ast.Node], place: _Place) -> None:
        selector = place.around
        for name, value in read_variables(nodes):
            # Others are of a theme that the page may not be in.
            if name not in self.variables or _OF_ALL.search(selector):
                self.variables[name] = value
        declarations = tuple(read_declarations(nodes))
        if declarations:
            layer = self.layers.get(place.layer, _NO_LAYER)
            left = _MOST_RULES - len(self.found)
            self.found += _compile(selector, declarations, layer, left)


def read_rules(sheets: Iterable[str]) -> _Rules:
    """The rules of `sheets`, in order."""
    texts = list(sheets)
    rules = _Rules(contained=any(map(_CONTAINER.search, texts)))
    for text in texts:
        rules.add(tinycss2.parse_stylesheet(text, True, True), _Place())
    return rules


def read_variables(nodes: Iterable[ast.Node]) -> Iterator[tuple[str, str]]:
    """The names and values of the variables that `nodes` set."""
    for node in nodes:
        if node.type == "declaration" and node.name.startswith("--"):
            yield node.name, tinycss2.serialize(node.value).strip().lower()


def read_declarations(nodes: Iterable[ast.Node]) -> Iterator[Declaration]:
    """The declarations among `nodes` by which text may be hidden, other names for one as that."""
    for node in nodes:
        if node.type != "declaration":
            continue
        name = ALIASES.get(node.lower_name, node.lower_name)
        if name == "all":
            yield from ((one, "", node.important) for one in sorted(PROPERTIES))
        elif name in PROPERTIES:
            # A comment between words is written as one again, which makes another value of it.
            words = [part for part in node.value if part.type != "comment"]
            value = " ".join(tinycss2.serialize(words).split())
            if _VALUES.get(name, _ANY_VALUE).fullmatch(value.lower()):
                yield name, value if name == "content" else value.lower(), node.important


def hides_text(written: str) -> bool:
    """Whether a style, alone and on a white page, leaves nothing of its element's text to see."""
    found = read_declarations(tinycss2.parse_blocks_contents(written, True, True))
    return is_unreadable({name: computed(value) for name, value, _ in found})


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
    selector: str, declarations: tuple[Declaration, ...], layer: int, left: int
) -> list[Rule]:
    """A rule for each selector of a list; those that cannot be read select nothing."""
    try:
        parsed = cssselect.parse(_plain_selector(selector))
    except (cssselect.SelectorError, RecursionError):
        return []
    # A list with one selector that a browser does not know is none.
    parts = [one.pseudo_element for one in parsed]
    if any(isinstance(one, str) and not _PART.fullmatch(one) for one in parts):
        return []
    rules: list[Rule] = []
    for one in parsed[: max(left, 0)]:
        said = declarations
        if one.pseudo_element is not None:
            said = _generated(str(one.pseudo_element), declarations)
        if not said:
            continue
        try:
            path = cssselect.HTMLTranslator().selector_to_xpath(one)
            if len(path) > 20 * _LONGEST_SELECTOR or path.count("/") > 2 + 2 * _MOST_STEPS:
                continue
            found = etree.XPath(path)
            weight = (0,) if _WEIGHTLESS.fullmatch(selector) else one.specificity()
            rules.append(Rule(selector, found, Declared(said, weight, layer)))
        except (cssselect.SelectorError, etree.XPathSyntaxError, RecursionError):
            continue
    return rules


def _generated(part: str, declarations: tuple[Declaration, ...]) -> tuple[Declaration, ...]:
    """What the rule of a `::before` or `::after` that shows says of the element itself."""
    if part not in GENERATED or is_gone({name: value for name, value, _ in declarations}):
        return ()
    return tuple(
        (f"::{part}", value, important)
        for name, value, important in declarations
        if name == "content"
    )


def generated_words(content: str) -> str:
    """The words that a value of `content` writes out; a bullet, arrow or number is none."""
    said = re.sub(r"\\(.)", r"\1", " ".join(_STRING.findall(content)))
    return said if _SAYING.search(said) else ""


def _plain_selector(selector: str) -> str:
    """`selector` in the words that are known here: states that a reader brings about hold never.

    Where one is counted only among others of a kind, all of these are taken.
    """
    known = _ANY.sub(":is(", _ALWAYS.sub("", _STATES.sub(":hover", selector)))
    known = _COUNTED_OF.sub(r":is(\1)", known.replace(":any-link", ":link"))
    known = known.replace(":dir(rtl)", "[dir=rtl]")
    if first := _FIRST_OF.fullmatch(known):
        known = ", ".join(f"{one.strip()}{first[2]}" for one in _SELECTORS.findall(first[1]))
    known = _OF_TYPE.sub(r"\1\2:not(\1", known)
    return _NONE_OF.sub(lambda m: "".join(f":not({one.strip()})" for one in m[1].split(",")), known)


def carried_sheet(written: str) -> str:
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
