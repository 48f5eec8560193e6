"""Log lines for people."""

from __future__ import annotations

import pytest
import structlog
from foureyes.base.logs import set_up_logs


@pytest.mark.parametrize(("gaps", "told"), [(["a b", "c"], "gaps='a b, c'"), ([], "gaps=none")])
def test_a_list_is_told_as_people_write_one(
    gaps: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = structlog.get_config()
    set_up_logs()
    try:
        structlog.get_logger().info("scored", gaps=gaps)
    finally:
        structlog.configure(**before)
    assert told in capsys.readouterr().err
