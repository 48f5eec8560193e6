"""Two arms on the same items from a program: settings of ours against a function of your own."""

from pathlib import Path

import foureyes
from foureyes import Direction, Experiment, TrialItem, TrialMetric, TrialRecord

REPORT = "The {0} station opened on 4 May 2019. It cost $30 billion.\n"
DRAFT = "# {0}\n\nThe {0} station opened on 4 May 2019. It cost $50 billion ([it]({0}.md)).\n"


async def one_draft(item: TrialItem) -> foureyes.PipelineResult:
    """A run of ours that revises nothing."""
    return await foureyes.run_analysis_async(
        draft=item.draft, sources=item.sources, with_fact_checker=True, max_iterations=1
    )


def wrong(trial: TrialRecord) -> float:
    """How often the wrong amount is still there."""
    return float(trial.text.count("$50 billion"))


if __name__ == "__main__":
    places = ("Alden", "Arnsund", "Borg", "Tarn", "Vik", "Holm")
    for place in places:
        Path(f"{place}.md").write_text(REPORT.format(place), encoding="utf-8")
    result = Experiment(
        {"one_draft": one_draft, "three": {"with_fact_checker": True}},
        [TrialItem(name, draft=DRAFT.format(name), sources=(f"{name}.md",)) for name in places],
        [TrialMetric("wrong", wrong, Direction.LOWER, failure=1.0)],
    ).run()
    print(result)
    told = (f"{row['item']} {row['arm']}: {row['wrong']}" for row in result.rows())
    print(*sorted(line for line in told if line.startswith("Tarn")), sep="\n")
