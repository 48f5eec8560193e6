"""Author names and years, as citations and reference lists write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

from .inline import Span
from .words import Words

MAX_NAMES = 150

# A letter that is not a lower-case one of ASCII or Latin-1: near enough to "capital" for names.
_CAPITAL = r"[^\W\d_a-zß-öø-ÿ]"
_PARTICLES = r"(?:(?:van|von|de|der|den|del|della|di|da|dos|du|la|le|ten|ter|al|bin|ibn|zu)\s){0,3}"
_WORD = rf"{_CAPITAL}[\w’'\u2010\u2011-]{{0,40}}"
_NAME = rf"{_PARTICLES}{_WORD}"
_INITIALS = rf"(?:{_CAPITAL}\.[\s-]?){{1,4}}"
_YEAR = r"(?:(?:1[5-9]|20)\d\d[a-z]?\b|n\.d\.)"
_YEARS = rf"{_YEAR}(?:\s?(?:,|and|&)\s?{_YEAR}){{0,9}}"
_OTHERS = r"(?:,?\s+(?:et\s+al\b\.?|and\s+(?:colleagues|others)))"

_AND_OTHERS = re.compile(rf"{_OTHERS}$")
_BETWEEN_NAMES = re.compile(r",?\s+(?:and|&|und|et|y)\s+|,\s+")
_BETWEEN_YEARS = re.compile(r"\s?(?:,|and|&)\s?")
_ONLY_INITIALS = re.compile(rf"{_INITIALS}$")
_ORGANISATION = re.compile(
    rf"(?:{_INITIALS})?{_PARTICLES}{_WORD}(?:\s(?:(?:of|for|the|on|in|to)\s){{0,2}}{_WORD}){{0,7}}$"
)
_LEAD = re.compile(
    r"(?:(?:see|cf\.|e\.g\.,?|also|in|after|compare|siehe|vgl\.)\s+){1,3}", re.IGNORECASE
)
_PART = re.compile(
    rf"(?P<names>[^\d;]{{2,{MAX_NAMES}}}?)(?P<comma>,?)\s+(?P<years>{_YEARS})(?:\s?[,:]\s?[^;]{{0,60}})?$"
)
_YEARS_IN_BRACKET = re.compile(rf"\(\s?({_YEARS})(?:\s?[,:]\s?[^()]{{0,60}})?\)")
_NAMES_BEFORE = re.compile(
    rf"{_NAME}(?:(?:,\s{_NAME}){{0,3}},?\s(?:and|&)\s{_NAME}|{_OTHERS})?(?=(?:['’]s?)?\s*$)"
)
_VERB = re.compile(r",? (?:also )?([a-z]+)")
_ACCORDING = re.compile(r"\baccording to $", re.IGNORECASE)
_FIRST_NAME = re.compile(rf"(?:{_INITIALS})?({_NAME})")
_ENTRY_START = re.compile(rf"{_NAME},?\s{_CAPITAL}{{1,3}}\b|{_INITIALS}{_NAME}")
_ANY_YEAR = re.compile(_YEAR)
_CAPITAL_FIRST = re.compile(rf"{_WORD}(?:\s[\w’'&\u2010\u2011-]{{1,40}}){{0,7}}$")
_ACRONYM = re.compile(rf"[(\[]({_CAPITAL}{{2,10}})[)\]]")


@dataclass(frozen=True, slots=True)
class AuthorYear:
    """A work named by its authors and year.

    `whole` is the authors as written, `first` the first one's surname. `sure` is true when the
    writing alone shows a citation ("et al.", two names), `likely` when a comma precedes the year.
    """

    whole: str
    first: str
    year: str
    sure: bool
    likely: bool

    @property
    def label(self) -> str:
        """A key for display, for example ``smith2020``."""
        return f"{self.first.replace(' ', '-')}{self.year}"


def fold(name: str) -> str:
    """`name` for comparison: case, white space and the style of apostrophes do not count."""
    return " ".join(name.casefold().replace("’", "'").split())


def in_bracket(part: str, not_authors: Words) -> tuple[AuthorYear, ...]:
    """The works that one part of a bracket names ("see Smith & Lee, 2019, 2020a, p. 4")."""
    part = part.strip()
    lead = _LEAD.match(part)
    match = _PART.match(part, lead.end() if lead else 0)
    return (
        _works(match["names"], match["years"], bool(match["comma"]), not_authors) if match else ()
    )


def in_text(
    text: str, not_authors: Words, known: Callable[[AuthorYear], bool], verbs: Words
) -> Iterator[tuple[Span, Span, tuple[AuthorYear, ...]]]:
    """Works cited as "Smith et al. (2020)".

    Without "et al." only those that are `known`, or of which one of `verbs` says what they tell.
    Each with the place of names and years, and that of the years alone.
    """
    for years in _YEARS_IN_BRACKET.finditer(text):
        base = max(0, years.start() - MAX_NAMES)
        window = text[base : years.start()]
        says = _VERB.match(text, years.end())
        tells = says is not None and says[1] in verbs
        reported: tuple[Span, Span, tuple[AuthorYear, ...]] | None = None
        for start in _name_starts(window):
            names = re.sub(r"(?:['’]s?)?\s*$", "", window[start:])
            works = _works(names, years[1], False, not_authors)
            others = _AND_OTHERS.search(names) is not None
            found = Span(base + start, years.end()), Span(*years.span()), works
            if works and (others or all(map(known, works))):
                yield found
                break
            if works and (tells or _ACCORDING.search(window[:start])):
                reported = reported or found
        else:
            if reported:
                yield reported


def _name_starts(window: str) -> Iterator[int]:
    """Where the names before a bracket may begin: as a list of persons, else as an organisation."""
    persons = _NAMES_BEFORE.search(window)
    if persons is not None:
        yield persons.start()
    words = [match.start() for match in re.finditer(rf"(?<!\S){_CAPITAL}", window)]
    yield from words[-8:]


def _works(names: str, years: str, comma: bool, not_authors: Words) -> tuple[AuthorYear, ...]:
    whole = _AND_OTHERS.sub("", names.strip(" ,"))
    parts = [part for part in _BETWEEN_NAMES.split(whole) if not _ONLY_INITIALS.match(part)]
    if parts and all(_is_name(part, not_authors) for part in parts):
        first = _FIRST_NAME.match(parts[0])
        surname = parts[0] if first is None or " " in parts[0][first.end() :] else first[1]
        sure = len(parts) > 1 or whole != names.strip(" ,")
        likely = sure or comma
    elif _CAPITAL_FIRST.match(whole):
        # A body whose name has small letters ("Race jury"): a list of works must know it.
        surname, sure, likely = whole, False, False
    else:
        return ()
    return tuple(
        AuthorYear(fold(whole), fold(surname), year, sure, likely)
        for year in _BETWEEN_YEARS.split(years)
    )


def _is_name(part: str, not_authors: Words) -> bool:
    return (
        _ORGANISATION.match(part) is not None
        and part.split()[0].casefold().rstrip(".") not in not_authors
    )


def starts_like_entry(text: str) -> bool:
    """Whether `text` begins as a bibliographic entry does: "Smith, J." or "J. Smith"."""
    return _ENTRY_START.match(text) is not None


def has_year(text: str) -> bool:
    """Whether a year of publication stands in `text`."""
    return _ANY_YEAR.search(text) is not None


def entry_keys(text: str) -> Iterator[tuple[str, str]]:
    """By what the reference entry `text`, its label left out, may be cited.

    Each is a name (folded) and a year, with or without its letter.
    """
    text = text[:2000]
    year = _ANY_YEAR.search(text)
    head = text[: year.start() if year else 200].strip(" (,.;:\t")
    names = {fold(head)}
    if first := _FIRST_NAME.match(head):
        names.add(fold(first[1]))
    names.update(fold(name) for name in re.split(r"[.,;(]", head)[:1])
    names.update(fold(acronym) for acronym in _ACRONYM.findall(head))
    names.add(fold("".join(word[0] for word in head.split("(")[0].split() if word[0].isupper())))
    found = _ANY_YEAR.findall(text)[:8]
    years = {*found, *(year[:4] for year in found if year[:4].isdigit())}
    return product(filter(None, names), years)
