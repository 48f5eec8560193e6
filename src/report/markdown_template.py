"""Markdown files from templates, in which every value is text that marks nothing up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup

from ..base.counting import counted
from ..base.markdown import address, inline
from .wording import quoted, shortened, spaced, table

if TYPE_CHECKING:
    from jinja2 import Environment


_HERE = Path(__file__).parent


def render_markdown(template: str, templates: Path = _HERE, **values: object) -> str:
    """Return the Markdown that the file `template` in `templates` makes of `values`."""
    return (
        _environment(templates)
        .get_template(template)
        .render({"counted": counted, "table": _table, **values})
    )


@cache
def _environment(templates: Path) -> Environment:
    # Takes 50 ms to import, which commands without a report need not pay.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(templates),
        autoescape=True,
        undefined=StrictUndefined,
        # It escapes for Markdown; what is `Markup` is left as it is, and is not escaped for HTML.
        finalize=_written,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    filters = {"address": address, "quoted": quoted}
    environment.filters |= {name: _marked(write) for name, write in filters.items()}
    environment.filters |= {"shortened": shortened, "spaced": spaced}
    return environment


def _written(value: object) -> Markup:
    return value if isinstance(value, Markup) else Markup(inline(str(value)))


def _marked(write: Callable[..., str]) -> Callable[..., Markup]:
    """Return `write`, whose text is safe in Markdown, as a filter."""
    return lambda *values: Markup(write(*values))


def _table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], links: Sequence[str] = ()
) -> Markup:
    return Markup("\n".join(table(columns, rows, links)))
