"""Removes from Markdown what a reader of the rendered text does not see."""

from __future__ import annotations

import re
from collections.abc import Iterator

_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_MARKUP = re.compile(
    r"(?P<code>`[^`\n]{1,500}`)|(?P<comment><!--)|!\[(?P<alt>[^\]\[\n]{0,500})\](?=[(\[])"
    r"|<(?P<tag>[a-z][a-z0-9-]{0,20})(?P<attributes>\s[^<>]{0,500})?(?<!/)>",
    re.I,
)
_STRIKING = frozenset(("del", "s", "strike"))
_HIDDEN_TAGS = frozenset(
    ("template", "noscript", "textarea", "dialog", "select", "svg", "script", "style", "object")
)
_HIDING = re.compile(
    r"\s(?:hidden|popover)(?=[\s=]|$)|aria-hidden\s*=\s*[\"']?true|display\s*:\s*none"
    r"|visibility\s*:\s*hidden|(?:opacity|font-size)\s*:\s*0(?![.\d])|-\d{4,}px",
    re.I,
)


def strip_hidden_markdown(text: str) -> tuple[str, int]:
    """`text` without what its reader does not see, and how many characters were left out.

    Comments, hidden HTML and the alternative texts of pictures go; what `<del>` strikes out stands
    between `~~`. Code is left as it is.
    """
    if "<" not in text and "![" not in text:
        return text, 0
    shown = [part if is_code else _strip_part(part) for part, is_code in _by_fences(text)]
    whole = "".join(shown)
    return whole, max(0, len(text) - len(whole))


def _by_fences(text: str) -> Iterator[tuple[str, bool]]:
    """Stretches of `text` in order, each with whether it is fenced code."""
    fence = ""
    lines: list[str] = []
    for line in text.splitlines(keepends=True):
        match = _FENCE.match(line)
        if match and not fence:
            yield "".join(lines), False
            lines, fence = [line], match[1]
        elif match and match[1].startswith(fence) and not line.strip().strip(fence[0]):
            yield "".join((*lines, line)), True
            lines, fence = [], ""
        else:
            lines.append(line)
    yield "".join(lines), bool(fence)


def _strip_part(text: str) -> str:
    pieces: list[str] = []
    at = 0
    unclosed: set[str] = set()
    while (match := _MARKUP.search(text, at)) is not None:
        pieces.append(text[at : match.start()])
        at = match.end()
        name = (match["tag"] or "").lower()
        if match["comment"]:
            end = text.find("-->", at)
            at = len(text) if end < 0 else end + 3
        elif match["alt"] is not None:
            pieces.append("![]")
        elif _is_hidden(name, match["attributes"] or "") or name in _STRIKING:
            end = -1 if name in unclosed else _end(text, name, at)
            if end < 0:
                # Looked for once: else a text of nothing but such tags takes for ever.
                unclosed.add(name)
                continue
            inner = text[at : text.rindex("<", at, end)]
            at = end
            if name in _STRIKING:
                pieces += [f"~~{' '.join(line.split())}~~" for line in inner.split("\n\n")]
        else:
            pieces.append(match[0])
    return "".join((*pieces, text[at:]))


def _is_hidden(name: str, attributes: str) -> bool:
    if name == "dialog" and re.search(r"\sopen\b", attributes):
        return False
    return name in _HIDDEN_TAGS or bool(attributes and _HIDING.search(attributes))


def _end(text: str, name: str, at: int) -> int:
    """Where the element that is open at `at` ends, -1 if it never does."""
    match = re.compile(rf"</{re.escape(name)}\s{{0,50}}>", re.I).search(text, at)
    return match.end() if match else -1
