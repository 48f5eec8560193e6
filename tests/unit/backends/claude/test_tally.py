from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from claude_agent_sdk import (
    AssistantMessage,
    ResultMessage,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
    UserMessage,
)
from foureyes.backends.claude._tally import Tally
from foureyes.datatypes import ModelPrice

ONE, TWO = Path("/turn/part-1.md"), Path("/turn/part-2.md")
TEXTS = {ONE: "first\r\nsecond\n\nfourth line\n", TWO: "other"}
SIZE = len("firstsecondfourth lineother")
READ = "Read"


def tally(texts: dict[Path, str] | None = None) -> Tally:
    return Tally(TEXTS if texts is None else texts, "claude-sonnet-4-5")


def answer(name: str = "", number: int = 0, model: str = "claude-sonnet-4-5") -> AssistantMessage:
    blocks = [ToolUseBlock(f"call-{number}", name, {})] if name else []
    return AssistantMessage(list(blocks), model, message_id=f"message-{number}")


def given(path: Path, text: str, start: int = 1, *, error: bool = False) -> UserMessage:
    """The result of a read, as the CLI reports it."""
    file = {"filePath": str(path), "content": text, "startLine": start, "numLines": 1}
    block = ToolResultBlock("call-0", text, is_error=error)
    return UserMessage([block], tool_use_result={"type": "text", "file": file})


def result(cost: float | None) -> ResultMessage:
    return ResultMessage("success", 1, 1, False, 1, "s", total_cost_usd=cost)


READINGS: dict[str, tuple[list[UserMessage], str]] = {
    "nothing": ([], ""),
    "one file of two": ([given(ONE, TEXTS[ONE])], "firstsecondfourth line"),
    "both": ([given(ONE, TEXTS[ONE]), given(TWO, "other")], "firstsecondfourth lineother"),
    "line ends as the CLI gives them": ([given(ONE, "first\nsecond")], "firstsecond"),
    "two parts that meet": (
        [given(ONE, "first\nsecond"), given(ONE, "\nfourth line", 3)],
        "firstsecondfourth line",
    ),
    "parts that overlap count once": (
        [given(ONE, "first\nsecond"), given(ONE, "second\n\nfourth line", 2)],
        "firstsecondfourth line",
    ),
    "the same part again": ([given(ONE, "first"), given(ONE, "first")], "first"),
    "a failed read": ([given(ONE, TEXTS[ONE], error=True)], ""),
    "a line cut short": ([given(ONE, "first\nsecond\n\nfourth…")], "firstsecond"),
    "lines that are not there": ([given(ONE, "first", 40)], ""),
    "another text at that place": ([given(ONE, "first\nthird")], "first"),
    "a file that is not measured": ([given(Path("/turn/form.json"), "first")], ""),
    "a place out of count": ([given(ONE, "first", 2)], ""),
}


@pytest.mark.parametrize(("messages", "seen"), READINGS.values(), ids=READINGS.keys())
def test_what_was_given_whole_is_covered(messages: list[UserMessage], seen: str) -> None:
    counted = tally()
    counted.observe(answer(READ))
    for message in messages:
        counted.observe(message)
    assert counted.read_coverage() == pytest.approx(len(seen) / SIZE)


def test_only_a_read_covers_what_it_gives() -> None:
    counted = tally()
    counted.observe(answer("mcp__foureyes__fetch_source"))
    counted.observe(given(TWO, "other"))
    assert counted.read_coverage() == 0.0


def test_a_result_of_another_form_covers_nothing() -> None:
    counted = tally()
    counted.observe(answer(READ))
    block = ToolResultBlock("call-0", "unchanged")
    others: list[dict[str, object] | None] = [None, {}, {"file": "first"}, {"file": {"x": 1}}]
    for other in others:
        counted.observe(UserMessage([block], tool_use_result=other))
    assert counted.read_coverage() == 0.0


@pytest.mark.parametrize("texts", [{}, {ONE: ""}, {ONE: "\n\n"}])
def test_where_there_is_nothing_to_read_all_is_read(texts: dict[Path, str]) -> None:
    assert tally(texts).read_coverage() == 1.0


@pytest.mark.parametrize(
    ("messages", "cost"),
    [
        ([], Decimal(0)),
        ([result(0.0)], Decimal(0)),
        ([result(0.0125)], Decimal("0.012500")),
        ([answer(), result(0.0125)], Decimal("0.012500")),
        ([answer()], None),
        ([answer(), result(None)], None),
        ([answer(model="llama-4"), result(0.0125)], None),
        ([answer(model="<synthetic>"), result(0.0)], Decimal(0)),
    ],
)
def test_the_cost_is_what_the_cli_bills_where_it_knows_the_price(
    messages: list[AssistantMessage | ResultMessage], cost: Decimal | None
) -> None:
    counted = tally()
    for message in messages:
        counted.observe(message)
    assert counted.usage(1.0).cost_usd == cost


PRICE = ModelPrice(
    input=Decimal(2), output=Decimal(10), cache_read=Decimal("0.5"), cache_write=Decimal(4)
)


def test_a_price_of_the_users_own_goes_before_the_bill() -> None:
    counted = Tally({}, "llama-4", PRICE)
    counted.observe(answer(model="llama-4"))
    used = {"input_tokens": 100_000, "output_tokens": 10_000, "cache_read_input_tokens": 200_000,
            "cache_creation_input_tokens": 50_000}  # fmt: skip
    counted.observe(replace(result(99.0), usage=used))
    assert counted.usage(1.0).cost_usd == Decimal("0.2") + Decimal("0.1") * 2 + Decimal("0.2")


def test_what_broke_off_cost_at_most_its_input_and_half_its_characters() -> None:
    counted = Tally({}, "llama-4", PRICE)
    assert counted.usage(1.0).cost_usd == 0
    for text in ("x" * 1998, "y" * 998):
        block = TextBlock(text)
        counted.observe(
            AssistantMessage([block], "llama-4", message_id="m", usage={"input_tokens": 1000})
        )
    assert counted.usage(1.0).cost_usd == Decimal("0.017")


def test_a_bill_of_a_model_without_a_price_is_unknown() -> None:
    counted = Tally({}, "llama-4")
    counted.observe(result(0.5))
    assert counted.usage(1.0).cost_usd is None
