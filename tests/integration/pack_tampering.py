"""Single changes to an evidence pack, by seed: of bytes, members, and of what members say.

Of the last sort the manifest is made anew, so that hashes and sizes agree and only a second look at
the contents can find it. Left alone is what a pack can only hold by its digest: clock times, and
settings that changed nothing.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast
from zipfile import ZipFile, ZipInfo

from foureyes.report.evidence_pack import MANIFEST, Content, write_zip

Members = dict[str, bytes]

TIMES = {"at", "started", "ended", "fetched_at", "active_s"}
FORMS = ("iterations/*.json", "verify/**/*.json", "judgement.json", "run.json", "analytics.json")
WORDS = {
    "supported": "contradicted",
    "contradicted": "supported",
    "unverifiable": "supported",
    "approve": "reject",
    "reject": "approve",
    "approved": "max_iterations",
    "pass": "fail",
    "fail": "pass",
    "high": "low",
    "medium": "low",
    "low": "high",
}


@dataclass(frozen=True, slots=True)
class Tampered:
    """A changed pack, the member that was changed, and how."""

    pack: bytes
    member: str
    how: str


def members(pack: bytes, desk: Path) -> Members:
    """The members of a pack but for its manifest."""
    path = desk / "whole.zip"
    path.write_bytes(pack)
    with ZipFile(path) as archive:
        return {n: archive.read(n) for n in archive.namelist() if n != MANIFEST}


def sealed(found: Members, run_id: str, desk: Path) -> bytes:
    """A pack of `found` whose manifest agrees with it."""
    path = desk / "sealed.zip"
    contents: dict[str, Content] = dict(found)
    with path.open("w+b") as file:
        write_zip(contents, run_id, file)
    return path.read_bytes()


def unsealed(found: Members, manifest: bytes, desk: Path) -> bytes:
    """A pack of `found` with a manifest that may be another's."""
    path = desk / "unsealed.zip"
    with ZipFile(path, "w") as archive:
        for name, text in sorted({**found, MANIFEST: manifest}.items()):
            info = ZipInfo(name)
            info.create_system, info.external_attr = 3, 0o100644 << 16
            archive.writestr(info, text)
    return path.read_bytes()


def tampered(pack: bytes, seed: int, desk: Path) -> Tampered:
    """The change number `seed` of `pack`; equal seeds give equal changes."""
    chance = random.Random(seed)
    kinds = (raw_byte, member_byte, membership, form_leaf, form_leaf, record_leaf, quote, verdict,
             snapshot, text, sealed_membership, rules)  # fmt: skip
    return kinds[seed % len(kinds)](pack, chance, desk)


def raw_byte(pack: bytes, chance: random.Random, desk: Path) -> Tampered:
    """One bit of the file itself."""
    place, bit = chance.randrange(len(pack)), 1 << chance.randrange(8)
    changed = bytearray(pack)
    changed[place] ^= bit
    return Tampered(bytes(changed), "", f"bit {bit} of byte {place}")


def member_byte(pack: bytes, chance: random.Random, desk: Path) -> Tampered:
    """One byte of a member, in a zip that is sound."""
    found = members(pack, desk)
    name = chance.choice(sorted(n for n in found if found[n]))
    body = bytearray(found[name])
    place = chance.randrange(len(body))
    body[place] = (body[place] + chance.randrange(1, 256)) % 256
    found[name] = bytes(body)
    return Tampered(unsealed(found, manifest_of(pack, desk), desk), name, f"byte {place}")


def membership(pack: bytes, chance: random.Random, desk: Path) -> Tampered:
    """A member removed, added or under another name."""
    found = members(pack, desk)
    name = chance.choice(sorted(found))
    how = chance.choice(("removed", "added", "renamed"))
    if how == "added":
        name = f"iterations/added_{chance.randrange(100)}.json"
        found[name] = b"{}\n"
    else:
        body = found.pop(name)
        if how == "renamed":
            found[f"{name}.old"] = body
    return Tampered(unsealed(found, manifest_of(pack, desk), desk), name, how)


def sealed_membership(pack: bytes, chance: random.Random, desk: Path) -> Tampered:
    """A file of the run removed or added, and the manifest with it."""
    found = members(pack, desk)
    made = re.compile(r"(iterations|journal|verify|turns|sources)/|(run|judgement|analytics)\.json")
    name = chance.choice(sorted(n for n in found if made.match(n)))
    if chance.random() < 0.3:
        name = f"{name}.more"
        found[name] = b"{}\n"
        return again(pack, found, name, "added and listed", desk)
    del found[name]
    return again(pack, found, name, "removed from the list, too", desk)


def form_leaf(pack: bytes, chance: random.Random, desk: Path) -> Tampered:
    """A value anywhere in what the run has written for people and programs."""
    return leaf(pack, chance, desk, FORMS)


def record_leaf(pack: bytes, chance: random.Random, desk: Path) -> Tampered:
    """A value in the journal or in the record of a turn."""
    return leaf(pack, chance, desk, ("journal/*.json", "turns/*.json"))


def leaf(pack: bytes, chance: random.Random, desk: Path, patterns: tuple[str, ...]) -> Tampered:
    """A value of one of the files that match."""
    found = members(pack, desk)
    name = chance.choice(sorted(n for n in found if any(fits(n, p) for p in patterns)))
    data = json.loads(found[name])
    places = [p for p in leaves(data) if not TIMES & set(map(str, p)) and p != ("id",)]
    if name == "run.json":
        places = [p for p in places if p[0] not in ("layout", "foureyes", "resumed")]
    place = chance.choice(places)
    before, now = put(data, place, lambda value: other(value, chance))
    # The layout of the run's own files, so that only the value is another.
    indent = 2 if b"\n  " in found[name] else None
    body = json.dumps(data, indent=indent, ensure_ascii=False, separators=separators(indent))
    found[name] = (body + ("\n" if found[name].endswith(b"\n") else "")).encode()
    return again(pack, found, name, f"{place}: {before!r} -> {now!r}", desk)


def quote(pack: bytes, chance: random.Random, desk: Path) -> Tampered:
    """A word or an offset of the evidence for a claim."""
    return of_entry(pack, chance, desk, ("quote", "start", "end", "sha256"))


def verdict(pack: bytes, chance: random.Random, desk: Path) -> Tampered:
    """A verdict, a count, a score, a vote or a decision."""
    keys = (
        *("verdict", "checked_by", "decision", "rate", "supported", "recommendation", "high"),
        *("accuracy_score", "coverage", "score", "status", "best_iteration", "open_slot"),
    )
    return of_entry(pack, chance, desk, keys)


def of_entry(pack: bytes, chance: random.Random, desk: Path, keys: tuple[str, ...]) -> Tampered:
    """A value under one of `keys`, in what the run has written."""
    found = members(pack, desk)
    choices: list[tuple[str, tuple[str | int, ...]]] = []
    for name in sorted(n for n in found if any(fits(n, p) for p in FORMS)):
        data = json.loads(found[name])
        choices += [(name, place) for place in leaves(data) if place[-1] in keys]
    name, place = chance.choice(choices)
    data = json.loads(found[name])
    before, now = put(data, place, lambda value: other(value, chance))
    found[name] = (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode()
    return again(pack, found, name, f"{place}: {before!r} -> {now!r}", desk)


def snapshot(pack: bytes, chance: random.Random, desk: Path) -> Tampered:
    """The bytes, the text or the metadata of a source, hashes and all."""
    found = members(pack, desk)
    name = chance.choice(sorted(n for n in found if re.fullmatch(r"sources/[0-9a-f]{64}", n)))
    how = chance.choice(("bytes", "text", "text and its hash", "title", "language", "size"))
    about = json.loads(found[f"{name}.json"])
    if how == "bytes":
        found[name] = found[name].replace(b"e", b"a", 1)
    elif how in ("text", "text and its hash"):
        found[f"{name}.txt"] = found[f"{name}.txt"].replace(b"0", b"9", 1)
        if how != "text":
            about["text_sha256"] = hashlib.sha256(found[f"{name}.txt"]).hexdigest()
    else:
        about[how] = other(about[how], chance)
    member = {"bytes": name, "text": f"{name}.txt"}.get(how, f"{name}.json")
    if how == "text and its hash":
        member = f"{name}.txt"
    found[f"{name}.json"] = json.dumps(about, indent=2, ensure_ascii=False).encode()
    return again(pack, found, member, how, desk)


def text(pack: bytes, chance: random.Random, desk: Path) -> Tampered:
    """A letter or a figure of the analysis, the brief, the summary, an event or a prompt."""
    found = members(pack, desk)
    names = ("iterations/*.md", "brief.md", "summary.md", "draft.md", "turns/texts/*.gz")
    name = chance.choice(sorted(n for n in found if any(fits(n, p) for p in names)))
    body = bytearray(found[name])
    letters = [at for at, byte in enumerate(body) if chr(byte).isalnum()]
    place = chance.choice(letters[10:] if name.endswith(".gz") else letters)
    body[place] = ord("7") if body[place] != ord("7") else ord("3")
    found[name] = bytes(body)
    return again(pack, found, name, f"byte {place}", desk)


def rules(pack: bytes, chance: random.Random, desk: Path) -> Tampered:
    """A threshold or a word that the verdicts rest on."""
    found = members(pack, desk)
    name = chance.choice(sorted(n for n in found if n.startswith("rules/registry/")))
    found[name] = re.sub(rb"\d", lambda m: b"7" if m[0] != b"7" else b"3", found[name], count=1)
    found[name] += b"# mine\n"
    return again(pack, found, name, "another rule", desk)


def again(pack: bytes, found: Members, name: str, how: str, desk: Path) -> Tampered:
    """A pack of the changed members, with a manifest that agrees."""
    run_id = json.loads(manifest_of(pack, desk))["run_id"]
    return Tampered(sealed(found, run_id, desk), name, how)


def manifest_of(pack: bytes, desk: Path) -> bytes:
    """The manifest of a pack."""
    path = desk / "whole.zip"
    path.write_bytes(pack)
    with ZipFile(path) as archive:
        return archive.read(MANIFEST)


def fits(name: str, pattern: str) -> bool:
    """Whether `name` matches, ``**/`` standing for any folders or none."""
    plain = re.escape(pattern).replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*")
    return re.fullmatch(plain, name) is not None


def leaves(data: Any, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The places of all values that are no lists or objects and are not empty."""
    if isinstance(data, dict):
        for key, value in cast("dict[str, Any]", data).items():
            yield from leaves(value, (*place, key))
    elif isinstance(data, list):
        for index, value in enumerate(cast("list[Any]", data)):
            yield from leaves(value, (*place, index))
    elif data not in (None, ""):
        yield place


def put(data: Any, place: tuple[str | int, ...], change: Callable[[Any], Any]) -> tuple[Any, Any]:
    """Change the value at `place`; returns it as it was and as it is."""
    for key in place[:-1]:
        data = data[key]
    before = data[place[-1]]
    data[place[-1]] = change(before)
    return before, data[place[-1]]


def other(value: Any, chance: random.Random) -> Any:
    """Another value of the same sort."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + chance.choice((1, 2, 10))
    if isinstance(value, float):
        return round(value / 2 + 0.01, 4)
    if value in WORDS:
        return WORDS[value]
    place = chance.randrange(len(value))
    letter = chance.choice([c for c in "abc123" if c != value[place]])
    return value[:place] + letter + value[place + 1 :]


def separators(indent: int | None) -> tuple[str, str]:
    """As pydantic writes JSON."""
    return (",", ": ") if indent else (",", ":")


def retell(found: Members, name: str, old: bytes, new: bytes) -> None:
    """Another text for a snapshot, by the name of its text file, with the hash that it needs."""
    found[name] = found[name].replace(old, new)
    about = json.loads(found[f"{name.removesuffix('.txt')}.json"])
    about["text_sha256"] = hashlib.sha256(found[name]).hexdigest()
    body = json.dumps(about, indent=2, ensure_ascii=False)
    found[f"{name.removesuffix('.txt')}.json"] = body.encode()
