from collections.abc import Sequence

class Color:
    alpha: float
    coordinates: Sequence[float | None]
    def to(self, space: str) -> Color: ...

def parse_color(input: str) -> Color | str | None: ...
