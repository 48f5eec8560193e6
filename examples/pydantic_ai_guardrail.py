"""foureyes as a guardrail of a Pydantic AI agent: no answer leaves it before its facts hold."""

import asyncio
from pathlib import Path

from foureyes import SemanticValidator
from pydantic_ai import Agent, ModelRetry
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

SOURCE = "The construction of the Arnsund tidal power station cost $30 billion.\n"
validate = SemanticValidator(sources=["station"], fetch="none")


def reply(messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
    """Stands for a model: it mends a figure when the guardrail sends the answer back."""
    cost = "$30 billion" if len(messages) > 1 else "$50 billion"
    text = f"The construction of the Arnsund station cost {cost} ([report](report.md)).\n"
    return ModelResponse(parts=[TextPart(text)])


agent = Agent(FunctionModel(reply), retries=2)


@agent.output_validator
async def facts_hold(text: str) -> str:
    """Send an answer back with what is wrong with it."""
    result = await validate(text)
    if not result.passed:
        print("sent back:", result.feedback.splitlines()[0])
        raise ModelRetry(result.feedback)
    return text


if __name__ == "__main__":
    Path("station").mkdir(exist_ok=True)
    Path("station/report.md").write_text(SOURCE, encoding="utf-8")
    print(asyncio.run(agent.run("What did the station cost?")).output)
