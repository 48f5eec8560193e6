"""Acronyms, names and terms: spelled out once, and written in one way."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from ..documents.model import BlockKind, Sentence
from .model import Flaw, FlawKind
from .reading import PROSE, Reading, Word, words_of
from .rules import SpellingRules

_ACRONYM = re.compile(r"(?<![\w./@#&-])(?:[A-Z][A-Z0-9]{1,5}|[A-Z]{2,5}s)(?![\w/@&-])")
_SHOUTED = 3
_NAMED = PROSE | {BlockKind.HEADING}
_HYPHEN = re.compile(r"[-\u2010\u2011]")
_IZE = re.compile(r"i[sz](?=e$|ed$|es$|ing$|er$|ation|ations$)")


def wording(reading: Reading) -> Iterator[Flaw]:
    """Every acronym without its meaning, and every name and term in two spellings."""
    yield from _acronyms(reading)
    yield from _names(reading)
    yield from _terms(reading)


def _acronyms(reading: Reading) -> Iterator[Flaw]:
    """Acronyms that are used and never spelled out; an excerpt may leave that to the rest."""
    rules = reading.rules.acronyms
    if reading.is_excerpt:
        return
    everything = " ".join(sentence.text for sentence in reading.document.sentences)
    first: dict[str, tuple[Sentence, tuple[int, int]]] = {}
    uses: Counter[str] = Counter()
    for sentence in reading.prose:
        shouted = sum(word.text.isupper() and len(word.text) > 1 for word in words_of(sentence))
        if shouted > _SHOUTED:
            continue
        for found in _ACRONYM.finditer(sentence.text):
            acronym = found[0].removesuffix("s")
            uses[acronym] += 1
            first.setdefault(acronym, (sentence, found.span()))
    for acronym, count in uses.items():
        if count < rules.uses or acronym in rules.known or _is_spelled_out(acronym, everything):
            continue
        sentence, span = first[acronym]
        yield reading.flaw(
            FlawKind.UNDEFINED_ACRONYM,
            sentence,
            f"{acronym!r} is used {count} times and never spelled out.",
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
            ):
                sentence, word = places[rare][0]
                yield reading.flaw(
                    FlawKind.INCONSISTENT_NAME,
                    sentence,
                    f"{rare!r} stands here, {common!r} in {len(places[common])} other places.",
                    span=(word.start, word.start + len(rare)),
                    related=(reading.place(places[common][0][0]),),
                )
                break


def _name_places(reading: Reading) -> dict[str, list[tuple[Sentence, Word]]]:
    """Every capitalised word that never stands in lower case, with its places."""
    least = reading.rules.spelling.name_letters
    places: dict[str, list[tuple[Sentence, Word]]] = defaultdict(list)
    lower: set[str] = set()
    for sentence in reading.document.sentences:
        if sentence.kind not in _NAMED:
            continue
        for word in words_of(sentence):
            plain = word.text.removesuffix("'s").removesuffix("’s")
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


def _terms(reading: Reading) -> Iterator[Flaw]:
    """A term that is written in two ways: "e-mail" and "email", "data set" and "dataset"."""
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    first: dict[str, tuple[Sentence, tuple[int, int]]] = {}
    for sentence in reading.prose:
        words = list(words_of(sentence))
        for number, word in enumerate(words):
            _count(reading, sentence, word.text, (word.start, word.end), forms, first)
            after = words[number + 1] if number + 1 < len(words) else None
            if after and sentence.text[word.end : after.start] == " ":
                pair = f"{word.text} {after.text}"
                _count(reading, sentence, pair, (word.start, after.end), forms, first)
    for counts in forms.values():
        ways = _ways(counts)
        if len(ways) > 1:
            common, rare = ways[0], ways[-1]
            sentence, span = first[rare]
            yield reading.flaw(
                FlawKind.INCONSISTENT_TERM,
                sentence,
                f"{rare!r} stands here, {common!r} elsewhere.",
                span=span,
            )


def _count(
    reading: Reading,
    sentence: Sentence,
    form: str,
    span: tuple[int, int],
    forms: dict[str, Counter[str]],
    first: dict[str, tuple[Sentence, tuple[int, int]]],
) -> None:
    folded = form.casefold()
    # Inside a sentence a capital makes a name of it, which its bearer spells.
    if _is_phrase(reading, folded) or (span[0] and form != folded):
        return
    solid = _HYPHEN.sub("", folded).replace(" ", "")
    key = _IZE.sub("iz", _variant(solid, reading.rules.spelling))
    if len(key) >= reading.rules.spelling.term_letters and key.isalpha():
        forms[key][folded] += 1
        first.setdefault(folded, (sentence, span))


def _is_phrase(reading: Reading, form: str) -> bool:
    """Whether the form is two words of grammar: "are as", "log in" beside "login"."""
    first, _, second = form.partition(" ")
    if not second:
        return False
    return first in reading.lexicon.words.stop_words or second in reading.rules.spelling.particles


def _variant(word: str, rules: SpellingRules) -> str:
    """The word as the list of variants spells it."""
    for form, other in rules.variants.items():
        if word.startswith(form):
            return other + word[len(form) :]
    return word


def _ways(counts: Counter[str]) -> list[str]:
    """The ways in which a term is written, the commonest first.

    Two words beside one word, or beside a hyphened one, are two ways; a hyphen before a noun
    ("decision-making body") is grammar, so that two words and a hyphened one alone are not.
    """
    ordered = [form for form, _ in counts.most_common()]
    solid = [form for form in ordered if " " not in form and not _HYPHEN.search(form)]
    if len(solid) > 1 or (solid and len(ordered) > len(solid)):
        return ordered
    return []
