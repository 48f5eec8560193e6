"""The events of a run as they happen, two runs side by side in one event loop."""

import asyncio
from pathlib import Path

from foureyes import Pipeline

DRAFT = "# {0}\n\nThe {0} station opened on 4 May 2019 ([report](report.md)).\n"


async def follow(pipeline: Pipeline, place: str) -> str:
    """One line for each critic's answer, then how the run ended."""
    stream = pipeline.stream(draft=DRAFT.format(place), sources=["report.md"])
    async for event in stream:
        if event.event == "examined":
            print(f"{place}: {event.agent} says {event.detail}")
    return f"{place}: {stream.result.status}"


async def main() -> None:
    """Follow both."""
    async with Pipeline(with_fact_checker=True, max_iterations=1) as pipeline:
        places = ("Arnsund", "Alden")
        print(*await asyncio.gather(*(follow(pipeline, place) for place in places)), sep="\n")


if __name__ == "__main__":
    text = "The Arnsund station opened on 4 May 2019. The Alden station opened on 4 May 2019.\n"
    Path("report.md").write_text(text, encoding="utf-8")
    asyncio.run(main())
