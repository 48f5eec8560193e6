"""The smoke tester: compares quotations, findings and claims with the words of the document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import JsonValue

from ..agents.document_search import search_tools
from ..agents.prompted_agent import AgentSpec, PromptedAgent
from ..agents.reading import UntrustedText, as_files
from ..agents.replies import Reply, Words, word_of
from ..base.errors import ReplyError
from ..core.forms import read_reply
from ..core.tasks import AgentResult, AgentTask, Error, Role, Success, Turn, TurnUsage
from ..core.templates import JsonTemplate
from .config import SmokeTesterConfig
from .types import SmokeAnswer, SmokeContext, SmokeInput, SmokeItem, SmokeVerdict

DOCUMENT_NAME = "document"
FORM_BYTES = 16 * 1024
"""The largest form, but for a single item that is larger: what one Read gives back whole."""


class ItemReply(Reply, extra="ignore"):
    """What the tester fills in beside the fields of the item."""

    verdict: Annotated[SmokeVerdict, word_of(SmokeVerdict)]
    reason: Words


class ItemsReply(Reply):
    """The filled form."""

    items: dict[str, ItemReply]


class SmokeTesterAgent(PromptedAgent[SmokeTesterConfig, SmokeContext, tuple[SmokeAnswer, ...]]):
    """Verifies that findings or claims are what the document says (phases 3, 4a-v)."""

    _spec = AgentSpec(
        Role.SMOKE_TESTER,
        "agents/smoke-tester",
        "items.json",
        user=("claims", "items", "readable", "split", "section_tokens", "file_name"),
    )

    async def process(self, context: SmokeContext) -> AgentResult[tuple[SmokeAnswer, ...]]:
        """One answer for each item of the share, in order; cancellation is raised.

        A share that is too long for one form is answered in several, each journalled alone; one
        that fails leaves the share without an answer.
        """
        answers: list[SmokeAnswer] = []
        spent = TurnUsage()
        for part in self._parts(context):
            result = await super().process(part)
            spent += result.usage
            if isinstance(result, Error):
                return replace(result, usage=spent)
            answers += result.output
        return Success(tuple(answers), spent)

    def build_task(self, context: SmokeContext) -> AgentTask[SmokeInput]:
        """The form with all items of `context`."""
        inputs = context.inputs
        document = as_files(DOCUMENT_NAME, inputs.document)
        return self._prompted_task(
            f"{context.iteration}/smoke/{context.name}",
            inputs,
            form=self._form(inputs.items),
            readable=document,
            user={
                "claims": any(item.polarity is not None for item in inputs.items),
                "items": len(inputs.items),
            },
            tools=search_tools(self.config, document, UntrustedText.of(inputs.document)),
        )

    def read_reply(self, context: SmokeContext, turn: Turn) -> tuple[SmokeAnswer, ...]:
        """The answer to each item of `context`.

        Raises:
            ReplyError: A value cannot be read, or something failed for no reason.
        """
        reply = read_reply(ItemsReply, turn.text)
        return tuple(_answer(item, reply.items[item.id]) for item in context.inputs.items)

    def _parts(self, context: SmokeContext) -> Iterator[SmokeContext]:
        """`context` with as many items at a time as fit in a form, in order."""
        empty = self._form_bytes(())
        batches: list[list[SmokeItem]] = []
        room = 0
        for item in context.inputs.items:
            size = self._form_bytes((item,)) - empty
            if size > room:
                batches.append([])
                room = FORM_BYTES - empty
            batches[-1].append(item)
            room -= size
        for number, batch in enumerate(batches, start=1):
            name = context.name if number == 1 else f"{context.name}/form-{number:02}"
            inputs = SmokeInput(context.inputs.document, tuple(batch))
            yield replace(context, name=name, inputs=inputs)

    def _form_bytes(self, items: Sequence[SmokeItem]) -> int:
        return len(self._form(items).text.encode("utf-8", "surrogatepass"))

    def _form(self, items: Sequence[SmokeItem]) -> JsonTemplate:
        """The form for `items`, with the fields that code fills; one that failed comes filled."""
        entries = {item.id: _entry(item) for item in items}
        return self.templates.json_template(self._spec.template, claims=entries)


def _answer(item: SmokeItem, entry: ItemReply) -> SmokeAnswer:
    """The agent's answer, unless code has found a fault, which nobody lifts."""
    if item.fault:
        return SmokeAnswer(item.id, SmokeVerdict.FAILED, item.fault)
    if entry.verdict is SmokeVerdict.VERIFIED:
        return SmokeAnswer(item.id, SmokeVerdict.VERIFIED)
    reason = entry.reason.strip()
    if not reason:
        raise ReplyError(f"/items/{item.id}/reason: say why it failed")
    return SmokeAnswer(item.id, SmokeVerdict.FAILED, reason)


def _entry(item: SmokeItem) -> dict[str, JsonValue]:
    entry: dict[str, JsonValue] = {
        "quote": item.quote,
        "line": item.line,
        "statement": item.statement,
        "polarity": "" if item.polarity is None else item.polarity.value,
        "found_by_code": item.fault or "no fault",
    }
    if item.fault:
        entry["verdict"] = SmokeVerdict.FAILED.value
        entry["reason"] = "settled by code"
    return entry
