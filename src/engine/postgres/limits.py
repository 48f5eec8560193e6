"""Limits over all workers of a database, counted in its rows by its clock."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import sqlalchemy as sa

from ...base.call_limits import CallLimit, LimitName
from ...base.records import from_json, to_json
from .database import Database
from .store import LIVING

_SLACK_S = 0.25
"""How long a call may take to begin after it was counted; windows are that much longer."""
_RETRY_S = 0.1


@dataclass(frozen=True, slots=True)
class _Answer:
    """Whether a call may begin: its place if it has one, else after how many seconds to ask."""

    wait: float = 0.0
    place: int | None = None


class PostgresLimiter:
    """Counts the calls of the worker `worker` among those of all."""

    def __init__(self, database: Database, worker: str) -> None:
        self._database = database
        self._worker = worker

    @asynccontextmanager
    async def call(self, name: LimitName) -> AsyncGenerator[None]:
        """A place for one call, kept while the block runs."""
        # Nobody tells a waiting process that another one's window has moved on.
        while (answer := await self._asked(name)).wait > 0:  # noqa: ASYNC110
            await asyncio.sleep(answer.wait)
        try:
            yield
        finally:
            await self._end(answer)

    async def _asked(self, name: LimitName) -> _Answer:
        """`_begin`; a place that comes too late for a cancelled call is given back."""
        asking = asyncio.ensure_future(self._begin(name))
        try:
            return await asyncio.shield(asking)
        except asyncio.CancelledError:
            await self._end(await asking)
            raise

    async def forget(self) -> None:
        """Give back the places that an earlier process of this name was killed with."""
        mine = {"worker": self._worker}
        await self._database.run(lambda connection: connection.execute(_GIVE_ALL_BACK, mine))

    async def _begin(self, name: LimitName) -> _Answer:
        def work(connection: sa.Connection) -> _Answer:
            # Its row is held until the call is counted, so that no other is counted meanwhile.
            kept = connection.execute(_LIMIT, {"name": name}).scalar_one_or_none()
            limit = from_json(CallLimit, kept) if kept is not None else CallLimit()
            if limit.at_once is not None:
                connection.execute(_FREE, {"name": name})
                if connection.execute(_TAKEN, {"name": name}).scalar_one() >= limit.at_once:
                    return _Answer(wait=_RETRY_S)
            if limit.calls is not None:
                window = {"name": name, "seconds": limit.seconds + _SLACK_S}
                connection.execute(_FORGET, window)
                row = connection.execute(_BEGUN, window | {"last": limit.calls - 1}).one_or_none()
                if row is not None:
                    return _Answer(wait=max(float(row.wait), 0) + _RETRY_S)
                connection.execute(_START, {"name": name})
            if limit.at_once is None:
                return _Answer()
            mine = {"name": name, "worker": self._worker}
            return _Answer(place=int(connection.execute(_TAKE, mine).scalar_one()))

        return await self._database.run(work)

    async def _end(self, answer: _Answer) -> None:
        if answer.place is not None:
            place = {"id": answer.place}
            await self._database.run(lambda connection: connection.execute(_GIVE_BACK, place))


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
