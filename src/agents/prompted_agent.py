"""The base of our agents: each declares its role, its prompts and the file that it fills."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import ClassVar, Generic, TypeVar

from ..base.vocabulary import Finding, Recommendation, Strictness
from ..core.agent_base import BaseAgent, ConfigT, ContextT, OutputT
from ..core.tasks import AgentBackend, AgentTask, OfflineForm, Role, ToolSpec
from ..core.templates import JsonTemplate, MarkdownTemplate, PromptLibrary, TemplateLibrary
from ..verification.severity import recommend
from .reading import SECTION_TOKENS
from .rules import AgentRules, Rules, rules_of, strictness_rule
from .source_tools import WebResearchProtocol

InputT = TypeVar("InputT")


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """The declaration of an agent.

    `folder` is the place of its prompts and its template, ``agents/judge``; `file_name` is the
    file that it fills, and the name of the template. `system` and `user` are the variables of the
    two prompts. `revises` says whether a revision has a user prompt of its own. `name` is the
    agent's name where it is not that of its role.
    """

    role: Role
    folder: str
    file_name: str
    _: KW_ONLY
    system: Sequence[str] = ("file_name",)
    user: Sequence[str]
    user_prompt: str = "user/initial.md"
    revises: bool = False
    name: str = ""

    @property
    def template(self) -> str:
        """The name of the template."""
        return f"{self.folder}/{self.file_name}"

    def prompts(self) -> Mapping[str, Sequence[str]]:
        """Map the name of each prompt to its variables."""
        revision = {f"{self.folder}/user/revision.md": self.user} if self.revises else {}
        return {
            f"{self.folder}/system.md": self.system,
            f"{self.folder}/{self.user_prompt}": self.user,
            **revision,
        }


class PromptedAgent(BaseAgent[ConfigT, ContextT, OutputT], Generic[ConfigT, ContextT, OutputT]):
    """An agent with a declaration, which follows the rules of the registry.

    Args:
        config: Its settings.
        backend: Fills its forms.
        prompts: The library of its prompts.
        templates: The library of its template.
        rules: Word lists, severities and thresholds; the packaged ones by default.

    Raises:
        PromptError: One of its prompts cannot be used.
    """

    _spec: ClassVar[AgentSpec]

    def __init__(
        self,
        config: ConfigT,
        backend: AgentBackend,
        prompts: PromptLibrary,
        templates: TemplateLibrary,
        *,
        rules: AgentRules | None = None,
    ) -> None:
        super().__init__(config, backend, prompts, templates)
        self._given_rules = rules
        for name, variables in self._spec.prompts().items():
            prompts.check(name, variables)

    @property
    def agent_name(self) -> str:
        """The agent's name in progress, analytics and artefacts."""
        return self._spec.name or self._spec.role.value

    def _prompted_task(
        self,
        name: str,
        inputs: InputT,
        *,
        form: JsonTemplate | MarkdownTemplate,
        readable: Mapping[str, str],
        system: Mapping[str, object] | None = None,
        user: Mapping[str, object] | None = None,
        tools: Sequence[ToolSpec] = (),
        protocol: WebResearchProtocol | None = None,
        revision: bool = False,
        offline: OfflineForm | None = None,
    ) -> AgentTask[InputT]:
        """The task `name` with both prompts rendered.

        Args:
            name: As in `AgentTask`, and so are `inputs`, `readable`, `tools` and `offline`.
            inputs: What a backend of rules works on.
            form: The form to fill.
            readable: The files beside the form.
            system: Variables of the system prompt.
            user: Variables of the user prompt. Names of files, and the length of their parts, are
                filled in where the declaration has them.
            tools: Tools of the task.
            protocol: The rules of research to follow: its text ends the system prompt.
            revision: Whether the task revises an earlier answer.
            offline: Fills the form without a model.
        """
        spec = self._spec
        common: Mapping[str, object] = {
            "file_name": spec.file_name,
            "readable": tuple(readable),
            "split": any("-part-" in file for file in readable),
            "section_tokens": SECTION_TOKENS,
        }
        kept = {key: value for key, value in common.items() if key in spec.user}
        asked = "user/revision.md" if revision and spec.revises else spec.user_prompt
        instructions = self.prompts.render(
            f"{spec.folder}/system.md", **{"file_name": spec.file_name, **(system or {})}
        )
        return self.form_task(
            spec.role,
            name,
            inputs,
            system_prompt=f"{instructions}\n\n{protocol.text()}" if protocol else instructions,
            user_prompt=self.prompts.render(f"{spec.folder}/{asked}", **{**kept, **(user or {})}),
            file_name=spec.file_name,
            form=form,
            readable=readable,
            tools=(*tools, protocol.tool()) if protocol else tools,
            offline=offline,
        )

    @cached_property
    def _rules(self) -> Rules:
        return rules_of(self._given_rules)

    def _language(self, brief: str) -> str:
        """The name of the language that the answer is written in."""
        return self._rules.reading.wording(brief).name

    def _strictness_rule(self, strictness: Strictness) -> str:
        """Which issues reject, as a sentence."""
        return strictness_rule(self._rules.registry.severity, strictness)

    def _vote(self, findings: Iterable[Finding], strictness: Strictness) -> Recommendation:
        """The recommendation that follows from `findings`."""
        return recommend(findings, strictness, self._rules.registry.severity)
