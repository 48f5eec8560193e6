"""The command `serve reports`: the reports of a folder in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from ..base.vocabulary import ExitCode
from ..experiments.page import ExperimentRecords
from ..report.html.serving import ReportServer
from .commands import CommandGroup
from .options import argument, option, switch
from .report import open_in_browser
from .terminal import print_line, print_note

Viewed = Annotated[
    Path, argument("DIR", "A folder of runs, reviews, batches and experiments, or one.")
]
Port = Annotated[int, option("--port", "PORT", "0 takes one that is free.", min=0, max=65535)]

app = CommandGroup()


@app.command()
def reports(
    folder: Viewed,
    port: Port = 0,
    show: Annotated[bool, switch("--open", "Open the list in your browser.")] = False,
) -> int:
    """Serve the reports of runs, reviews, batches and experiments in DIR, until Ctrl-C.

    On 127.0.0.1, for this machine alone. A folder of DIR may hold them, too.
    """
    with ReportServer(folder, port, [ExperimentRecords()]) as server:
        print_line(f"reports: {server.url} (Ctrl-C ends)")
        if not server.records():
            print_note(f"there is no run, no review and no experiment in {str(folder)!r} yet")
        if show:
            open_in_browser(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print_line()
    return ExitCode.OK
