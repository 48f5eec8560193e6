"""An agent of your own, with a prompt, a form and a veto, on whatever backend the run has."""

from pathlib import Path

import foureyes
from foureyes import Agent, Issue, IterationWork
from pydantic import BaseModel

PROMPT = """You read a draft for its tone. Report each word that praises: "famous", "unique".
A word that states a fact is no praise."""


class Tone(BaseModel):
    """What the agent fills in; each issue becomes a finding."""

    issues: list[Issue]


def by_rule(work: IterationWork) -> Tone:
    """The same without a model."""
    praise = Issue(quote="famous ", problem="This is praise.", replacement="")
    return Tone(issues=[praise] if praise.quote in work.draft else [])


AGENT = Agent("tone", PROMPT, Tone, offline=by_rule)

if __name__ == "__main__":
    report = Path("report.md")
    report.write_text("The Arnsund station opened on 4 May 2019.\n", encoding="utf-8")
    draft = "# Arnsund\n\nThe famous Arnsund station opened on 4 May 2019 ([report](report.md)).\n"
    result = foureyes.run_analysis(
        draft=draft, sources=[report], with_fact_checker=True, agents=[AGENT]
    )
    for iteration in result.iterations:
        votes = [f"{name} {one.recommendation}" for name, one in iteration.examinations.items()]
        print(f"iteration {iteration.iteration}: {', '.join(votes)}")
    print(result.status, result.analysis, sep="\n")
