"""Limits over all workers of a database, counted in its rows by its clock."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

import sqlalchemy as sa

from ...base.call_limits import SLACK_S, CallLimit, LimitName
from ...base.files import from_json, to_json
from .database import Database
from .store import LIVING

_RETRY_S = 0.1


class PostgresLimiter:
    """Counts the calls of the worker `worker` among those of all."""

    def __init__(self, database: Database, worker: str) -> None:
        self._database = database
        self._worker = worker

    @asynccontextmanager
    async def place(self, name: LimitName) -> AsyncGenerator[None]:
        """As `CallLimiter.place`."""
        while (place := await self._asked(name)) is None:  # noqa: ASYNC110 - held by processes
            await asyncio.sleep(_RETRY_S)
        try:
            yield
        finally:
            await self._give_back(place)

    async def begin(self, name: LimitName) -> None:
        """As `CallLimiter.begin`."""
        # Nobody tells a waiting process that another one's window has moved on.
        while (wait := await self._begin(name)) > 0:  # noqa: ASYNC110
            await asyncio.sleep(wait)

    async def _asked(self, name: LimitName) -> int | None:
        """`_take`; a place that comes too late for a cancelled call is given back."""
        asking = asyncio.ensure_future(self._take(name))
        try:
            return await asyncio.shield(asking)
        except asyncio.CancelledError:
            place = await asking
            if place is not None:
                await self._give_back(place)
            raise

    async def forget(self) -> None:
        """Give back the places that an earlier process of this name was killed with."""
        mine = {"worker": self._worker}
        await self._database.run(lambda connection: connection.execute(_GIVE_ALL_BACK, mine))

    async def _take(self, name: LimitName) -> int | None:
        """A place, 0 where there is no limit; None if all are taken."""

        def work(connection: sa.Connection) -> int | None:
            at_once = _locked_limit(connection, name).at_once
            if at_once is None:
                return 0
            connection.execute(_FREE, {"name": name})
            if connection.execute(_TAKEN, {"name": name}).scalar_one() >= at_once:
                return None
            mine = {"name": name, "worker": self._worker}
            return int(connection.execute(_TAKE, mine).scalar_one())

        return await self._database.run(work)

    async def _begin(self, name: LimitName) -> float:
        """0 if a call may begin now, which is then counted; else the seconds until one may."""

        def work(connection: sa.Connection) -> float:
            limit = _locked_limit(connection, name)
            if limit.calls is None:
                return 0
            window = {"name": name, "seconds": limit.seconds + SLACK_S[name]}
            connection.execute(_FORGET, window)
            row = connection.execute(_BEGUN, window | {"last": limit.calls - 1}).one_or_none()
            if row is not None:
                return max(float(row.wait), 0) + _RETRY_S
            connection.execute(_START, {"name": name})
            return 0

        return await self._database.run(work)

    async def _give_back(self, place: int) -> None:
        if place:
            row = {"id": place}
            await self._database.run(lambda connection: connection.execute(_GIVE_BACK, row))


def _locked_limit(connection: sa.Connection, name: LimitName) -> CallLimit:
    """The limit; its row is held until the call is counted, so that no other is meanwhile."""
    kept = connection.execute(_LIMIT, {"name": name}).scalar_one_or_none()
    return from_json(CallLimit, kept) if kept is not None else CallLimit()


async def known_limits(database: Database) -> Mapping[LimitName, CallLimit]:
    """The limits in force."""

    def work(connection: sa.Connection) -> Mapping[LimitName, CallLimit]:
        return {name: _locked_limit(connection, name) for name in LimitName}

    return await database.run(work)


async def set_limit(database: Database, name: LimitName, limit: CallLimit) -> None:
    """Keep `limit` for all workers."""
    row = {"name": name, "call_limit": to_json(CallLimit, limit, indent=None)}
    await database.run(lambda connection: connection.execute(_SET, row))


_SET = sa.text(
    "INSERT INTO foureyes.limits (name, call_limit) VALUES (:name, :call_limit) "
    "ON CONFLICT (name) DO UPDATE SET call_limit = EXCLUDED.call_limit"
)
_LIMIT = sa.text("SELECT call_limit FROM foureyes.limits WHERE name = :name FOR UPDATE")
_FREE = sa.text(
    "DELETE FROM foureyes.places WHERE name = :name AND NOT EXISTS "
    f"(SELECT 1 FROM foureyes.workers WHERE workers.name = worker AND {LIVING})"
)
_TAKEN = sa.text("SELECT count(*) FROM foureyes.places WHERE name = :name")
_TAKE = sa.text("INSERT INTO foureyes.places (name, worker) VALUES (:name, :worker) RETURNING id")
_GIVE_BACK = sa.text("DELETE FROM foureyes.places WHERE id = :id")
_FORGET = sa.text(
    "DELETE FROM foureyes.starts "
    "WHERE name = :name AND at <= clock_timestamp() - make_interval(secs => :seconds)"
)
_BEGUN = sa.text(
    "SELECT extract(epoch FROM at - clock_timestamp()) + :seconds AS wait FROM foureyes.starts "
    "WHERE name = :name ORDER BY at DESC OFFSET :last LIMIT 1"
)
_START = sa.text("INSERT INTO foureyes.starts (name, at) VALUES (:name, clock_timestamp())")
_GIVE_ALL_BACK = sa.text("DELETE FROM foureyes.places WHERE worker = :worker")
