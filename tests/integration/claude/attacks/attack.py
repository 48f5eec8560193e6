"""Attacks on a turn as data; `run.py` makes them with the real agent code, SDK and CLI.

Attacks of one group share a session. What a group left behind is an `Evidence`; each attack says by
it whether it got through. `Protection`s can be taken away one by one to see what each holds back.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeAlias, cast

from foureyes.core.edit_policy import Fields, Fixed, Grows, JsonSlots, Slot
from foureyes.core.tasks import AgentResult, AgentTask
from foureyes.core.work import Progress
from support.claude_turn import review_task
from support.messages_server import Exchange, Request, ToolCall
from support.tripwire import Tripwire

SECRET = "swordfish"
"""Stands in every file that no turn may read."""
GONE = b"\0gone"
"""Stands for the bytes of a file that is no longer there."""
OWN = frozenset({"journal", "snapshots", "desk"})
OPEN = "[TODO: a summary]"
CLAIMS = {f"c-{number}": f"Crane {number} lifts {number}0 tonnes." for number in range(1, 13)}


class Protection(StrEnum):
    """One thing that holds attacks back."""

    TOOLS = "list of tools"
    RULES = "allow rules, all else denied"
    HOOK = "hook before each tool"
    ON_FAILURE = "a hook that fails blocks"
    SETTINGS = "no settings files"
    MCP = "no other MCP servers"
    VERBATIM = "prompts taken verbatim"
    HOME = "private home and configuration"
    SIMPLE = "CLAUDE_CODE_SIMPLE blank"
    CANARY = "canary"
    ENVIRONMENT = "environment blanked"
    PATHS = "paths checked in the hook"
    LINKS = "symbolic links resolved in the hook"
    POLICY = "edit policy in the hook"
    DISK = "edit policy on the file afterwards"
    ALLOWANCE = "allowances counted in the hook"
    DESK = "fetches counted at the desk"
    ADDRESSES = "addresses checked at the desk"
    GUARD = "network guard"
    FENCE = "fence around fetched text"


Removed: TypeAlias = frozenset[Protection]
NOTHING: Removed = frozenset()


@dataclass
class Scene:
    """What lies around a turn: secrets, a hostile home, and places that nothing may reach.

    `root` holds all of it, `home` is what the environment calls home, `work` is the turn's folder
    once there is one, `words` are further placeholders. `elsewhere` counts who calls;
    `heard` gives what else listened.
    """

    root: Path
    elsewhere: Tripwire
    removed: Removed
    work: Path = Path()
    words: dict[str, str] = field(default_factory=dict[str, str])
    heard: list[Callable[[], Iterable[str]]] = field(
        default_factory=list[Callable[[], Iterable[str]]]
    )

    @property
    def home(self) -> Path:
        return self.root / "home"

    def put(self, path: Path | str, text: str) -> Path:
        """Write a file below the root."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        return target

    def link(self, path: Path, target: Path | str) -> None:
        """Put a link in place of a file, as someone beside the turn could."""
        path.unlink(missing_ok=True)
        path.symlink_to(target)

    def put_secrets(self) -> None:
        """Secrets around the turn's folder, and ways that lead to them."""
        if (self.root / "secret.txt").exists():
            return
        for name in ("secret.txt", "café.txt", "home/notes.txt", self.work / "other.md"):
            self.put(name, f"{SECRET}\n{OPEN}\n")
        self.put("private/feedback.json", json.dumps({"summary": OPEN, "x": SECRET}))
        self.link(self.work / "link.txt", self.root / "secret.txt")
        self.link(self.work / "linked", self.root / "private")
        self.link(self.work / "root", "/")
        (self.work / "hard.txt").hardlink_to(self.root / "café.txt")

    def arrived(self) -> str:
        """Everything that came to a place which no secret may reach."""
        calls = [call.decode("latin-1") for call in self.elsewhere.calls]
        return "\n".join([*calls, *(line for heard in self.heard for line in heard())])

    def files(self) -> dict[str, bytes]:
        """Every file but links, and but those that the run itself keeps."""
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in self.root.rglob("*")
            if path.is_file() and not path.is_symlink() and OWN.isdisjoint(path.parts)
        }


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a group's sessions left behind, for one of its attacks.

    Attributes:
        scene: Where it happened.
        tag: The attack's own word.
        results: What came of the attack's calls.
        requests: All requests to the model server.
        changed: Files that sessions made or changed, by path below the root, but the form.
        forms: The form's text after each session.
        environ: The CLI's own variables.
        outcome: What the agent code made of it.
        events: What it told the run's log.
    """

    scene: Scene
    tag: str
    results: tuple[Exchange, ...]
    requests: tuple[Request, ...]
    changed: Mapping[str, bytes]
    forms: tuple[str, ...]
    environ: Mapping[str, str]
    outcome: AgentResult[str]
    events: tuple[Progress, ...]

    @property
    def sent(self) -> str:
        """Everything that the model server was told."""
        return "\n".join(json.dumps(r.body, ensure_ascii=False) for r in self.requests)


Passed: TypeAlias = Callable[[Evidence], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """One attempt.

    In its strings stand ``{work}`` for the turn's folder, ``{out}`` for what is around it,
    ``{tag}`` for the attack's own word, ``{elsewhere}`` for a foreign server.

    Attributes:
        name: Unique, in words.
        passed: Whether it got through.
        calls: The model's calls; the n-th call of all attacks of a group is made at once.
        at_once: All calls are made in the first answer.
        allowed: How many of the first calls are no attack yet.
        reason: A pattern in the answer to each further call, which must be a refusal; "" for an
            attack that is made harmless without a refusal.
        secrets: The scene's secrets are there.
        files: What else is prepared, by path: texts, or data for JSON.
        links: Links that are put in place of files.
        environ: Inherited variables.
        mention: Texts put into a prompt or a file of the task, by place.
    """

    name: str
    passed: Passed
    calls: tuple[ToolCall, ...] = ()
    at_once: bool = False
    allowed: int = 0
    reason: str = ""
    secrets: bool = False
    files: Mapping[str, Any] = field(default_factory=dict[str, Any])
    links: Mapping[str, str] = field(default_factory=dict[str, str])
    environ: Mapping[str, str] = field(default_factory=dict[str, str])
    mention: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def tag(self) -> str:
        """A word of the attack's own, fit for names of files and hosts, and part of no other."""
        words = "-".join(re.findall(r"[a-z0-9]+", self.name.lower()))[:40].strip("-")
        return f"{words}-{zlib.crc32(self.name.encode()):08x}"

    def plant(self, scene: Scene) -> None:
        """Prepare its files, in the scene of a turn that has its folder."""
        words = placeholders(self, scene, scene.work)
        if self.secrets:
            scene.put_secrets()
        for name, content in self.files.items():
            text = content if isinstance(content, str) else json.dumps(content)
            scene.put(filled_in(name, words), filled_in(text, words))
        for name, target in self.links.items():
            scene.link(Path(filled_in(name, words)), filled_in(target, words))


def placeholders(attack: Attack, scene: Scene, folder: Path) -> dict[str, str]:
    return {
        "work": str(folder),
        "out": str(scene.root),
        "tag": attack.tag,
        "secret": SECRET,
        "elsewhere": scene.elsewhere.url,
        **scene.words,
    }


def filled_in(value: Any, words: Mapping[str, Any]) -> Any:
    """`value` with the placeholders of its strings replaced; one alone may stand for anything."""
    if isinstance(value, str):
        if value[:1] == "{" and value[1:-1] in words:
            return words[value[1:-1]]
        for name, word in words.items():
            value = value.replace("{" + name + "}", str(word))
        return value
    if isinstance(value, dict):
        pairs = cast("dict[str, Any]", value).items()
        return {filled_in(key, words): filled_in(part, words) for key, part in pairs}
    if isinstance(value, list):
        return [filled_in(part, words) for part in cast("list[Any]", value)]
    return value


MakeTask: TypeAlias = Callable[[Scene], AbstractAsyncContextManager[AgentTask[object]]]


def slot(text: str, initial: str | None = None) -> Slot:
    return Slot(text, 200, False, text if initial is None else initial)


FORM_POLICY = JsonSlots(
    Fields(
        {
            "claims": Fields(
                {
                    name: Fields({"claim": Fixed(text), "verdict": slot("[TODO]", "supported")})
                    for name, text in CLAIMS.items()
                }
            ),
            "issues": Grows(Fields({"problem": slot("[TODO: problem]")}), 2, []),
            "counts": Fields({"high": Fixed(0), "medium": Fixed(0)}),
            "summary": slot(OPEN),
        }
    )
)


def a_form(**changes: Any) -> AgentTask[object]:
    """A form with claims whose text is fixed, and a draft to read."""
    form = {"template": FORM_POLICY.initial_text(), "policy": FORM_POLICY}
    return review_task(**{"name": "attack", **form, **changes})


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Attacks that do not disturb each other in one session.

    Attributes:
        name: Unique; the turn's name.
        family: The heading it stands under.
        attacks: All of them.
        task: The turn they are made in.
        open_slot: In whose place the model writes a text in the end.
        wrapper: A shell line in whose place the CLI is started, with ``$CLI`` for the bundled one.
        guard_fails: Whether our own judge of calls breaks down.
        calm: Whether the turn ends as if there had been no attack.
        meanwhile: Done to the turn's folder by someone else, before the model's last word.
    """

    name: str
    family: str
    attacks: tuple[Attack, ...]
    task: MakeTask
    open_slot: str = OPEN
    wrapper: str = ""
    guard_fails: bool = False
    calm: bool = True
    meanwhile: Callable[[Scene], None] | None = None
