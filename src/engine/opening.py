"""An engine by its address."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from ..base.errors import InputError
from .model import Engine


async def open_engine(url: str) -> Engine:
    """The engine at `url`: ``file:///folder`` for this machine.

    Raises:
        InputError: The address is of no engine.
        StorageError: The folder cannot be made.
    """
    parts = urlsplit(url)
    match parts.scheme:
        case "file":
            from pathlib import Path

            from .file_engine import FileEngine

            if parts.netloc not in ("", "localhost") or not parts.path.startswith("/"):
                raise InputError(f"{url!r} names no folder", "write file:///path/to/folder")
            return FileEngine(Path(unquote(parts.path)))
        case _:
            raise InputError(f"{url!r} is no engine", "use file:///path/to/folder")
