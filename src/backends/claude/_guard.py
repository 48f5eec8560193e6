"""Which tool calls a turn may make: everything not expressly allowed is refused."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ...base.errors import EditRefused
from ...core.edit_policy import simulate_edit
from ...core.tasks import AgentTask

READ = "Read"
EDIT = "Edit"
TODO = "TodoWrite"
SERVER = "foureyes"
MAX_ECHO = 160


def tool_name(name: str) -> str:
    """The name under which the CLI offers our tool `name`."""
    return f"mcp__{SERVER}__{name}"


def own_name(tool: str) -> str:
    """Our name of the tool that the CLI calls `tool`; its own tools keep theirs."""
    return tool.removeprefix(tool_name(""))


def permission_rules(task: AgentTask[object], folder: Path) -> list[str]:
    """The CLI's own allow rules for the turn: each file and each tool by its full name."""
    readable = [f"{READ}({_pattern(folder / name)})" for name in (task.file_name, *task.readable)]
    own = [tool_name(tool.name) for tool in task.tools]
    todo = [TODO] if task.to_do_list else []
    return [*readable, f"{EDIT}({_pattern(folder / task.file_name)})", *own, *todo]


def _pattern(path: Path) -> str:
    # Rules are split at commas and spaces and matched as glob patterns, without a way to quote;
    # `?` stands for any one character. The guard compares the exact path all the same.
    return "/" + "".join(c if c.isalnum() or c in "/._-" else "?" for c in str(path))


class ToolGuard:
    """The judge of one turn's tool calls; its state is what is left of the allowances.

    Args:
        task: The turn's task; `task.policy` decides on edits.
        folder: The turn's folder as a real path, without symbolic links.
    """

    def __init__(self, task: AgentTask[object], folder: Path) -> None:
        self._policy = task.policy
        self._edited = folder / task.file_name
        self._readable = [str(folder / name) for name in (task.file_name, *task.readable)]
        self._allowances = {tool_name(tool.name): tool.allowance for tool in task.tools}
        self._used = dict.fromkeys(self._allowances, 0)
        self._to_do_list = task.to_do_list

    @property
    def offered(self) -> tuple[str, ...]:
        """The names of the tools that the agent may call."""
        return (READ, EDIT, *([TODO] if self._to_do_list else []), *self._allowances)

    def refusal(self, tool: str, arguments: Mapping[str, object]) -> str | None:
        """Why the call is refused, in words for the agent; None if it is allowed, and counted."""
        if tool == READ:
            return _path_refusal(arguments, self._readable)
        if tool == EDIT:
            return _path_refusal(arguments, [str(self._edited)]) or self._edit_refusal(arguments)
        if tool == TODO and self._to_do_list:
            return None
        if tool in self._allowances:
            allowance = self._allowances[tool]
            if allowance is not None and self._used[tool] >= allowance:
                return f"The allowance of {allowance} calls is used up. Go on with what you have."
            self._used[tool] += 1
            return None
        return f"{tool[:MAX_ECHO]} is not offered in this task. Use {', '.join(self.offered)}."

    def _edit_refusal(self, arguments: Mapping[str, object]) -> str | None:
        old, new = arguments.get("old_string"), arguments.get("new_string")
        replace_all = arguments.get("replace_all", False)
        if not (isinstance(old, str) and isinstance(new, str) and isinstance(replace_all, bool)):
            return "old_string and new_string must be strings, replace_all true or false."
        # The CLI edits the text with plain line feeds and puts the file's own line ends back.
        before = self._edited.read_bytes().decode("utf-8").replace("\r\n", "\n")
        try:
            self._policy.check(before, simulate_edit(before, old, new, replace_all))
        except EditRefused as refused:
            return str(refused)
        return None


def _path_refusal(arguments: Mapping[str, object], allowed: list[str]) -> str | None:
    path = arguments.get("file_path")
    if not isinstance(path, str) or path not in allowed:
        return f"{str(path)[:MAX_ECHO]!r} is not open to you here. Use {' or '.join(allowed)}."
    if str(Path(path).resolve()) != path:
        return "The file was replaced by a symbolic link."
    return None
