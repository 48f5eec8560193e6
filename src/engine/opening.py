"""An engine by its address."""

from __future__ import annotations

import importlib.util
import tempfile
from pathlib import Path
from urllib.parse import unquote, urlsplit

from ..base.errors import InputError
from .file_engine import FileEngine
from .model import Engine


async def open_engine(url: str, *, work: Path | None = None) -> Engine:
    """The engine at `url`: ``file:///folder`` for this machine, ``postgresql://…`` for many.

    `work` is the folder in which this machine's workers of a database have their jobs' folders; a
    temporary one if it is None.

    Raises:
        InputError: The address is of no engine, or the extra for it is not installed.
        StorageError: The folder cannot be made, or the database cannot be reached.
    """
    parts = urlsplit(url)
    match parts.scheme:
        case "file":
            if parts.netloc not in ("", "localhost") or not parts.path.startswith("/"):
                raise InputError(f"{url!r} names no folder", "write file:///path/to/folder")
            return FileEngine(Path(unquote(parts.path)))
        case "postgresql" | "postgres":
            if importlib.util.find_spec("dbos") is None:
                raise InputError(
                    "an engine on PostgreSQL needs DBOS", "pip install 'foureyes[dbos]'"
                )
            from .postgres.engine import PostgresEngine

            folder = work or Path(tempfile.mkdtemp(prefix="foureyes-work-"))
            return await PostgresEngine.open(url.replace("postgres://", "postgresql://", 1), folder)
        case _:
            hint = "use file:///path/to/folder or postgresql://host/database"
            raise InputError(f"{parts.scheme or url!r} is no engine", hint)
