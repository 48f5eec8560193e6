"""foureyes: nothing ships until two independent checkers have approved it.

    import foureyes

    result = foureyes.run_analysis("brief…", sources=["notes/"], with_fact_checker=True)
    report = foureyes.check("report.md", sources=["notes/"])
    review = foureyes.review_document_sync("report.md", yes=True)

The names below are loaded when first used, so that importing the package costs nothing. They are
public, and so are those of `foureyes.datatypes`, to which they lead; what that means is in
`docs/stability.md`. `__init__.pyi` says where each of them is made.
"""

from __future__ import annotations

from .base.stub_names import list_names, load_name

__version__ = "0.1.0"

_STUB = __name__, "__init__.pyi"


def __getattr__(name: str) -> object:
    return __dir__() if name == "__all__" else load_name(*_STUB, name)


def __dir__() -> list[str]:
    return sorted([*list_names(*_STUB), "__version__"])
