"""Statements of fact without a source: which are findings, and that none goes unlisted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.commands import execute

SOURCE = (
    "# Station\n\nThe station began service on 4 May 2019. It has 24 turbines. It cost 30 million "
    "euros. Karin Solvik designed the turbines.\n"
)
CITED = (
    "The station began service on 4 May 2019 ([s](s.md)). It has 24 turbines ([s](s.md)). It cost "
    "30 million euros ([s](s.md)).\n\n"
)
NAMED = "See /etc/olm/rc. Set max_size. See --all there.\n\n"
SHOWN = "`a b`\n\n`c d`\n\n## Use\n\n"


def checked(folder: Path, text: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    (folder / "s.md").write_text(SOURCE, "utf-8")
    (folder / "d.md").write_text(text, "utf-8")
    execute(["check", str(folder / "d.md"), "--sources", str(folder), "--json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        # In a part that the argument rests on, of a document that cites for the rest.
        (f"# Station\n\n## Overview\n\n{CITED}Shell owns the whole of it.\n", "high"),
        (f"# Station\n\n## History\n\n{CITED}Shell owns the whole of it.\n", "low"),
        ("# Station\n\n## Overview\n\nShell owns the whole of it.\n", "low"),
        # What a source at hand states, and what describes a thing of its own.
        (f"# Station\n\n{CITED}## Conclusion\n\nKarin Solvik designed the turbines.\n", "low"),
        (
            f"# Station\n\n{CITED}`a b`\n\n`c d`\n\n`e f`\n\n## Use\n\nIt takes 40 MiB.\n",
            "low",
        ),
        (f"# Station\n\n{CITED}{SHOWN}It saves 40 % of the time.\n", "low"),
        (f"# Station\n\n{CITED}{SHOWN}The button says “Build it all” there.\n", "low"),
        (f"# Station\n\n{CITED}{NAMED}It saves 40 % of the time.\n", "low"),
        (f"# Station\n\n{CITED}## Notes\n\nThe wall is 40 metres high.\n", "high"),
    ],
)
def test_a_statement_without_a_source_weighs_what_rests_on_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, severity: str
) -> None:
    found = checked(tmp_path, text, capsys)["findings"]
    assert [one["severity"] for one in found if one["type"] == "unsourced"] == [severity]


def test_every_sentence_of_the_body_is_counted_and_what_is_not_checked_is_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (
        f"# Station\n\n{CITED}## View\n\nThis note looks at the station. Berlin lies far away from "
        "Olm. We recommend closing it. I think that it is ugly. Our tests showed a gain of 4%. "
        "Why does it run? The mayor said: “It is a fine old station”.\n\n`x = 3`\n"
    )
    found = checked(tmp_path, text, capsys)
    assert found["sentences"] == {
        "total": 11,
        "roles": {
            "checked": 3,
            "framing": 1,
            "uncited": 1,
            "recommendation": 1,
            "opinion": 1,
            "own_result": 1,
            "excluded": 2,
            "quotation": 1,
        },
        "rules": {"code": 1, "question": 1},
    }
    listed = {one["text"]: one["role"] for one in found["unchecked"]}
    assert len(listed) == 8
    assert listed["Berlin lies far away from Olm."] == "uncited"


def test_a_run_says_what_it_did_not_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.md").write_text(SOURCE, "utf-8")
    Path("d.md").write_text(f"# Station\n\n## History\n\n{CITED}Shell owns it.\n", "utf-8")
    execute(["run", "--draft", "d.md", "--sources", "s.md", "--with-fact-checker", "--quiet"])
    told = capsys.readouterr().out
    line = "4 sentences: 3 with claims that cite a source, 1 statement of fact without a source"
    assert line in told
    assert "1 statement of fact without a source: compared with nothing (line 7)" in told
    (summary,) = Path("runs").glob("*/summary.md")
    assert line in summary.read_text("utf-8")
