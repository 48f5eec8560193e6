"""The types that the public names of `foureyes` lead to: for annotations.

Records, vocabularies and protocols, each under the name that it has where it is made. They are
loaded when first used, and declared in `datatypes.pyi`. A test holds that nothing is missing and
nothing needless is there.
"""

from __future__ import annotations

from .base.stub_names import list_names, load_name

_STUB = __name__.rpartition(".")[0], "datatypes.pyi"


def __getattr__(name: str) -> object:
    return list_names(*_STUB) if name == "__all__" else load_name(*_STUB, name)


def __dir__() -> list[str]:
    return list_names(*_STUB)
