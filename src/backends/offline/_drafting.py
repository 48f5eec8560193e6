"""An analysis written from sentences of the sources, each cited."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...claims.lexicon import Lexicon
from ...core.brief import CitingStyle, OutlineSection, SectionKind, outline
from ...core.work import AnalystInput, Material
from ...documents.model import BlockKind, Citation, CitationForm, Document
from ...documents.parse import parse_document
from ...verification.passages.retrieval import SourceText
from ...verification.passages.units import Unit, UnitKind, terms
from ._rules import ExtractionFile, OfflineRules

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
            if commands or not (_well_formed(text, rules) and not rules.unwanted.search(text)):
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


_Chosen = Mapping[int, Sequence[Excerpt]]
"""The sentences of each section by its index."""


def write_draft(inputs: AnalystInput, rules: OfflineRules) -> str:
    """Write an extractive analysis: every sentence stands in a source word for word, and is cited.

    Questions of the brief without a passage are listed in the section for gaps.
    """
    return _Drafter(inputs, rules).write()


class _Drafter:
    def __init__(self, inputs: AnalystInput, rules: OfflineRules) -> None:
        self._brief = rules.reading.brief(inputs.brief)
        self._wording = rules.reading.wording(inputs.brief)
        self._rules = rules.extraction
        self._sections = tuple(outline(self._brief, self._wording))
        excerpts = find_excerpts(inputs.materials, self._rules, rules.lexicon)
        self._relevance = Relevance(excerpts, self._rules, rules.lexicon)
        self._answers = {text: self._relevance.answers(text) for text in self._brief.questions}
        self._citations = Citations(inputs.materials, self._brief.citing)

    def write(self) -> str:
        """The draft."""
        wording, chosen = self._wording, self._choose()
        bodies = {
            index: self._body(section, chosen.get(index, ()))
            for index, section in enumerate(self._sections)
            if section.kind is not SectionKind.SOURCES
        }
        # What is cited is known only now.
        sources = self._citations.reference_list() or escape_markdown(wording.no_passage)
        parts = [f"# {escape_markdown(self._brief.title)}", f"*{escape_markdown(wording.note)}*"]
        parts += [
            f"## {section.heading}\n\n{bodies.get(index, sources)}"
            for index, section in enumerate(self._sections)
        ]
        return "\n\n".join(parts) + "\n"

    def _choose(self) -> _Chosen:
        """Choose the sentences; each stands in one section, and in the overview."""
        dealt = self._deal()
        room = self._room(len(dealt))
        chosen = {index: self._best(found, room) for index, found in dealt.items()}
        picked: list[Excerpt] = []
        for hits in self._answers.values():
            picked += [excerpt for excerpt in hits if excerpt not in picked][:1]
        if len(picked) < 2:
            firsts = [excerpts[0] for excerpts in chosen.values() if excerpts]
            picked += [excerpt for excerpt in firsts if excerpt not in picked]
        overview = picked[: self._rules.overview]
        kinds = enumerate(section.kind for section in self._sections)
        return chosen | {n: overview for n, kind in kinds if kind is SectionKind.OVERVIEW}

    def _deal(self) -> dict[int, list[tuple[float, Excerpt]]]:
        """Deal each sentence to the section of the question it answers, or whose title it fits.

        An answer that fits no title goes to the first section with a title of its own.
        """
        found: dict[int, Mapping[Excerpt, float]] = {}
        titled: int | None = None
        for index, section in enumerate(self._sections):
            if section.kind is SectionKind.QUESTION:
                found[index] = self._answers.get(section.topic, {})
            elif section.kind is SectionKind.TOPIC:
                found[index] = self._relevance.fitting(section.topic)
                titled = index if titled is None else titled
        dealt: dict[int, list[tuple[float, Excerpt]]] = {index: [] for index in found}
        for excerpt in self._relevance.excerpts:
            answer = max((hits.get(excerpt, 0.0) for hits in self._answers.values()), default=0.0)
            score, best = max(
                ((fit.get(excerpt, 0.0), -index) for index, fit in found.items()), default=(0.0, 0)
            )
            if score >= self._rules.belongs:
                dealt[-best].append((score + answer, excerpt))
            elif titled is not None and answer:
                dealt[titled].append((answer, excerpt))
        return dealt

    def _room(self, sections: int) -> int:
        """How many sentences a section may take within the brief's limit of length."""
        rules, most = self._rules, self._brief.max_words
        if most is None or not sections:
            return rules.per_section
        total = most // rules.words_per_sentence - rules.overview - sections - 2
        return max(2, min(rules.per_section, total // sections))

    def _best(self, candidates: Sequence[tuple[float, Excerpt]], room: int) -> list[Excerpt]:
        """The best sentences that say something new, grouped by source."""
        taken: list[Excerpt] = []
        for _, excerpt in sorted(candidates, key=lambda candidate: -candidate[0]):
            of_source = sum(other.material == excerpt.material for other in taken)
            repeats = any(self._relevance.same(excerpt, other) for other in taken)
            if not repeats and of_source < self._rules.per_source and len(taken) < room:
                taken.append(excerpt)
        rank = {excerpt.material: place for place, excerpt in reversed(list(enumerate(taken)))}
        return sorted(taken, key=lambda excerpt: (rank[excerpt.material], excerpt.position))

    def _body(self, section: OutlineSection, excerpts: Sequence[Excerpt]) -> str:
        """A section's text, or the reason why there is none."""
        if section.kind is SectionKind.GAPS:
            judgement = self._rules.judgement_questions
            unanswered = [
                text for text, hits in self._answers.items() if not hits or judgement.search(text)
            ]
            if not unanswered:
                return escape_markdown(self._wording.no_gaps)
            listed = "\n".join(f"- {escape_markdown(text)}" for text in unanswered)
            return f"{escape_markdown(self._wording.unanswered)}\n\n{listed}"
        if not excerpts:
            asks_judgement = section.topic.casefold().strip() in self._rules.judgement
            wording = self._wording
            return escape_markdown(wording.no_judgement if asks_judgement else wording.no_passage)
        if section.kind is SectionKind.OVERVIEW:
            told = {one for e in excerpts for one in e.lead}
            shown = (e for e in excerpts if e.text not in told)
            lines = [[self._citations.cited(one, e.material) for one in e.sentences] for e in shown]
            return "\n".join(f"- {' '.join(line)}" for line in lines)
        paragraphs: dict[int, list[str]] = {}
        for excerpt in excerpts:
            cited = [self._citations.cited(one, excerpt.material) for one in excerpt.sentences]
            before = paragraphs.setdefault(excerpt.material, [])
            before += (one for one in cited if one not in before)
        return "\n\n".join(" ".join(sentences) for sentences in paragraphs.values())
