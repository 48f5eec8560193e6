from collections.abc import Sequence
from typing import Any

class CiteProcJSON:
    def __init__(self, json_data: Sequence[dict[str, Any]]) -> None: ...
