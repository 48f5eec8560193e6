"""Engines for tests: a folder, or a database of a PostgreSQL server of the tests' own."""

from __future__ import annotations

import itertools
from collections.abc import Generator
from pathlib import Path

import pytest
from support.postgres_server import PostgresServer

NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def postgres() -> Generator[PostgresServer]:
    """A server for all tests; each has a database of its own."""
    server = PostgresServer()
    yield server
    server.close()


@pytest.fixture
def database(postgres: PostgresServer) -> str:
    """The address of a database that nobody else uses."""
    return postgres.database(f"test{next(NUMBERS)}")


@pytest.fixture(params=["file", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an engine that nobody else uses."""
    if request.param == "file":
        return f"file://{tmp_path}/engine"
    return request.getfixturevalue("database")
