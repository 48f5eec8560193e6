"""HTML as it occurs in Markdown: tags and text, found in linear time and never trusted."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

# Attribute values end at "<" so that a scan never passes the next tag.
_TAG = re.compile(r"""<(/?)([A-Za-z][A-Za-z0-9-]*+)((?:"[^"<]*"|'[^'<]*'|[^<>"'])*+)>""")
_DECLARATION = re.compile(r"<[!?][^<>]*>")
_HREF = re.compile(r"""\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)

HIDDEN_ELEMENTS = frozenset({"script", "style", "template", "textarea", "head", "svg"})
BLOCK_ELEMENTS = frozenset(
    {
        *("address", "article", "aside", "blockquote", "body", "caption", "center", "dd"),
        *("details", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main", "nav"),
        *("ol", "p", "pre", "section", "summary", "table", "tbody", "tfoot", "thead", "ul"),
    }
)


@dataclass(frozen=True, slots=True)
class HtmlToken:
    """A piece of HTML: text if `name` is "", else a tag. `start` and `end` are offsets."""

    start: int
    end: int
    name: str = ""
    closing: bool = False
    attributes: str = ""

    @property
    def href(self) -> str:
        """The tag's link target, "" if it has none."""
        match = _HREF.search(self.attributes)
        return html.unescape(next(filter(None, match.groups()), "")).strip() if match else ""


def html_tokens(text: str, start: int, end: int) -> Iterator[HtmlToken]:
    """The tags and texts of `text[start:end]`; comments and hidden elements are left out."""
    at = done = start
    while (at := text.find("<", at, end)) >= 0:
        stop, token = _markup(text, at, end)
        if stop == at:
            at += 1
            continue
        if done < at:
            yield HtmlToken(done, at)
        if token is not None:
            yield token
        at = done = stop
    if done < end:
        yield HtmlToken(done, end)


def _markup(text: str, at: int, end: int) -> tuple[int, HtmlToken | None]:
    """Where the markup at `at` ends, and its tag if it is a visible one."""
    if text.startswith("<!--", at):
        close = text.find("-->", at + 4, end)
        return (close + 3 if close >= 0 else end), None
    if declaration := _DECLARATION.match(text, at, end):
        return declaration.end(), None
    tag = _TAG.match(text, at, end)
    if tag is None:
        return at, None
    name = tag[2].lower()
    if name not in HIDDEN_ELEMENTS:
        return tag.end(), HtmlToken(at, tag.end(), name, bool(tag[1]), tag[3])
    if tag[1] or tag[3].endswith("/"):
        return tag.end(), None
    close = re.compile(f"</{name}[^<>]*>", re.IGNORECASE).search(text, tag.end(), end)
    return (close.end() if close else end), None
