"""The command line: `foureyes`, `python -m foureyes` and `python -m pipeline`."""

from __future__ import annotations

import sys
from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command line of this process and exit; Ctrl-C while it starts is no error."""
    try:
        # Imported here: it takes most of a second, in which people press Ctrl-C as well.
        from .app import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)
