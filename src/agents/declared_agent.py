"""An agent that a user declares: a prompt, a form, and how the filled form becomes findings.

It is a critic with the mechanisms of the reviewer: a template with an edit policy, the run's
backend, journal, budget and turn log, and a vote that code computes from the findings.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar, cast, get_args

from pydantic import BaseModel, JsonValue

from ..base.errors import DocumentError, PromptError, ReplyError, SettingsError
from ..base.files import read_document
from ..base.vocabulary import Finding, ReviewCriterion, Strictness
from ..core.agent_calls import find_misplaced, require_usable_name
from ..core.artefacts import OwnAgentReport, artefact_file, count_severities, issue_record
from ..core.config import SOURCE_TOOLS, BaseAgentConfig
from ..core.forms import ModelForm, form_of
from ..core.tasks import AgentBackend, AgentTask, Role, ToolSpec, Turn, TurnUsage
from ..core.templates import PromptLibrary, TemplateLibrary
from ..core.work import (
    ClaimWork,
    Critic,
    CriticContext,
    Examination,
    IterationWork,
)
from .document_search import search_tools
from .fact_check_batches import claims_file
from .prompted_agent import Adviser, AgentCritic, AgentSpec, PromptedAgent
from .reading import UntrustedText, as_files
from .replies import Issue, locate_issues
from .rules import AgentRules, basis_of
from .source_tools import fact_check_tools

MOST_FETCHES = 20
"""`fetch_source` calls that an agent may ask for in one turn."""

FormT = TypeVar("FormT", bound=BaseModel)
T = TypeVar("T")


class Reads(StrEnum):
    """Files that a declared agent reads; an answer counts only if it has read all of them."""

    BRIEF = "brief"
    DRAFT = "draft"
    CLAIMS = "claims"
    SOURCES = "sources"


@dataclass(frozen=True, slots=True)
class Agent(Generic[FormT]):
    """An agent of your own, which examines each draft on the run's own backend.

    Attributes:
        name: Its name in votes, progress, analytics and files: small letters, digits, underscores.
        prompt: Its instructions, as a text or the path of a file; used unchanged.
        form: The pydantic model that it fills in. Code makes the file with open slots of it, lets
            nothing else be changed, and reads it back; an answer that cannot be read is mended.
        reads: What it is given to read. `CLAIMS` (with what code found) and `SOURCES` need a run
            with a fact checker.
        tools: Tools of your own. Those of foureyes are named in `config.allowed_tools`.
        veto: Whether its rejection sends a draft back. Without a veto its findings go to the
            analyst, and neither its answer nor its failure decides anything.
        findings: What is wrong with the draft by a filled form; by default every `Issue` in its
            fields. Raise `ReplyError` to have the agent correct the form.
        offline: Fills the form without a model; a run with the offline backend needs it.
        config: Model, effort, limits of a turn, retries and tools.
        strictness: Which findings reject.
        criterion: What its findings are about.

    Raises:
        SettingsError: The name cannot be used, the prompt is empty, or nothing becomes a finding.
        TemplateError: The model cannot be a form.
    """

    name: str
    prompt: str | Path
    form: type[FormT]
    _: KW_ONLY
    reads: Collection[Reads] = (Reads.BRIEF, Reads.DRAFT)
    tools: Sequence[ToolSpec] = ()
    veto: bool = True
    findings: Callable[[FormT], Iterable[Issue | Finding]] | None = None
    offline: Callable[[IterationWork], FormT] | None = None
    config: BaseAgentConfig = field(default_factory=BaseAgentConfig)
    strictness: Strictness = Strictness.NORMAL
    criterion: ReviewCriterion = ReviewCriterion.REASONING

    def __post_init__(self) -> None:
        """Refuse what cannot work before a run begins."""
        require_usable_name(self.name)
        if isinstance(self.prompt, str) and not self.prompt.strip():
            raise SettingsError(f"the agent {self.name!r} has an empty prompt", "say what it does")
        form_of(self.form)
        if self.findings is None and not any(_issue_fields(self.form)):
            raise SettingsError(
                f"nothing in the form of {self.name!r} becomes a finding",
                "give it a list of foureyes.Issue, or findings=",
            )

    @property
    def needs_evidence(self) -> bool:
        """Whether it works only in a run with a fact checker."""
        opens = any(self.config.allows(tool) for tool in SOURCE_TOOLS)
        return opens or not {Reads.CLAIMS, Reads.SOURCES}.isdisjoint(self.reads)


@dataclass(frozen=True, slots=True)
class DeclaredAnswer:
    """A declared agent's artefact, and its findings."""

    report: OwnAgentReport
    findings: tuple[Finding, ...]


class DeclaredAgent(PromptedAgent[BaseAgentConfig, CriticContext, DeclaredAnswer], Generic[FormT]):
    """Runs a declared `Agent`."""

    _spec = AgentSpec(Role.OWN_AGENT, "form.json", user_prompt="user.md", name="own")

    def __init__(
        self,
        agent: Agent[FormT],
        config: BaseAgentConfig,
        backend: AgentBackend,
        prompts: PromptLibrary,
        templates: TemplateLibrary,
        *,
        rules: AgentRules | None = None,
    ) -> None:
        super().__init__(config, backend, prompts, templates, rules=rules)
        self.agent = agent
        self._form: ModelForm[FormT] = form_of(agent.form)
        try:
            prompt = agent.prompt
            self._instructions = prompt if isinstance(prompt, str) else read_document(prompt)
        except DocumentError as error:
            raise PromptError(error.message, error.hint) from error

    @property
    def agent_name(self) -> str:
        """The declared name."""
        return self.agent.name

    def build_task(self, context: CriticContext) -> AgentTask[IterationWork]:
        """The form for one iteration."""
        work, fill = context.work, self.agent.offline
        untrusted = UntrustedText.of(work.draft)
        readable = dict(_files(self.agent.reads, work, untrusted))
        return self._prompted_task(
            context,
            self.agent_name,
            work,
            form=self._form.template,
            readable=readable,
            system={
                "instructions": self._instructions,
                "language": self._language(work.brief),
                "veto": self.agent.veto,
                "strictness_rule": self._strictness_rule(self.agent.strictness),
            },
            user={"findings": work.previous_findings},
            tools=(*self._tools(work, readable, untrusted), *self.agent.tools),
            offline=partial(self._fill, partial(fill, work)) if fill else None,
        )

    def _tools(
        self, work: IterationWork, readable: Mapping[str, str], untrusted: UntrustedText
    ) -> Iterator[ToolSpec]:
        yield from search_tools(self.config, readable, untrusted)
        if work.source_tools is None or work.evidence is None:
            return
        claims = [claim.id for claim in work.evidence.claims]
        # The rules of research are set where there is a search provider.
        searches = self._rules.protocol is not None
        tools = fact_check_tools(
            work.source_tools, claims, untrusted, max_webfetches=MOST_FETCHES, searches=searches
        )
        yield from (tool for tool in tools if self.config.allows(tool.name))

    def _fill(self, offline: Callable[[], FormT]) -> Mapping[str, JsonValue]:
        return self._form.values(self._call_user("offline", offline))

    def read_reply(self, context: CriticContext, turn: Turn) -> DeclaredAnswer:
        """The findings of the filled form, and the vote that follows from them.

        Raises:
            ReplyError: A value cannot be read, or the declared function refuses the form.
        """
        filled = self._form.read(turn.text)
        findings = self._findings(filled, context.work.draft)
        report = OwnAgentReport(
            recommendation=self._vote(findings, self.agent.strictness),
            veto=self.agent.veto,
            issues=[issue_record(finding) for finding in findings],
            severity_counts=count_severities(findings),
            form=cast("JsonValue", filled.model_dump(mode="json", by_alias=True)),
            read_coverage=turn.read_coverage,
            basis=basis_of(self.backend),
        )
        return DeclaredAnswer(report, findings)

    def _findings(self, filled: FormT, draft: str) -> tuple[Finding, ...]:
        read = self.agent.findings or _issues_in
        given: Sequence[object] = self._call_user("findings", lambda: list(read(filled)))
        issues = [one for one in given if isinstance(one, Issue)]
        others = [one for one in given if isinstance(one, Finding)]
        if len(issues) + len(others) < len(given):
            raise TypeError(f"findings of {self.agent_name} gave neither an Issue nor a Finding")
        wrong = find_misplaced(others, len(draft))
        if wrong:
            raise ValueError(f"findings of {self.agent_name}: {wrong}")
        found = locate_issues(
            [(self.agent.criterion, one) for one in issues], draft, self.agent_name
        )
        named = {one.id: replace(one, origin=self.agent_name) for one in (*others, *found)}
        return tuple(named.values())

    def _call_user(self, what: str, call: Callable[[], T]) -> T:
        """Call a function of the user; `sys.exit` in it must not end the program."""
        try:
            return call()
        except SystemExit as error:
            message = f"{what} of {self.agent_name} called sys.exit({error.code})"
            raise ReplyError(message) from error


def _issue_fields(form: type[BaseModel]) -> Iterator[str]:
    """The fields of `form` that hold issues, one or a list."""
    for name, field_ in form.model_fields.items():
        kinds: tuple[object, ...] = (field_.annotation, *get_args(field_.annotation))
        if any(isinstance(kind, type) and issubclass(kind, Issue) for kind in kinds):
            yield name


def _issues_in(filled: BaseModel) -> Iterator[Issue]:
    for value in (getattr(filled, name) for name in _issue_fields(type(filled))):
        several = cast("list[object]", value) if isinstance(value, list) else [value]
        yield from (one for one in several if isinstance(one, Issue))


def _files(
    reads: Collection[Reads], work: IterationWork, untrusted: UntrustedText
) -> Iterator[tuple[str, str]]:
    if Reads.BRIEF in reads:
        yield from as_files("brief", work.brief).items()
    if Reads.DRAFT in reads:
        yield from as_files("analysis", work.draft).items()
    evidence = work.evidence
    if evidence is None:
        return
    if Reads.CLAIMS in reads:
        works = (ClaimWork(one, evidence.assessments[one.id]) for one in evidence.claims)
        text = claims_file(works, evidence.sources, untrusted)
        yield from as_files("claims", text).items()
    if Reads.SOURCES in reads:
        texts, number = evidence.sources.texts, 0
        for url, source in sorted(evidence.sources.sources.items()):
            if source.snapshot is not None and source.snapshot.sha256 in texts:
                number += 1
                text = f"<{url}>\n\n{untrusted.mark(texts[source.snapshot.sha256])}\n"
                yield from as_files(f"source-{number}", text).items()


def own_agent_critic(agent: DeclaredAgent[FormT]) -> Critic:
    """A declared agent as a critic, without a vote if it is to have no veto."""

    def to_context(work: IterationWork) -> CriticContext:
        return CriticContext(
            iteration=work.iteration,
            max_iterations=work.max_iterations,
            services=work.services,
            work=work,
        )

    def to_examination(
        answer: DeclaredAnswer, usage: TurnUsage, work: IterationWork
    ) -> Examination:
        name = f"{agent.agent_name}_iteration_{work.iteration}.json"
        return Examination(
            recommendation=answer.report.recommendation,
            stated_recommendation=None,
            findings=answer.findings,
            coverage=answer.report.read_coverage,
            usage=usage,
            artefact=artefact_file(name, answer.report),
            independent=agent.backend.independent,
        )

    critic = AgentCritic(agent, to_context, to_examination)
    return critic if agent.agent.veto else Adviser(critic)
