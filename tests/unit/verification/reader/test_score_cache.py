from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from foureyes.verification.reader.model import StanceScores
from foureyes.verification.reader.onnx_reader import ScoreCache, score_key

ONE, OTHER = StanceScores(0.7, 0.2, 0.1), StanceScores(0.1, 0.1, 0.8)


def key(number: int) -> bytes:
    return score_key("model", ("passage", str(number)))


def test_what_one_object_stores_another_finds(tmp_path: Path) -> None:
    ScoreCache(tmp_path / "new").add([(key(1), ONE), (key(2), OTHER)])
    found = ScoreCache(tmp_path / "new").find([key(2), key(3), key(1)])
    assert found == {key(1): ONE, key(2): OTHER}


def test_many_keys_are_found_at_once(tmp_path: Path) -> None:
    keys = [key(number) for number in range(1200)]
    cache = ScoreCache(tmp_path)
    cache.add((one, ONE) for one in keys)
    assert set(cache.find(keys)) == set(keys)


def test_the_oldest_are_dropped(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path, limit=10)
    for number in range(25):
        cache.add([(key(number), ONE)])
    assert set(cache.find([key(number) for number in range(25)])) == {
        key(number) for number in range(15, 25)
    }


def test_keys_differ_by_model_passage_and_claim_and_where_one_ends() -> None:
    pairs = [("ab", "c"), ("a", "bc"), ("abc", ""), ("c", "ab")]
    keys = [score_key(model, pair) for pair in pairs for model in ("x", "y")]
    assert len(set(keys)) == len(keys)


def test_nothing_is_made_where_nothing_is_stored(tmp_path: Path) -> None:
    assert ScoreCache(tmp_path / "none").find([key(1)]) == {}
    assert not (tmp_path / "none").exists()


def test_a_broken_file_is_told_and_gone_without(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "scores.sqlite3").write_bytes(b"no database at all " * 100)
    cache = ScoreCache(tmp_path)
    assert cache.find([key(1)]) == {}
    cache.add([(key(1), ONE)])
    assert cache.find([key(1)]) == {}
    said = capsys.readouterr()
    assert (said.out + said.err).count("not cached") == 1


def test_a_folder_that_cannot_be_made_is_told_and_gone_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    cache = ScoreCache(tmp_path / "file" / "folder")
    cache.add([(key(1), ONE)])
    assert cache.find([key(1)]) == {}


def test_a_locked_file_is_gone_without(tmp_path: Path) -> None:
    ScoreCache(tmp_path).add([(key(1), ONE)])
    holder = sqlite3.connect(tmp_path / "scores.sqlite3")
    holder.execute("BEGIN EXCLUSIVE")
    cache = ScoreCache(tmp_path)
    cache.add([(key(2), ONE)])
    holder.rollback()
    holder.close()
    assert ScoreCache(tmp_path).find([key(1), key(2)]) == {key(1): ONE}


def test_many_may_write_at_once(tmp_path: Path) -> None:
    def write(number: int) -> None:
        ScoreCache(tmp_path).add([(key(number), ONE)])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(40)))
    assert len(ScoreCache(tmp_path).find([key(number) for number in range(40)])) == 40
