"""What the batched fact check would ask of a model, estimated without one.

python benchmarks/fact_check_batches.py

Prompts, forms and files are the real ones for a document of invented towns; tokens are counted as
characters over four. `claude_batches.py` measures the same over the real CLI.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from foureyes.agents.fact_check_batches import EXCERPT_TOKENS, PASSAGE_CHARS
from foureyes.agents.reading import CHARS_PER_TOKEN
from foureyes.agents.source_tools import READS_PER_BATCH
from foureyes.core.config import FactCheckerConfig
from foureyes.core.source_tools import OPENING_CHARS, PASSAGES, READ_CHARS
from foureyes.core.tasks import AgentTask
from foureyes.core.work import FactCheckInput
from support.agent_kit import evidence_of, fact_checker, fact_context, offline
from support.evidence_run import services

COMMAND = "python benchmarks/fact_check_batches.py"
CLAIMS_PER_SOURCE = 5
MAX_TOKENS = 60_000
INPUT_USD, OUTPUT_USD = 3.0, 15.0
CACHE_READ, CACHE_WRITE = 0.1, 1.25
"""List price of a million tokens of the fact checker's model, and the factors of its cache."""
FETCHES_PER_BATCH = 2
EDIT_TOKENS = 40
"""What a call of Edit takes besides its strings."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """One batch: its claims, what code left open, and the tokens of its session."""

    claims: int
    requests: int
    first: int
    largest: int
    bound: int
    output: int
    dollars: float


def draft(claims: int) -> tuple[str, dict[str, str]]:
    """A document of `claims` claims of which code can settle about half, and its sources."""
    parts = ["# Towns of the coast\n"]
    pages: dict[str, str] = {}
    for source in range(-(-claims // CLAIMS_PER_SOURCE)):
        url = f"https://archive{source}.example/report"
        first = source * CLAIMS_PER_SOURCE
        numbers = range(first, min(claims, first + CLAIMS_PER_SOURCE))
        parts += [f"## District {source}\n", " ".join(_claim(n, url) for n in numbers) + "\n"]
        pages[url] = "\n\n".join(_said(n) for n in numbers) + "\n"
    return "\n".join(parts), pages


def _claim(number: int, url: str) -> str:
    if number % 2:
        return f"In Harbour{number} the ferries have grown quieter since the new pier ({url})."
    return f"Harbour{number} counted {number + 300} ferries in the summer of 2021 ({url})."


def _said(number: int) -> str:
    return (
        f"Harbour{number} counted {number + 300} ferries in the summer of 2021. The ferries that "
        f"call at Harbour{number} are said to be less noisy now that a new pier has been built. "
        + "The quay was extended twice, and the council has debated a third time. "
        * 6
    )


def estimates(claims: int, folder: Path) -> Iterator[Estimate]:
    """One estimate for each batch."""
    text, pages = draft(claims)
    evidence = evidence_of(text, pages)
    agent = fact_checker(offline())
    for task in agent.tasks(fact_context(services(folder), evidence)):
        yield estimate(task)


def estimated_tokens(text: str) -> int:
    """About how many tokens `text` has."""
    return -(-len(text) // CHARS_PER_TOKEN)


def estimate(task: AgentTask[FactCheckInput]) -> Estimate:
    """The session of one batch: read, look up, edit claim by claim, say so."""
    open_ = [work for work in task.inputs.claims if not work.assessment.decided]
    given = sum(map(estimated_tokens, (task.system_prompt, task.user_prompt, task.template)))
    given += sum(map(estimated_tokens, task.readable.values()))
    passages = len(open_) * PASSAGES * PASSAGE_CHARS // CHARS_PER_TOKEN
    edits = len(open_) + 1
    slots = estimated_tokens(task.template) // max(1, len(task.inputs.claims))
    output = edits * (2 * slots + EDIT_TOKENS)
    requests = 3 + edits
    sizes = [given + (passages if n > 1 else 0) + output * n // requests for n in range(requests)]
    return Estimate(
        claims=len(task.inputs.claims),
        requests=requests,
        first=sizes[0],
        largest=sizes[-1],
        bound=bound(task, slots),
        output=output,
        dollars=_dollars(sizes, output),
    )


def bound(task: AgentTask[FactCheckInput], slots: int) -> int:
    """The largest request that a batch can come to.

    A full form of claims that code left open, a full excerpt, every passage as long as it may be,
    and every allowance used up.
    """
    config = FactCheckerConfig()
    prompts = estimated_tokens(task.system_prompt) + estimated_tokens(task.user_prompt)
    passages = config.batch_claims * PASSAGES * PASSAGE_CHARS
    tools = passages + READS_PER_BATCH * READ_CHARS + FETCHES_PER_BATCH * OPENING_CHARS
    output = (config.batch_claims + 1) * (2 * slots + EDIT_TOKENS)
    files = config.batch_bytes + passages
    return prompts + EXCERPT_TOKENS + output + (files + tools) // CHARS_PER_TOKEN


def _dollars(sizes: list[int], output: int) -> float:
    """With a cache each request pays for what is new, and a tenth for what is known."""
    total, known = OUTPUT_USD * output, 0
    for size in sizes:
        total += INPUT_USD * (CACHE_WRITE * (size - known) + CACHE_READ * known)
        known = size
    return total / 1_000_000


def main() -> int:
    """Print the estimates for 20 and 200 claims; 1 if a request could pass the bar."""
    print(COMMAND)
    print("estimated from the rendered prompts, forms and files, characters / 4; no model is asked")
    largest = 0
    for claims in (20, 200):
        with TemporaryDirectory() as folder:
            batches = list(estimates(claims, Path(folder)))
        largest = max(largest, *(batch.bound for batch in batches))
        report(claims, batches)
    print(f"largest request a batch can come to: {largest:,} tokens (bar {MAX_TOKENS:,})")
    return 0 if largest <= MAX_TOKENS else 1


def report(claims: int, batches: list[Estimate]) -> None:
    """One line of figures."""
    first = [batch.first for batch in batches]
    found = sum(batch.claims for batch in batches)
    requests = sum(batch.requests for batch in batches)
    output = sum(batch.output for batch in batches)
    dollars = sum(batch.dollars for batch in batches)
    print(
        f"n={claims} claims ({found} found): {len(batches)} batches, {requests} requests "
        f"({requests / found:.2f} a claim); first request min/median/max "
        f"{min(first):,}/{statistics.median(first):,.0f}/{max(first):,} tokens, last at most "
        f"{max(batch.largest for batch in batches):,}; {output / found:,.0f} output tokens and "
        f"{dollars / found:.4f} USD a claim, {dollars:.2f} USD in all"
    )


if __name__ == "__main__":
    sys.exit(main())
