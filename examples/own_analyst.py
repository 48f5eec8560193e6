"""An analyst and a judge of your own in place of ours; critics, gate and record stay."""

from datetime import UTC, datetime
from pathlib import Path

import foureyes
from foureyes import Analysis, Judgement, Recommendation, Success

REPORT = "The Arnsund station opened on 4 May 2019. It cost $30 billion.\n"


class Template:
    """Fills a sentence, and leaves out on revision whatever was found fault with."""

    async def write(self, work: foureyes.DraftWork) -> Success[Analysis]:
        """The next draft."""
        facts = ["The station opened on 4 May 2019", "It cost $50 billion"]
        wrong = " ".join(finding.claim for finding in work.findings)
        kept = [f"{fact} ([report](report.md))." for fact in facts if fact not in wrong]
        return Success(Analysis(markdown="# Arnsund\n\n" + " ".join(kept) + "\n"))


class Brevity:
    """Approves what is short."""

    async def judge(self, work: foureyes.JudgeWork) -> Success[Judgement]:
        """The judgement on the delivered draft."""
        words = len(work.inputs.draft.split())
        vote = Recommendation.APPROVE if words < 50 else Recommendation.REJECT
        return Success(
            Judgement(
                recommendation=vote, stated_recommendation=vote, summary=f"{words} words",
                criteria={}, open_findings=[], basis="a count of words",
                timestamp=datetime.now(UTC).isoformat(timespec="seconds"),
            )
        )  # fmt: skip


if __name__ == "__main__":
    Path("report.md").write_text(REPORT, encoding="utf-8")
    result = foureyes.run_analysis(
        "# Arnsund\n", sources=["report.md"], with_fact_checker=True,
        analyst=Template(), judge=Brevity(),
    )  # fmt: skip
    summary = result.judgement.summary if result.judgement else ""
    print(result.status, summary, result.analysis, sep="\n")
