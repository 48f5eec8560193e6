"""Files of runs and reviews as resources: listed, and read one at a time."""

from __future__ import annotations

import base64
from itertools import islice
from pathlib import Path

from ..base.errors import InputError
from ..base.files import storage_errors
from .inputs import ListResources, ReadResource
from .outputs import ListedResource, ResourceRead, ResourcesListed
from .records import find_record, records
from .resource_files import (
    BINARY,
    MEDIA_TYPES,
    MOST_BYTES,
    files_of,
    readable_file,
    uri_of,
)
from .service import Service

RECORDS_A_PAGE = 10


async def list_resources(call: ListResources, service: Service) -> ResourcesListed:
    """The files of the newest runs and reviews, or of those older than `after`."""
    paths = [record.path for record in records(service)]
    older = (path for path in paths if not call.after or path.name < call.after)
    page = list(islice(older, RECORDS_A_PAGE + 1))
    shown = page[:RECORDS_A_PAGE]
    return ResourcesListed(
        resources=tuple(_listed(path, name) for path in shown for name in files_of(path)),
        after=shown[-1].name if len(page) > len(shown) else "",
    )


def _listed(directory: Path, name: str) -> ListedResource:
    path = directory / name
    with storage_errors(path, "read"):
        size = path.stat().st_size
    return ListedResource(
        uri=uri_of(directory, name),
        name=f"{directory.name}: {name}",
        media_type=MEDIA_TYPES[path.suffix],
        size=size,
    )


async def read_resource(call: ReadResource, service: Service) -> ResourceRead:
    """The contents of one file.

    Raises:
        InputError: There is no such resource, or it is too large.
        StorageError: The file cannot be read.
    """
    directory = find_record(service, call.directory)
    path = readable_file(directory, call.file)
    if path is None:
        raise InputError(f"{call.directory} has no file {call.file!r}", "see resources/list")
    with storage_errors(path, "read"), path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise InputError(
            f"{call.file} is larger than {MOST_BYTES:,} bytes", f"read it from {str(path)!r}"
        )
    is_text = path.suffix not in BINARY
    content = data.decode("utf-8", "replace") if is_text else base64.b64encode(data).decode("ascii")
    return ResourceRead(media_type=MEDIA_TYPES[path.suffix], is_text=is_text, content=content)
