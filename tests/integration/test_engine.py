"""What every engine keeps to, however often its workers die."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol

import pytest
import sqlalchemy as sa
from foureyes import InputError
from foureyes.base.call_limits import CallLimit
from foureyes.datatypes import LimitName
from foureyes.engine.file_engine import open_engine
from foureyes.engine.model import (
    MAX_ATTEMPTS,
    Engine,
    Job,
    JobEnd,
    JobState,
    JobStatus,
    Serving,
    key_of,
)
from integration import engine_programs
from integration.engine_programs import PROGRAMS, STEPS
from integration.slow_wire import wire
from support.postgres_server import PostgresServer

GROUP = "tests"


@asynccontextmanager
async def opened(url: str) -> AsyncGenerator[Engine]:
    """An engine, closed at the end."""
    engine = await open_engine(url)
    try:
        yield engine
    finally:
        await engine.close()


class StartWorker(Protocol):
    """Starts a worker in a process of its own, which leaves when all jobs have ended."""

    def __call__(self, url: str, name: str, concurrency: int = 4) -> subprocess.Popen[bytes]: ...


@pytest.fixture
def worker() -> Generator[StartWorker]:
    """Starts workers; none outlives a test that fails."""
    started: list[subprocess.Popen[bytes]] = []

    def start(url: str, name: str, concurrency: int = 4) -> subprocess.Popen[bytes]:
        command = [sys.executable, engine_programs.__file__, url, name, GROUP, str(concurrency)]
        started.append(subprocess.Popen(command))
        return started[-1]

    yield start
    for one in started:
        one.kill()
        one.wait(10)


FOLDERS = tempfile.TemporaryDirectory()


def job(id_: str, program: str, payload: str) -> Job:
    """A job with a folder of its own on the disk that all workers share."""
    return Job(id_, program, payload, GROUP, str(Path(FOLDERS.name, secrets.token_hex(8), "work")))


def jobs(program: str, count: int, **payload: object) -> list[Job]:
    """As many jobs with the same payload."""
    return [job(f"job-{at}", program, json.dumps(payload)) for at in range(count)]


async def finished(engine: Engine, *, within: float = 30) -> list[JobState]:
    """The states of all jobs once each has ended."""
    async with asyncio.timeout(within):
        await engine.serve(Serving("closer", group=GROUP), PROGRAMS)
    return [one.state for one in await engine.status(GROUP)]


def lines(path: Path) -> list[str]:
    """The lines of a log."""
    return path.read_text(encoding="utf-8").splitlines()


async def test_each_job_is_run_once_and_its_result_kept(url: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    async with opened(url) as engine:
        await engine.submit(jobs("count", 5, log=str(log)))
        await engine.submit(jobs("count", 6, log=str(log)))
        assert await finished(engine) == [JobState.DONE] * 6
        ends = await engine.ends(GROUP)
    assert [(end.job_id, end.result) for end in ends] == [(f"job-{at}", "21") for at in range(6)]
    assert Counter(lines(log)) == Counter(
        f"job-{at} {step}" for at in range(6) for step in range(STEPS)
    )


async def test_a_fault_of_one_job_leaves_the_others_alone(url: str) -> None:
    async with opened(url) as engine:
        await engine.submit([job("bad", "fail", '"why"'), *jobs("count", 2)])
        states = await finished(engine)
        failed = (await engine.status(GROUP))[0]
    assert states == [JobState.FAILED, JobState.DONE, JobState.DONE]
    assert failed.error == 'ZeroDivisionError: "why"'


@pytest.mark.parametrize(
    "url", ["file", pytest.param("postgresql", marks=pytest.mark.soak)], indirect=True
)
@pytest.mark.parametrize("sizes", [(1, 3), pytest.param((3, 1), marks=pytest.mark.soak)])
async def test_each_worker_runs_as_many_jobs_at_once_as_it_is_told(
    url: str, sizes: tuple[int, int], worker: StartWorker
) -> None:
    told = {f"of-{size}": size for size in sizes}
    async with opened(url) as engine:
        await engine.submit(jobs("count", 6, seconds=60))
        workers = [worker(url, f"of-{sizes[0]}", sizes[0])]
        await running(engine, sizes[0])
        workers.append(worker(url, f"of-{sizes[1]}", sizes[1]))
        await running(engine, sum(sizes))
        await asyncio.sleep(1)
        before = await engine.status(GROUP)
        assert at_work(before) == told
        for one in workers:
            one.kill()
            await asyncio.to_thread(one.wait, 10)
        # Under the names of the dead nobody may seem to have their jobs. Which are begun now is
        # open: who is back first may take one that nobody had.
        workers = [worker(url, name, size) for name, size in told.items()]
        await running(engine, sum(sizes), since=before)
        assert at_work(await engine.status(GROUP)) == told
        await engine.cancel(GROUP)
        for one in workers:
            assert await asyncio.to_thread(one.wait, 30) == 0


def at_work(jobs: Sequence[JobStatus]) -> Counter[str]:
    """How many jobs each worker has under way."""
    return Counter(job.worker for job in jobs if job.state is JobState.RUNNING)


async def test_a_worker_leaves_programs_alone_that_it_does_not_have(url: str) -> None:
    async with opened(url) as engine:
        await engine.submit([*jobs("count", 1), job("other", "unknown", "null")])
        async with asyncio.timeout(30):
            await engine.serve(Serving("one", group=GROUP), PROGRAMS)
        states = [one.state for one in await engine.status(GROUP)]
    assert states == [JobState.DONE, JobState.QUEUED]


async def test_cancelled_jobs_stop_and_finished_ones_stay(url: str) -> None:
    async with opened(url) as engine:
        await engine.submit(jobs("count", 1))
        await finished(engine)
        waiting = [job(f"long-{at}", "count", '{"seconds": 60}') for at in range(3)]
        await engine.submit(waiting)
        serving = asyncio.create_task(
            engine.serve(Serving("one", concurrency=2, group=GROUP), PROGRAMS)
        )
        await running(engine, 2)
        assert await engine.cancel(GROUP) == 3
        async with asyncio.timeout(30):
            await serving
        states = [one.state for one in await engine.status(GROUP)]
        assert await engine.cancel(GROUP) == 0
    assert states == [JobState.DONE] + [JobState.CANCELLED] * 3


SLOW_END = sa.text(
    "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN PERFORM pg_sleep(1.5); RETURN NEW; END $$; "
    "CREATE TRIGGER slow BEFORE UPDATE OF finished ON foureyes.jobs "
    "FOR EACH ROW EXECUTE FUNCTION slow()"
)


async def test_the_end_of_a_cancelled_job_is_told_however_slowly_it_is_kept(database: str) -> None:
    address = sa.make_url(database).set(drivername="postgresql+psycopg")
    told: list[JobEnd] = []
    async with opened(database) as engine:
        await engine.submit([job("long", "count", '{"seconds": 60}')])
        with sa.create_engine(address, poolclass=sa.NullPool).begin() as connection:
            connection.execute(SLOW_END)
        serving = asyncio.create_task(
            engine.serve(Serving("one", group=GROUP), PROGRAMS, told.append)
        )
        await running(engine, 1)
        await engine.cancel(GROUP)
        async with asyncio.timeout(30):
            await serving
    assert [one.state for one in told] == [JobState.CANCELLED]


async def running(engine: Engine, count: int, *, since: Sequence[JobStatus] = ()) -> None:
    """Return when as many jobs are under way that were begun `since`."""
    begun = {job.id: job.attempts for job in since}
    async with asyncio.timeout(60):
        while running_now(await engine.status(GROUP), begun) < count:  # noqa: ASYNC110 - polls
            await asyncio.sleep(0.05)


def running_now(jobs: Sequence[JobStatus], begun: Mapping[str, int]) -> int:
    """How many are under way that were begun more often than `begun` tells."""
    return sum(
        job.state is JobState.RUNNING and job.attempts > begun.get(job.id, 0) for job in jobs
    )


async def test_of_two_workers_with_one_name_the_second_is_refused(url: str) -> None:
    async with opened(url) as engine, opened(url) as second:
        await engine.submit(jobs("count", 1, seconds=0.3))
        first = asyncio.create_task(engine.serve(Serving("same", group=GROUP), PROGRAMS))
        await running(engine, 1)
        with pytest.raises(InputError, match="'same' is at work already"):
            await second.serve(Serving("same", group=GROUP), PROGRAMS)
        await first


async def test_a_worker_that_is_ended_leaves_its_jobs_to_the_next(url: str) -> None:
    async with opened(url) as engine:
        await engine.submit(jobs("count", 1, seconds=0.2))
        for _ in range(MAX_ATTEMPTS + 1):
            serving = asyncio.create_task(engine.serve(Serving("one", group=GROUP), PROGRAMS))
            await asyncio.sleep(0.02)
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
        assert await finished(engine) == [JobState.DONE]


async def test_a_worker_can_be_ended_at_the_moment_when_a_job_ends(tmp_path: Path) -> None:
    loop = asyncio.get_running_loop()
    for turns in range(12):
        async with opened(f"file://{tmp_path}/{turns}") as engine:
            await engine.submit(jobs("count", 1))

            def end(_: JobEnd, left: int = turns) -> None:
                def after(left: int) -> None:
                    if left:
                        loop.call_soon(after, left - 1)
                    else:
                        serving.cancel()  # noqa: B023 - it is called within the turn

                after(left)

            serving = asyncio.create_task(engine.serve(Serving("one"), PROGRAMS, end))
            _, alive = await asyncio.wait([serving], timeout=5)
            serving.cancel()
            assert not alive, turns


@pytest.mark.soak
async def test_a_job_that_kills_its_workers_ends_as_failed(url: str, worker: StartWorker) -> None:
    async with opened(url) as engine:
        await engine.submit(jobs("die", 1))
        for _ in range(MAX_ATTEMPTS):
            program = await asyncio.to_thread(lambda: worker(url, "doomed").wait(30))
            assert program == 3
        assert await finished(engine) == [JobState.FAILED]


async def test_limits_hold_over_all_workers(url: str, tmp_path: Path, worker: StartWorker) -> None:
    log = tmp_path / "log"
    limit = CallLimit(at_once=2, calls=5, seconds=0.5)
    async with opened(url) as engine:
        await engine.limit(LimitName.FETCH, limit)
        await engine.submit(jobs("call", 4, log=str(log), calls=5, seconds=0.02))
        others = [worker(url, f"worker-{at}") for at in range(2)]
        assert await finished(engine) == [JobState.DONE] * 4
        for one in others:
            assert one.wait(30) == 0
    began = sorted(float(line.split()[1]) for line in lines(log) if line.startswith("begin"))
    assert len(began) == 20
    assert all(
        later - first >= limit.seconds
        for first, later in zip(began, began[limit.calls or 0 :], strict=False)
    )
    assert most_at_once(lines(log)) == 2


def most_at_once(log: Sequence[str]) -> int:
    """How many calls were under way at the same time."""
    marks = sorted((float(at), 1 if what == "begin" else -1) for what, at in map(str.split, log))
    most = now = 0
    for _, change in marks:
        now += change
        most = max(most, now)
    return most


async def killed(
    worker: StartWorker, url: str, log: Path, *, count: int, kills: int, seconds: float
) -> Counter[str]:
    """Run jobs on three workers of which one after the other is killed; how often each step ran."""
    chance = random.Random(kills)
    async with opened(url) as engine:
        await engine.submit(jobs("count", count, log=str(log), seconds=seconds))
        workers = {f"worker-{at}": worker(url, f"worker-{at}") for at in range(3)}
        for _ in range(kills):
            await asyncio.sleep(chance.uniform(0.4, 1.2))
            name = chance.choice(sorted(workers))
            workers[name].send_signal(signal.SIGKILL)
            await asyncio.to_thread(workers[name].wait, 10)
            workers[name] = worker(url, name)
        states = await finished(engine, within=120)
        for one in workers.values():
            assert await asyncio.to_thread(one.wait, 60) == 0
    assert states == [JobState.DONE] * count
    return Counter(lines(log))


@pytest.mark.parametrize(
    "url", ["file", pytest.param("postgresql", marks=pytest.mark.soak)], indirect=True
)
async def test_no_job_is_lost_and_no_finished_step_repeated_when_workers_die(
    url: str, tmp_path: Path, worker: StartWorker
) -> None:
    ran = await killed(worker, url, tmp_path / "log", count=12, kills=2, seconds=0.1)
    assert len(ran) == 12 * STEPS
    # A kill can hit each step that is under way, and only those.
    assert sum(ran.values()) - len(ran) <= 2 * Serving("").concurrency * 3


@pytest.mark.soak
async def test_thirty_kills_lose_nothing(url: str, tmp_path: Path, worker: StartWorker) -> None:
    ran = await killed(worker, url, tmp_path / "log", count=400, kills=30, seconds=0.1)
    repeated = sum(ran.values()) - len(ran)
    sys.stdout.write(f"{len(ran)} steps, {repeated} begun again after a kill")
    assert len(ran) == 400 * STEPS
    assert repeated <= 30 * Serving("").concurrency * 3


def kept_by_dbos(connection: sa.Connection) -> dict[str, int]:
    """How many rows each table of DBOS has about workflows, none for those without."""
    named = "SELECT table_name FROM information_schema.columns WHERE table_schema = 'dbos'"
    tables = connection.execute(sa.text(f"{named} AND column_name = 'workflow_uuid'")).scalars()
    counts = {
        table: connection.execute(sa.text(f"SELECT count(*) FROM dbos.{table}")).scalar_one()
        for table in tables
    }
    return {table: count for table, count in counts.items() if count}


async def test_what_dbos_noted_of_ended_jobs_is_removed_and_no_job_runs_again(
    database: str, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    submitted = jobs("count", 3, log=str(log))
    address = sa.make_url(database).set(drivername="postgresql+psycopg")
    behind = sa.create_engine(address, poolclass=sa.NullPool)
    told_to_a_dead_worker = sa.text(
        "UPDATE dbos.workflow_status SET status = 'PENDING', executor_id = 'dead', "
        "completed_at = NULL WHERE workflow_uuid = :key"
    )

    async with opened(database) as engine:
        await engine.submit(submitted)
        await finished(engine)
        with behind.begin() as connection:
            connection.execute(told_to_a_dead_worker, {"key": key_of(GROUP, "job-1")})
            assert kept_by_dbos(connection)["workflow_status"] == 3
        async with asyncio.timeout(30):
            await engine.serve(Serving("one", group="none"), PROGRAMS)
        with behind.begin() as connection:
            assert kept_by_dbos(connection) == {}
        await engine.submit(submitted)
        assert await finished(engine) == [JobState.DONE] * 3
        assert [end.result for end in await engine.ends(GROUP)] == ["21"] * 3
    assert len(lines(log)) == 3 * STEPS


async def test_a_worker_that_died_before_it_could_say_that_a_job_had_ended_leaves_all_it_did(
    database: str, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    (submitted,) = jobs("count", 1, log=str(log))
    address = sa.make_url(database).set(drivername="postgresql+psycopg")
    behind = sa.create_engine(address, poolclass=sa.NullPool)
    async with opened(database) as engine:
        await engine.submit([submitted])
        await finished(engine)
        with behind.begin() as connection:
            connection.execute(sa.text("UPDATE foureyes.jobs SET finished = NULL"))
        assert await finished(engine) == [JobState.DONE]
    assert len(lines(log)) == STEPS
    folder = Path(submitted.folder)
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


@pytest.mark.parametrize("url", ["redis://x", "file://host/folder", "folder"])
async def test_addresses_of_no_engine_are_refused(url: str) -> None:
    with pytest.raises(InputError, match=r"names no folder|is no engine"):
        await open_engine(url)


@pytest.mark.soak
async def test_work_goes_on_when_the_database_is_restarted_under_it(
    postgres: PostgresServer, database: str, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    async with opened(database) as engine:
        await engine.submit(jobs("count", 8, log=str(log), seconds=0.2))
        serving = asyncio.create_task(finished(engine))
        await running(engine, 2)
        await asyncio.to_thread(postgres.stop)
        await asyncio.sleep(1)
        await asyncio.to_thread(postgres.start)
        assert await serving == [JobState.DONE] * 8
    ran = Counter(lines(log))
    assert len(ran) == 8 * STEPS


@pytest.mark.soak
async def test_work_goes_on_when_the_network_is_cut_for_ten_seconds(
    postgres: PostgresServer, database: str, tmp_path: Path, worker: StartWorker
) -> None:
    log = tmp_path / "log"
    with wire(postgres.port) as cable:
        cut_off = database.replace(f":{postgres.port}/", f":{cable.port}/")
        async with opened(database) as engine, opened(cut_off) as behind:
            await engine.submit(jobs("count", 12, log=str(log), seconds=0.3))
            serving = asyncio.create_task(behind.serve(Serving("far", group=GROUP), PROGRAMS))
            other = worker(database, "near")
            await running(engine, 5)
            cable.cut()
            await asyncio.sleep(10)
            cable.mend()
            async with asyncio.timeout(60):
                await serving
            assert await asyncio.to_thread(other.wait, 30) == 0
            assert [one.state for one in await engine.status(GROUP)] == [JobState.DONE] * 12
    ran = Counter(lines(log))
    assert len(ran) == 12 * STEPS
    assert sum(ran.values()) == len(ran)


async def test_what_a_job_of_a_dead_worker_left_is_there_again(
    database: str, worker: StartWorker
) -> None:
    async with opened(database) as engine:
        await engine.submit(jobs("look back", 1))
        doomed = worker(database, "doomed")
        await running(engine, 1)
        await asyncio.sleep(0.5)
        doomed.kill()
        await asyncio.to_thread(doomed.wait, 10)
        again = worker(database, "doomed")
        assert await asyncio.to_thread(again.wait, 60) == 0
        [end] = await engine.ends(GROUP)
    assert json.loads(end.result) == ["what was done", False]


@pytest.mark.soak
async def test_jobs_of_a_dead_worker_are_taken_up_within_thirty_seconds(
    database: str, worker: StartWorker
) -> None:
    async with opened(database) as engine:
        await engine.submit(jobs("count", 2, seconds=0.5))
        doomed = worker(database, "doomed")
        await running(engine, 2)
        doomed.kill()
        await asyncio.to_thread(doomed.wait, 10)
        died = time.monotonic()
        assert await finished(engine, within=60) == [JobState.DONE] * 2
    assert time.monotonic() - died < 30


@pytest.mark.soak
async def test_a_worker_that_was_stopped_for_long_writes_nothing_over_its_successor(
    database: str, tmp_path: Path, worker: StartWorker
) -> None:
    log = tmp_path / "log"
    async with opened(database) as engine:
        await engine.submit(jobs("count", 2, log=str(log), seconds=1))
        frozen = worker(database, "frozen")
        await running(engine, 2)
        frozen.send_signal(signal.SIGSTOP)
        assert await finished(engine, within=60) == [JobState.DONE] * 2
        ends = await engine.ends(GROUP)
        frozen.send_signal(signal.SIGCONT)
        assert await asyncio.to_thread(frozen.wait, 60) == 0
        assert await engine.ends(GROUP) == ends
    assert {end.worker for end in ends} == {"closer"}
