"""The token of the HTTP server, and where it listens."""

from __future__ import annotations

from pathlib import Path

import pytest
from foureyes import InputError, SettingsError
from foureyes.mcp_server.http import listen, new_token, token_in


def test_a_missing_token_file_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "private" / "token"
    token = token_in(file)
    assert token_in(file) == token != new_token()
    assert len(token) > 40
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("text", ["short", "x" * 19, "two words of a long enough length", "é" * 30])
def test_what_is_no_token_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "token"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match="holds no token of at least 20 characters"):
        token_in(file)


def test_a_port_that_is_taken_is_told_of() -> None:
    with listen(0) as first:
        host, port = first.getsockname()
        assert host == "127.0.0.1"
        with pytest.raises(InputError, match=f"port {port} cannot be had"):
            listen(port)
