"""Limits over all workers as rows, by the clock of the database."""

from __future__ import annotations

import sqlalchemy as sa

from ...base.call_limits import SLACK_S, CallLimit, LimitName
from ...base.files import from_json
from .database import LIVING, Database

_RETRY_S = 0.1
SET_LIMIT = sa.text(
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
_GIVE_ALL_BACK = sa.text("DELETE FROM foureyes.places WHERE worker = :worker")
_FORGET = sa.text(
    "DELETE FROM foureyes.starts "
    "WHERE name = :name AND at <= clock_timestamp() - make_interval(secs => :seconds)"
)
_BEGUN = sa.text(
    "SELECT extract(epoch FROM at - clock_timestamp()) + :seconds AS wait FROM foureyes.starts "
    "WHERE name = :name ORDER BY at DESC OFFSET :last LIMIT 1"
)
_START = sa.text("INSERT INTO foureyes.starts (name, at) VALUES (:name, clock_timestamp())")


class RowCounts:
    """Counts the calls of the worker `worker` among those of all."""

    def __init__(self, database: Database, worker: str) -> None:
        self._database = database
        self._worker = worker

    async def forget(self) -> None:
        """Give back the places that an earlier process of this name was killed with."""
        await self._database.change(_GIVE_ALL_BACK, worker=self._worker)

    async def take(self, name: LimitName) -> int | None:
        """As `CallCounts.take`: the number of a place, 0 where there is no limit."""

        def work(connection: sa.Connection) -> int | None:
            at_once = locked_limit(connection, name).at_once
            if at_once is None:
                return 0
            connection.execute(_FREE, {"name": name})
            if connection.execute(_TAKEN, {"name": name}).scalar_one() >= at_once:
                return None
            mine = {"name": name, "worker": self._worker}
            return int(connection.execute(_TAKE, mine).scalar_one())

        return await self._database.run(work)

    async def give_back(self, place: int) -> None:
        """As `CallCounts.give_back`."""
        if place:
            await self._database.change(_GIVE_BACK, id=place)

    async def count(self, name: LimitName) -> float:
        """As `CallCounts.count`."""

        def work(connection: sa.Connection) -> float:
            limit = locked_limit(connection, name)
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


def locked_limit(connection: sa.Connection, name: LimitName) -> CallLimit:
    """The limit; its row is held until the call is counted, so that no other is meanwhile."""
    kept = connection.execute(_LIMIT, {"name": name}).scalar_one_or_none()
    return from_json(CallLimit, kept) if kept is not None else CallLimit()
