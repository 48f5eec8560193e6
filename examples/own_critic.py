"""A critic of your own with its own veto, beside the reviewer and the fact checker."""

from pathlib import Path

import foureyes
from foureyes import Recommendation, ReviewCriterion, Severity

SOURCE = "The Arnsund tidal power station began regular service on 4 May 2019.\n"
DRAFT = """# The station of Arnsund

The famous Arnsund tidal power station began regular service on 4 May 2019 ([report](report.md)).
"""


class PlainWords:
    """Rejects a draft that praises, and says how to mend it."""

    name = "plain_words"

    async def examine(self, work: foureyes.IterationWork) -> foureyes.Examination:
        """A vote, with a finding for the first word of praise."""
        word, kind = "famous ", ReviewCriterion.READABILITY
        start = work.draft.find(word)
        if start < 0:
            vote, findings = Recommendation.APPROVE, ()
        else:
            praise = foureyes.Finding(
                foureyes.finding_id(kind, word), Severity.HIGH, kind, word, "This is praise.",
                origin=self.name,
                recommendation="Leave it out.",
                correction=foureyes.Correction(start, start + len(word), ""),
            )  # fmt: skip
            vote, findings = Recommendation.REJECT, (praise,)
        return foureyes.Examination(vote, None, findings, 1.0, foureyes.TurnUsage())


if __name__ == "__main__":
    Path("station").mkdir(exist_ok=True)
    Path("station/report.md").write_text(SOURCE, encoding="utf-8")
    result = foureyes.run_analysis(
        draft=DRAFT, sources=["station"], with_fact_checker=True, critics=[PlainWords()]
    )
    for iteration in result.iterations:
        votes = [f"{name} {one.recommendation}" for name, one in iteration.examinations.items()]
        print(f"iteration {iteration.iteration}: {', '.join(votes)}")
    print(result.status, result.analysis, sep="\n")
