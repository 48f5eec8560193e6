"""Transactions that outlast a database that is away for a while."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError

from ...base.errors import InputError, StorageError

BEAT_S = 2.0
"""How often a worker tells that it lives."""
STALE_S = 15.0
"""After how long a silent worker counts as dead."""
LIVING = f"seen > clock_timestamp() - interval '{STALE_S} seconds'"
"""Of a row of workers."""

VERSION = 1
"""Raised when an older program could not work with the tables."""

_SCHEMA = Path(__file__).with_name("schema.sql")
_NUMBER = sa.text(
    "INSERT INTO foureyes.version SELECT :number WHERE NOT EXISTS (SELECT 1 FROM foureyes.version)"
)


T = TypeVar("T")

PATIENCE_S = 60.0
"""For how long work waits for a database that cannot be reached."""
_RETRY_S = 0.3
_CONNECTIONS = 6
_SETTING_UP = 0x666F7572
"""Advisory lock: of several workers that start at once one makes the tables."""


class Database:
    """The database at `url`, whose tables are made if they are not there.

    `patience_s` is how long a transaction is tried again while the database cannot be reached.
    """

    def __init__(self, url: str, *, patience_s: float = PATIENCE_S) -> None:
        self.url = url
        self._patience_s = patience_s
        # Its own threads: those of the loop belong to DBOS while it is there.
        self._threads = ThreadPoolExecutor(_CONNECTIONS, "foureyes-database")
        try:
            address = sa.make_url(url)
        except ArgumentError:
            raise InputError(
                "the address of the database cannot be read",
                "write postgresql://user:password@host/database",
            ) from None
        self.shown = address.set(query={}).render_as_string(hide_password=True)
        self.engine = sa.create_engine(
            address.set(drivername="postgresql+psycopg"),
            pool_size=_CONNECTIONS,
            # A connection that a restarted server has dropped is replaced before it is used.
            pool_pre_ping=True,
            connect_args={"connect_timeout": 5, "tcp_user_timeout": 20_000},
        )

    async def open(self) -> None:
        """Make the tables.

        Raises:
            InputError: The database refuses, or is of a newer version.
            StorageError: It cannot be reached.
        """
        found = await self.run(_set_up)
        if found > VERSION:
            raise InputError(
                f"the tables in {self.shown} are of a newer version ({found}, known {VERSION})",
                "update foureyes",
            )

    async def run(self, work: Callable[[sa.Connection], T]) -> T:
        """Run `work` in a transaction, in a thread of its own.

        `work` is called again if the connection breaks, also when it breaks at the commit: it must
        come to the same if it is done twice.

        Raises:
            StorageError: The database could not be reached for `patience_s`.
        """
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self.run_here, work)

    def run_here(self, work: Callable[[sa.Connection], T]) -> T:
        """`run` in this thread."""
        until = time.monotonic() + self._patience_s
        while True:
            try:
                with self.engine.begin() as connection:
                    return work(connection)
            except DBAPIError as error:
                if not _away(error):
                    raise
                if time.monotonic() > until:
                    reason = " ".join(str(error.orig).split())[:200]
                    raise StorageError(
                        f"the database {self.shown} cannot be reached: {reason}",
                        "start it, or check the address; nothing finished is lost",
                    ) from error
                time.sleep(_RETRY_S)

    async def change(self, statement: sa.TextClause, **values: object) -> int:
        """Execute a statement; how many rows it touched."""
        return await self.run(lambda connection: connection.execute(statement, values).rowcount)

    async def rows(self, statement: sa.TextClause, **values: object) -> Sequence[sa.Row[Any]]:
        """The rows that a statement returns."""
        return await self.run(lambda connection: connection.execute(statement, values).all())

    def close(self) -> None:
        """Close the connections."""
        self._threads.shutdown()
        self.engine.dispose()


def _away(error: DBAPIError) -> bool:
    """Whether the connection is at fault and not the statement."""
    return error.connection_invalidated or isinstance(error, OperationalError | InterfaceError)


def _set_up(connection: sa.Connection) -> int:
    connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _SETTING_UP})
    connection.exec_driver_sql(_SCHEMA.read_text("utf-8"))
    connection.execute(_NUMBER, {"number": VERSION})
    return int(connection.execute(sa.text("SELECT number FROM foureyes.version")).scalar_one())
