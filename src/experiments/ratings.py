"""People's ratings of delivered texts: a CSV file with item, arm, and a column a rating."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from ..base.errors import InputError
from ..base.files import read_document
from .metrics import RATING
from .trials import TrialResult

_PLACE = ("item", "arm", "trial", "rater")


def add_ratings(results: Mapping[str, TrialResult], path: Path) -> Mapping[str, TrialResult]:
    """`results` with the ratings in `path` as values ``rating.COLUMN``.

    Columns ``item`` and ``arm`` say what was rated, ``trial`` (1 if there is none) which run of
    it; a column ``rater`` is for you. Several raters of one trial are averaged.

    Raises:
        InputError: It cannot be read, or a line is of no trial or has no number.
    """
    rows = csv.DictReader(io.StringIO(read_document(path)))
    names = [name for name in rows.fieldnames or () if name not in _PLACE]
    if not names or not {"item", "arm"} <= set(rows.fieldnames or ()):
        raise InputError(
            f"{path}: a ratings file has the columns item, arm and one for each rating",
            "name them in its first line",
        )
    keys = {(one.trial.item, one.trial.arm, one.trial.number): key for key, one in results.items()}
    given: defaultdict[str, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        place = f"{path}, line {rows.line_num}"
        try:
            key = keys[row["item"], row["arm"], int(row.get("trial") or 1)]
            for name in names:
                if row[name]:
                    given[key][RATING + name].append(float(row[name]))
        except KeyError:
            raise InputError(f"{place}: no such trial has ended", "check item and arm") from None
        except (TypeError, ValueError):
            raise InputError(f"{place}: a trial or a rating is no number", "correct it") from None
    return {
        key: replace(
            one,
            values={**one.values, **{name: fmean(values) for name, values in given[key].items()}},
        )
        if key in given
        else one
        for key, one in results.items()
    }
