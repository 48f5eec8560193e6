from collections.abc import Callable
from typing import BinaryIO

class Result:
    value: str

class images:
    @staticmethod
    def img_element(func: Callable[[object], dict[str, str]]) -> Callable[[object], object]: ...

def convert_to_html(
    fileobj: BinaryIO, *, convert_image: Callable[[object], object] = ...
) -> Result: ...
