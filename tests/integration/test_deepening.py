"""Gaps that a knowledge base closes, through the command, in both profiles of the gate."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from foureyes import verify_pack
from integration.pack_tampering import members, sealed
from support.commands import foureyes_here
from support.runs import GOOD_DRAFT, SOURCE, Outcome, examine, write_case

UNCITED = GOOD_DRAFT.replace(" [1].", ".").replace('year".', 'year" [1].')
URL = "https://arnsund.example/station"
MINUTES = """# Minutes of the council of Arnsund

The council met on a Tuesday and began with the accounts, to which nobody objected. Members were
told that the Arnsund tidal power station began regular service on 4 May 2019. It was noted that
the 24 turbines of the Arnsund tidal power station have an installed capacity of 96 megawatts. The
construction of the Arnsund tidal power station cost $30 billion. A member asked about mussels.
"""
REPORT = """# Report on the Arnsund tidal power station

In the year under review the plant was visited by 3,400 pupils from all parts of the country. The
Arnsund tidal power station began regular service on 4 May 2019. Its 24 turbines have an installed
capacity of 96 megawatts. The construction of the Arnsund tidal power station cost $30 billion.
"""
CITED = """# The tidal power station of Arnsund

## Overview

The Arnsund tidal power station began regular service on 4 May 2019 [1]. Its 24 turbines have an
installed capacity of 96 megawatts [1].

## Cost and ownership

The construction of the Arnsund tidal power station cost $30 billion [1].

## Sources

[1] [Arnsund tidal power station](https://arnsund.example/station)
"""


def know(folder: Path, files: Mapping[str, str]) -> None:
    """Put `files`, published lately, into a knowledge base below `folder`."""
    library = folder / "library"
    library.mkdir()
    for name, text in files.items():
        (library / name).write_text(text, encoding="utf-8")
    listed = "".join(f"- {{file: {name}, published: 2025-12-28}}\n" for name in files)
    (library / "sources.yaml").write_text(listed, encoding="utf-8")
    added = foureyes_here(
        "sources", "index", "library", "--knowledge-base", "kb.sqlite3", cwd=folder
    )
    assert added.returncode == 0, added.stderr


def run(folder: Path, *options: str) -> Outcome:
    return examine(folder, "--search", "knowledge_base", "--knowledge-base", "kb.sqlite3", *options)


def holds(end: Outcome, folder: Path) -> bool:
    """Whether the run's pack holds, checked without the knowledge base."""
    (folder / "kb.sqlite3").unlink()
    return verify_pack(end.run_dir / "evidence_pack.zip").holds


def differing(end: Outcome, member: str, old: str, new: str, desk: Path) -> set[str]:
    """The members in which the run's pack, with `old` in `member` made `new`, does not hold."""
    found = members((end.run_dir / "evidence_pack.zip").read_bytes(), desk)
    found[member] = found[member].replace(f'"{old}"'.encode(), f'"{new}"'.encode())
    changed = desk / "changed.zip"
    changed.write_bytes(sealed(found, end.artefact("run.json")["id"], desk))
    return {difference.member for difference in verify_pack(changed).differences}


def test_what_no_source_was_cited_for_is_found_and_cited(tmp_path: Path) -> None:
    write_case(tmp_path, UNCITED)
    know(tmp_path, {"about.md": SOURCE.replace("Its 24", "The 24")})
    (tmp_path / "sources" / "arnsund.md").write_text(
        'The chief engineer said that "the blades have to be cleaned of mussels twice a year".\n',
        encoding="utf-8",
    )
    end = run(tmp_path)
    queries = end.artefact("verify/iteration_1/deepening_queries.json")["queries"]
    assert queries
    assert {query["priority"] for query in queries} == {"high"}
    asked = end.artefact("iterations/deepening_iteration_1.json")["answers"]
    assert [answer["query"] for answer in asked] == queries
    assert {hit["url"] for answer in asked for hit in answer["hits"]} == {"about.md"}
    revised = (end.run_dir / "iterations" / "analysis_iteration_2.md").read_text(encoding="utf-8")
    assert "about.md" in revised
    assert "96 megawatts" in revised
    assert end.json["approved"]
    # What would make it better still is told after a pass, too.
    summary = (end.run_dir / "summary.md").read_text(encoding="utf-8")
    assert "## Gaps in the evidence" in summary
    assert "deepened" in {event["event"] for event in end.events()}
    assert not (end.run_dir / "verify" / "deepening_queries.json").exists()
    assert holds(end, tmp_path)


def test_research_is_approved_once_two_reliable_sources_more_were_read(tmp_path: Path) -> None:
    write_case(tmp_path, CITED)
    listed = f"- {{file: arnsund.md, url: '{URL}', published: 2025-12-20}}\n"
    (tmp_path / "sources" / "sources.yaml").write_text(listed, encoding="utf-8")
    know(tmp_path, {"minutes.md": MINUTES, "report.md": REPORT})
    end = run(tmp_path, "--research-mode", "frontier")
    first = end.artefact("verify/iteration_1/evidence_gate_result.json")
    assert (first["decision"], first["rule"]) == ("fail", "reliable_ratio")
    found = end.artefact("iterations/recovery_iteration_2.json")["found"]
    assert {source["url"] for source in found} == {"minutes.md", "report.md"}
    assert (end.json["status"], end.json["gate"]["profile"]) == ("approved", "research/frontier")
    assert end.artefact("run.json")["research_mode"] == "frontier"
    entries = end.artefact("verify/claim_ledger.json")["entries"]
    assert {entry["tier"] for entry in entries} == {"VERIFIED"}
    told = (end.run_dir / "summary.md").read_text(encoding="utf-8")
    assert "gate pass (research/frontier)" in told
    assert holds(end, tmp_path)
    assert differing(end, "run.json", "frontier", "discovery", tmp_path) == {"run.json"}
