"""Words of English text: tokens, stems, and the word lists of `words.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from .cues import Cues
from .degrees import Degrees
from .files import RelationPolicy, WordsFile
from .thesaurus import THESAURUS, Related, Relation, Thesaurus

# "C#" and "C++" are words of their own.
WORD = re.compile(r"[^\W_]+(?:[.,'’][^\W_]+)*(?:(?<=\b[A-Z])[#+]{1,2})?")
# -ise and -isation: the other spelling is the same word.
_BRITISH = re.compile(r"(?<=\w{3})is(?=e$|ed$|es$|ing$|ation$|ations$)")
# A prefix that turns an adjective; rarer opposites may be chance.
_NEGATING = frozenset({"un", "non"})
_LONG = 6
_STEMS_KEPT = 50_000
_SURE_OPPOSITE = 0.3
_VOWEL = re.compile(r"[aeiouy]")
_DOUBLED_L = re.compile(r"[aeiouy][^aeiouy]+[aeiou]ll$")


class Token(NamedTuple):
    """A word or number of a text: `word` in lower case, `stem` its comparison form."""

    word: str
    stem: str
    start: int
    end: int
    capital: bool

    def moved(self, offset: int) -> Token:
        """The token of a text that stands at `offset` in a longer one."""
        start, end = self.start + offset, self.end + offset
        return Token(self.word, self.stem, start, end, self.capital)


# A class of turning words and a group of it.
Key = tuple[str, str]
NEGATION = "negation"
NOT, HARDLY, NO, WITHOUT, INERT = (
    (NEGATION, group) for group in ("not", "hardly", "no", "without", "inert")
)


class Turn(NamedTuple):
    """A turning word or phrase at `[place, end)` of a row of tokens."""

    word: str
    place: int
    end: int
    keys: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class WordBook:
    """The word lists by stem.

    `guards` leads from a written word to its classes and groups, `phrases` from the first word of a
    longer one to its other words, classes and groups, the longest first. `multiwords` leads from
    the stem of the first word of an expression to its other words and the stem it is taken for; a
    text without one of the `multiword_keys` has no such expression.
    `directions` has 1 for words that mean a rise, -1 for a fall and 0 for neither; `degrees` are
    the comparatives and superlatives that say more or less of a value.
    """

    stop_words: frozenset[str]
    weak_words: frozenset[str]
    irregular: Mapping[str, str]
    variants: Mapping[str, frozenset[str]]
    multiwords: Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]
    multiword_keys: frozenset[str]
    opposites: Mapping[str, frozenset[str]]
    converses: Mapping[str, frozenset[str]]
    guards: Mapping[str, tuple[Key, ...]]
    phrases: Mapping[str, tuple[tuple[tuple[str, ...], tuple[Key, ...]], ...]]
    directions: Mapping[str, int]
    meta: Cues
    orders: Cues
    unsaid: re.Pattern[str]
    opening_frames: re.Pattern[str]
    closing_frames: re.Pattern[str]
    refutation: re.Pattern[str]
    retraction: re.Pattern[str]
    restated: re.Pattern[str]
    not_superlative: frozenset[str]
    repeatable: frozenset[str]
    speaker_verbs: frozenset[str]
    harmless: frozenset[str]
    source_nouns: frozenset[str]
    source_titles: frozenset[str]
    exempting: re.Pattern[str]
    particles: frozenset[str]
    move_after: frozenset[str]
    move_before: frozenset[str]
    move_bound: frozenset[str]
    move_bound_to_number: frozenset[str]
    comparatives: frozenset[str]
    graded: frozenset[str]
    losses: frozenset[str]
    degrees: Degrees
    implied: frozenset[str]
    ending: frozenset[str]
    stops: frozenset[str]
    relations: RelationPolicy
    thesaurus: Thesaurus
    _stems: dict[str, str] = field(default_factory=dict[str, str])
    _alike: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    _opposed: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    _close: dict[str, Mapping[str, float]] = field(default_factory=dict[str, Mapping[str, float]])

    @classmethod
    def compile(cls, file: WordsFile) -> WordBook:
        """Build the look-up tables of `file`."""
        variants: dict[str, set[str]] = {}
        for group in file.synonyms:
            stems = {stem(word, file.irregular) for word in group}
            for one in stems:
                variants.setdefault(one, set()).update(stems - {one})
        opposites: dict[str, set[str]] = {}
        for left, right in file.antonyms:
            one, other = stem(left, file.irregular), stem(right, file.irregular)
            opposites.setdefault(one, set()).add(other)
            opposites.setdefault(other, set()).add(one)
        guards, phrases = _turning(file)
        return cls(
            stop_words=frozenset(file.stop_words)
            | {stem(w, file.irregular) for w in file.stop_words},
            weak_words=frozenset(stem(word, file.irregular) for word in file.weak_words),
            irregular=file.irregular,
            variants={word: frozenset(others) for word, others in variants.items()},
            multiwords=_multiwords(file),
            multiword_keys=frozenset(_keys(file)),
            opposites={word: frozenset(others) for word, others in opposites.items()},
            converses=_grouped(file.converses, file.irregular),
            guards=guards,
            phrases=phrases,
            directions={
                stem(word, file.irregular): _SIGNS[name]
                for name, words in file.directions.items()
                for word in words
            },
            meta=Cues.compile(_filled(p, file.meta_terms) for p in (*file.meta, *file.orders)),
            orders=Cues.compile(_filled(pattern, file.meta_terms) for pattern in file.orders),
            unsaid=_any(file.unsaid),
            opening_frames=_any(_filled(p, file.frame_terms) for p in file.opening_frames),
            closing_frames=_any(_filled(p, file.frame_terms) for p in file.closing_frames),
            refutation=_any(file.refutation),
            retraction=_any((file.retraction,)),
            restated=_any((file.restated,)),
            not_superlative=frozenset(file.not_superlative),
            repeatable=frozenset(stem(word, file.irregular) for word in file.repeatable),
            harmless=frozenset(file.harmless),
            source_titles=frozenset(file.source_titles),
            exempting=_starred(file.exempting),
            source_nouns=frozenset(stem(word, file.irregular) for word in file.source_nouns),
            speaker_verbs=frozenset(stem(word, file.irregular) for word in file.speaker_verbs),
            particles=frozenset(file.moves.particles),
            move_after=frozenset(file.moves.after),
            move_before=frozenset(file.moves.before),
            move_bound=frozenset(file.moves.bound),
            move_bound_to_number=frozenset(file.moves.bound_to_number),
            comparatives=frozenset(file.moves.comparatives),
            graded=frozenset(stem(word, file.irregular) for word in file.moves.graded),
            losses=frozenset(stem(word, file.irregular) for word in file.moves.losses),
            degrees=Degrees.of(file.magnitudes, lambda word: stem(word, file.irregular)),
            implied=frozenset(stem(word, file.irregular) for word in file.polarity.implied),
            ending=frozenset(stem(word, file.irregular) for word in file.polarity.ending),
            stops=frozenset(file.polarity.stops),
            relations=file.relations,
            thesaurus=THESAURUS,
        )

    def alike(self, word: str) -> frozenset[str]:
        """The stem `word` with the stems that mean the same."""
        known = self._alike.get(word)
        if known is None:
            same = self.variants.get(word, frozenset()) | {word}
            sure = {w for w, related in self.thesaurus.of(word).items() if self._is_sure(related)}
            known = self._alike[word] = (same | sure) - self.opposites.get(word, frozenset())
        return known

    def _is_sure(self, related: Related) -> bool:
        match related.relation:
            case Relation.SYNONYM:
                return related.weight >= self.relations.synonym
            case Relation.DERIVED:
                return related.weight >= self.relations.derived
            case _:
                return False

    def relation(self, word: str, other: str) -> Related:
        """What the stem `other` is to the stem `word`; the lists go before the thesaurus."""
        if other in self.opposites.get(word, ()):
            return Related(Relation.ANTONYM, 1.0)
        if word != other and other in self.variants.get(word, ()):
            return Related(Relation.SYNONYM, 1.0)
        return self.thesaurus.relation(word, other)

    def opposed(self, word: str) -> frozenset[str]:
        """The stems that say the contrary of `word`: listed pairs, other directions, un-."""
        known = self._opposed.get(word)
        if known is None:
            listed = self.opposites.get(word, frozenset())
            sure = {
                other
                for other, related in self.thesaurus.of(word).items()
                if related.relation is Relation.ANTONYM and related.weight >= _SURE_OPPOSITE
            }
            sign = self.directions.get(word, 0)
            across = {other for other, way in self.directions.items() if way * sign < 0}
            affixed = {prefix + word for prefix in _NEGATING}
            bare = {word.removeprefix(prefix) for prefix in _NEGATING if len(word) > _LONG} - {word}
            known = listed | sure | across | affixed | bare
            known = self._opposed[word] = known - self.converses.get(word, frozenset())
        return known

    def turns(self, tokens: Sequence[Token]) -> Iterator[Turn]:
        """The turning words and phrases among `tokens`, in order; a longer one goes first."""
        end = 0
        for place, token in enumerate(tokens):
            if place < end or not (token.word in self.guards or token.word in self.phrases):
                continue
            turn = self._turn_at(tokens, place)
            if turn:
                end = turn.end
                yield turn

    def _turn_at(self, tokens: Sequence[Token], place: int) -> Turn | None:
        word = tokens[place].word
        for rest, keys in self.phrases.get(word, ()):
            end = place + 1 + len(rest)
            if rest == tuple([token.word for token in tokens[place + 1 : end]]):
                return Turn(" ".join((word, *rest)), place, end, keys)
        keys = self.guards.get(word)
        return Turn(word, place, place + 1, keys) if keys else None

    def close(self, word: str) -> Mapping[str, float]:
        """What other stems are worth, 0–1, where a claim has the stem `word`."""
        known = self._close.get(word)
        if known is None:
            known = self._close[word] = {
                other: low + (high - low) * related.weight
                for other in self.thesaurus.of(word)
                for related in (self.relation(word, other),)
                for low, high in (self.relations.coverage.get(related.relation, (0.0, 0.0)),)
                if high
            }
        return known

    def stem(self, word: str) -> str:
        """The comparison form of a lower-case word, see `stem`; of the latest words it is kept."""
        known = self._stems.get(word)
        if known is None:
            if len(self._stems) >= _STEMS_KEPT:
                self._stems.clear()
            known = self._stems[word] = stem(word, self.irregular)
        return known

    def tokens(self, text: str) -> list[Token]:
        """The words and numbers of `text`, in order.

        Those of a known expression that say something have its stem: "called off" is "cancel".
        """
        found = [
            Token(low, self.stem(low), match.start(), match.end(), match[0][0].isupper())
            for match in WORD.finditer(text)
            for low in (match[0].lower().replace("’", "'"),)
        ]
        for place, token in enumerate(found):
            for rest, meant in self.multiwords.get(token.stem, ()):
                end = place + 1 + len(rest)
                if rest == tuple(other.word for other in found[place + 1 : end]):
                    found[place:end] = [
                        one if one.stem in self.stop_words else one._replace(stem=meant)
                        for one in found[place:end]
                    ]
                    break
        return found


_SIGNS = {"up": 1, "level": 0, "down": -1}


def _turning(
    file: WordsFile,
) -> tuple[
    dict[str, tuple[Key, ...]], dict[str, tuple[tuple[tuple[str, ...], tuple[Key, ...]], ...]]
]:
    """The turning words, and the turning phrases by their first word."""
    polarity = file.polarity
    keys: dict[str, list[Key]] = {}
    for kind, groups in file.guards.items():
        for group, forms in groups.items():
            for form in forms:
                keys.setdefault(form, []).append((kind, group))
    for key, forms in (
        (NOT, polarity.not_),
        (HARDLY, polarity.hardly),
        (NO, polarity.no),
        (WITHOUT, polarity.without),
        (INERT, polarity.inert),
    ):
        for form in forms:
            keys.setdefault(form, []).append(key)
    phrases: dict[str, list[tuple[tuple[str, ...], tuple[Key, ...]]]] = {}
    for form, found in keys.items():
        first, *rest = form.split()
        if rest:
            phrases.setdefault(first, []).append((tuple(rest), tuple(found)))
    return (
        {form: tuple(found) for form, found in keys.items() if " " not in form},
        {
            first: tuple(sorted(rest, key=lambda phrase: -len(phrase[0])))
            for first, rest in phrases.items()
        },
    )


def _multiwords(file: WordsFile) -> dict[str, tuple[tuple[tuple[str, ...], str], ...]]:
    """The expressions of several words by the stem of the first one, the longest first."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for meant, expressions in file.multiwords.items():
        for expression in expressions:
            first, *rest = expression.split()
            entry = tuple(rest), stem(meant, file.irregular)
            found.setdefault(stem(first, file.irregular), []).append(entry)
    return {
        first: tuple(sorted(entries, key=lambda entry: -len(entry[0])))
        for first, entries in found.items()
    }


def _keys(file: WordsFile) -> Iterator[str]:
    """The stem of the last word of each expression that says something, else of its first."""
    for expression in chain.from_iterable(file.multiwords.values()):
        words = expression.split()
        telling = [word for word in words if word not in file.stop_words]
        yield stem((telling or words[:1])[-1], file.irregular)


def _grouped(
    groups: Iterable[Iterable[str]], irregular: Mapping[str, str]
) -> dict[str, frozenset[str]]:
    """The stems of all groups that each stem is in."""
    grouped: dict[str, frozenset[str]] = {}
    for group in groups:
        stems = frozenset(stem(word, irregular) for word in group)
        grouped |= {one: grouped.get(one, frozenset()) | stems for one in stems}
    return grouped


def _filled(pattern: str, terms: Mapping[str, str]) -> str:
    for name, alternatives in terms.items():
        pattern = pattern.replace(f"<{name}>", alternatives)
    return pattern


def _starred(words: Iterable[str]) -> re.Pattern[str]:
    """One of these words or phrases; a star stands for any ending."""
    ending = re.escape("*"), r"\w*"
    return _any(rf"\b{re.escape(word).replace(*ending)}\b" for word in words)


def _any(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


def stem(word: str, irregular: Mapping[str, str]) -> str:
    """The comparison form of a lower-case word: endings of number, tense and manner are dropped."""
    if "'" in word:
        word = word.removesuffix("'s")
    word = _BRITISH.sub("iz", irregular.get(word, word))
    if len(word) < 4 or not word.isalpha():
        return word
    return _without_e(_base(word, irregular))


def _base(word: str, irregular: Mapping[str, str]) -> str:
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-3] + "y" if word.endswith("ies") and len(word) > 4 else word[:-1]
        word = irregular.get(word, word)
    for ending in ("ing", "ed", "ly"):
        root = word.removesuffix(ending)
        if root != word and len(root) > 2 and _VOWEL.search(root):
            word = _undoubled(root)
    return word


def _undoubled(root: str) -> str:
    if root.endswith("i"):
        return root[:-1] + "y"
    if len(root) > 3 and root[-1] == root[-2] and root[-1] not in "lsz":
        return root[:-1]
    # "Cancelled" is of "cancel", "called" of "call".
    return root[:-1] if _DOUBLED_L.search(root) else root


def _without_e(word: str) -> str:
    # "Ewe" is the same in one and in many.
    return word.removesuffix("e") if len(word) > 3 else word
