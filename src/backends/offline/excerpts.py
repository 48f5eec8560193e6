"""Sentences of the sources that can stand alone in an analysis, and how well they answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...claims.lexicon import Lexicon
from ...core.work import Material
from ...documents.model import BlockKind
from ...documents.parse import parse_document
from ...verification.passages.retrieval import SourceText
from ...verification.passages.units import Unit, UnitKind, terms
from .rules import ExtractionFile

_WORD = re.compile(r"[^\W_]+(?:['’.,-][^\W_]+)*")
_OPENERS = re.compile(r"[\"“\u2018'(\[$€£]*[A-ZÀ-ÞŁŚŻ0-9]")
_END = re.compile(r"[.!][\"”’')\]]*$")
_PAIRS = (("(", ")"), ("[", "]"), ("“", "”"))
# "Of those farmers who have no well, …" says itself whom it means.
_DEFINED = re.compile(
    r"(?:of )?(?:those|these) (?:[\w-]+ ){0,3}?(?:who|that|which|whose)\b", re.IGNORECASE
)
# "The company" may be the one named before.
_DEFINITE = re.compile(r"The [a-z]")
_MOST_LEAD = 2
_PROSE = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)
_FULL_PERCENTILE = 0.8
_FULL_LINE = 0.7


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A sentence of `materials[material]`, word for word.

    `path` are the titles above it; `words` is what it is compared by. `lead` are the sentences
    before it that say whom it speaks of ("It was opened in 1921"), and are to be written with it.
    """

    material: int
    position: int
    text: str
    path: tuple[str, ...]
    words: frozenset[str]
    lead: tuple[str, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """All that is to be written."""
        return (*self.lead, self.text)


def find_excerpts(
    materials: Sequence[Material], rules: ExtractionFile, lexicon: Lexicon
) -> tuple[Excerpt, ...]:
    """The fit sentences of `materials`, in order; of equal sentences only the first.

    One that leans on those before it in its paragraph comes with them, as far back as one that
    stands alone; one about "the company" comes with and without.
    """
    found: dict[str, Excerpt] = {}
    for number, material in enumerate(materials):
        document = parse_document(_spaced(material.text), lexicon.document_words)
        prose = (sentence for sentence in document.sentences if sentence.kind in _PROSE)
        lead, block = list[str](), -1
        for position, sentence in enumerate(prose):
            text = sentence.text
            lead = lead if sentence.block == block else []
            block = sentence.block
            commands = text.split(" ", 1)[0].casefold() in lexicon.file.imperatives
            if commands or not _is_fit(text, rules):
                lead = []
                continue
            leans = leans_on_previous(text, document.language, rules)
            led = lead if leans or _DEFINITE.match(text) else []
            for way in [*([] if leans else [[]]), *([led[-_MOST_LEAD:]] if led else [])]:
                path, words = (material.title, *sentence.section), frozenset(terms(text))
                excerpt = Excerpt(number, position, text, path, words, tuple(way))
                key = " ".join(" ".join(excerpt.sentences).casefold().split())
                found.setdefault(key, excerpt)
            lead = [*led, text] if led or not leans else []
    return tuple(found.values())


def stands_alone(sentence: str, language: str, rules: ExtractionFile) -> bool:
    """Whether a reader understands `sentence` without what stood before it in its source."""
    return _is_fit(sentence, rules) and not leans_on_previous(sentence, language, rules)


def _is_fit(sentence: str, rules: ExtractionFile) -> bool:
    return _well_formed(sentence, rules) and not rules.unwanted.search(sentence)


def leans_on_previous(sentence: str, language: str, rules: ExtractionFile) -> bool:
    """Whether `sentence` begins with a word, or soon has a pronoun, that points backwards."""
    words = [match.group() for match in _WORD.finditer(sentence)][: rules.pronoun_window]
    leaning = rules.leaning.get(language)
    if leaning is None or not words or _DEFINED.match(sentence):
        return False
    is_acronym = len(words[0]) > 1 and words[0].isupper()
    if leaning.match(sentence.lstrip("\"“'\u2018(")) and not is_acronym:
        return True
    return any(word in rules.pronouns[language] for word in words)


def _spaced(text: str) -> str:
    """`text` with an empty line after each line that ends a paragraph or is a heading.

    Text taken from pages has a paragraph a line, and text taken from PDF files no empty lines at
    all; without this, headings and table rows would run into the sentences after them. A line goes
    on in the next one only if it is about as long as the others and ends within a sentence.
    """
    lines = text.split("\n")
    lengths = sorted(len(line) for line in lines if line.strip())
    full = lengths[int(len(lengths) * _FULL_PERCENTILE)] if lengths else 0
    spaced: list[str] = []
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        spaced.append(line)
        short = len(line) < _FULL_LINE * full and following.strip()[:1].isupper()
        if _END.search(line.rstrip()) or short:
            spaced.append("")
    return "\n".join(spaced)


def _well_formed(sentence: str, rules: ExtractionFile) -> bool:
    return (
        rules.min_chars <= len(sentence) <= rules.max_chars
        and rules.min_words <= len(_WORD.findall(sentence)) <= rules.max_words
        and _OPENERS.match(sentence) is not None
        and _END.search(sentence) is not None
        and all(sentence.count(left) == sentence.count(right) for left, right in _PAIRS)
        and sentence.count('"') % 2 == 0
    )


class Relevance:
    """Scores excerpts for questions and titles, as the passages of a source for a claim.

    Args:
        excerpts: The sentences to choose from; how rare a word is, is counted over them.
        rules: Weights and thresholds.
        lexicon: Words of a question or title that carry no meaning.
    """

    def __init__(
        self, excerpts: Sequence[Excerpt], rules: ExtractionFile, lexicon: Lexicon
    ) -> None:
        self.excerpts = excerpts
        self._rules = rules
        self._book = lexicon.words
        self._texts = _indexed((" ".join(one.sentences) for one in excerpts), lexicon)
        self._led = [frozenset(terms(" ".join(one.lead))) for one in excerpts]
        self._alone = {one.text for one in excerpts if not one.lead}
        self._above = _indexed((" ".join(one.path) for one in excerpts), lexicon)
        self._groups = [(frozenset(terms(" ".join(group))), group) for group in rules.related]

    def answers(self, question: str) -> dict[Excerpt, float]:
        """The excerpts that answer `question`, and how well, the best first."""
        question = self._meaning(question)
        rules, wanted = self._rules, frozenset(terms(question))
        share = rules.answers_long if len(wanted) >= rules.long_question else rules.answers
        least = max(share * len(wanted), min(rules.min_shared_words, len(wanted)))
        scores = zip(self.excerpts, self._led, self._texts.scores(question), strict=True)
        found = [
            (one, float(of))
            for one, led, of in scores
            # What leads to it answers nothing.
            if of and wanted & one.words - led and len(wanted & (one.words | led)) >= least
        ]
        enough = {one.text for one, _ in found if not one.lead}
        found = [(one, of) for one, of in found if not (one.lead and one.text in enough)]
        return _from(rules.near_best * max((score for _, score in found), default=0.0), found)

    def fitting(self, title: str) -> dict[Excerpt, float]:
        """The excerpts that, with the titles above them, fit under a title, the best first."""
        title = self._meaning(title)
        rules, words = self._rules, frozenset(terms(title))
        kin = " ".join(word for known, group in self._groups if known & words for word in group)
        own, above = self._texts.scores, self._above.scores
        related = (own(kin) > 0) + rules.heading_weight * (above(kin) > 0)
        inside = own(title) + rules.heading_weight * above(title)
        scores = inside + rules.related_weight * related
        fit = zip(self.excerpts, map(float, scores), strict=True)
        known = self._alone
        return _from(
            rules.belongs, (one for one in fit if not one[0].lead or one[0].text not in known)
        )

    def same(self, one: Excerpt, other: Excerpt) -> bool:
        """Whether two sentences say the same, by the words they share."""
        both = len(one.words & other.words)
        return both > self._rules.same * len(one.words | other.words)

    def _meaning(self, text: str) -> str:
        words = _WORD.findall(text)
        return " ".join(one for one in words if one.casefold() not in self._book.stop_words)


def _from(least: float, found: Iterable[tuple[Excerpt, float]]) -> dict[Excerpt, float]:
    """Those that have at least `least`, the best first."""
    near = (one for one in found if one[1] >= least)
    return dict(sorted(near, key=lambda one: -one[1]))


def _indexed(texts: Iterable[str], lexicon: Lexicon) -> SourceText:
    units = [Unit(0, 0, UnitKind.SENTENCE, (), text) for text in texts]
    return SourceText.of_units(units, lexicon)
