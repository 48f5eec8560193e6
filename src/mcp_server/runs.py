"""The calls that run the loop and review documents: each leaves its directory."""

from __future__ import annotations

from ..assembly.document_review import PreparedReview, prepare_review, prepare_review_resume
from ..assembly.model import LoadedSettings
from ..assembly.prepared_run import PreparedRun
from ..assembly.runs import RunInput, prepare_resume, prepare_run
from ..base.errors import InputError
from ..review.types import GateAnswer, GateChoice
from .inputs import ReviewDocument, RunPipeline
from .outputs import RecordKind, RunState
from .records import find_record, review_state, run_state
from .service import CallContext


async def run_pipeline(call: RunPipeline, context: CallContext) -> RunState:
    """Write an analysis and have it examined, or go on with a run.

    Raises:
        FoureyesError: Something given cannot be used, or the run cannot go on.
    """
    prepared = await _prepared_run(call, context)
    context.begun(prepared.run_dir)
    await prepared.run(context.notify)
    return run_state(prepared.run_dir)


async def review_document(call: ReviewDocument, context: CallContext) -> RunState:
    """Review a document, or go on with a review.

    Raises:
        FoureyesError: Something given cannot be used, or the review cannot go on.
    """
    client = f"the MCP client {context.client}" if context.client else "an MCP client"
    answer = GateAnswer(GateChoice.GO_ON, client) if call.go_on else None
    prepared = await _prepared_review(call, context, answer)
    context.begun(prepared.review_dir)
    await prepared.run(context.notify, answer)
    return review_state(prepared.review_dir)


async def _prepared_run(call: RunPipeline, context: CallContext) -> PreparedRun:
    if call.resume is not None:
        _require_alone("run", call, RunPipeline(resume=call.resume))
        path = find_record(context.service, call.resume, RecordKind.RUN).path
        return await prepare_resume(path, context.service.loaded)
    access = context.access
    inputs = RunInput(
        access.optional("brief", call.brief, call.brief_path),
        access.optional("draft", call.draft, call.draft_path),
        access.sources(call.sources, call.texts),
    )
    return await prepare_run(inputs, _chosen(call, context))


def _chosen(call: RunPipeline, context: CallContext) -> LoadedSettings:
    """The settings with what the call chooses, which may lower a limit and never raise it."""
    allowed = context.service.loaded.settings.max_iterations
    if call.max_iterations is not None and call.max_iterations > allowed:
        raise InputError(
            f"max_iterations: {call.max_iterations} is more than this server allows ({allowed})",
            "ask for fewer",
        )
    return context.loaded(
        mode=call.mode, max_iterations=call.max_iterations, topic=call.topic, as_of=call.as_of
    )


async def _prepared_review(
    call: ReviewDocument, context: CallContext, answer: GateAnswer | None
) -> PreparedReview:
    if call.resume is not None:
        _require_alone("review", call, ReviewDocument(resume=call.resume, go_on=call.go_on))
        path = find_record(context.service, call.resume, RecordKind.REVIEW).path
        return await prepare_review_resume(path, context.service.loaded, answer)
    document = context.access.document(call.text, call.path)
    sources = context.access.sources(call.sources, call.texts)
    loaded = context.loaded(as_of=call.as_of, no_web=None if call.web else True)
    return await prepare_review(document, sources, loaded)


def _require_alone(
    what: str, call: RunPipeline | ReviewDocument, alone: RunPipeline | ReviewDocument
) -> None:
    """Refuse to go on with something on other terms than those that it began with."""
    if call != alone:
        raise InputError(
            f"resume goes on with a {what} as it began and takes nothing else", "give it alone"
        )
