"""The documentation tells the truth: what it shows runs, and its site builds without a warning."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.pages import DOCS, blocks, comparable, pages, problems, ran


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(DOCS)))
def test_a_page_shows_what_happens_or_make_docs_was_forgotten(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert [f"line {b.line}: {said}" for b in blocks(text) for said in problems(b)] == []
    assert comparable(ran(text, tmp_path).text) == comparable(text)
