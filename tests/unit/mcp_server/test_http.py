"""The token of the HTTP server, and where it listens."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from foureyes.mcp_server.http import token_in
from support.commands import execute
from support.mcp_kit import http_server


def test_a_missing_token_file_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "private" / "token"
    with http_server("--token-file", file, folder=tmp_path) as server:
        assert server.token == f"in {file}"
    token = file.read_text(encoding="utf-8")
    assert len(token.strip()) > 40
    assert file.stat().st_mode & 0o777 == 0o600
    assert token_in(file) == token.strip()
    assert token_in(tmp_path / "other") != token.strip()


@pytest.mark.parametrize("text", ["short", "x" * 19, "two words of a long enough length", "é" * 30])
def test_what_is_no_token_is_refused(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "token"
    file.write_text(text, encoding="utf-8")
    assert execute(["serve", "mcp", "--http", "--token-file", str(file)]) == 4
    assert "holds no token of at least 20 characters" in capsys.readouterr().err


def test_a_port_that_is_taken_is_told_of(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as first:
        port = first.getsockname()[1]
        assert execute(["serve", "mcp", "--http", "--port", str(port)]) == 4
    assert f"port {port} cannot be had" in capsys.readouterr().err
