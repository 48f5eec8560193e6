"""The command line: `foureyes`, `python -m foureyes` and `python -m pipeline`."""

from __future__ import annotations

import gc
import sys
from typing import NoReturn

__all__ = ["main"]


_NEW_OBJECTS = 50_000
"""So many between two collections: most of what a command makes lives to its end."""


def main() -> NoReturn:
    """Run the command line of this process and exit; Ctrl-C while it starts is no error."""
    # At 700, the default, a tenth of the time goes into finding nothing.
    gc.set_threshold(_NEW_OBJECTS)
    try:
        # Imported here: it takes most of a second, in which people press Ctrl-C as well.
        from ._app import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)
