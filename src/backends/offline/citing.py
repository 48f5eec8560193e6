"""Citations as the offline analyst writes them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...core.brief import CitingStyle
from ...core.work import Material
from ...documents.model import Citation, CitationForm, Document

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~])")
_BLOCK_START = re.compile(r"(?m)^(\s*)([#+=-]|\d+[.)](?=\s))")
_KEYED = {
    CitationForm.NUMERIC: "[{}]",
    CitationForm.FOOTNOTE: "[^{}]",
    CitationForm.KEY: "[@{}]",
}


def escape_markdown(text: str) -> str:
    """`text` such that Markdown shows it as it is, on one line."""
    line = _SPECIAL.sub(r"\\\1", " ".join(text.split()))
    return _BLOCK_START.sub(r"\1\\\2", line)


class Citations:
    """Numbers sources in the order of first citation and writes markers for them."""

    def __init__(self, materials: Sequence[Material], style: CitingStyle) -> None:
        self._materials = materials
        self._style = style
        self._numbers: dict[int, int] = {}

    def cited(self, text: str, material: int) -> str:
        """The sentence `text`, escaped, with a citation of its source at its end."""
        return cite_sentence(text, self._marker(material))

    def reference_list(self) -> str:
        """The cited sources, one a line; a footnote's line is its definition."""
        return "\n".join(
            self._reference(number, self._materials[material])
            for material, number in self._numbers.items()
        )

    def _marker(self, material: int) -> str:
        number = self._numbers.setdefault(material, len(self._numbers) + 1)
        match self._style:
            case CitingStyle.NUMBERED:
                return f"[{number}]"
            case CitingStyle.FOOTNOTES:
                return f"[^{number}]"
            case CitingStyle.INLINE:
                return f"({_inline_link(self._materials[material])})"

    def _reference(self, number: int, material: Material) -> str:
        marks = {CitingStyle.FOOTNOTES: f"[^{number}]:", CitingStyle.NUMBERED: f"{number}."}
        return f"{marks.get(self._style, '-')} {_link(material)}"


def cite_sentence(text: str, marker: str) -> str:
    """The sentence `text`, escaped, with the citation `marker` before its full stop."""
    plain = escape_markdown(text)
    if plain.endswith((".", "!")):
        return f"{plain[:-1]} {marker}{plain[-1]}"
    return f"{plain} {marker}"


def marker_in(document: Document, material: Material) -> str:
    """A citation of `material` in `document`: its number if it has one, else its address."""
    for citation in document.citations:
        if citation.target == material.url and citation.form in _KEYED:
            return _KEYED[citation.form].format(citation.label)
    return f"({_inline_link(material)})"


def exchanged(document: Document, citation: Citation, material: Material) -> str | None:
    """`citation` as it is written when it leads to `material`; None if its form cannot."""
    before = document.text[citation.start - 1 : citation.start]
    if "](" in citation.raw and before != "(":
        words = citation.raw[: citation.raw.rindex("](")]
        return f"{words}]({_link_target(material)})"
    if citation.form in _KEYED:
        marker = marker_in(document, material)
        of_several = citation.raw != _KEYED[citation.form].format(citation.label)
        return None if of_several else marker if before.isspace() else f" {marker}"
    if citation.form is CitationForm.AUTHOR_YEAR:
        return None
    return _inline_link(material)


def _inline_link(material: Material) -> str:
    """A citation inside a sentence: a web address as it is, a file by its title."""
    is_web = re.fullmatch(r"https?://[^\s()<>]+", material.url) is not None
    return material.url if is_web else _link(material)


def _link(material: Material) -> str:
    """A Markdown link to a source, by its title."""
    title = escape_markdown(material.title or material.url)
    return f"[{title}]({_link_target(material)})"


def _link_target(material: Material) -> str:
    """The address of a source as the target of a link."""
    address = material.url
    if re.search(r"[\s()<>]", address):
        return f"<{address.replace('<', '%3C').replace('>', '%3E')}>"
    return address
