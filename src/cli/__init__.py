"""The command line: `foureyes`, `python -m foureyes` and `python -m pipeline`."""

from .app import main

__all__ = ["main"]
