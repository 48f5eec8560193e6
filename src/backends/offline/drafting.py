"""The first draft: for each section the sentences of the sources that serve it, each cited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...core.brief import OutlineSection, SectionKind, outline
from ...core.work import AnalystInput
from .citing import Citations, escape_markdown
from .excerpts import Excerpt, Relevance, find_excerpts
from .rules import OfflineRules

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
        overview = self._overview(chosen)
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

    def _overview(self, chosen: _Chosen) -> list[Excerpt]:
        """The best answer to each question, else the first sentence of each section."""
        picked: list[Excerpt] = []
        for hits in self._answers.values():
            picked += [excerpt for excerpt in hits if excerpt not in picked][:1]
        if len(picked) < 2:
            firsts = [excerpts[0] for excerpts in chosen.values() if excerpts]
            picked += [excerpt for excerpt in firsts if excerpt not in picked]
        return picked[: self._rules.overview]

    def _body(self, section: OutlineSection, excerpts: Sequence[Excerpt]) -> str:
        """A section's text, or the reason why there is none."""
        if section.kind is SectionKind.GAPS:
            return self._gaps()
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

    def _gaps(self) -> str:
        """The questions without a passage, and those that ask for a judgement."""
        judgement = self._rules.judgement_questions
        unanswered = [
            text for text, hits in self._answers.items() if not hits or judgement.search(text)
        ]
        if not unanswered:
            return escape_markdown(self._wording.no_gaps)
        listed = "\n".join(f"- {escape_markdown(text)}" for text in unanswered)
        return f"{escape_markdown(self._wording.unanswered)}\n\n{listed}"
