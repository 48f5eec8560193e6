"""Which sentence stands in which section of the first draft."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...core.brief import Brief
from ...core.outline import OutlineSection, SectionKind
from .excerpts import Excerpt
from .extraction import ExtractionFile
from .relevance import Hit, Query, Relevance


@dataclass(frozen=True, slots=True)
class Question:
    """A question of the brief with the sentences that answer it, the best first."""

    text: str
    query: Query
    answers: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """The sentences of each section, by its index in the outline."""

    questions: tuple[Question, ...]
    chosen: Mapping[int, Sequence[Excerpt]]


@dataclass(frozen=True, slots=True)
class _Candidate:
    excerpt: Excerpt
    score: float


class Planner:
    """Deals the sentences of the sources out to the sections of the analysis.

    Args:
        brief: Questions and length.
        sections: The outline.
        rules: How many sentences go where.
        relevance: The sentences, and how well they fit.
    """

    def __init__(
        self,
        brief: Brief,
        sections: Sequence[OutlineSection],
        rules: ExtractionFile,
        relevance: Relevance,
    ) -> None:
        self._brief = brief
        self._sections = sections
        self._rules = rules
        self._relevance = relevance
        self._titles = {
            index: relevance.query(section.topic)
            for index, section in enumerate(sections)
            if section.kind in (SectionKind.QUESTION, SectionKind.TOPIC)
        }

    def plan(self) -> Plan:
        """The sentences of each section; a sentence stands in one, and once in the overview."""
        questions = tuple(self._question(text) for text in self._brief.questions)
        room = self._room()
        chosen = {
            index: self._choose(candidates, room)
            for index, candidates in self._deal(questions).items()
        }
        for index, section in enumerate(self._sections):
            if section.kind is SectionKind.OVERVIEW:
                chosen[index] = self._overview(questions, chosen)
        return Plan(questions, chosen)

    def _question(self, text: str) -> Question:
        query = self._relevance.query(text)
        return Question(text, query, tuple(self._relevance.answers(query)))

    def _deal(self, questions: Sequence[Question]) -> dict[int, list[_Candidate]]:
        """Each sentence to the section of the question it answers, or whose title it fits better.

        A sentence that does neither goes to the first section.
        """
        answered = self._answered(questions)
        dealt: dict[int, list[_Candidate]] = {index: [] for index in self._titles}
        queries = [question.query for question in questions]
        for excerpt in self._relevance.excerpts:
            place = self._place(excerpt, answered.get(id(excerpt), {}))
            if place is not None:
                score, index = place
                interest = self._relevance.interest(queries, excerpt)
                dealt[index].append(_Candidate(excerpt, score + interest))
        return dealt

    def _answered(self, questions: Sequence[Question]) -> dict[int, dict[int, float]]:
        """For each answering sentence its best score by the section that deals with a question."""
        homes = self._homes(questions)
        answered: dict[int, dict[int, float]] = {}
        for number, home in homes.items():
            for hit in questions[number].answers:
                scores = answered.setdefault(id(hit.excerpt), {})
                scores[home] = max(hit.score, scores.get(home, 0.0))
        return answered

    def _place(self, excerpt: Excerpt, answering: Mapping[int, float]) -> tuple[float, int] | None:
        """The section for a sentence and how well it stands there; None if it stands in none."""
        values: dict[int, float] = {}
        topics: list[int] = []
        for index, title in self._titles.items():
            values[index] = self._rules.answer_weight * answering.get(index, 0.0)
            if self._sections[index].kind is SectionKind.TOPIC:
                values[index] += self._relevance.fit(title, excerpt)
                topics.append(index)
        best = max(values, key=lambda index: values[index], default=-1)
        if best >= 0 and values[best] >= self._rules.belongs:
            return values[best], best
        return (0.0, topics[0]) if topics else None

    def _homes(self, questions: Sequence[Question]) -> dict[int, int]:
        """The section that deals with each question, by the number of the question."""
        homes: dict[int, int] = {}
        for number, question in enumerate(questions):
            place = (number + 0.5) / len(questions)
            near = {
                index: self._nearness(question, index, place, rank)
                for rank, index in enumerate(self._titles)
            }
            if near:
                homes[number] = max(near, key=lambda index: near[index])
        return homes

    def _nearness(self, question: Question, index: int, place: float, rank: int) -> float:
        """How much a section looks made for a question: by words, answers and order."""
        title = self._titles[index]
        if self._sections[index].topic == question.text:
            return 10.0
        own, _ = self._relevance.covered(title.stems, question.query.stems)
        related = bool(title.related & question.query.stems)
        best = [self._relevance.fit(title, hit.excerpt) for hit in question.answers[:3]]
        answers = sum(best) / len(best) if best else 0.0
        distance = abs(place - (rank + 0.5) / len(self._titles))
        order = self._rules.order_weight * (1 - distance)
        return own + self._rules.related_weight * related + answers + order

    def _choose(self, candidates: Sequence[_Candidate], room: int) -> list[Excerpt]:
        """The best sentences that say something new, grouped by source."""
        taken: list[Excerpt] = []
        for candidate in sorted(candidates, key=lambda candidate: -candidate.score):
            excerpt = candidate.excerpt
            of_source = sum(other.material == excerpt.material for other in taken)
            repeats = any(self._relevance.same(excerpt, other) for other in taken)
            if not repeats and of_source < self._rules.per_source and len(taken) < room:
                taken.append(excerpt)
        rank = {excerpt.material: place for place, excerpt in reversed(list(enumerate(taken)))}
        return sorted(taken, key=lambda excerpt: (rank[excerpt.material], excerpt.position))

    def _overview(
        self, questions: Sequence[Question], chosen: Mapping[int, Sequence[Excerpt]]
    ) -> list[Excerpt]:
        """The best answer to each question, else the first sentence of each section."""
        picked: list[Excerpt] = []
        for question in questions:
            fresh = (hit.excerpt for hit in question.answers if hit.excerpt not in picked)
            picked += [excerpt for excerpt in [next(fresh, None)] if excerpt is not None]
        if len(picked) < 2:
            firsts = [excerpts[0] for excerpts in chosen.values() if excerpts]
            picked += [excerpt for excerpt in firsts if excerpt not in picked]
        return picked[: self._rules.overview]

    def _room(self) -> int:
        """How many sentences a section may take within the brief's limit of length."""
        if self._brief.max_words is None or not self._titles:
            return self._rules.per_section
        fixed = self._rules.overview + len(self._titles) + 2
        total = self._brief.max_words // self._rules.words_per_sentence - fixed
        return max(2, min(self._rules.per_section, total // len(self._titles)))
