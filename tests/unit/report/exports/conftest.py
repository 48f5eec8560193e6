"""The document that the exports are made from, checked once."""

from __future__ import annotations

import pytest
from foureyes import CheckResult
from support.ferry import check_draft


@pytest.fixture(scope="session")
def checked(tmp_path_factory: pytest.TempPathFactory) -> CheckResult:
    """The ferry's draft, held against its log."""
    return check_draft(tmp_path_factory.mktemp("ferry"))
