"""For every test: no network but loopback, no key, no model setting, no home of a real user."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest
import structlog
from support.guard import loopback

OUTSIDE = re.compile(
    r"^(ANTHROPIC|CLAUDE|FOUREYES|OPENAI|AWS|GOOGLE|GEMINI|AZURE|MISTRAL|TAVILY|BRAVE)_"
    r"|^CLAUDECODE$|(_API_KEY|_AUTH_TOKEN|_ACCESS_TOKEN)$|_proxy$",
    re.IGNORECASE,
)
SUPPORT = Path(__file__).parent / "support"


def pytest_configure() -> None:
    """Scrub this process, and through its environment every process that a test starts."""
    for name in [name for name in os.environ if OUTSIDE.search(name)]:
        del os.environ[name]
    home = tempfile.mkdtemp(prefix="foureyes-home-")
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    os.environ.update(
        HOME=home,
        XDG_CONFIG_HOME=f"{home}/.config",
        XDG_CACHE_HOME=f"{home}/.cache",
        XDG_DATA_HOME=f"{home}/.local/share",
        # A port that a later test takes over must not be answered from an earlier one.
        FOUREYES_SOURCE_CACHE="none",
        PYTHONPATH=str(SUPPORT / "guard"),
        NO_COLOR="1",
    )
    loopback.install()


@pytest.fixture(autouse=True)
def stays_on_this_machine() -> Generator[None]:
    """Fail a test that tried to leave this machine, even if it swallowed the refusal."""
    before = len(loopback.refused)
    yield
    assert loopback.refused[before:] == []


@pytest.fixture(autouse=True)
def logs_are_nobodys() -> Generator[None]:
    """A test that sets up the log would leave the next one its closed stream."""
    yield
    structlog.reset_defaults()
