"""Spans, evaluation events and metrics of runs, reviews and checks, for OpenTelemetry.

Everything about tracing is here; the rest of foureyes opens a span around what it does anyway::

    invoke_workflow foureyes.run       run id, mode, status, iterations
      iteration                        gen_ai.evaluation.result of each critic and the gate
        ask analyst
          invoke_agent analyst         one session of a backend: model, tokens, cost, outcome
            chat MODEL                 one request to the model
            execute_tool NAME
        gather_evidence
          fetch                        one address over the network: host, state
        ask reviewer                   the critics are siblings
        ask fact_checker
          invoke_agent fact_checker    one for each batch of claims
        conclude
      ask judge
      finish                           a report, the evidence pack

A document review has its phases in place of the iterations, a check its two steps. `ask` is there
for a critic of the user's own, who may do all its work without a backend.

Names, attributes and buckets are those of OpenTelemetry's GenAI semantic conventions 1.41.1, the
last release that holds them (their own repository has none yet), and `gen_ai.workflow.duration`
from that repository. Whatever begins with ``foureyes.`` is ours. An evaluation is an event by
OpenTelemetry's data model of logs, as the conventions have it: a log record with a name, in the
span of the iteration that made what was evaluated. Its score is 1 for approve and 0 for reject, the
supported share of the checkable claims for the gate, and the score itself for the critique and the
judge's criteria.

`error.type` is a `FailureKind`, ``cancelled``, ``refused`` (a tool call), ``failed`` (a tool call,
a run) or the class of an exception.

No text of a prompt, a document, a claim or a finding is recorded. What a model or a document named
(a model, a tool, a host) is made printable and cut to `spans.MAX_CHARS`.

A program that traces has loaded the API before it runs anything; in any other, nothing here loads
it. The API is all that is needed: spans join the caller's, and go nowhere without a provider.
"""

from __future__ import annotations

from .agents import Invocation as Invocation
from .agents import invoke_agent as invoke_agent
from .spans import CANCELLED as CANCELLED
from .spans import Workflow as Workflow
from .spans import ask_agent as ask_agent
from .spans import mark_answer as mark_answer
from .spans import record_conclusion as record_conclusion
from .spans import record_examination as record_examination
from .spans import record_judgement as record_judgement
from .spans import step as step
from .spans import trace_fetch as trace_fetch
from .spans import trace_id as trace_id
from .spans import workflow as workflow
