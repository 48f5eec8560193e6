"""All groups of attacks."""

from __future__ import annotations

from support import attacks_around as around
from support import attacks_calls as calls
from support import attacks_fetch as fetch
from support.attacks import Group

DESK_GROUPS: tuple[Group, ...] = (fetch.FETCHING, fetch.PAGES, fetch.SEARCHING, *fetch.ALLOWANCES)
"""Those in which the fact checker's tools are offered."""

GROUPS: tuple[Group, ...] = (
    calls.READING,
    calls.EDITING,
    *calls.SWAPPED,
    calls.OTHER_TOOLS,
    calls.FORM_GROUP,
    calls.MANY_EDITS,
    calls.PAPER_GROUP,
    around.HALF,
    *DESK_GROUPS,
    around.MENTIONING,
    around.FILES,
    *around.SETTINGS,
    around.VARIABLES,
    *around.LONE_VARIABLES,
    around.UNARMED,
    around.BROKEN_GUARD,
    *around.BEHIND,
)
