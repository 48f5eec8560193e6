"""References to laws, regulations, standards and decisions, each in a form that can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field, field_validator

from ..base.registry import RegistryModel, load_registry_file

REGULATIONS_FILE = "regulations.yaml"

_SECTION = (
    r"\d+[A-Za-z]{0,5}"
    r"(?:[.:\-–‑]{1,2}[A-Za-z0-9]{1,7}| ?[\-–‑]{1,2} ?\d[A-Za-z0-9]{0,6}){0,6}"
    r"(?: ?\([A-Za-z0-9]{1,6}\)){0,6}(?:-\d\w{0,2})?"
)
_SIGN = (
    r"(?:§§? ?|[Ss]ec(?:tions?|s?\.) ?|(?:[Ss]ub)?[Pp](?:ar)?ts?\.? |[Aa]rt(?:icles?|s?\.) ?|r\. ?"
    r"|ch\. ?|[Rr]ules? |[Cc]lauses? )"
)
# What follows a number that is no further section: "Part 12 and 40 percent of …".
_NO_SECTION = r"(?! ?(?:U\.? ?S|C\.? ?F|%|per ?cent|days|weeks|years|months|million|billion))"
_LIST = re.compile(
    rf"(?:, ?(?:and |or |& )?| (?:and|or|&|through|to) |-- ?)(?P<sign>{_SIGN})?"
    rf"(?P<section>{_SECTION}){_NO_SECTION}"
)
_BARE = re.compile(rf"§§? ?(?P<section>{_SECTION})")
_EDITION = (
    r"(?: and \([a-z0-9]{1,3}\))?(?: \((?:[A-Z][A-Za-z. ]{0,20})?\d{4}(?:-\d{2})?\)| \(repealed\))?"
)
# A reference has a number or an acronym, or is one of the names.
_TRIGGER = re.compile(r"\d|[A-Z]{2}|§|Act\b|Regulation|Framework|Amendment|Constitution|Id\.|supra")
_HYPHENS = str.maketrans("–‑—", "---")
_MAX_LIST = 30


class WholePattern(RegistryModel):
    """One form of a reference; the named groups of `pattern` fill `norm`."""

    scheme: str = Field(min_length=1)
    pattern: str = Field(min_length=1)
    norm: str

    @field_validator("pattern")
    @classmethod
    def _compiles(cls, value: str) -> str:
        re.compile(value.replace("{section}", _SECTION).replace("{state}", "X"))
        return value


class RegulationsFile(RegistryModel):
    """The whole of `regulations.yaml`; every pattern is a regular expression."""

    titled_codes: dict[str, tuple[str, ...]]
    named_codes: dict[str, tuple[str, ...]]
    states: tuple[str, ...]
    patterns: tuple[WholePattern, ...]
    names: dict[str, tuple[str, ...]]
    reporters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RegulatoryReference:
    """A citation of a law, regulation, standard or decision.

    `[start, end)` is the place in the text that was searched; of a list each member has its own
    place. `norm` is equal for two references to the same thing: ``cfr/12/226.5a``.
    """

    scheme: str
    text: str
    norm: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Form:
    scheme: str
    pattern: re.Pattern[str]
    norm: str
    lists: bool


@dataclass(frozen=True, slots=True)
class RegulationForms:
    """The forms of references, compiled once."""

    forms: tuple[_Form, ...]

    @classmethod
    def compile(cls, file: RegulationsFile) -> RegulationForms:
        """The forms that `file` describes."""
        states = f"(?:{'|'.join(sorted(file.states, key=len, reverse=True))})\\.?"
        return cls(
            (
                *_titled(file.titled_codes),
                *_named(file.named_codes, states),
                *(_whole(pattern, states) for pattern in file.patterns),
                *_names(file.names),
                _reports(file.reporters),
            )
        )


def load_regulations(folder: Path | None = None) -> RegulationForms:
    """The packaged forms, or those of `folder`.

    Raises:
        RegistryError: The file is broken or a pattern in it does not compile.
    """
    return RegulationForms.compile(load_registry_file(RegulationsFile, REGULATIONS_FILE, folder))


def find_regulations(text: str, forms: RegulationForms) -> tuple[RegulatoryReference, ...]:
    """The references in `text`, in order; they do not overlap."""
    if not _TRIGGER.search(text):
        return ()
    found = [one for form in forms.forms for one in _matches(text, form)]
    found += [
        RegulatoryReference("section", match[0], f"section/{section}", *match.span())
        for match in _BARE.finditer(text)
        for section in [_squeezed(match["section"])]
    ]
    return tuple(_without_overlaps(found))


def _matches(text: str, form: _Form) -> Iterator[RegulatoryReference]:
    for match in form.pattern.finditer(text):
        yield _reference(form, match, match.groupdict())
        if form.lists:
            yield from _listed(text, form, match)


def _listed(text: str, form: _Form, first: re.Match[str]) -> Iterator[RegulatoryReference]:
    """The further members of a list of sections: "Parts 202, 204 and 252"."""
    at = first.end()
    for _ in range(_MAX_LIST):
        match = _LIST.match(text, at)
        if not match:
            return
        values = {**first.groupdict(), "section": match["section"]}
        start = match.start("sign") if match["sign"] else match.start("section")
        norm = _filled(form.norm, values)
        yield RegulatoryReference(form.scheme, text[start : match.end()], norm, start, match.end())
        at = match.end()


def _reference(
    form: _Form, match: re.Match[str], values: Mapping[str, str | None]
) -> RegulatoryReference:
    norm = _filled(form.norm, values)
    return RegulatoryReference(form.scheme, match[0], norm or form.scheme, *match.span())


def _filled(norm: str, values: Mapping[str, str | None]) -> str:
    return norm.format_map({name: _squeezed(value or "") for name, value in values.items()})


def _squeezed(value: str) -> str:
    """A part of a reference without white space and with plain hyphens."""
    return (
        re.sub(r"\s+", "", value).replace("–", "-").replace("‑", "-").replace("—", "-").rstrip(".")
    )


def _without_overlaps(found: Iterable[RegulatoryReference]) -> Iterator[RegulatoryReference]:
    """Of references that overlap the longest, else the one of the earlier form."""
    kept: list[RegulatoryReference] = []
    for one in sorted(found, key=lambda ref: ref.start - ref.end):
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    yield from sorted(kept, key=lambda ref: ref.start)


def _titled(codes: Mapping[str, Sequence[str]]) -> Iterator[_Form]:
    for scheme, names in codes.items():
        code = rf"(?<![\w.])(?P<title>\d{{1,3}}) ?(?:{'|'.join(names)})"
        section = rf",? ?(?:{_SIGN})?(?P<section>{_SECTION}(?:/\d[\w-]*)?)"
        pattern = re.compile(code + section)
        yield _Form(scheme, pattern, f"{scheme}/{{title}}/{{section}}", lists=True)
        whole = re.compile(rf"{code}(?!\w)")
        yield _Form(scheme, whole, f"{scheme}/{{title}}", lists=False)


def _named(codes: Mapping[str, Sequence[str]], states: str) -> Iterator[_Form]:
    for scheme, names in codes.items():
        name = "|".join(names).replace("{state}", states)
        pattern = re.compile(
            rf"(?<!\w)(?:{name}),? ?(?:{_SIGN})?(?P<section>[A-Z\d]{{0,4}}?-?{_SECTION})"
            rf"(?: et seq\.)?{_EDITION}"
        )
        yield _Form(scheme, pattern, f"{scheme}/{{section}}", lists=True)
        behind = re.compile(rf"{_SIGN}(?P<section>{_SECTION}) of (?:the )?(?:{name})(?!\w)")
        yield _Form(scheme, behind, f"{scheme}/{{section}}", lists=False)


def _whole(pattern: WholePattern, states: str) -> _Form:
    # Of a section within a larger pattern only the first may name the group.
    expression = pattern.pattern.replace("{section}", _SECTION).replace("{state}", states)
    return _Form(pattern.scheme, re.compile(rf"(?<!\w)(?:{expression})"), pattern.norm, lists=False)


def _names(names: Mapping[str, Sequence[str]]) -> Iterator[_Form]:
    for scheme, written in names.items():
        words = "|".join(re.escape(name) for name in sorted(written, key=len, reverse=True))
        yield _Form(scheme, re.compile(rf"(?<!\w)(?:{words})(?!\w)"), scheme, lists=False)


def _reports(reporters: Sequence[str]) -> _Form:
    volume, page = r"(?<![\w.])(?P<volume>\d{1,4})", r"(?P<page>\*?\d{1,7}(?:-[A-Z])?)"
    reporter = rf"(?P<reporter>{'|'.join(reporters)})"
    pattern = re.compile(rf"{volume}\s{reporter}(?: No\.)?,?\s(?:at\s)?{page}(?!\w)")
    return _Form("case", pattern, "{reporter}/{volume}/{page}", lists=False)
