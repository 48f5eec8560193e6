"""Attributes of the figures in a sentence: "the cost of the branch is $38 million"."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from ...base.registry import RegistryModel, load_registry_file
from ...documents.model import BlockKind
from ..lexicon import Lexicon
from ..model import DateSpan, Granularity, Quantity, QuantityKind
from ..words import Token, WordBook
from .figures import Figures

_VALUES = frozenset(
    {QuantityKind.COUNT, QuantityKind.MONEY, QuantityKind.MEASURE, QuantityKind.PERCENT}
)
_LINKS = frozenset(
    {"stand", "amount", "come", "reach", "total", "equal", "put", "set", "fix", "value"}
)
_LINKING = re.compile(
    r"(?:\b(?:is|was|are|were|be|been|being|stands at|stood at|amount(?:s|ed)? to|comes? to|came to"
    r"|reached|totalled|totaled|totals|equals|(?:put|set|fixed|estimated|valued|given|stated)"
    r" (?:at|as)):?|[:=]) $",
    re.IGNORECASE,
)
_HEDGES = re.compile(
    r"(?:\b(?:about|some|only|just|around|roughly|approximately|nearly|almost|now|still|exactly"
    r"|a total of|in total|altogether|an estimated|currently|all of|as many as|well) )+$",
    re.IGNORECASE,
)
_AUXILIARIES = frozenset(
    {"has", "have", "had", "now", "also", "still", "currently", "is", "was", "were", "are", "be",
     "been", "being", "which", "that", "who", "to", "officially", "formally", "finally", "itself"}
)  # fmt: skip
_DETERMINERS = frozenset(
    {"the", "its", "their", "our", "his", "her", "this", "that", "these", "those"}
)
_RATE = re.compile(
    r" ?(?:(?:a|an|per|each|every) ([a-z]+)\b|/ ?([a-z]+)\b"
    r"|(each|apiece|annually|yearly|monthly|daily)\b)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[;:()–—|]|, (?:and|but|while|whereas|which|who|so|yet) | (?:but|while|whereas) "
)
_BRACKETS = re.compile(r"[(\[][^)\]]*[)\]]")
_LABEL = re.compile(r"^\W*(?:[A-Za-z]|\d{1,2})[.):]\s+")
_FINE = frozenset({Granularity.DAY, Granularity.MONTH, Granularity.YEAR})
_BREAK = re.compile(r"[,;:.()–—]|\b(?:and|but|or)\b|\b\d")
_OPENS = " (\u00a0"
_EVENT_REACH = 5
_FULL_NAME = 2
_SECOND = 2
_TIME = "time"
_REACH = 200
_BEHIND = 40
_NOUN = 60
_LONGEST_PHRASE = 6


class ConsistencyFile(RegistryModel):
    """`config/registry/consistency.yaml`."""

    attribute_verbs: dict[str, str]
    having: list[str]
    dimensions: dict[str, str]
    harmless: list[str]
    generic: list[str]
    events: dict[str, str]
    scope: list[str]
    every: list[str]
    owned: list[str]
    announcing: list[str] = Field(min_length=1)
    lives: list[str]
    titles: list[str]


@dataclass(frozen=True, slots=True)
class ConsistencyWords:
    """The word lists by stem; `every` and `owned` are written words."""

    attribute_verbs: Mapping[str, str]
    having: frozenset[str]
    dimensions: Mapping[str, str]
    harmless: frozenset[str]
    generic: frozenset[str]
    events: Mapping[str, str]
    scope: frozenset[str]
    every: frozenset[str]
    owned: frozenset[str]
    announcing: frozenset[str]
    lives: frozenset[str]
    titles: frozenset[str]

    @classmethod
    def compile(cls, file: ConsistencyFile, words: WordBook) -> ConsistencyWords:
        """The lists of `file`, stemmed as `words` stems a text."""

        def stems(listed: Sequence[str]) -> frozenset[str]:
            return frozenset(words.stem(word) for word in listed)

        def named(listed: Mapping[str, str]) -> dict[str, str]:
            return {
                " ".join(words.stem(part) for part in verb.split()): words.stem(name)
                for verb, name in listed.items()
            }

        return cls(
            attribute_verbs=named(file.attribute_verbs),
            having=stems(file.having) | {"has", "have", "had"},
            dimensions=named(file.dimensions),
            harmless=stems(file.harmless),
            generic=stems(file.generic),
            events=named(file.events),
            scope=stems(file.scope),
            every=frozenset(file.every),
            owned=frozenset(file.owned),
            announcing=stems(file.announcing),
            lives=stems(file.lives),
            titles=stems(file.titles),
        )


def load_consistency(words: WordBook, folder: Path | None = None) -> ConsistencyWords:
    """Load `consistency.yaml` from `folder` or the packaged registry.

    Raises:
        RegistryError: The file is broken or does not validate.
    """
    file = load_registry_file(ConsistencyFile, "consistency.yaml", folder)
    return ConsistencyWords.compile(file, words)


@dataclass(frozen=True, slots=True)
class Attribute:
    """A value and what it is the value of.

    `what` are the stems of the property or event, `of` those of its owner, empty where only the
    context says whose it is; `words` are all stems of the sentence that hold no figure, `head` is
    the owner's last word and `named` whether it is a name.
    """

    figures: Figures
    value: Quantity | DateSpan
    what: frozenset[str]
    of: frozenset[str]
    scope: frozenset[str]
    beside: frozenset[str] = frozenset()
    head: str = ""
    named: bool = False


@dataclass(frozen=True, slots=True)
class _Phrase:
    """The content words of a noun phrase; `first` is the index of its first token."""

    tokens: Sequence[Token]
    first: int
    determiner: str

    @property
    def stems(self) -> frozenset[str]:
        return frozenset(token.stem for token in self.tokens)


def find_attributes(
    figures: Figures, lexicon: Lexicon, words: ConsistencyWords
) -> Iterator[Attribute]:
    """The values in a sentence of prose whose property the words before them name."""
    if not figures.quantities and not figures.dates:
        return
    reader = _Reader(figures, lexicon, words)
    for quantity in figures.quantities:
        apart = not quantity.start or figures.text[quantity.start - 1] in _OPENS
        if quantity.kind in _VALUES and quantity.low == quantity.high and apart:
            yield from reader.value(quantity)
    for date in figures.dates:
        if date.granularity in _FINE and not date.fiscal:
            yield from reader.event(date)


class _Reader:
    """Reads the words round the figures of one sentence."""

    def __init__(self, figures: Figures, lexicon: Lexicon, words: ConsistencyWords) -> None:
        self._figures = figures
        self._lexicon = lexicon
        self._book = lexicon.words
        self._words = words
        self._tokens = lexicon.words.tokens(figures.text)
        self._ends = [token.end for token in self._tokens]
        self._figure_ends = sorted(one.end for one in (*figures.quantities, *figures.dates))

    def value(self, quantity: Quantity) -> Iterator[Attribute]:
        """The property that `quantity` is the value of, if the sentence names it."""
        lead = self._clause_before(quantity.start)
        bare = _HEDGES.sub("", lead)
        start = quantity.start - len(lead)
        at = self._last_token(start + len(bare))
        if at is None:
            return
        linked = _LINKING.search(bare)
        if linked:
            yield from self._linked(quantity, start + linked.start(), start)
            return
        token = self._tokens[at]
        if token.start < start:
            return
        if token.word == "of":
            yield from self._named_before(quantity, at, start, articles=("a", "an", "with", "the"))
        elif token.word == "at":
            yield from self._named_before(quantity, at, start, articles=("the",))
        else:
            yield from self._verbal(quantity, at, start)

    def _linked(self, quantity: Quantity, end: int, start: int) -> Iterator[Attribute]:
        """X of Y is C; Y's X is C; Y is C long."""
        at = self._last_token(end)
        phrase = self._phrase(self._before_auxiliaries(at), start)
        if not phrase.tokens:
            return
        adjective = self._dimension(quantity) or self._lasting(quantity, phrase)
        if adjective:
            yield self._attribute(quantity, frozenset({adjective}), phrase)
            return
        before = phrase.first - 1
        while before >= 0 and self._tokens[before].word in _DETERMINERS:
            before -= 1
        if before > 0 and self._tokens[before].word in ("of", "for"):
            owner = phrase
            what = self._phrase(before - 1, start)
            if what.tokens:
                yield self._attribute(quantity, what.stems, owner)
            return
        owned = [at for at, token in enumerate(phrase.tokens) if token.word.endswith("'s")]
        if owned:
            cut = owned[-1] + 1
            owner = _Phrase(phrase.tokens[:cut], phrase.first, "the")
            what_stems = frozenset(token.stem for token in phrase.tokens[cut:])
            yield self._attribute(quantity, what_stems, owner)
            return
        yield self._attribute(quantity, phrase.stems, None)

    def _named_before(
        self, quantity: Quantity, at: int, start: int, *, articles: Sequence[str]
    ) -> Iterator[Attribute]:
        """A range of C; puts the cost at C."""
        phrase = self._phrase(at - 1, start)
        if phrase.tokens and phrase.determiner in articles:
            yield self._attribute(quantity, phrase.stems, None)

    def _verbal(self, quantity: Quantity, at: int, start: int) -> Iterator[Attribute]:
        """Y costs C; Y has C ships."""
        verb = self._tokens[at]
        what = self._object(quantity, verb)
        if what:
            phrase = self._phrase(self._before_auxiliaries(at - 1), start)
            yield self._attribute(quantity, what, phrase if phrase.tokens else None, verb.stem)

    def _object(self, quantity: Quantity, verb: Token) -> frozenset[str]:
        """Property that `quantity` states as the object of `verb`; empty if it states none."""
        if quantity.kind is QuantityKind.COUNT:
            having = not self._words.having.isdisjoint({verb.stem, verb.word})
            counted = self._counted(quantity)
            tells = verb.word not in self._book.stop_words and verb.word.isalpha()
            if not counted or not (having or tells):
                return frozenset()
            return frozenset({"has" if having else verb.stem, *counted})
        if quantity.kind is QuantityKind.PERCENT:
            behind = self._figures.text[quantity.end : quantity.end + _BEHIND]
            part = content_stems(_BREAK.split(behind, maxsplit=1)[0], self._book)
            whole = behind.startswith(" of ") and verb.word not in self._book.stop_words
            return frozenset({verb.stem, "%", *part}) if whole else frozenset()
        name = self._words.attribute_verbs.get(verb.stem)
        return frozenset({name}) if name else frozenset()

    def _counted(self, quantity: Quantity) -> frozenset[str]:
        """The stems of what a count counts, with the words between."""
        unit = self._book.stem(quantity.unit)
        found = set[str]()
        for token in self._book.tokens(self._figures.text[quantity.end : quantity.end + _NOUN]):
            if token.word in self._book.stop_words:
                break
            found.add(token.stem)
            if token.stem == unit or not unit:
                return frozenset(found)
        return frozenset({unit} - {""})

    def event(self, date: DateSpan) -> Iterator[Attribute]:
        """Event on `date` and the one it happened to."""
        start = date.start - len(self._clause_before(date.start))
        last = self._last_token(date.start)
        if last is None:
            return
        for at in range(last, max(-1, last - _EVENT_REACH), -1):
            token = self._tokens[at]
            if token.start < start:
                return
            name = self._words.events.get(token.stem)
            if name is None or not self._is_past(at) or not self._takes_place(at):
                continue
            phrase = self._phrase(self._before_auxiliaries(at - 1), start)
            if name in self._words.lives and len(phrase.stems - self._words.titles) < _FULL_NAME:
                return
            if phrase.tokens and (phrase.determiner in _DETERMINERS or _named(phrase)):
                yield self._attribute(date, frozenset({name}), phrase, token.stem)
            return

    def _takes_place(self, at: int) -> bool:
        """Whether "took" is followed by "place"."""
        behind = [token.word for token in self._tokens[at + 1 : at + 2]]
        return self._tokens[at].stem != "take" or behind == ["place"]

    def _is_past(self, at: int) -> bool:
        """Whether the verb tells what happened: "was cut", "opened", but not "an award"."""
        word = self._tokens[at].word
        told = word.endswith("ed") or self._book.irregular.get(word, word) != word
        return told or (at > 0 and self._tokens[at - 1].word in _AUXILIARIES)

    def _attribute(
        self,
        value: Quantity | DateSpan,
        what: frozenset[str],
        owner: _Phrase | None,
        verb: str = "",
    ) -> Attribute:
        owned = owner.stems if owner else frozenset[str]()
        if isinstance(value, Quantity):
            what = (what - self._words.harmless or what) | rate_of(self._figures.text, value)
        return Attribute(
            self._figures,
            value,
            what,
            owner.stems if owner else frozenset(),
            self._scope(value) - owned - {verb},
            content_stems(self._clause_before(value.start), self._book)
            - {*owned, *what, *_LINKS, verb},
            owner.tokens[-1].stem if owner else "",
            _named(owner) if owner else False,
        )

    def _clause_before(self, end: int) -> str:
        """The text from the last break before `end`, a figure being a break too."""
        text = self._figures.text
        begin = max(0, end - _REACH)
        breaks = (match.end() for match in _CLAUSE.finditer(text, begin, end))
        begin = max((one for one in breaks if text[one:end].strip()), default=begin)
        last = bisect.bisect_right(self._figure_ends, end) - 1
        return text[max(begin, self._figure_ends[last] if last >= 0 else 0) : end]

    def _last_token(self, end: int) -> int | None:
        at = bisect.bisect_right(self._ends, end) - 1
        return at if at >= 0 else None

    def _scope(self, value: Quantity | DateSpan) -> frozenset[str]:
        """The words round a figure that may set its statement apart from another."""
        lead = self._clause_before(value.start)
        behind = _BREAK.split(self._figures.text[value.end : value.end + _BEHIND], maxsplit=1)[0]
        return scope_of(f"{lead} {behind}", self._book, self._words)

    def _before_auxiliaries(self, at: int | None) -> int:
        at = -1 if at is None else at
        while at >= 0 and self._tokens[at].word in _AUXILIARIES:
            at -= 1
        return at

    def _phrase(self, at: int, start: int) -> _Phrase:
        """The noun phrase that ends with token `at`, its determiner apart."""
        last = at
        while at >= 0 and last - at < _LONGEST_PHRASE:
            token = self._tokens[at]
            if token.start < start or token.word in self._book.stop_words:
                break
            if at < last and self._figures.text[token.end : self._tokens[at + 1].start] not in (
                " ",
                "-",
            ):
                break
            at -= 1
        determiner = self._tokens[at].word if at >= 0 else ""
        return _Phrase(self._tokens[at + 1 : last + 1], at + 1, determiner)

    def _lasting(self, quantity: Quantity, phrase: _Phrase) -> str:
        """Verb for a duration whose owner alone is named: "the stop was 45 minutes"; else ""."""
        unit = self._lexicon.unit(quantity.unit)
        bare = phrase.first < _SECOND or self._tokens[phrase.first - 2].word not in ("of", "for")
        timed = unit is not None and unit.dimension == _TIME
        return self._words.attribute_verbs.get("last", "") if timed and bare else ""

    def _dimension(self, quantity: Quantity) -> str:
        for token in self._book.tokens(self._figures.text[quantity.end : quantity.end + 20])[:1]:
            return self._words.dimensions.get(token.stem, "")
        return ""


def rate_of(text: str, quantity: Quantity) -> frozenset[str]:
    """The mark of a rate behind a figure: "a year", "each"."""
    found = _RATE.match(text, quantity.end)
    return frozenset({f"/{(found[1] or found[2] or found[3]).lower()}"}) if found else frozenset()


def content_stems(text: str, book: WordBook) -> frozenset[str]:
    """The stems of the words of `text` that carry meaning."""
    return frozenset(token.stem for token in book.tokens(text) if token.word not in book.stop_words)


def scope_of(text: str, book: WordBook, words: ConsistencyWords) -> frozenset[str]:
    """The words of `text` that may set its statement apart from another."""
    return frozenset(token.stem for token in book.tokens(text)) & words.scope


def _named(phrase: _Phrase) -> bool:
    return phrase.tokens[-1].capital


def cell_attributes(
    row: Figures, titles: Sequence[str], lexicon: Lexicon, words: ConsistencyWords
) -> Iterator[Attribute]:
    """The values of a table row: what the column's title says, of what the row's label says.

    Under a title that says nothing ("Value") the label names the property.
    """
    cells = row.sentence.cells
    if len(cells) != len(titles) or not cells:
        return
    book = lexicon.words
    label = _title_stems(row.text[slice(*cells[0])], book)
    for (start, end), title in zip(cells[1:], titles[1:], strict=True):
        held = [one for one in row.quantities if start <= one.start and one.end <= end]
        if len(held) != 1 or held[0].kind not in _VALUES or held[0].low != held[0].high:
            continue
        what = _title_stems(title, book)
        generic = not what or what <= words.generic
        named = (label if generic else what) - words.harmless | rate_of(row.text, held[0])
        of = frozenset[str]() if generic else label
        if named and (generic or label):
            scope = scope_of(title, book, words)
            yield Attribute(row, held[0], frozenset(named), of, scope)


def _title_stems(text: str, book: WordBook) -> frozenset[str]:
    bare = _LABEL.sub("", _BRACKETS.sub(" ", text))
    return content_stems(bare, book)


def is_table(figures: Figures) -> bool:
    """Whether the sentence is a row of a table."""
    return figures.sentence.kind is BlockKind.TABLE_ROW
