"""What the documented search interfaces answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Fields = Mapping[str, object]


def tavily(results: Sequence[Fields]) -> Fields:
    return {
        "query": "harbour",
        "follow_up_questions": None,
        "answer": None,
        "images": [],
        "results": [{"score": 0.9, "raw_content": None, **r} for r in results],
        "response_time": 0.4,
    }


def brave(results: Sequence[Fields] | None) -> Fields:
    web: Fields = {"type": "search", "results": list(results or ()), "family_friendly": True}
    reply: dict[str, object] = {
        "type": "search",
        "query": {"original": "harbour", "more_results_available": False},
        "mixed": {"type": "mixed", "main": [], "top": [], "side": []},
    }
    return reply if results is None else {**reply, "web": web}


def anthropic(
    results: Sequence[Fields] | str, cited: Sequence[Fields] = (), stop: str = "end_turn"
) -> Fields:
    """A message with one search; a string for results is the error code of a failed one."""
    content: object = {"type": "web_search_tool_result_error", "error_code": results}
    if not isinstance(results, str):
        content = [
            {"type": "web_search_result", "encrypted_content": "EqgfCioI", "page_age": None, **r}
            for r in results
        ]
    call = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search"}
    found = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": content}
    return message(
        {"type": "text", "text": "I will search."},
        {**call, "input": {"query": "harbour"}},
        found,
        {"type": "text", "text": "It was dredged.", "citations": list(cited)},
        stop=stop,
    )


def message(*blocks: Fields, stop: str = "end_turn") -> Fields:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-haiku-4-5",
        "content": list(blocks),
        "stop_reason": stop,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
