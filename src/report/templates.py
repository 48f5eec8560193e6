"""Pages and texts from their templates: all that is not ours is escaped and visible."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup

from ..base.printable import counted, printable, visible

if TYPE_CHECKING:
    from jinja2 import Environment

_HERE = Path(__file__).parent


@cache
def environment(finalize: Callable[[object], object], *folders: Path) -> Environment:
    """The templates in `folders`; `finalize` makes each value safe that is not `Markup`."""
    # Takes 50 ms to import, which commands without a report need not pay.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(folders),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )


def shown(value: object) -> object:
    """Return `value` for markup; invisible characters in texts become visible."""
    return value if isinstance(value, Markup | int | float) else visible(str(value))


def terminal_lines(template: str, **values: object) -> Iterator[str]:
    """The lines that the file `template` makes of `values`, each of which stays on its line."""
    made = environment(_on_one_line, _HERE)
    made.filters |= {"repr": repr}
    text = made.get_template(template).render({"counted": counted, **values})
    yield from text.removesuffix("\n").split("\n")


def _on_one_line(value: object) -> Markup:
    # A terminal is no markup: nothing is escaped as in HTML.
    return value if isinstance(value, Markup) else Markup(printable(str(value)))


def text_environment() -> Environment:
    """The templates of texts that are escaped as XML is."""
    return environment(shown, _HERE)
