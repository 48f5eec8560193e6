class Node:
    # What a node has depends on its type, which `type` names.
    type: str
    name: str
    lower_name: str
    lower_at_keyword: str
    important: bool
    value: list[Node]
    prelude: list[Node]
    content: list[Node] | None
