from collections.abc import Sequence

from .ast import Node

def parse_stylesheet(
    input: str, skip_comments: bool = False, skip_whitespace: bool = False
) -> list[Node]: ...
def parse_blocks_contents(
    input: str | Sequence[Node], skip_comments: bool = False, skip_whitespace: bool = False
) -> list[Node]: ...
def serialize(nodes: Sequence[Node]) -> str: ...
