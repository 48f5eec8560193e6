"""The calls, and the work of one of them in a process that begins in `processes`.

A message from the other end of the pipe, or its end, cancels it; so does the death of the server.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import threading
import traceback
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from ..assembly.document_review import prepare_review, prepare_review_resume
from ..assembly.runs import RunInput, prepare_resume, prepare_run
from ..base.errors import FoureyesError, InputError
from ..base.printable import printable
from ..core.work import Progress
from ..review.types import GateAnswer, GateChoice
from . import inputs
from ._checking import check_document, fetch_source, list_claims, score_source, verify_claim
from ._records import explain_verdict, find_record, get_run, review_state, run_state
from .inputs import CallInput, ReviewDocument, RunPipeline
from .outputs import RecordKind, RunState
from .service import Call, CallContext, Service

ORPHAN_SECONDS = 20.0
"""How long a call may take to end by itself once nobody waits for it."""


async def run_pipeline(call: RunPipeline, context: CallContext) -> RunState:
    """Write an analysis and have it examined, or go on with a run.

    Raises:
        FoureyesError: Something given cannot be used, or the run cannot go on.
    """
    if call.resume is not None:
        path = _resumed(RecordKind.RUN, call, RunPipeline(resume=call.resume), context)
        prepared = await prepare_resume(path, context.service.loaded)
    else:
        allowed = context.service.loaded.settings.max_iterations
        if call.max_iterations is not None and call.max_iterations > allowed:
            raise InputError(
                f"max_iterations: {call.max_iterations} is more than this server allows "
                f"({allowed})",
                "ask for fewer",
            )
        inputs = RunInput(
            context.optional("brief", call.brief, call.brief_path),
            context.optional("draft", call.draft, call.draft_path),
            context.sources(call.sources, call.texts),
        )
        chosen = call.model_dump(include={"mode", "max_iterations", "topic", "as_of"})
        prepared = await prepare_run(inputs, context.loaded(**chosen))
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
    if call.resume is not None:
        alone = ReviewDocument(resume=call.resume, go_on=call.go_on)
        path = _resumed(RecordKind.REVIEW, call, alone, context)
        prepared = await prepare_review_resume(path, context.service.loaded, answer)
    else:
        document = context.document(call.text, call.path)
        sources = context.sources(call.sources, call.texts)
        loaded = context.loaded(as_of=call.as_of, no_web=None if call.web else True)
        prepared = await prepare_review(document, sources, loaded)
    context.begun(prepared.review_dir)
    await prepared.run(context.notify, answer)
    return review_state(prepared.review_dir)


def _resumed(
    kind: RecordKind, call: RunPipeline | ReviewDocument, alone: CallInput, context: CallContext
) -> Path:
    """The directory to go on with, on no other terms than those that it began with."""
    if call != alone:
        message = f"resume goes on with a {kind} as it began and takes nothing else"
        raise InputError(message, "give it alone")
    return find_record(context.service, call.resume or "", [kind])[1]


async def run_call(pipe: Connection, call: Call, service: Service, folder: Path) -> None:
    """Do `call` and report it through `pipe`; `folder` is for its temporary files.

    Raises:
        asyncio.CancelledError: The other end has asked for it, or is gone.
    """
    task = asyncio.current_task()
    assert task is not None
    loop = asyncio.get_running_loop()
    ended = threading.Event()
    task.add_done_callback(lambda _: ended.set())
    threading.Thread(target=_listen, args=(pipe, loop, task, ended, folder), daemon=True).start()

    def send(*message: str) -> None:
        # With the other end gone there is nobody to tell, and the work ends all the same.
        with suppress(BrokenPipeError):
            pipe.send_bytes(json.dumps(message).encode())

    context = CallContext(
        service,
        folder,
        call.client,
        notify=lambda progress: send("progress", describe_progress(progress)),
        begun=lambda path: send("begun", str(path)),
    )
    try:
        output = await answer(call, context)
    except FoureyesError as error:
        send("failed", printable(str(error)))
    except Exception as error:  # noqa: BLE001 - the client gets only the name of the bug
        traceback.print_exception(error)
        send("failed", f"this is a bug in foureyes: {type(error).__name__}")
    else:
        send("done", output.model_dump_json())


def _listen(
    pipe: Connection,
    loop: asyncio.AbstractEventLoop,
    task: asyncio.Task[object],
    ended: threading.Event,
    folder: Path,
) -> None:
    """Cancel the work when the other end says so or is gone; work that stays ends the process."""
    with suppress(EOFError, OSError):
        pipe.recv_bytes()
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(task.cancel)
    if not ended.wait(ORPHAN_SECONDS):
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)


_FUNCTIONS: Mapping[type[CallInput], Callable[[Any, CallContext], Awaitable[BaseModel]]] = {
    inputs.CheckDocument: check_document,
    inputs.ListClaims: list_claims,
    inputs.VerifyClaim: verify_claim,
    inputs.ScoreSource: score_source,
    inputs.FetchSource: fetch_source,
    inputs.ReviewDocument: review_document,
    inputs.RunPipeline: run_pipeline,
    inputs.GetRun: get_run,
    inputs.ExplainVerdict: explain_verdict,
}


async def answer(call: Call, context: CallContext) -> BaseModel:
    """The output of a call.

    Raises:
        FoureyesError: What it asks for cannot be done.
    """
    return await _FUNCTIONS[type(call.arguments)](call.arguments, context)


def describe_progress(progress: Progress) -> str:
    """A step of a run or review in words."""
    parts = (
        f"iteration {progress.iteration}" if progress.iteration else "",
        progress.event.replace("_", " "),
        progress.agent.replace("_", " "),
        progress.detail,
    )
    return printable(", ".join(filter(None, parts)))[:300]
