"""Web addresses, DOIs and relative paths in visible text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .inline import Span
from .model import CitationForm

MAX_ADDRESS = 4096

# Characters that end an address: white space, quotation marks, CJK punctuation, and the
# control characters that stand for masked text.
_QUOTES = r"\u2018\u201c-\u201e\u00ab\u00bb\u2039\u203a"
_CJK = r"\u3001-\u3011\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f"
_STOPS = rf"\s<>\"|\x00-\x1f{_QUOTES}{_CJK}"
_BARE = re.compile(
    rf"""\b(?:
        (?P<url>https?://(?=[\w\[])[^{_STOPS}]+)
      | (?P<www>www\.[a-z0-9-]+\.[^{_STOPS}]+)
      | doi\s{{0,3}}[:.]?\s{{0,3}}(?P<doi>10\.\d{{4,9}}/[^{_STOPS}]+)
      | arxiv\s{{0,3}}:\s{{0,3}}(?P<arxiv>\d{{4}}\.\d{{4,5}}(?:v\d+)?|[a-z-]{{2,20}}/\d{{7}})
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_BEFORE = {
    "url": "",
    "www": "https://",
    "doi": "https://doi.org/",
    "arxiv": "https://arxiv.org/abs/",
}
_DOI_URL = re.compile(r"(?:https?:)?//(?:dx\.|www\.)?doi\.org/(10\.\d{4,9}/\S+)", re.IGNORECASE)
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_PATH = re.compile(r"[^\s#?]+[/.][^\s]*|[^\s#?]+/")
_KINDS = r"(?:md|markdown|txt|text|pdf|x?html?|csv|tsv|json|docx?|odt|rtf)"
# A file of a kind that sources have. What precedes it would make it a part of something else.
_FILE = re.compile(
    r"(?<![\w/.:@%+~#?=&-])(?:\./)?(?:[\w.%+~-]{1,100}/){0,20}\w[\w.%+-]{0,150}"
    rf"\.{_KINDS}(?![\w/@-]|\.\w)",
    re.IGNORECASE,
)
# In angle brackets a file's name may have blanks.
_SPACED_FILE = re.compile(
    rf"[^<>#?\x00-\x1f]{{1,300}}\.{_KINDS}(?:#[^<>\x00-\x1f]*)?", re.IGNORECASE
)
_CLOSERS = {")": "(", "]": "[", "}": "{"}
_WEB_SCHEMES = frozenset({"http", "https", "ftp"})


@dataclass(frozen=True, slots=True)
class Marker:
    """One citation: `span` in the visible text, and where it leads as far as is known.

    An address written out in a text is one, too.
    """

    span: Span
    form: CitationForm
    target: str | None
    label: str = ""
    reference: str = ""


def find_addresses(text: str) -> Iterator[Marker]:
    """Addresses written out in `text`, without the punctuation that follows them."""
    for match in _BARE.finditer(text):
        kind = match.lastgroup or ""
        # A link that the parser left as text: [https://…](https://…)
        address = trim_address(match[kind].partition("](")[0])
        if len(address) > MAX_ADDRESS:
            continue
        span = Span(match.start(), match.start(kind) + len(address))
        target = canonical_doi(address) or f"{_BEFORE[kind]}{address}"
        is_doi = target.startswith(_BEFORE["doi"])
        yield Marker(span, CitationForm.DOI if is_doi else CitationForm.BARE_URL, target)


def find_files(text: str) -> Iterator[Marker]:
    """Names of files in `text`, with or without folders: ``report.md``, ``sources/report.md``."""
    # Most brackets hold a number, and of them a text may hold a million.
    for match in _FILE.finditer(text) if "." in text else ():
        yield Marker(Span(*match.span()), CitationForm.PATH, match[0].removeprefix("./"))


def is_file(name: str) -> bool:
    """Whether `name`, which stands in angle brackets, is that of a file; it may have blanks."""
    return "://" not in name and _SPACED_FILE.fullmatch(name) is not None


def trim_address(address: str) -> str:
    """`address` without trailing punctuation and without a closing bracket it did not open."""
    end = len(address)
    surplus: dict[str, int] = {}
    while end:
        last = address[end - 1]
        if last in ".,;:!?'*_~…’":
            end -= 1
        elif last in _CLOSERS:
            if last not in surplus:
                surplus[last] = address.count(last) - address.count(_CLOSERS[last])
            if surplus[last] <= 0:
                break
            surplus[last] -= 1
            end -= 1
        else:
            break
    return address[:end]


def canonical_doi(address: str) -> str:
    """``https://doi.org/…`` for an address at the DOI resolver, else ""."""
    match = _DOI_URL.match(address)
    return f"https://doi.org/{match[1]}" if match else ""


def link_target(target: str) -> tuple[str, CitationForm] | None:
    """Web address or file that a link's target cites; None for anchors, mail and scripts."""
    target = target.strip()
    if target.startswith("//"):
        target = f"https:{target}"
    scheme = _SCHEME.match(target)
    if scheme is not None:
        name = scheme[1].lower()
        if name == "doi":
            return f"https://doi.org/{target[4:].lstrip('/ ')}", CitationForm.INLINE_LINK
        if name == "file":
            return target, CitationForm.PATH
        return (target, CitationForm.INLINE_LINK) if name in _WEB_SCHEMES else None
    if target.lower().startswith("www."):
        return f"https://{target}", CitationForm.INLINE_LINK
    if "@" in target.partition("/")[0]:
        return None
    found = _PATH.match(target) or _SPACED_FILE.fullmatch(target)
    return (target, CitationForm.PATH) if found else None
