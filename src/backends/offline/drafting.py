"""The first draft: for each section the sentences of the sources that serve it, each cited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...claims.lexicon import phrase_pattern
from ...core.brief import Brief, OutlineSection, SectionKind, Wording, outline
from ...core.work import AnalystInput
from .excerpts import Excerpt, find_excerpts
from .relevance import Hit, Relevance
from .rules import ExtractionFile, OfflineRules
from .writing import Citations, escape_markdown

_Answers = Mapping[str, Sequence[Hit]]
"""The sentences that answer each question of the brief, the best first."""


_Candidate = tuple[float, Excerpt]
"""A sentence with its score for a section."""


def write_draft(inputs: AnalystInput, rules: OfflineRules) -> str:
    """Write an extractive analysis: every sentence stands in a source word for word, and is cited.

    Questions of the brief without a passage are listed in the section for gaps.
    """
    brief = rules.reading.brief(inputs.brief)
    wording = rules.reading.wording(inputs.brief)
    extraction, lexicon = rules.extraction, rules.lexicon
    sections = outline(brief, wording)
    excerpts = find_excerpts(inputs.materials, extraction, lexicon)
    relevance = Relevance(excerpts, extraction, lexicon.words)
    answers = {text: relevance.answers(relevance.query(text)) for text in brief.questions}
    chosen = _choose_excerpts(brief, sections, answers, extraction, relevance)
    citations = Citations(inputs.materials, brief.citing)
    bodies = {
        index: _gaps(answers, wording, extraction)
        if section.kind is SectionKind.GAPS
        else _body(section, chosen.get(index, ()), citations)
        or _excuse(section, wording, extraction)
        for index, section in enumerate(sections)
        if section.kind is not SectionKind.SOURCES
    }
    parts = [f"# {escape_markdown(brief.title)}", f"*{escape_markdown(wording.note)}*"]
    for index, section in enumerate(sections):
        body = (
            bodies.get(index) or citations.reference_list() or escape_markdown(wording.no_passage)
        )
        parts.append(f"## {section.heading}\n\n{body}")
    return "\n\n".join(parts) + "\n"


def _choose_excerpts(
    brief: Brief,
    sections: Sequence[OutlineSection],
    answers: _Answers,
    rules: ExtractionFile,
    relevance: Relevance,
) -> Mapping[int, Sequence[Excerpt]]:
    """The sentences of each section by its index; a sentence stands in one, and in the overview."""
    candidates = _deal(sections, answers, rules, relevance)
    room = _room(brief, len(candidates), rules)
    chosen = {index: _best(found, room, rules, relevance) for index, found in candidates.items()}
    for index, section in enumerate(sections):
        if section.kind is SectionKind.OVERVIEW:
            chosen[index] = _overview(answers, chosen, rules)
    return chosen


def _deal(
    sections: Sequence[OutlineSection],
    answers: _Answers,
    rules: ExtractionFile,
    relevance: Relevance,
) -> dict[int, list[_Candidate]]:
    """Deal each sentence to the section of the question it answers, or whose title it fits best.

    An answer that fits no title goes to the first section with a title of its own.
    """
    topics = {
        index: relevance.query(section.topic)
        for index, section in enumerate(sections)
        if section.kind is SectionKind.TOPIC
    }
    questions = {
        index: {id(hit.excerpt): hit.score for hit in answers.get(section.topic, ())}
        for index, section in enumerate(sections)
        if section.kind is SectionKind.QUESTION
    }
    scores: dict[int, float] = {}
    for hit in (hit for hits in answers.values() for hit in hits):
        scores[id(hit.excerpt)] = max(hit.score, scores.get(id(hit.excerpt), 0.0))
    dealt: dict[int, list[_Candidate]] = {index: [] for index in (*topics, *questions)}
    for excerpt in relevance.excerpts:
        answer = scores.get(id(excerpt), 0.0)
        values = {index: found.get(id(excerpt), 0.0) for index, found in questions.items()}
        values |= {index: relevance.fit(title, excerpt) for index, title in topics.items()}
        best = max(values, key=lambda index: values[index], default=None)
        if best is not None and values[best] >= rules.belongs:
            dealt[best].append((values[best] + answer, excerpt))
        elif topics and answer:
            dealt[next(iter(topics))].append((answer, excerpt))
    return dealt


def _room(brief: Brief, sections: int, rules: ExtractionFile) -> int:
    """How many sentences a section may take within the brief's limit of length."""
    if brief.max_words is None or not sections:
        return rules.per_section
    total = brief.max_words // rules.words_per_sentence - rules.overview - sections - 2
    return max(2, min(rules.per_section, total // sections))


def _best(
    candidates: Sequence[_Candidate], room: int, rules: ExtractionFile, relevance: Relevance
) -> list[Excerpt]:
    """The best sentences that say something new, grouped by source."""
    taken: list[Excerpt] = []
    for _, excerpt in sorted(candidates, key=lambda candidate: -candidate[0]):
        of_source = sum(other.material == excerpt.material for other in taken)
        repeats = any(relevance.same(excerpt, other) for other in taken)
        if not repeats and of_source < rules.per_source and len(taken) < room:
            taken.append(excerpt)
    rank = {excerpt.material: place for place, excerpt in reversed(list(enumerate(taken)))}
    return sorted(taken, key=lambda excerpt: (rank[excerpt.material], excerpt.position))


def _overview(
    answers: _Answers, chosen: Mapping[int, Sequence[Excerpt]], rules: ExtractionFile
) -> list[Excerpt]:
    """The best answer to each question, else the first sentence of each section."""
    picked: list[Excerpt] = []
    for hits in answers.values():
        fresh = (hit.excerpt for hit in hits if hit.excerpt not in picked)
        picked += [excerpt for excerpt in [next(fresh, None)] if excerpt is not None]
    if len(picked) < 2:
        firsts = [excerpts[0] for excerpts in chosen.values() if excerpts]
        picked += [excerpt for excerpt in firsts if excerpt not in picked]
    return picked[: rules.overview]


def _body(section: OutlineSection, excerpts: Sequence[Excerpt], citations: Citations) -> str:
    """A section's text, "" if there is nothing for it."""
    if section.kind is SectionKind.OVERVIEW:
        return "\n".join(f"- {citations.cited(e.text, e.material)}" for e in excerpts)
    paragraphs: dict[int, list[str]] = {}
    for excerpt in excerpts:
        sentence = citations.cited(excerpt.text, excerpt.material)
        paragraphs.setdefault(excerpt.material, []).append(sentence)
    return "\n\n".join(" ".join(sentences) for sentences in paragraphs.values())


def _gaps(answers: _Answers, wording: Wording, rules: ExtractionFile) -> str:
    """The questions without a passage, and those that ask for a judgement."""
    judgement = phrase_pattern(rules.judgement_questions)
    unanswered = [text for text, hits in answers.items() if not hits or judgement.search(text)]
    if not unanswered:
        return escape_markdown(wording.no_gaps)
    listed = "\n".join(f"- {escape_markdown(text)}" for text in unanswered)
    return f"{escape_markdown(wording.unanswered)}\n\n{listed}"


def _excuse(section: OutlineSection, wording: Wording, rules: ExtractionFile) -> str:
    """The reason why a section is empty."""
    asks_judgement = section.topic.casefold().strip() in rules.judgement
    return escape_markdown(wording.no_judgement if asks_judgement else wording.no_passage)
