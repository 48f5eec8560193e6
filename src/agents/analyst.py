"""The analyst: writes the analysis, and revises it by the checkers' numbered findings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ..base.errors import TemplateError
from ..core.artefacts import Analysis
from ..core.brief import OutlineSection, SectionKind, outline
from ..core.config import AnalystConfig
from ..core.edit_policy import MarkdownDraft
from ..core.source_tools import BriefResearch, SourceReader, format_hits
from ..core.tasks import AgentResult, AgentTask, Role, ToolSpec, Turn
from ..core.templates import MarkdownTemplate
from ..core.work import AnalystContext, AnalystInput, DraftWork
from ..sources.search.model import SearchAnswer
from .prompted_agent import AgentSpec, PromptedAgent
from .reading import UntrustedText, as_files
from .source_tools import research_tools

_TEMPLATE = "agents/analyst/analysis.md"
_MODEL_SECTION = re.compile(r"^## \[(?P<kind>[a-z]+)\]\n(?P<body>.*?)(?=^## |\Z)", re.M | re.S)


class SourceFiles(NamedTuple):
    """A source as the prompt names it: its files in the turn's folder, title and address."""

    files: tuple[str, ...]
    title: str
    url: str


class AnalystAgent(PromptedAgent[AnalystConfig, AnalystContext, Analysis]):
    """Writes the analysis in the first iteration, and revises it in later ones."""

    _spec = AgentSpec(Role.ANALYST, "analysis.md")

    def build_task(self, context: AnalystContext) -> AgentTask[AnalystInput]:
        """The document with open slots, or the last version with the findings against it.

        Raises:
            TemplateError: The agent's template is broken.
        """
        inputs = context.inputs
        brief = self._rules.reading.brief(inputs.brief)
        wording = self._rules.reading.wording(inputs.brief)
        sections = outline(brief, wording)
        brief_files, searches = as_files("brief", inputs.brief), _search_files(inputs)
        readable = {**brief_files, **searches}
        sources: list[SourceFiles] = []
        for number, material in enumerate(inputs.materials, start=1):
            parts = as_files(f"source-{number:02}", material.text)
            readable.update(parts)
            sources.append(SourceFiles(tuple(parts), material.title, material.url))
        headings = {section.kind: section.heading for section in sections}
        tools, guidance = self._tools(context), inputs.guidance
        return self._prompted_task(
            context,
            "analyst",
            inputs,
            form=self._document(inputs, sections),
            readable=readable,
            system={
                "search": bool(tools),
                "max_websearches": self.config.max_websearches,
                "max_chars": f"{self.config.max_chars:,}",
                "citing": brief.citing.value,
                "language": wording.name,
                "gaps_heading": headings[SectionKind.GAPS],
                "sources_heading": headings[SectionKind.SOURCES],
            },
            user={
                "brief_files": tuple(brief_files),
                "sources": sources,
                "findings": inputs.findings,
                "draft": inputs.draft,
                # How the evidence stands, if there is anything to say.
                "critique": guidance.critique if guidance and not guidance.critique.empty else None,
                "search_files": tuple(searches),
                "gaps_heading": headings[SectionKind.GAPS],
            },
            revision=bool(inputs.draft),
            tools=tools,
            protocol=self._rules.protocol if tools else None,
        )

    def read_reply(self, context: AnalystContext, turn: Turn) -> Analysis:  # noqa: ARG002 - the contract's signature
        """The document; its policy has already been checked."""
        return Analysis(markdown=turn.text)

    def _tools(self, context: AnalystContext) -> tuple[ToolSpec, ...]:
        allowed = self.config.allows("search_sources") and self.config.max_websearches
        if context.research is None or not allowed:
            return ()
        untrusted = UntrustedText.of(context.inputs.brief)
        return research_tools(context.research, untrusted, self.config.max_websearches)

    def _document(
        self, inputs: AnalystInput, sections: Sequence[OutlineSection]
    ) -> MarkdownTemplate:
        """The document's first text and its policy. All headings of a given draft stay."""
        form = self.templates.markdown_template(_TEMPLATE)
        text = expand_template(form.text, sections)
        policy = MarkdownDraft.of_template(text, self.config.max_chars)
        if inputs.draft:
            return MarkdownTemplate(inputs.draft, policy.revising(inputs.draft))
        return MarkdownTemplate(text, policy)


def expand_template(template: str, sections: Sequence[OutlineSection]) -> str:
    """The document for `sections`, each made after the template's model section of its kind.

    A model section has its kind for a heading (``## [topic]``); ``{heading}`` in it is replaced.

    Raises:
        TemplateError: A model section is missing.
    """
    models = {match["kind"]: match["body"] for match in _MODEL_SECTION.finditer(template)}
    for kind in SectionKind:
        if kind.value not in models:
            raise TemplateError(f"{_TEMPLATE}: the section '## [{kind.value}]' is missing")
    document = _MODEL_SECTION.split(template)[0]
    for section in sections:
        # Brackets in a slot's own text would hide where the slot ends.
        named = section.heading.replace("[", "(").replace("]", ")")
        body = models[section.kind].replace("{heading}", named)
        document += f"## {section.heading}\n{body}"
    return document.rstrip() + "\n"


def _search_files(inputs: AnalystInput) -> Mapping[str, str]:
    """The queries with their hits, as the analyst reads them; no file without any."""
    if inputs.guidance is None or not inputs.guidance.answers:
        return {}
    parts: list[str] = []
    for answer in inputs.guidance.answers:
        lines = [answer.problem] if answer.problem else format_hits(SearchAnswer(answer.hits))
        parts.append("\n".join([f"## {answer.asked}", "", *lines]))
    untrusted = UntrustedText.of(inputs.brief, inputs.draft)
    return as_files("searches", untrusted.mark("\n\n".join(parts)))


@dataclass(frozen=True, slots=True)
class AgentDrafter:
    """`Drafter` over the analyst, which searches by `reader` where there is a provider."""

    agent: AnalystAgent
    reader: SourceReader | None = None

    async def write(self, work: DraftWork) -> AgentResult[Analysis]:
        """The next version of the analysis."""
        return await self.agent.process(
            AnalystContext(
                iteration=work.iteration,
                max_iterations=work.max_iterations,
                services=work.services,
                analysis_output_path=Path(f"iterations/analysis_iteration_{work.iteration}.md"),
                inputs=AnalystInput(
                    work.brief, work.materials, work.draft, work.findings, work.guidance
                ),
                research=BriefResearch(self.reader, work.brief) if self.reader else None,
            )
        )
