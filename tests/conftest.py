"""For every test: no network but loopback, no key, no model setting, no home of a real user.

Each of these holds by more than one means. The kernel takes this process and all its children off
the network; where it may not, Python processes refuse by themselves and other programs are sent to
a proxy that serves nothing. Whatever is refused or arrives there fails the test in which it
happened, and so does a session of the CLI that could reach a real model.
"""

from __future__ import annotations

import atexit
import gc
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest
import structlog

if "loopback" in sys.modules:
    # A worker of the test run is a child, too: it was given the guard at its start.
    sys.modules["support.guard.loopback"] = sys.modules["loopback"]

from support.guard import loopback
from support.guard.isolation import isolate
from support.tripwire import Tripwire

INHERITED = re.compile(
    r"PATH|PWD|USER|LOGNAME|SHELL|TERM|TZ|LANG|LANGUAGE|LC_\w+|TMPDIR|TEMP|TMP|CI|LD_LIBRARY_PATH"
    r"|SYSTEMROOT|VIRTUAL_ENV|(PYTHON|PYTEST_|COV_|COVERAGE_|HYPOTHESIS_)\w*"
)
"""All that tests get of the environment; a key may stand under any other name."""
SUPPORT = Path(__file__).parent / "support"
EXAMPLES = {"few": 25, "many": 500}
"""Examples of each property-based test: by default, and under `--hypothesis-profile=many`."""
SOAK_S = 1800
"""How long a test may take that is marked as soak and names no limit of its own."""
WIRE = pytest.StashKey[Tripwire]()
ISOLATED = pytest.StashKey[bool]()


def pytest_configure(config: pytest.Config) -> None:
    """Scrub this process, and through its environment every process that a test starts."""
    gc.disable()  # until the tests are collected
    for name in [name for name in os.environ if not INHERITED.fullmatch(name)]:
        del os.environ[name]
    if hasattr(config, "workerinput"):
        # Workers are measured; the hundreds of processes that tests start would take ten minutes
        # longer for one line in a hundred.
        for name in [name for name in os.environ if name.startswith("COVERAGE_")]:
            del os.environ[name]
    import hypothesis

    # Each test has a time limit; how long one example takes says more about the machine.
    for profile, examples in EXAMPLES.items():
        hypothesis.settings.register_profile(profile, deadline=None, max_examples=examples)
    hypothesis.settings.load_profile(config.getoption("--hypothesis-profile", None) or "few")
    config.stash[ISOLATED] = isolate()
    wire = config.stash[WIRE] = Tripwire()
    home = tempfile.mkdtemp(prefix="foureyes-home-")
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    os.environ.update(
        HOME=home,
        XDG_CONFIG_HOME=f"{home}/.config",
        # The reader's scores are keyed by what they are computed from: later runs may have them.
        XDG_CACHE_HOME=_scores(config) or f"{home}/.cache",
        XDG_DATA_HOME=f"{home}/.local/share",
        # A port that a later test takes over must not be answered from an earlier one.
        FOUREYES_SOURCE_CACHE="none",
        PYTHONPATH=str(SUPPORT / "guard"),
        NO_COLOR="1",
        **{loopback.LOG_VARIABLE: f"{home}/refused.log"},
        **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), wire.url),
        **dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost,::1"),
    )
    loopback.install()


def pytest_collection_finish() -> None:
    """Leave what was collected, a million objects, out of each search for garbage."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 50)


def _scores(config: pytest.Config) -> str:
    """Where scores are kept between runs, "" if pytest is told to keep nothing."""
    cache: pytest.Cache | None = getattr(config, "cache", None)
    return str(cache.mkdir("scores")) if cache else ""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give full counts the time that they need, whoever runs them and whatever else runs."""
    for item in items:
        if item.get_closest_marker("soak") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(SOAK_S))


def pytest_report_header(config: pytest.Config) -> str:
    """How tests are kept from the network."""
    if config.stash[ISOLATED]:
        return "network: none but loopback, held by the kernel"
    return "network: none but loopback, held by Python's audit hooks and a proxy"


@pytest.fixture(scope="session")
def isolated(pytestconfig: pytest.Config) -> bool:
    """Whether the kernel keeps everything off the network."""
    return pytestconfig.stash[ISOLATED]


@pytest.fixture(scope="session")
def tripwire(pytestconfig: pytest.Config) -> Tripwire:
    """The proxy that must stay unused."""
    return pytestconfig.stash[WIRE]


@pytest.fixture(autouse=True)
def stays_on_this_machine(tripwire: Tripwire) -> Generator[None]:
    """Fail a test in which something was refused, even if its process swallowed the refusal."""
    loopback.forgive()
    yield
    assert loopback.refusals() == []
    assert tripwire.calls == []


@pytest.fixture
def uncounted() -> Generator[None]:
    """Have coverage count no lines: that takes longer than most of what has a time limit."""
    counter = sys.gettrace()
    sys.settrace(None)
    yield
    sys.settrace(counter)


@pytest.fixture(autouse=True)
def logs_are_nobodys() -> Generator[None]:
    """A test that sets up the log would leave the next one its closed stream."""
    yield
    structlog.reset_defaults()
