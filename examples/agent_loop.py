"""A plain agent loop that hands out no answer before its facts were checked.

Put your own agent in place of `ask_agent`.
"""

import asyncio
from pathlib import Path

from foureyes import SemanticValidator

SOURCE = """The Arnsund tidal power station began regular service on 4 May 2019.
The construction of the station cost $30 billion.
"""


def ask_agent(task: str, feedback: str) -> str:
    """Stands for a model: it gets a figure wrong, and mends it when it is told."""
    cost = "$30 billion" if feedback else "$50 billion"
    return (
        f"# {task}\n\nThe construction of the Arnsund station cost {cost} ([report](report.md)).\n"
    )


async def answer(task: str, rounds: int = 3) -> str | None:
    """An answer whose facts hold, None if there was none in so many rounds."""
    validate = SemanticValidator(sources=["station"], fetch="none")
    feedback = ""
    for number in range(1, rounds + 1):
        text = ask_agent(task, feedback)
        result = await validate(text)
        print(f"round {number}: passed {result.passed}, score {result.score:.2f}")
        if result.passed:
            return text
        feedback = result.feedback
        print(feedback)
    return None


if __name__ == "__main__":
    Path("station").mkdir(exist_ok=True)
    Path("station/report.md").write_text(SOURCE, encoding="utf-8")
    print(asyncio.run(answer("What the station cost")))
