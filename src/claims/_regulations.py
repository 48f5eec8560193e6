"""References to laws, regulations, standards and decisions, each in a form that can be compared."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from ..base.registry import RegistryModel, alternatives, expression, load_registry_file
from .model import RegulatoryReference
from .spans import apart

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
_AND = r"(?:, ?(?:and |or |& )?| (?:and|or|&|through|to) |-- ?)"
_LIST = rf"{_AND}(?P<place>(?:{_SIGN})?(?P<section>{_SECTION})){_NO_SECTION}"
# "Articles 13, 14 and 15 of": what follows the first number, and one number of it.
_MORE = rf"(?P<more>(?:{_AND}(?:{_SIGN})?\d[\w.()–-]{{0,16}}){{0,8}})"
_ONE_MORE = re.compile(rf"(?P<place>(?:{_SIGN})?(?P<section>\d[\w.()–-]{{0,16}}))")
# Without this no form that begins with a sign need be tried, and each of them costs a search.
_SIGNED = re.compile(rf"{_SIGN}\d")
_BARE = re.compile(rf"§§? ?(?P<section>{_SECTION})")
_EDITION = (
    r"(?: and \([a-z0-9]{1,3}\))?(?: \((?:[A-Z][A-Za-z. ]{0,20})?\d{4}(?:-\d{2})?\)| \(repealed\))?"
)
# A reference has a sign before a number, a number beside a name or an acronym, or is a name.
# Without these no form need be tried. Names of codes in lower case are added.
_TRIGGER = (
    rf"{_SIGN}\d|(?<!^)[A-Z][^\n]{{0,60}}\d|\d[^\n]{{0,60}}[A-Z]|^[A-Z][\w.]* (?:Nos?\.? ?)?\d"
    r"|[A-Z]{2}|§|Act\b|Regulation|Framework|Amendment|Constitution|Certification"
)
_OF = r" (?:of (?:the )?|under (?:the )?)?"
_MAX_LIST = 30


def _tried(pattern: str) -> str:
    """`pattern`, which has to be one; stand-ins for long parts make it quick."""
    expression(pattern.replace("{section}", "1").replace("{state}", "X"))
    return pattern


_Expression = Annotated[str, AfterValidator(_tried)]


class WholePattern(RegistryModel):
    """One form of a reference; the named groups of `pattern` fill `norm`.

    `item` matches a further member of a list ("800-53, 800-171"); its named groups take the place
    of those of the first.
    """

    scheme: str = Field(min_length=1)
    pattern: _Expression = Field(min_length=1)
    norm: str
    item: _Expression = ""


class RegulationsFile(RegistryModel):
    """The whole of `regulations.yaml`; every pattern is a regular expression."""

    titled_codes: dict[str, tuple[_Expression, ...]]
    named_codes: dict[str, tuple[_Expression, ...]]
    states: tuple[str, ...]
    patterns: tuple[WholePattern, ...]
    names: dict[str, tuple[str, ...]]
    reporters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Form:
    """`pattern` and `item` are compiled when a text has a match of `name`, which is a part of them.

    Most texts cite few codes, and to compile each form takes longer than to check a document.
    """

    scheme: str
    pattern: str
    norm: str
    item: str = ""
    name: re.Pattern[str] | None = None
    signed: bool = False

    def may_match(self, text: str) -> bool:
        """Whether the name is in `text`, without which there is no match."""
        return self.name is None or self.name.search(text) is not None


@functools.lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@dataclass(frozen=True, slots=True)
class _Names:
    """Names that need no number. `pattern` may take a section on either side of the name."""

    schemes: Mapping[str, str]
    pattern: re.Pattern[str]

    @classmethod
    def compile(cls, names: Mapping[str, Sequence[str]]) -> _Names:
        schemes = {name: scheme for scheme, written in names.items() for name in written}
        sections = rf"{_SIGN}(?P<section>{_SECTION}){_MORE}{_OF}"
        name = rf"(?P<name>{alternatives(schemes)})(?!\w)"
        behind = rf",? ?{_SIGN}(?P<last>{_SECTION})"
        return cls(schemes, re.compile(rf"(?<!\w)(?:{sections})?{name}(?:{behind})?"))

    def find(self, text: str) -> Iterator[RegulatoryReference]:
        """The references by name in `text`."""
        for match in self.pattern.finditer(text):
            scheme = self.schemes[match["name"]]
            if match["section"]:
                yield from _before_name(scheme, f"{scheme}/{{section}}", match)
            else:
                section = f"/{_squeezed(match['last'])}" if match["last"] else ""
                yield RegulatoryReference(scheme, match[0], scheme + section, *match.span())


@dataclass(frozen=True, slots=True)
class RegulationForms:
    """The forms of references; `names` stand for an instrument without a number.

    A text that `trigger` does not match has no reference.
    """

    trigger: re.Pattern[str]
    forms: tuple[_Form, ...]
    names: _Names

    @classmethod
    def compile(cls, file: RegulationsFile) -> RegulationForms:
        """The forms that `file` describes."""
        states = f"(?:{'|'.join(sorted(file.states, key=len, reverse=True))})\\.?"
        codes = (*file.titled_codes.values(), *file.named_codes.values())
        lower = [name for names in codes for name in names if name == name.lower()]
        return cls(
            re.compile("|".join((_TRIGGER, *lower))),
            (
                *_titled(file.titled_codes),
                *_named(file.named_codes, states),
                *(_whole(pattern, states) for pattern in file.patterns),
                _reports(file.reporters),
            ),
            _Names.compile(file.names),
        )


def load_regulations(folder: Path | None = None) -> RegulationForms:
    """The packaged forms, or those of `folder`.

    Raises:
        RegistryError: The file is broken or a pattern in it does not compile.
    """
    return RegulationForms.compile(load_registry_file(RegulationsFile, REGULATIONS_FILE, folder))


def find_regulations(text: str, forms: RegulationForms) -> tuple[RegulatoryReference, ...]:
    """The references in `text`, in order; they do not overlap."""
    if not forms.trigger.search(text):
        return ()
    signed = _SIGNED.search(text) is not None
    tried = (form for form in forms.forms if signed or not form.signed)
    found = [one for form in tried if form.may_match(text) for one in _matches(text, form)]
    found += forms.names.find(text)
    found += [
        RegulatoryReference("section", match[0], f"section/{section}", *match.span())
        for match in _BARE.finditer(text)
        for section in [_squeezed(match["section"])]
    ]
    # Of references that overlap the longest, else the one of the earlier form.
    return apart(sorted(found, key=lambda ref: ref.start - ref.end))


def _matches(text: str, form: _Form) -> Iterator[RegulatoryReference]:
    pattern = _compiled(form.pattern)
    for match in pattern.finditer(text):
        if "more" in pattern.groupindex:
            yield from _before_name(form.scheme, form.norm, match)
            continue
        norm = _filled(form.norm, match.groupdict()) or form.scheme
        yield RegulatoryReference(form.scheme, match[0], norm, *match.span())
        if form.item:
            yield from _listed(text, form, match, _compiled(form.item))


def _listed(
    text: str, form: _Form, first: re.Match[str], item: re.Pattern[str]
) -> Iterator[RegulatoryReference]:
    """The further members of a list of sections: "Parts 202, 204 and 252"."""
    at = first.end()
    for _ in range(_MAX_LIST):
        match = item.match(text, at)
        if not match:
            return
        norm = _filled(form.norm, {**first.groupdict(), **match.groupdict()})
        yield RegulatoryReference(form.scheme, match["place"], norm, *match.span("place"))
        at = match.end()


def _before_name(scheme: str, norm: str, match: re.Match[str]) -> Iterator[RegulatoryReference]:
    """The sections that stand before a name, each with its place; the last one has the name."""
    places = [(match["section"], match.start())]
    places += [
        (one["section"], one.start("place"))
        for one in _ONE_MORE.finditer(match.string, match.start("more"), match.end("more"))
    ]
    values = match.groupdict()
    for index, (section, start) in enumerate(places):
        is_last = index + 1 == len(places)
        end = (
            match.end() if is_last else match.end("section") if not index else start + len(section)
        )
        text = match.string[start:end]
        filled = _filled(norm, {**values, "section": section})
        yield RegulatoryReference(scheme, text, filled, start, end)


def _filled(norm: str, values: Mapping[str, str | None]) -> str:
    filled = norm.format_map({name: _squeezed(value or "") for name, value in values.items()})
    return filled.rstrip("/")


def _squeezed(value: str) -> str:
    """A part of a reference without white space and with plain hyphens."""
    return (
        re.sub(r"\s+", "", value).replace("–", "-").replace("‑", "-").replace("—", "-").rstrip(".")
    )


def _titled(codes: Mapping[str, Sequence[str]]) -> Iterator[_Form]:
    for scheme, names in codes.items():
        name = "|".join(names)
        found = re.compile(name)
        code = rf"(?<![\w.])(?P<title>\d{{1,3}}) ?(?:{name})"
        section = rf",? ?(?:{_SIGN})?(?P<section>{_SECTION}(?:/\d[\w-]*)?)"
        yield _Form(scheme, code + section, f"{scheme}/{{title}}/{{section}}", _LIST, found)
        yield _Form(scheme, rf"{code}(?!\w)", f"{scheme}/{{title}}", name=found)


def _named(codes: Mapping[str, Sequence[str]], states: str) -> Iterator[_Form]:
    for scheme, names in codes.items():
        name = "|".join(names).replace("{state}", states)
        found = re.compile(name)
        pattern = (
            rf"(?<!\w)(?:{name})(?: \((?:the )?[A-Z]{{3,6}}\))?,? ?(?:clauses? )?(?:{_SIGN})?"
            rf"(?P<section>[A-Z\d]{{0,4}}?-?{_SECTION})(?: et seq\.)?{_EDITION}"
        )
        yield _Form(scheme, pattern, f"{scheme}/{{section}}", _LIST, found)
        before = rf"{_SIGN}(?P<section>{_SECTION}){_MORE}{_OF}(?:{name})(?!\w)"
        yield _Form(scheme, before, f"{scheme}/{{section}}", name=found, signed=True)


def _whole(pattern: WholePattern, states: str) -> _Form:
    expression = pattern.pattern.replace("{section}", _SECTION).replace("{state}", states)
    item = rf"{_AND}(?P<place>{pattern.item})(?!\w)" if pattern.item else ""
    return _Form(pattern.scheme, rf"(?<!\w)(?:{expression})", pattern.norm, item)


def _reports(reporters: Sequence[str]) -> _Form:
    volume, page = r"(?<![\w.])(?P<volume>\d{1,4})", r"(?P<page>\*?\d{1,7}(?:-[A-Z])?)"
    reporter = rf"(?P<reporter>{'|'.join(reporters)})"
    pattern = rf"{volume}\s{reporter}(?: No\.)?,?\s(?:at\s)?{page}(?!\w)"
    return _Form("case", pattern, "{reporter}/{volume}/{page}")
