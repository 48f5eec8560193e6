from collections.abc import Sequence
from types import ModuleType

from .source.json import CiteProcJSON

class CitationStylesStyle:
    def __init__(self, style: str, locale: str | None = ..., validate: bool = ...) -> None: ...

class CitationItem:
    def __init__(self, key: str) -> None: ...

class Citation:
    def __init__(self, cites: Sequence[CitationItem]) -> None: ...

class CitationStylesBibliography:
    def __init__(
        self, style: CitationStylesStyle, source: CiteProcJSON, formatter: ModuleType
    ) -> None: ...
    def register(self, citation: Citation) -> None: ...
    def bibliography(self) -> Sequence[object]: ...
