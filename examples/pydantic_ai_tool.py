"""foureyes as a tool of a Pydantic AI agent: the model has its own draft checked."""

import asyncio
from pathlib import Path

from foureyes import SemanticValidator
from pydantic_ai import Agent
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

SOURCE = "The construction of the Arnsund tidal power station cost $30 billion.\n"
DRAFT = "The construction of the Arnsund station cost $50 billion ([report](report.md)).\n"
validate = SemanticValidator(sources=["station"], fetch="none")


def reply(messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
    """Stands for a model: it calls the tool, and repeats what the tool says."""
    last = messages[-1].parts[-1]
    if isinstance(last, ToolReturnPart):
        return ModelResponse(parts=[TextPart(f"The tool says:\n{last.content}")])
    return ModelResponse(parts=[ToolCallPart("check_facts", {"text": DRAFT})])


agent = Agent(FunctionModel(reply))


@agent.tool_plain
async def check_facts(text: str) -> str:
    """Check the facts of a Markdown text against the sources that it cites.

    Args:
        text: The text, with its citations.
    """
    result = await validate(text)
    return result.feedback or "Every claim is borne out by its source."


if __name__ == "__main__":
    Path("station").mkdir(exist_ok=True)
    Path("station/report.md").write_text(SOURCE, encoding="utf-8")
    print(asyncio.run(agent.run("What did the station cost?")).output)
