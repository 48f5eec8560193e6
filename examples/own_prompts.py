"""Prompts and templates of your own for one agent, which the rest of the run does not see."""

from pathlib import Path

import foureyes
from foureyes import OfflineBackend, PromptLibrary, ReviewerAgent, ReviewerConfig, TemplateLibrary

DRAFT = "# Arnsund\n\nThe Arnsund station opened on 4 May 2019 ([report](report.md)).\n"
PROMPT = """You review for one reader, the mayor of Arnsund (strictness {{ strictness }}:
{{ strictness_rule }}). Fill {{ file_name }}, in {{ language }}.
"""

if __name__ == "__main__":
    Path("report.md").write_text("The Arnsund station opened on 4 May 2019.\n", encoding="utf-8")
    own = Path("prompts/agents/reviewer/system.md")
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text(PROMPT, encoding="utf-8")
    reviewer = ReviewerAgent(
        ReviewerConfig(), OfflineBackend(), PromptLibrary(Path("prompts")), TemplateLibrary()
    )
    result = foureyes.run_analysis(
        draft=DRAFT, sources=["report.md"], with_fact_checker=True, critics=[reviewer]
    )
    print(result.status, *(result.iterations[0].examinations), sep=", ")
