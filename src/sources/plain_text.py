"""Bytes to clean text: character sets, control characters, rows, hidden parts of Markdown."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress

import webencodings

from ..base.as_read import without_unseen
from ._style_rules import hides_text

# Labels that browsers know, of codecs that Python does not have.
_NOT_READ = ("replacement", "x-user-defined")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_META_CHARSET = re.compile(rb"<meta\b[^>]{0,300}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.I)
_XML_ENCODING = re.compile(rb"<\?xml\b[^>]{0,100}?encoding\s*=\s*[\"']([\w.:-]{1,40})", re.I)

_ESCAPES = re.compile(
    r"\x1b\[[0-?]{0,64}[ -/]{0,16}[@-~]"  # terminal control sequences
    r"|(?:\x1b\]|\x9d)[^\x07\x1b\x9c\n]{0,4096}(?:\x07|\x1b\\|\x9c)"  # titles, links
    r"|\x1b[ -~]?"
    r"|\x9b[0-?]{0,64}[ -/]{0,16}[@-~]"
)
_LINE_ENDS = re.compile(r"\r\n|[\r\v\f\x85\u2028\u2029]")
# Control characters and half surrogate pairs.
_UNSEEN = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def decode(body: bytes, declared: str = "", *, markup: bool = False) -> str:
    """`body` as text: byte order mark, else `declared`, else (in markup) its own label, else UTF-8.

    What is valid UTF-8 with characters beyond ASCII is read as UTF-8 even if it is declared to be
    in a one-byte character set, because it then hardly ever is. Bytes that do not fit are replaced.
    """
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(codec, "replace")
    codec = _codec(declared) or (_own_label(body) if markup else "") or "utf-8"
    if codec.startswith(("cp", "iso8859", "koi8", "mac")) and not body.isascii():
        with suppress(UnicodeDecodeError):
            return body.decode("utf-8")
    return body.decode(codec, "replace")


def _own_label(body: bytes) -> str:
    head = body[:4096]
    match = _META_CHARSET.search(head) or _XML_ENCODING.search(head)
    codec = _codec(match[1].decode("ascii", "replace")) if match else ""
    # A label that can be read as ASCII is not in UTF-16, whatever it says.
    return "utf-8" if codec.startswith("utf-16") else codec


def _codec(label: str) -> str:
    """The name of the text codec for `label`, "" for one that no browser reads.

    Labels mean what browsers take them to mean (Encoding Standard): pages that call themselves
    Latin-1 hold the quotation marks and dashes of its Windows extension.
    """
    with suppress(LookupError, ValueError):
        found = webencodings.lookup(label) or webencodings.lookup(codecs.lookup(label).name)
        if found is not None and found.name not in _NOT_READ:
            return "gb18030" if found.name == "gbk" else found.codec_info.name
    return ""


def clean(text: str) -> str:
    """`text` with line feeds as line ends, as it is read: see `base.as_read`."""
    text = _LINE_ENDS.sub("\n", text)
    return without_unseen(_UNSEEN.sub("", _ESCAPES.sub("", text)))


def one_line(text: str) -> str:
    """`text` cleaned, on one line of at most 300 characters: a title or name."""
    return " ".join(clean(text[:2000]).split())[:300]


def rows_as_lines(text: str) -> str:
    """Comma-, semicolon- or tab-separated values, one row a line, the cells joined by ` | `.

    Text that cannot be read as such is returned as it is.
    """
    first = text[: text.find("\n")] if "\n" in text else text
    delimiter = max(",;\t", key=first.count)
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=delimiter))
    except csv.Error:
        return text
    return "\n".join(" | ".join(" ".join(cell.split()) for cell in row) for row in rows)


def words_of(text: str) -> list[str]:
    """The words of `text` without case: letters and digits of any script, and +, # (C++, C#)."""
    return re.findall(r"[\w+#]+", text.casefold())


def name_parts(attributes: Mapping[str, str]) -> set[str]:
    """The words of an element's classes and id, without case."""
    names = f"{attributes.get('class', '')} {attributes.get('id', '')}"
    return set(re.split(r"[\s_-]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "-", names).casefold()))


_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_MARKUP = re.compile(
    r"(?P<code>`[^`\n]{1,500}`)|(?P<raw><!--|<!\[CDATA\[|<\?|<!(?=[a-z]))"
    r"|(?P<comment>\{::comment\}|\{% comment %\}|\{/\*|\{#(?=\s)|\{>>|(?<![\w%])%%(?!%))"
    r"|!\[(?P<alt>[^\]\[\n]{0,500})\](?=[(\[])"
    r"|<(?P<tag>[a-z][a-z0-9-]{0,20})"
    r"(?P<attributes>(?>[\s/](?:[^<>\"']|\"[^\"<]{0,500}\"|'[^'<]{0,500}'|[\"']){0,500}))?>",
    re.I,
)
# Values of some words are shown by no element; a style is read, and an address has no space.
_VALUE = re.compile(r"\s[\w:-]{1,60}\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_DIFF = re.compile(r" {0,3}(?:`{3,}|~{3,}) ?(?:diff|patch)\b")
_TAKEN_AWAY = re.compile(r"^-(?!--)[ \t]*(\S[^\n]*)$", re.M)
# "[//]: # (nobody sees this)": the definition of a link that leads nowhere.
# "*[HTML]: and this": what an abbreviation shows when the pointer rests on it.
_COMMENT_LINE = re.compile(
    r"^ {0,3}(?:\[[^\]\[\n]{1,60}\]: ?(?:#|<>)[ \t]+[(\"']|\*\[[^\]\[\n]{1,60}\]:)[^\n]*$", re.M
)
# "{: .hidden }" below a paragraph (kramdown), "[so]{.hidden}" (Pandoc).
_ATTRIBUTES = re.compile(r"\{(?::[ \t]*|(?=[.#]))([^{}\n]{1,300})\}")
_HIDDEN_CLASSES = frozenset(("hidden", "d-none", "sr-only", "visually-hidden"))
_RAW_ENDS = {"<!--": "-->", "<![cdata[": "]]>", "<?": "?>", "<!": ">"}
# Of kramdown, Liquid, MDX, Jinja, Obsidian and CriticMarkup.
_COMMENT_ENDS = {
    **{"{::comment}": "{:/comment}", "{% comment %}": "{% endcomment %}"},
    **{"{/*": "*/}", "{#": "#}", "%%": "%%", "{>>": "<<}"},
}
_TITLE = r"(?:\"[^\"\n]{1,1000}\"|'[^'\n]{1,1000}'|\([^()\n]{1,1000}\))"
# The words that a link shows when the pointer rests on it, and an address that is no address.
_LINK_TITLE = re.compile(rf"(\]\((?:<[^<>\n]{{0,500}}>|[^\s()<>]{{1,500}}))[ \t]+{_TITLE}[ \t]*\)")
_WORDY_TARGET = re.compile(r"(\]\(<)(?:[^<>\s]+[ \t]+){4,100}[^<>\s]*(?=>)")
_DEFINED_TITLE = re.compile(
    r"^( {0,3}\[(?!\^)[^\]\[\n]{1,60}\]:[ \t]*\n?[ \t]*[^\s<>]{1,500})(?:[ \t]+|[ \t]*\n[ \t]*)"
    rf"{_TITLE}[ \t]*$",
    re.M,
)
# Behind a word or a full stop two tildes end what is struck out.
_STRUCK_LINES = re.compile(r"(?<![\w.!?…])~~(?=\S)((?:[^~\n]+\n){1,50}[^~\n]*[^~\s])~~")
_STRUCK_ONCE = re.compile(r"(?<![~\w\\`])~(?![~\s])([^~`\n]{1,1000})(?<!\s)~(?![~\w])")
_DIVIDER = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_NAMES = re.compile(r"[.#]([a-z][\w-]*)", re.I)
_NAMED = re.compile(r"\s(?:class|id)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.I)
_STYLE = re.compile(r"\sstyle\s*=\s*(?:\"([^\"]+)\"|'([^']+)')", re.I)
_STRIKING = frozenset(("del", "s", "strike"))
NEVER_SHOWN = frozenset(
    (
        *("template", "noscript", "noframes", "noembed", "iframe", "object", "svg", "canvas"),
        *("select", "datalist", "textarea", "audio", "video", "progress", "meter", "rp", "option"),
        *("annotation", "annotation-xml", "applet", "frameset", "portal", "mphantom"),
    )
)
"""Elements whose text no browser shows as part of the page."""
_HIDDEN_TAGS = NEVER_SHOWN | {"dialog", "script", "style"}
_HIDING = re.compile(
    r"\s(?:hidden|popover)(?=[\s=/]|$)|aria-hidden\s*=\s*[\"']?true"
    r"|\scolor\s*=\s*[\"']?(?:white|#?fff(?:fff)?)\b",
    re.I,
)


def strip_hidden_markdown(text: str) -> tuple[str, int]:
    """`text` without what its reader does not see, and how many characters were left out.

    Comments, hidden HTML, titles of links, alternative texts of pictures and cells without a column
    go; what is struck out, or a fence of differences takes away, stands between `~~`, line by line.
    Other code is left as it is.
    """
    marks = ("<", "![", "](", "]:", "diff", "~", "|", "{", "%%")
    if not any(mark in text for mark in marks):
        return text, 0
    parts = list(_by_fences(text))
    names = _hidden_names("".join(part for part, is_code in parts if not is_code))
    shown = [_diff(part) if is_code else _strip_part(part, names) for part, is_code in parts]
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


def _diff(code: str) -> str:
    """A fence of code; lines that a `diff` takes away are struck out."""
    return _TAKEN_AWAY.sub(r"~~\1~~", code) if _DIFF.match(code) else code


def _hidden_names(text: str) -> frozenset[str]:
    """The classes and ids that a sheet within `text` hides."""
    sheets = (part.partition("</style")[0] for part in re.split(r"(?i)<style\b", text)[1:])
    rules = (rule.partition("{") for sheet in sheets for rule in sheet.split("}"))
    return frozenset(
        name for selector, _, said in rules if hides_text(said) for name in _NAMES.findall(selector)
    )


def _strike(match: re.Match[str]) -> str:
    return "\n".join(f"~~{line.strip()}~~" for line in match[1].split("\n"))


def _without_loose_cells(text: str) -> str:
    """`text` without the cells of its tables that stand under no heading, which nobody shows."""
    lines = text.split("\n")
    columns = 0
    for number, line in enumerate(lines):
        if _DIVIDER.match(line) and number and "|" in line + lines[number - 1]:
            columns = len(_cells(line))
        elif not line.strip():
            columns = 0
        elif columns and len(cells := _cells(line)) > columns:
            lines[number] = f"| {' | '.join(cells[:columns])} |"
    return "\n".join(lines)


def _cells(row: str) -> list[str]:
    inner = row.strip().removeprefix("|").removesuffix("|")
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", inner)]


def _without_attributed(text: str, names: frozenset[str]) -> str:
    """`text` without the paragraphs that a list of attributes behind them hides."""
    pieces: list[str] = []
    at = 0
    for match in _ATTRIBUTES.finditer(text):
        if not names.isdisjoint(_NAMES.findall(match[1])) or _hides(f" {match[1]}"):
            pieces.append(text[at : max(at, text.rfind("\n\n", at, match.start()) + 1)])
            at = match.end()
    return "".join((*pieces, text[at:]))


def _strip_part(text: str, names: frozenset[str]) -> str:
    if "{" in text:
        text = _without_attributed(text, names | _HIDDEN_CLASSES)
    text = _DEFINED_TITLE.sub(r"\1", _COMMENT_LINE.sub("", text))
    text = _WORDY_TARGET.sub(r"\1", _LINK_TITLE.sub(r"\1)", text))
    text = _STRUCK_ONCE.sub(r"~~\1~~", _STRUCK_LINES.sub(_strike, text))
    text = _without_loose_cells(text) if "|" in text else text
    pieces: list[str] = []
    at = 0
    unclosed: set[str] = set()
    while (match := _MARKUP.search(text, at)) is not None:
        pieces.append(text[at : match.start()])
        at = match.end()
        name = (match["tag"] or "").lower()
        if match["raw"]:
            closing = _RAW_ENDS[match["raw"].lower()]
            end = text.find(closing, at)
            at = len(text) if end < 0 else end + len(closing)
        elif opened := (match["comment"] or "").lower():
            end = -1 if opened in unclosed else text.find(_COMMENT_ENDS[opened], at)
            if end < 0:
                unclosed.add(opened)
                pieces.append(opened)
            else:
                at = end + len(_COMMENT_ENDS[opened])
        elif match["alt"] is not None:
            pieces.append("![]")
        elif _is_hidden(name, match["attributes"] or "", names) or name in _STRIKING:
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
            pieces.append(
                _VALUE.sub(lambda m: "" if " " in (m[1] or m[2] or "") else m[0], match[0])
            )
    return "".join((*pieces, text[at:]))


def _is_hidden(name: str, attributes: str, names: frozenset[str]) -> bool:
    given = "".join(f" {part}" for found in _NAMED.findall(attributes) for part in found)
    if not names.isdisjoint(given.split()):
        return True
    if name == "dialog" and re.search(r"\sopen\b", attributes):
        return False
    return name in _HIDDEN_TAGS or _hides(attributes)


def _hides(attributes: str) -> bool:
    if _HIDING.search(attributes):
        return True
    style = _STYLE.search(attributes)
    return style is not None and hides_text(style[1] or style[2])


def _end(text: str, name: str, at: int) -> int:
    """Where the element that is open at `at` ends, -1 if it never does."""
    match = re.compile(rf"</{re.escape(name)}\s{{0,50}}>", re.I).search(text, at)
    return match.end() if match else -1
