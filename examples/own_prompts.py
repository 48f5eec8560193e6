"""A prompt and a template of your own, each for one agent, which the rest of a run does not see."""

from pathlib import Path

import foureyes
from foureyes import (
    AgentTask,
    AnalystAgent,
    AnalystConfig,
    Error,
    OfflineBackend,
    PromptLibrary,
    ReviewerAgent,
    ReviewerConfig,
    TemplateLibrary,
    Turn,
)

BRIEF = "# Arnsund\n\nWhen did the station open?\n"
PROMPT = """You review for one reader, the mayor of Arnsund (strictness {{ strictness }}:
{{ strictness_rule }}). Fill {{ file_name }}, in {{ language }}.
"""
TEMPLATE = """# For the mayor: [TODO: the subject]

## [overview]

[TODO: "{heading}": the answer in one sentence, with its citation]

## [question]

[TODO: "{heading}": what bears the answer out, with its citation]

## [topic]

[TODO: "{heading}": what the brief asks of this section]

## [gaps]

[TODO: "{heading}": what no source answers]

## [sources]

[TODO: "{heading}": the sources that the text cites]
"""


class Shown(OfflineBackend):
    """The offline backend; shows how the prompt and the template of its tasks begin."""

    async def run(self, task: AgentTask[object], folder: Path) -> Turn | Error:
        """Fill in one template."""
        prompt, template = task.system_prompt.splitlines(), task.template.splitlines()
        print(task.name, prompt[0], template[0], sep=" | ")
        return await super().run(task, folder)


def own_folder(name: str, file: str, text: str) -> Path:
    """A folder of files that replace ours, here a single one."""
    (path := Path(name, file)).parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return Path(name)


if __name__ == "__main__":
    Path("report.md").write_text("The Arnsund station opened on 4 May 2019.\n", encoding="utf-8")
    templates = own_folder("templates", "agents/analyst/analysis.md", TEMPLATE)
    prompts = own_folder("prompts", "agents/reviewer/system.md", PROMPT)
    shown = Shown()
    writer = AnalystAgent(AnalystConfig(), shown, PromptLibrary(), TemplateLibrary(templates))
    reviewer = ReviewerAgent(ReviewerConfig(), shown, PromptLibrary(prompts), TemplateLibrary())
    result = foureyes.run_analysis(
        BRIEF, sources=["report.md"], with_fact_checker=True, analyst=writer, critics=[reviewer]
    )
    print(result.status)
