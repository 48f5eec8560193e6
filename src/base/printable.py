"""Text of others made fit to be shown, on a terminal and in Markdown files.

Nothing in it steers what shows it, hides, or reorders.
"""

from __future__ import annotations

import difflib
import html
import re
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from pathlib import Path
from urllib.parse import unquote

# Controls, marks that reorder, what takes no room or is blank, and code points that are no
# characters.
_UNSEEN = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufdd0-\ufdef\ufeff\uffa0\ufff0-\ufffb"
    "\ufffe\uffff\ud800-\udfff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
) + "".join(f"{chr(plane << 16 | 0xFFFE)}{chr(plane << 16 | 0xFFFF)}" for plane in range(1, 17))
_JOINERS = "\u200c\u200d"
_SELECTORS = "\ufe00-\ufe0f"
# What stays as it is beside a joiner or a selector; all others are plain, or become plain escapes.
_SOLID = f"[^\x00-\x7f{_UNSEEN}{_JOINERS}{_SELECTORS}]"
_HIDDEN = re.compile(
    # A carriage return is the first half of a line end, or goes back over what is written.
    f"[{_UNSEEN}]|\r(?!\n)"
    # Persian and Hindi are not written right without joiners, nor some emoji.
    f"|(?<!{_SOLID})(?<!{_SOLID}[{_SELECTORS}])[{_JOINERS}]|[{_JOINERS}](?!{_SOLID})"
    # Behind a plain letter nothing varies, but for the digits on key caps.
    f"|(?<!{_SOLID})[{_SELECTORS}](?!\u20e3)"
)
_SUSPECT = re.compile(f"[{_UNSEEN}{_JOINERS}\r{_SELECTORS}]")
# Of those that Python calls printable.
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_NAMES = (
    "add-mask|add-matcher|add-path|debug|echo|endgroup|error|group|notice|remove-matcher|"
    "save-state|set-env|set-output|stop-commands|warning"
)
# Runners of CI jobs obey ``::error::`` at the start of a line, which text that is wrapped can come
# to stand at, and ``##[error]`` or ``##vso[…]`` anywhere.
_STEERING = re.compile(rf"[{_JOINERS}]|:(?=:(?:{_NAMES})\b)|#(?=#(?:vso|teamcity)?\[)", re.I)

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

CONTEXT_LINES = 2
MOST_LINES = 8
LINE_CHARS = 160


def visible(text: str) -> str:
    """`text` with each character that is not seen, or reorders others, written as its escape.

    Line ends become line feeds; these and tabs stay. Escapes are those of JSON, so that they are
    also right within a string of it.
    """
    # Nearly every text is of this sort, which is told ten times as fast as by the pattern.
    if text.isprintable() and (text.isascii() or _BLANK.search(text) is None):
        return text
    # And nearly all others have none of the characters that the pattern looks about for.
    if _SUSPECT.search(text) is None:
        return text
    return _HIDDEN.sub(_escape, text).replace("\r\n", "\n")


def printable(text: str) -> str:
    """`text` on one line for a terminal or a log, where nothing in it is obeyed by who reads it."""
    folded = visible(text).replace("\n", " ").replace("\t", " ")
    return _STEERING.sub(_escape, folded)


def _escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def notebook_html(status: str, lines: Iterable[str], report: Path | None = None) -> str:
    """A result as notebooks show it: its status, some lines, and a link to its report."""
    shown = [f"<b>{html.escape(status)}</b>", *map(html.escape, lines)]
    if report is not None:
        shown.append(f'<a href="{html.escape(report.absolute().as_uri())}">report</a>')
    return f"<p>{'<br>'.join(shown)}</p>"


def counted(number: int, one: str, many: str = "") -> str:
    """``1 claim``, ``2,000 claims``.

    Args:
        number: How many there are.
        one: What follows a 1; more than a noun may ("claim is contradicted").
        many: What follows any other number; `one` with an s if empty.
    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


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


def first_difference(before: str, after: str) -> str:
    """The first difference as a short unified diff, "" if there is none.

    Only some lines around it are compared, and long ones are cut to their part around it, so that
    the time and the size of the answer are bounded.
    """
    old, new = before.splitlines(), after.splitlines()
    row = _first(old, new)
    if row is None:
        return "" if before == after else "(the ends of lines differ)\n"
    start = max(0, row - CONTEXT_LINES)
    end = row + MOST_LINES
    column = _first("".join(old[row : row + 1]), "".join(new[row : row + 1])) or 0
    cut = max(0, column - LINE_CHARS // 2)
    lines = difflib.unified_diff(
        [_shortened(line, cut) for line in old[start:end]],
        [_shortened(line, cut) for line in new[start:end]],
        "recorded",
        "now",
        lineterm="",
        n=CONTEXT_LINES,
    )
    shown = [line for line in lines if not line.startswith("@@")]
    place = f"@@ line {row + 1}, character {column + 1} @@"
    return "\n".join([*shown[:2], place, *shown[2:]]) + "\n"


def _first(some: Sequence[str], others: Sequence[str]) -> int | None:
    """The first index at which two sequences differ."""
    pairs = enumerate(zip_longest(some, others))
    return next((index for index, (one, other) in pairs if one != other), None)


def _shortened(line: str, cut: int) -> str:
    part = line[cut : cut + LINE_CHARS]
    return f"{'…' if cut and part else ''}{part}{'…' if len(line) > cut + LINE_CHARS else ''}"
