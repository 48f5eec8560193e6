"""A gate policy of your own: it may lower the answer of the evidence gate, and never raise it."""

from pathlib import Path

from foureyes import GateCase, GateDecision, GateObjection, Stance, run_analysis

SOURCE = "The Arnsund tidal power station began regular service on 4 May 2019.\n"
DRAFT = """# The station of Arnsund

The Arnsund tidal power station began regular service on 4 May 2019 ([report](report.md)).
"""


def two_sources(case: GateCase) -> GateObjection | None:
    """Leave a draft to a person if a claim rests on fewer than two sources."""
    thin = [
        entry.text
        for entry in case.ledger.entries
        if len({one.url for one in entry.evidence if one.stance is Stance.SUPPORTS}) < 2
    ]
    if not thin:
        return None
    return GateObjection(
        GateDecision.PENDING_REVIEW,
        reason=f"claims that rest on one source: {len(thin)}",
        would_change="a second source for each claim",
    )


if __name__ == "__main__":
    Path("station").mkdir(exist_ok=True)
    Path("station/report.md").write_text(SOURCE, encoding="utf-8")
    result = run_analysis(
        draft=DRAFT, sources=["station"], with_fact_checker=True, gate_policy=two_sources
    )
    print(result.status, result.exit_code.name, sep=", exit code ")
    print(result.reason)
