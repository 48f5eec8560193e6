"""foureyes as a node of a LangGraph graph: a draft goes back to its writer until its facts hold."""

# LangGraph's own types are not complete.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false

import asyncio
from pathlib import Path
from typing import TypedDict

from foureyes import SemanticValidator
from langgraph.graph import END, START, StateGraph

SOURCE = "The construction of the Arnsund tidal power station cost $30 billion.\n"
validate = SemanticValidator(sources=["station"], fetch="none")


class Draft(TypedDict):
    """The state of the graph."""

    text: str
    feedback: str
    rounds: int


def write(state: Draft) -> Draft:
    """Stands for a model that follows the feedback."""
    cost = "$30 billion" if state["feedback"] else "$50 billion"
    text = f"The construction of the Arnsund station cost {cost} ([report](report.md)).\n"
    return {"text": text, "feedback": "", "rounds": state["rounds"] + 1}


async def check_facts(state: Draft) -> Draft:
    """Feedback where a fact does not hold."""
    result = await validate(state["text"])
    return {**state, "feedback": "" if result.passed else result.feedback}


def after_check(state: Draft) -> str:
    """Back to the writer, at most twice."""
    return "write" if state["feedback"] and state["rounds"] < 3 else END


if __name__ == "__main__":
    Path("station").mkdir(exist_ok=True)
    Path("station/report.md").write_text(SOURCE, encoding="utf-8")
    graph = StateGraph(Draft)
    graph.add_node("write", write)
    graph.add_node("check_facts", check_facts)
    graph.add_edge(START, "write")
    graph.add_edge("write", "check_facts")
    graph.add_conditional_edges("check_facts", after_check)
    end = asyncio.run(graph.compile().ainvoke({"text": "", "feedback": "", "rounds": 0}))
    print(f"after {end['rounds']} rounds: {end['text'].splitlines()[0]}")
