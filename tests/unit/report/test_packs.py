"""A stranger's pack: what is refused, how differences are named, what never leaves its folder."""

from __future__ import annotations

import json
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import pytest
from foureyes import InputError
from foureyes.datatypes import PackCheck
from foureyes.report.evidence_pack import MANIFEST, MOST_NAMED, compare, write_zip
from foureyes.report.pack_reading import unpack

MEMBERS = {"brief.md": b"# Brief\n", "iterations/analysis_iteration_1.md": b"It is.\n"}


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A sound pack of two files."""
    path = tmp_path / "pack.zip"
    with path.open("w+b") as file:
        write_zip(MEMBERS, "abcd", file)
    return path


def opened(pack: Path) -> set[tuple[PackCheck, str, str]]:
    folder = pack.parent / "out"
    folder.mkdir()
    found = unpack(pack, folder)
    return {(one.check, one.member, one.found) for one in found.differences}


def member(name: str, mode: int = 0o100644) -> ZipInfo:
    info = ZipInfo(name)
    info.create_system, info.external_attr = 3, mode << 16
    return info


def with_member(info: ZipInfo, content: bytes = b"x") -> Callable[[Path], None]:
    def add(pack: Path) -> None:
        with ZipFile(pack, "a") as archive:
            archive.writestr(info, content)

    return add


def test_a_sound_pack_is_unpacked_and_says_what_it_holds(pack: Path) -> None:
    folder = pack.parent / "out"
    folder.mkdir()
    found = unpack(pack, folder)
    assert (found.whole, found.differences, found.manifest.run_id) == (True, (), "abcd")
    assert {f.name: (folder / f.name).read_bytes() for f in found.manifest.files} == MEMBERS


ELSEWHERE, LINK = "a name that may lead elsewhere", "a link, a folder or a device"


@pytest.mark.parametrize(
    ("change", "name", "found"),
    [
        (with_member(member("../evil.md")), "../evil.md", ELSEWHERE),
        (with_member(member("/tmp/evil.md")), "/tmp/evil.md", ELSEWHERE),
        (with_member(member("a/./b.md")), "a/./b.md", ELSEWHERE),
        (with_member(member("a//b.md")), "a//b.md", ELSEWHERE),
        (with_member(member("..\\evil.md")), "..\\evil.md", ELSEWHERE),
        (with_member(member("C:evil.md")), "C:evil.md", ELSEWHERE),
        (with_member(member("bad\x1b.md")), "bad\x1b.md", ELSEWHERE),
        (with_member(member("x" * 300)), "x" * 300, ELSEWHERE),
        (with_member(member("link", 0o120777), b"/etc/passwd"), "link", LINK),
        (with_member(member("folder", 0o040755), b""), "folder", LINK),
        (with_member(member("BRIEF.md")), "brief.md", "several"),
        (with_member(member("BRIEF.md")), "BRIEF.md", "several"),
    ],
)
def test_members_that_could_do_harm_are_not_unpacked(
    pack: Path, change: Callable[[Path], None], name: str, found: str
) -> None:
    change(pack)
    assert (PackCheck.CONTAINER, name, found) in opened(pack)
    assert not list((pack.parent / "out").rglob("*"))
    assert not (pack.parent / "evil.md").exists()


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_members_of_one_name_are_refused(pack: Path) -> None:
    with_member(member("brief.md"))(pack)
    assert opened(pack) == {(PackCheck.CONTAINER, "brief.md", "several")}


def test_what_could_expand_is_refused_unread(pack: Path) -> None:
    info = member("bomb.md")
    info.compress_type = zipfile.ZIP_DEFLATED
    with_member(info, b"0" * 10_000_000)(pack)
    found = opened(pack)
    assert (PackCheck.CONTAINER, "bomb.md", "a compressed member, which may expand") in found
    assert not list((pack.parent / "out").rglob("*"))


def test_members_that_overlap_are_refused(pack: Path) -> None:
    data = bytearray(pack.read_bytes())
    place = -1
    for _ in range(2):
        # Both entries of the table of contents claim the whole file as theirs.
        place = data.find(b"PK\x01\x02", place + 1)
        data[place + 20 : place + 28] = struct.pack("<LL", len(data), len(data))
    pack.write_bytes(bytes(data))
    assert (PackCheck.CONTAINER, "", "members that overlap") in opened(pack)


@pytest.mark.parametrize(
    ("members", "manifest", "expected"),
    [
        ({"brief.md": b"# Brieg\n"}, MEMBERS, {"brief.md", "iterations/analysis_iteration_1.md"}),
        ({**MEMBERS, "brief.md": b"# B\n"}, MEMBERS, {"brief.md"}),
        ({**MEMBERS, "more.md": b""}, MEMBERS, {"more.md"}),
        (MEMBERS, {"brief.md": MEMBERS["brief.md"]}, {"iterations/analysis_iteration_1.md"}),
    ],
    ids=["changed and missing", "shortened", "added", "not listed"],
)
def test_members_are_held_against_the_manifest(
    tmp_path: Path, members: dict[str, bytes], manifest: dict[str, bytes], expected: set[str]
) -> None:
    with (tmp_path / "of.zip").open("w+b") as file:
        listed = write_zip(manifest, "abcd", file)
    pack = tmp_path / "pack.zip"
    with ZipFile(pack, "w") as archive:
        for name, content in members.items():
            archive.writestr(member(name), content)
        archive.writestr(member(MANIFEST), listed.model_dump_json())
    assert {name for check, name, _ in opened(pack) if check is PackCheck.MEMBERS} == expected


@pytest.mark.parametrize("first", [0, pytest.param(1, marks=pytest.mark.soak)])
def test_every_byte_of_a_pack_counts(first: int, pack: Path) -> None:
    data = pack.read_bytes()
    for place in range(first, len(data), 1 if first else 8):
        changed = bytearray(data)
        changed[place] ^= 1 << place % 8
        pack.write_bytes(bytes(changed))
        folder = pack.parent / f"out{place}"
        folder.mkdir()
        try:
            found = unpack(pack, folder).differences
        except InputError:
            continue
        assert found, f"byte {place} of {len(data)}"


def rewritten(text: str) -> Callable[[Path], None]:
    def write(pack: Path) -> None:
        with ZipFile(pack, "w") as archive:
            archive.writestr(member(MANIFEST), text)

    return write


def of_bytes(change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def write(pack: Path) -> None:
        pack.write_bytes(change(pack.read_bytes()))

    return write


def without_members(pack: Path) -> None:
    ZipFile(pack, "w").close()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (of_bytes(lambda _: b""), "it is no zip file"),
        (of_bytes(lambda _: b"# Brief\n" * 100), "it is no zip file"),
        (of_bytes(lambda data: data + b"x"), "something stands behind its end"),
        (of_bytes(lambda data: data[:-30]), "it is no zip file"),
        (without_members, "it holds no manifest.json"),
        (rewritten("{"), "manifest.json: Invalid JSON"),
        (rewritten('{"format": 1, "run_id": "a", "files": [{}]}'), "files.0.name: it is missing"),
        (rewritten(json.dumps({"format": 2, "new": 1})), "made by a newer version"),
    ],
)
def test_what_is_no_pack_is_named_in_one_line(
    pack: Path, change: Callable[[Path], None], message: str
) -> None:
    change(pack)
    with pytest.raises(InputError, match=message) as caught:
        opened(pack)
    assert "\n" not in str(caught.value)


def test_a_huge_table_of_contents_is_not_read(pack: Path) -> None:
    data = bytearray(pack.read_bytes())
    data[-10:-6] = struct.pack("<L", 0xFFFFFFFE)
    pack.write_bytes(bytes(data))
    with pytest.raises(InputError, match="its table of contents is too large"):
        opened(pack)


def test_a_manifest_written_otherwise_is_named(pack: Path, tmp_path: Path) -> None:
    with (tmp_path / "of.zip").open("w+b") as file:
        listed = write_zip(MEMBERS, "abcd", file)
    with ZipFile(pack, "w") as archive:
        for name, content in MEMBERS.items():
            archive.writestr(member(name), content)
        archive.writestr(member(MANIFEST), listed.model_dump_json(indent=4))
    found = (PackCheck.MEMBERS, MANIFEST, "the same written otherwise")
    assert opened(pack) == {found}


def named(before: str, now: str, *apart: str) -> list[tuple[str, str, str, str]]:
    found = compare(PackCheck.REPLAY, "a.json", before, now, apart=apart)
    return [(one.place, one.claim_id, one.recorded, one.found) for one in found]


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        ({"a": {"b": 1}}, {"a": {"b": 2}}, [("a.b", "", "1", "2")]),
        ({"a": 1}, {}, [("a", "", "1", "nothing")]),
        ({}, {"a": 1}, [("a", "", "nothing", "1")]),
        ({"a": 1}, {"a": True}, [("a", "", "1", "true")]),
        ([1, 2], [1], [("", "", "2 entries", "1 entry")]),
        (
            {"entries": [{"claim_id": "c-1", "verdict": "supported"}]},
            {"entries": [{"claim_id": "c-1", "verdict": "contradicted"}]},
            [("entries[0].verdict", "c-1", "supported", "contradicted")],
        ),
        (
            {"claims": {"c-1": {"verdict": "supported"}}},
            {"claims": {"c-1": {"verdict": "disputed"}}},
            [("claims.c-1.verdict", "c-1", "supported", "disputed")],
        ),
        (
            {"claims": [{"id": "c-2", "slots": [{"found": "5"}]}]},
            {"claims": [{"id": "c-2", "slots": [{"found": "6"}]}]},
            [("claims[0].slots[0].found", "c-2", "5", "6")],
        ),
    ],
)
def test_a_value_is_named_by_its_place_and_its_claim(
    before: object, now: object, expected: list[tuple[str, str, str, str]]
) -> None:
    assert named(json.dumps(before), json.dumps(now)) == expected


def test_equal_texts_have_no_differences() -> None:
    assert named("{}", "{}") == []


def test_keys_of_a_files_own_do_not_count() -> None:
    assert named('{"id": 1, "a": 2}', '{"id": 3, "a": 2}', "id") == []
    assert named('{"id": 1, "a": 2}', '{"id": 3, "a": 4}', "id") == [("a", "", "2", "4")]


def test_the_same_values_written_otherwise_are_a_difference() -> None:
    assert named('{"a": 1}', '{"a":1}') == [("line 1, character 6", "", '{"a": 1}', '{"a":1}')]


def test_text_is_named_by_line_and_character() -> None:
    assert named("one\ntwo\n", "one\ntoo\n") == [("line 2, character 2", "", "two", "too")]


def test_what_is_long_is_cut_and_what_is_much_is_counted() -> None:
    many = [{"a": index} for index in range(100)]
    less = [{"a": index + 1} for index in range(100)]
    assert len(named(json.dumps(many), json.dumps(less))) == MOST_NAMED
    (one,) = named(json.dumps({"a": "x" * 999}), json.dumps({"a": "y" * 999}))
    assert one[2].endswith("…")
    assert len(one[2]) == 160
