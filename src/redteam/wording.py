"""Acronyms that are never spelled out, and names that are spelled in two ways."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from ..documents.model import BlockKind, Sentence
from .model import Flaw, FlawKind
from .reading import PROSE, WORD, Reading

_ACRONYM = re.compile(r"(?<![\w./@#&-])(?:[A-Z][A-Z0-9]{1,5}|[A-Z]{2,5}s)(?![\w/@&-])")
_JOINED = re.compile(r".{0,40}(?:\b(?:and|or|nor|versus)\b|&).{0,40}")
_SHOUTED = 3
_NAMED = PROSE | {BlockKind.HEADING}


def find_wording_flaws(reading: Reading) -> Iterator[Flaw]:
    """Yield every acronym without its meaning, and every name in two spellings."""
    yield from _acronyms(reading)
    yield from _names(reading)


def _acronyms(reading: Reading) -> Iterator[Flaw]:
    """Acronyms that are used and never spelled out; an excerpt may leave that to the rest."""
    rules = reading.rules.acronyms
    if reading.is_excerpt:
        return
    everything = " ".join(sentence.text for sentence in reading.document.sentences)
    uses: defaultdict[str, list[tuple[Sentence, tuple[int, int]]]] = defaultdict(list)
    for sentence in reading.prose:
        shouted = sum(word.isupper() and len(word) > 1 for word in WORD.findall(sentence.text))
        if shouted > _SHOUTED:
            continue
        for found in _ACRONYM.finditer(sentence.text):
            uses[found[0].removesuffix("s")].append((sentence, found.span()))
    for acronym, places in uses.items():
        if (
            len(places) < rules.uses
            or acronym in rules.known
            or _is_spelled_out(acronym, everything)
        ):
            continue
        sentence, span = places[0]
        yield reading.flaw(
            FlawKind.UNDEFINED_ACRONYM,
            sentence,
            f"{acronym!r} is used {len(places)} times and never spelled out.",
            span=span,
        )


def _is_spelled_out(acronym: str, everything: str) -> bool:
    """Whether brackets, a dash or a definition beside it, or words in row, tell what it means.

    The meaning of "AAL2" is that of "AAL".
    """
    acronym = acronym.rstrip("0123456789") or acronym
    if re.search(
        rf"\({acronym}s?[;,)]|\b{acronym}s? \([A-Za-z]|\b{acronym}s?\s*(?:[–—:=|]|-)\s*[A-Z]"
        rf"|[“\"']{acronym}s?[”\"’']|\b{acronym}s? (?:stands for|means|is short for)",
        everything,
    ):
        return True
    if not acronym.isalpha():
        return False
    initials = r"[\w’']*[\s-](?:(?:of|and|for|the|in|on|to|de|du|la)\s){0,2}".join(
        f"[{letter}{letter.lower()}]" for letter in acronym
    )
    return re.search(rf"\b{initials}", everything) is not None


def _names(reading: Reading) -> Iterator[Flaw]:
    """A name that is spelled in two ways, one of them much rarer."""
    rules = reading.rules.spelling
    places = _name_places(reading)
    by_start: dict[tuple[str, int], list[str]] = defaultdict(list)
    for name in places:
        for length in range(len(name) - rules.name_changes, len(name) + rules.name_changes + 1):
            by_start[name[:2], length].append(name)
    for rare in places:
        for common in by_start[rare[:2], len(rare)]:
            if (
                len(places[rare]) <= rules.rare_share * len(places[common])
                and _changes(rare, common) <= rules.name_changes
                and not _inflected(rare, common)
                and not _stand_together(places[rare], places[common])
            ):
                sentence, word = places[rare][0]
                yield reading.flaw(
                    FlawKind.INCONSISTENT_NAME,
                    sentence,
                    f"{rare!r} stands here, {common!r} in {len(places[common])} other places.",
                    span=(word.start(), word.start() + len(rare)),
                    related=(reading.place(places[common][0][0]),),
                )
                break


def _name_places(reading: Reading) -> dict[str, list[tuple[Sentence, re.Match[str]]]]:
    """Every capitalised word that never stands in lower case, with its places."""
    least = reading.rules.spelling.name_letters
    places: dict[str, list[tuple[Sentence, re.Match[str]]]] = defaultdict(list)
    lower: set[str] = set()
    for sentence in reading.document.sentences:
        if sentence.kind not in _NAMED:
            continue
        for word in WORD.finditer(sentence.text):
            plain = word[0].removesuffix("'s").removesuffix("’s")
            if plain.islower():
                lower.add(plain)
            elif plain[:1].isupper() and plain[1:].islower() and len(plain) >= least:
                places[plain].append((sentence, word))
    return {name: found for name, found in places.items() if name.casefold() not in lower}


def _changes(one: str, other: str) -> int:
    """The letters that must be put in, left out, replaced or swapped (Damerau–Levenshtein)."""
    rows = [list(range(len(other) + 1))]
    for i, left in enumerate(one, start=1):
        row = [i]
        for j, right in enumerate(other, start=1):
            cost = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (left != right))
            if i > 1 and j > 1 and left == other[j - 2] and one[i - 2] == right:
                cost = min(cost, rows[-2][j - 2] + 1)
            row.append(cost)
        rows.append(row)
    return rows[-1][-1]


def _inflected(one: str, other: str) -> bool:
    """Whether one is the other's plural, possessive, or people ("America", "American")."""
    short, long = sorted((one, other), key=len)
    return long.startswith(short) or (short[:-1] == long[: len(short) - 1] and short[-1] in "aeoy")


def _stand_together(
    rare: Sequence[tuple[Sentence, re.Match[str]]], common: Sequence[tuple[Sentence, re.Match[str]]]
) -> bool:
    """Whether a sentence joins both names, as in "Hanson and Hansen": then they are two names."""
    return any(
        one is other
        and _JOINED.fullmatch(one.text, min(a.end(), b.end()), max(a.start(), b.start()))
        for one, a in rare
        for other, b in common
    )
