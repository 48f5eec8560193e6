"""YAML as any reader of it takes it."""

from __future__ import annotations

from typing import Any

from ruamel.yaml import YAML


def read_yaml(text: str) -> Any:
    """The value of `text`."""
    loader: Any = YAML(typ="safe")
    return loader.load(text)
