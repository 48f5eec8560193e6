from collections.abc import Sequence

class Color:
    space: str
    alpha: float
    coordinates: Sequence[float | None]
    def __init__(self, space: str, coordinates: Sequence[float | None], alpha: float) -> None: ...
    def to(self, space: str) -> Color: ...

def parse_color(input: str) -> Color | str | None: ...
