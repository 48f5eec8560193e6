"""Removes from a page's tree what a reader cannot see, and marks struck-out text.

A small cascade of the page's own styles (`<style>`, `style=`, presentational attributes) decides.
Styles in other files are not loaded and scripts do not run: text that these hide counts as seen.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import cast

import tinycss2
from lxml import etree
from lxml.html import HtmlElement

from ._style_rules import (
    GENERATED,
    INLINE,
    MOST_NESTED,
    Declared,
    carried_sheet,
    generated_words,
    read_declarations,
    read_rules,
    read_variables,
)
from ._styles import (
    LEAST_CONTRAST,
    LEAST_FONT,
    LEAST_OPACITY,
    Rgb,
    colour,
    computed,
    contrast,
    filtered,
    font_size,
    gradient_colours,
    is_blended_away,
    is_gone,
    on_screen,
    opacity,
    rgb,
)
from .plain_text import NEVER_SHOWN, name_parts

STRUCK = "~~"
"""Stands before and behind text that its page has struck out, as in Markdown."""

COMMENT = "Reader’s comment: "
"""Stands before each line of what readers of a page have written below it."""

COMMENTS_TITLE = re.compile(
    r"\W*(?:\d[\d,]* )?(?:(?:reader|user|visitor|your|all|latest|top|new)(?:s?['’]?s?) )?"
    r"(?:(?:comments?|replies)(?: \(?\d+\)?)?|(?:responses|discussion) \(?\d+\)?)\W*"
    r"|\W*\d[\d,]* (?:responses?|thoughts?)\b.{0,80}",
    re.IGNORECASE,
)
"""A heading above what readers have written; a paper's "Discussion" is none."""
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
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
        *("a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em"),
        *("font", "i", "ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span"),
        *("strike", "strong", "sub", "sup", "time", "tt", "u", "var"),
    )
)
# More than so many are read as if their rules stood in another file.
_MOST_CSS = 2_000_000
_MOST_MATCHES = 200_000
_POSITIONAL = re.compile(r":(?:nth-|first-of|last-of|only-of|has\b)")
_LEAST_WORDS = 5
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)")
_SIZE_IN_FONT = re.compile(r"(?:^|\s)(0|[\d.]+(?:px|pt|em|rem|%))(?=[\s/])")
_WORD = re.compile(r"[^\W_]+")
_FROM_THE_RIGHT = re.compile("[\u0590-\u08ff]")
_OLD_COLOUR = re.compile(r"^([0-9a-f]{6})$")


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

    They are recognised by class, id, label or item type, as in browsers' reader views and archives,
    or by the heading above that counts them.
    """
    inside = set(_below_title(tree))
    for element in tree.iter():
        if element.tag in _NO_TEXT:
            continue
        parent = element.getparent()
        if parent in inside or element in inside or _is_comments(element):
            inside.add(element)
            # The writer's name may stand in an element of its own.
            begins = bool((element.text or "").strip()) or any(
                one.tag in _INLINE for one in element
            )
            if begins and (element.tag in _LINES or parent not in inside):
                element.text = COMMENT + (element.text or "").lstrip()


def _below_title(tree: HtmlElement) -> Iterator[HtmlElement]:
    """What stands below the first heading that counts comments, to the next heading of its rank."""
    for title in tree.iter(*HEADINGS):
        said = " ".join("".join(title.itertext()).split())[:200]
        around = title.getparent()
        # A manual has a section "Comments", too.
        if around is None or not re.search(r"\d", said) or not COMMENTS_TITLE.fullmatch(said):
            continue
        siblings = list(around)
        for one in siblings[siblings.index(title) + 1 :]:
            if one.tag in HEADINGS and str(one.tag) <= str(title.tag):
                break
            yield one
        return


def _is_comments(element: HtmlElement) -> bool:
    if element.tag in ("html", "body", "main"):
        return False
    if "/comment" in element.get("itemtype", "").lower():
        return True
    names = name_parts(element.attrib)
    if element.tag in ("section", "div", "aside", "ol", "ul"):
        names |= {*element.get("aria-label", "").casefold().split()}
    return not _COMMENT_NAMES.isdisjoint(names) and _NOT_COMMENTS.isdisjoint(names)


def _never_shown(tree: HtmlElement) -> list[HtmlElement]:
    def is_hidden(one: HtmlElement) -> bool:
        return (
            "popover" in one.attrib
            or one.get("hidden", "until-found").casefold() != "until-found"
            or one.get("aria-hidden", "").casefold() == "true"
            or not _UNSEEN_CLASSES.isdisjoint(one.get("class", "").split())
        )

    found = list(tree.iter(*NEVER_SHOWN))
    found += [one for one in tree.iter("dialog") if "open" not in one.attrib]
    found += filter(is_hidden, tree.xpath("//*[@class or @hidden or @aria-hidden or @popover]"))
    return found


def _remove(element: HtmlElement) -> int:
    """Drop `element` with all that is in it; tell how many characters of it count."""
    if element.getparent() is None or element.tag in ("html", "body"):
        return 0
    text = "" if element.tag in _NO_TEXT else " ".join("".join(element.itertext()).split())
    element.drop_tree()
    return _count(text)


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
    # Whether letters run against their own direction.
    turned: bool = False

    @property
    def own_text(self) -> bool:
        """Whether text right in the element can be seen."""
        if not self.visible or self.size < LEAST_FONT or self.opacity < LEAST_OPACITY:
            return False
        if self.colour is None or self.ground is None:
            return self.colour is not None
        return contrast(self.colour, self.ground) >= LEAST_CONTRAST


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
        if _is_gone(element, style, around):
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
        if seen.own_text:
            _add_generated(element, style)
    return hidden


def _is_gone(element: HtmlElement, style: Mapping[str, str], around: _Seen) -> bool:
    if not style or element.tag in ("html", "body"):
        return False
    inline = _is_inline(element, style, around)
    return is_gone(style, inline=inline) or is_blended_away(style, around.ground)


def _add_generated(element: HtmlElement, style: Mapping[str, str]) -> None:
    """Write the words that a style puts before and behind the text of `element` into it."""
    before, after = (generated_words(style.get(f"::{part}", "")) for part in GENERATED)
    if before:
        element.text = f"{before} {element.text or ''}"
    if after and (children := list(element)):
        children[-1].tail = f"{children[-1].tail or ''} {after}"
    elif after:
        element.text = f"{element.text or ''} {after}"


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
    if seen.turned and not _FROM_THE_RIGHT.search(text):
        text = text[::-1]
    return (_struck(text) if seen.struck else text), 0


def _struck(text: str) -> str:
    """`text` between marks; white space stays outside them."""
    core = text.strip()
    start = text.index(core)
    bare = core.replace(STRUCK, "")
    return f"{text[:start]}{STRUCK}{' '.join(bare.split())}{STRUCK}{text[start + len(core) :]}"


# Importance, layer, specificity and place of a declaration, of which the greater one wins.
_Weight = tuple[bool, int, tuple[int, ...], int]


class _Styles:
    """The declarations that win for each element, as far as they can hide it."""

    def __init__(self, tree: HtmlElement) -> None:
        rules = read_rules(_sheets(tree))
        self._variables = rules.variables
        self._animations = rules.animations
        self._found = defaultdict[HtmlElement, dict[str, tuple[_Weight, str]]](dict)
        small = sum(1 for _ in tree.iter()) <= 3_000
        matches = 0
        for number, rule in enumerate(rules.found):
            if not small and _POSITIONAL.search(rule.selector):
                continue
            for element in _matching(tree, rule.path):
                matches += 1
                if matches > _MOST_MATCHES:
                    return
                self._add(element, rule.declared, number)

    def _add(self, element: HtmlElement, declared: Declared, number: int) -> None:
        known = self._found[element]
        for name, value, important in declared.declarations:
            weight = (important, *declared.weight(important=important), number)
            if name not in known or known[name][0] <= weight:
                known[name] = weight, value

    def of(self, element: HtmlElement) -> Mapping[str, str]:
        """The style of `element`, values in lower case with variables filled in."""
        inline = tinycss2.parse_blocks_contents(element.get("style") or "")
        own = dict(read_variables(inline))
        for name, value in own.items():
            # What is in the element may use it, too.
            self._variables.setdefault(name, value)
        self._add(element, Declared(tuple(read_declarations(inline)), INLINE), 0)
        found = {name: value for name, (_, value) in self._found[element].items()}
        found |= self._animated(found)
        ink = element.get("color") or (element.get("text") if element.tag == "body" else None)
        for name, value in (("background-color", element.get("bgcolor")), ("color", ink)):
            if value:
                found.setdefault(name, _OLD_COLOUR.sub(r"#\1", value.strip().lower()))
        filled = {name: self._fill_variables(value, own) for name, value in found.items()}
        return {n: value if n.startswith("::") else computed(value) for n, value in filled.items()}

    def _animated(self, found: Mapping[str, str]) -> dict[str, str]:
        """What an element's animations make of its style and leave so."""
        said = " ".join(value for name, value in found.items() if name.startswith("animation"))
        words = said.replace(",", " ").split()
        named = [self._animations[word] for word in words if word in self._animations]
        held = not {"forwards", "both"}.isdisjoint(words)
        return {name: value for end, steady in named if held or steady for name, value, _ in end}

    def _fill_variables(self, value: str, own: Mapping[str, str]) -> str:
        for _ in range(MOST_NESTED):
            if "var(" not in value or len(value) > 1_000:
                break
            value = _VARIABLE.sub(
                lambda m: own.get(m[1]) or self._variables.get(m[1], m[2] or ""), value
            )
        return value.strip()


def _sheets(tree: HtmlElement) -> Iterator[str]:
    left = _MOST_CSS
    for element in tree.iter("style", "link"):
        # There a browser reads none.
        inert = any(one.tag in NEVER_SHOWN and one.tag != "svg" for one in element.iterancestors())
        if inert or not on_screen(element.get("media", "")):
            continue
        text = element.text or ""
        if element.tag == "link":
            is_sheet = "stylesheet" in element.get("rel", "").lower()
            text = carried_sheet(element.get("href", "")) if is_sheet else ""
        if len(text) <= left:
            left -= len(text)
            yield text


def _matching(tree: HtmlElement, path: etree.XPath) -> list[HtmlElement]:
    with suppress(etree.XPathError):
        return cast("list[HtmlElement]", path(tree))
    return []


def _inherit(element: HtmlElement, style: Mapping[str, str], around: _Seen) -> _Seen:
    struck = around.struck or element.tag in _STRUCK_TAGS
    if element.tag == "ins" and around.struck:
        struck = False
    turned = around.turned or _is_turned_round(element, style)
    if not style:
        return replace(around, struck=struck, turned=turned, boxes=False)
    line = f"{style.get('text-decoration', '')} {style.get('text-decoration-line', '')}"
    shown = "" if element.tag in ("html", "body") else style.get("visibility", "")
    text = _colour(style.get("-webkit-text-fill-color", "") or style.get("color", ""), around)
    clip = f"{style.get('background-clip', '')}{style.get('-webkit-background-clip', '')}"
    if "text" in clip:
        # The text is a hole through which a picture shows.
        text = around.colour
    sized = _SIZE_IN_FONT.search(style.get("font", ""))
    size = sized[1] if sized else ""
    ground = None if "text" in clip else _ground(style, around, text)
    if style.get("filter") and text is not None:
        text = filtered(text, style)
        own = element.tag in ("html", "body") or style.keys() & {"background", "background-color"}
        ground = filtered(ground, style) if ground is not None and own else ground
    return _Seen(
        visible=around.visible if shown in ("", "inherit") else shown not in ("hidden", "collapse"),
        struck=struck or "line-through" in line,
        colour=text,
        ground=ground,
        size=font_size(style.get("font-size") or size, around.size),
        opacity=around.opacity * opacity(style),
        boxes=re.search("flex|grid", style.get("display", "")) is not None,
        turned=turned,
    )


def _is_turned_round(element: HtmlElement, style: Mapping[str, str]) -> bool:
    """Whether an element has its letters written from the right, whatever they are."""
    direction = style.get("direction") or element.get("dir", "").lower()
    override = style.get("unicode-bidi", "override" if element.tag == "bdo" else "")
    return direction == "rtl" and "override" in override


def _colour(value: str, around: _Seen) -> Rgb | None:
    """The colour of text; None for one that is transparent."""
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
