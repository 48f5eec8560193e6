"""A passage that a model named, as code reads it in its place (design, section 4).

A model may quote a few words out of a sentence that denies them. So code reads the whole sentences
around them in the source, by the same checks as any other passage.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...base.vocabulary import Stance
from ...claims.model import Claim
from ..judge import Judgement, judge
from ..model import Evidence, Passage
from ..passages.retrieval import SourceText
from ..passages.units import widen_to_units
from ..registry import Registry
from ..source_index import SourceIndex


@dataclass(frozen=True, slots=True)
class NamedPassage:
    """The whole units of a source that a named passage touches.

    `states` says whether one of them states something where it stands: what is asked there, taken
    back by the next sentence or announced as a claim in the line above states nothing.
    """

    passage: Passage
    states: bool

    def evidence(self, stance: Stance) -> Evidence:
        """The passage as evidence."""
        one = self.passage
        return Evidence(one.url, one.sha256, one.text, one.start, one.end, stance)


def read_named(passage: Passage, sources: SourceIndex) -> NamedPassage | None:
    """`passage` widened to whole units of its source; None if it does not stand there.

    Raises:
        SnapshotError: A readable source has no text.
    """
    readable = sources.readable(passage.url)
    if readable is None or readable[0].sha256 != passage.sha256 or not passage.text.strip():
        return None
    source = readable[1]
    if source.text[passage.start : passage.end] != passage.text:
        return None
    start, end = widen_to_units(source.text, passage.start, passage.end)
    whole = replace(passage, start=start, end=end, text=source.text[start:end])
    return NamedPassage(whole, source.states_within(start, end))


def judge_named(claim: Claim, named: NamedPassage, registry: Registry) -> Judgement:
    """Judgement of `claim` against this passage alone; offsets are those of the source."""
    passage = named.passage
    found = judge(claim, SourceText(passage.text, registry.lexicon), registry)
    return replace(found, start=found.start + passage.start, end=found.end + passage.start)
