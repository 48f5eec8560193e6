"""What no test may do is refused, and fails the test that swallows the refusal."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from support.guard import loopback
from support.tripwire import Tripwire

SESSION = ("claude", "--input-format", loopback.SESSION)
SAFE = {
    "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
    "ANTHROPIC_API_KEY": "sk-ant-dummy",
    "HOME": "/tmp/private",
}


@pytest.fixture
def forgiven() -> Generator[None]:
    """The attempts of a test that makes them on purpose."""
    yield
    loopback.forgive()


def connect(host: str) -> Callable[[], object]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET

    def attempt() -> None:
        with socket.socket(family, socket.SOCK_DGRAM) as udp:
            udp.connect((host, 9))

    return attempt


@pytest.mark.parametrize(
    "attempt",
    [
        connect("192.0.2.1"),
        connect("::ffff:192.0.2.1"),
        connect("10.0.0.1"),
        lambda: socket.getaddrinfo("host.invalid", 80),
    ],
)
@pytest.mark.usefixtures("forgiven")
def test_another_machine_is_refused(attempt: Callable[[], object]) -> None:
    with pytest.raises(loopback.NetworkRefused):
        attempt()
    assert len(loopback.refusals()) == 1


@pytest.mark.parametrize(
    "attempt",
    [connect("127.0.0.1"), connect("::1"), lambda: socket.getaddrinfo("127.0.0.1", 80)],
)
def test_this_machine_is_allowed(attempt: Callable[[], object]) -> None:
    attempt()


@pytest.mark.usefixtures("forgiven")
def test_a_process_started_by_a_test_is_guarded_and_cannot_hide_it() -> None:
    code = """if True:
        import socket
        try:
            socket.getaddrinfo('host.invalid', 80)
        except RuntimeError:
            pass"""
    subprocess.run([sys.executable, "-c", code], check=True)
    assert loopback.refusals() == ["tests may only reach this machine, not 'host.invalid'"]


def test_a_program_that_is_not_python_has_no_way_out(tripwire: Tripwire, isolated: bool) -> None:
    assert os.environ["HTTPS_PROXY"] == os.environ["http_proxy"] == tripwire.url
    udp = ["bash", "-c", "echo >/dev/udp/192.0.2.1/9"]
    run = subprocess.run(udp, capture_output=True, text=True, check=False)
    assert ("unreachable" in run.stderr) == isolated


@pytest.mark.parametrize("name", loopback.CREDENTIALS)
@pytest.mark.usefixtures("forgiven")
def test_a_users_credentials_cannot_be_opened(name: str) -> None:
    for path in (loopback.real_home / name, str(loopback.real_home / name)):
        with pytest.raises(loopback.CredentialsRefused):
            open(path)  # noqa: SIM115, PLW1514 - it must not come to opening


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({}, ""),
        ({"ANTHROPIC_BASE_URL": "http://localhost:1", "ANTHROPIC_API_KEY": "none"}, ""),
        ({"ANTHROPIC_BASE_URL": ""}, "that asks the real provider"),
        ({"ANTHROPIC_BASE_URL": "https://models.example"}, "that asks https://models.example"),
        ({"ANTHROPIC_BASE_URL": "http://127.0.0.1@models.example"}, "that asks"),
        ({"ANTHROPIC_API_KEY": "sk-ant-real"}, "whose ANTHROPIC_API_KEY is no dummy"),
        ({"CLAUDE_CODE_OAUTH_TOKEN": "real"}, "whose CLAUDE_CODE_OAUTH_TOKEN is no dummy"),
        ({"CLAUDE_CODE_USE_BEDROCK": "1"}, "with CLAUDE_CODE_USE_BEDROCK"),
        ({"HOME": str(loopback.real_home)}, "whose home is"),
        ({"HOME": ""}, "whose home is not set"),
        ({"CLAUDE_CONFIG_DIR": str(loopback.real_home / ".claude")}, "whose settings are in"),
    ],
)
def test_a_session_starts_only_where_it_can_reach_no_real_model(
    changes: dict[str, str], problem: str
) -> None:
    found = loopback.session_problem(SESSION, SAFE | changes)
    assert found.startswith(problem)
    assert bool(found) == bool(problem)


@pytest.mark.usefixtures("forgiven")
def test_an_unsafe_session_is_refused_before_it_starts(tmp_path: Path) -> None:
    program = tmp_path / "claude"
    program.write_text("#!/bin/sh\ntouch started\n", encoding="utf-8")
    program.chmod(0o755)
    with pytest.raises(loopback.SessionRefused):
        subprocess.run([program, loopback.SESSION], cwd=tmp_path, check=False)
    assert not (tmp_path / "started").exists()
    assert len(loopback.refusals()) == 1


def test_a_test_that_swallows_a_refusal_fails(tmp_path: Path) -> None:
    test = tmp_path / "test_it.py"
    test.write_text(
        "import socket\n"
        "def test_it():\n"
        "    try:\n"
        "        socket.getaddrinfo('host.invalid', 80)\n"
        "    except RuntimeError:\n"
        "        pass\n",
        encoding="utf-8",
    )
    conftest = Path(__file__).parents[1] / "conftest.py"
    options = [
        "-q",
        "-p",
        "no:langsmith_plugin",
        "-p",
        "no:cacheprovider",
        "--confcutdir",
        str(tmp_path),
        "-p",
        "conftest",
    ]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([str(conftest.parent)])}
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(test)],
        cwd=tmp_path, env=environ, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "host.invalid" in run.stdout
    assert "1 passed, 1 error" in run.stdout


def test_a_run_inherits_no_variable_that_could_hold_a_key() -> None:
    names = {"ANTHROPIC_API_KEY", "CLAUDE_CODE_USE_VERTEX", "MY_SECRET", "OPENAI_BASE_URL"}
    code = f"""if True:
        import os, conftest, pytest
        conftest.pytest_configure(pytest.Config.fromdictargs({{}}, []))
        print({names!r} & set(os.environ), os.environ['HOME'] == {os.environ["HOME"]!r})"""
    environ = {
        **os.environ,
        **dict.fromkeys(names, "real"),
        "PYTHONPATH": str(Path(__file__).parents[1]),
    }
    run = subprocess.run(
        [sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=False
    )
    assert run.stdout == "set() False\n", run.stderr
