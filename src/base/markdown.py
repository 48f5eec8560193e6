"""Text of others in a Markdown file, where it does nothing but say what it says."""

from __future__ import annotations

import re
from urllib.parse import unquote

from .printable import visible

# Braces give attributes, and dollars begin formulas, in some dialects.
# An underscore within a word marks nothing.
_MARKS = re.compile(r"[\\`*\[\]<>|#&~{}$]|(?<![^\W_])_|_(?![^\W_])")
# What would begin a list, a rule, an underline or a directive at the start of a line.
_OPENING = re.compile(r"(?=[-+=:!])|\d{1,9}(?=[.)])")
# Many dialects make links of bare addresses, escaped or not, but never within code.
_BARE_ADDRESS = re.compile(
    r"(?:(?:https?|ftp):(?=//)|www\.(?=[^\s`|])|[\w.+-]{1,64}@(?=\w))"
    r"[^\s`|]*[^\s`|.,:;!?'\"”’)\]]",
    re.IGNORECASE,
)
# Every "<" at which Markdown may see markup, but for that of a link to the web.
_TAG = re.compile(r"<(?!https?://[^\s<>]*>)(?=[a-z/!?])", re.IGNORECASE)
_WRITTEN = re.compile(r"`([^`]*)`|\\([!-/:-@\[-`{-~])")
# What stands before an ``@``, or its code, would be taken for the host.
_ADDRESS = re.compile(
    r"https?://[a-z0-9.:\[\]-]{1,300}(?:[/?#][!#-;=?-\[\]^_a-z~%]{0,2000})?", re.I
)


def inline(text: str) -> str:
    """`text` on one line with nothing in it that Markdown, HTML or a terminal would act on.

    Bare addresses in it stand as code, which no reader makes a link of.
    """
    written = cell(text)
    opening = _OPENING.match(written)
    return f"{opening[0]}\\{written[opening.end() :]}" if opening else written


def cell(text: str) -> str:
    """The same for a place that is not the start of a line, a list item or a quotation."""
    words = one_line(text)
    parts: list[str] = []
    at = 0
    for bare in _BARE_ADDRESS.finditer(words):
        parts += [_escaped(words[at : bare.start()]), f"`{bare[0]}`"]
        at = bare.end()
    return "".join([*parts, _escaped(words[at:])])


def one_line(text: str) -> str:
    """Visible text on one line, as a reader of `inline` or `cell` sees it."""
    return " ".join(visible(text).split())


def copied(text: str) -> str:
    """A document of others, or a part of it, whose Markdown stays and whose HTML becomes text.

    What is not seen, or turns the direction of what is, stands there as its escape.
    """
    return _TAG.sub("&lt;", visible(text))


def plain(written: str) -> str:
    """The `one_line` of the text that `inline` or `cell` has written."""
    return _WRITTEN.sub(lambda mark: mark[1] if mark[1] is not None else mark[2], written)


def address(url: str) -> str:
    """`url` as a link if it is a web address that shows where it leads, else as text."""
    # Some readers show what is percent-encoded as what it stands for.
    plain = _ADDRESS.fullmatch(url) and visible(shown := unquote(url)) == shown
    return f"<{url}>" if plain else inline(url)


def _escaped(text: str) -> str:
    return _MARKS.sub(lambda mark: f"\\{mark[0]}", text)
