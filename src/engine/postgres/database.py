"""Transactions that outlast a database that is away for a while."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError

from ...base.errors import InputError, StorageError

VERSION = 1
"""Raised when an older program could not work with the tables."""

SCHEMA = f"""
CREATE SCHEMA IF NOT EXISTS foureyes;
CREATE TABLE IF NOT EXISTS foureyes.version (number integer NOT NULL);
INSERT INTO foureyes.version
    SELECT {VERSION} WHERE NOT EXISTS (SELECT 1 FROM foureyes.version);

-- `claim` counts the workers that took the job: what an earlier one writes is refused.
CREATE TABLE IF NOT EXISTS foureyes.jobs (
    key text PRIMARY KEY,
    number bigint GENERATED ALWAYS AS IDENTITY,
    job_group text NOT NULL,
    job text NOT NULL,
    program text NOT NULL,
    cancelled boolean NOT NULL DEFAULT false,
    claim bigint NOT NULL DEFAULT 0,
    releases bigint NOT NULL DEFAULT 0,
    worker text NOT NULL DEFAULT '',
    finished text
);
CREATE INDEX IF NOT EXISTS jobs_by_group ON foureyes.jobs (job_group, number);
CREATE INDEX IF NOT EXISTS jobs_in_turn ON foureyes.jobs (number)
    WHERE finished IS NULL;
CREATE INDEX IF NOT EXISTS jobs_open ON foureyes.jobs (job_group, program) WHERE finished IS NULL;
CREATE TABLE IF NOT EXISTS foureyes.files (
    key text NOT NULL REFERENCES foureyes.jobs ON DELETE CASCADE,
    path text NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (key, path)
);
CREATE TABLE IF NOT EXISTS foureyes.workers (
    name text PRIMARY KEY,
    seen timestamptz NOT NULL
);
CREATE TABLE IF NOT EXISTS foureyes.limits (
    name text PRIMARY KEY,
    call_limit text NOT NULL
);
CREATE TABLE IF NOT EXISTS foureyes.starts (
    name text NOT NULL,
    at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS starts_by_time ON foureyes.starts (name, at);
CREATE TABLE IF NOT EXISTS foureyes.places (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    worker text NOT NULL
);
"""


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

    def close(self) -> None:
        """Close the connections."""
        self._threads.shutdown()
        self.engine.dispose()


def _away(error: DBAPIError) -> bool:
    """Whether the connection is at fault and not the statement."""
    return error.connection_invalidated or isinstance(error, OperationalError | InterfaceError)


def _set_up(connection: sa.Connection) -> int:
    connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _SETTING_UP})
    connection.exec_driver_sql(SCHEMA)
    return int(connection.execute(sa.text("SELECT number FROM foureyes.version")).scalar_one())
