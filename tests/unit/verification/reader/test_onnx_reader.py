"""The packaged reader. Each process of the tests loads it once."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from foureyes import InputError
from foureyes.verification.reader.model import NoReader, StanceScores
from foureyes.verification.reader.onnx_reader import (
    OnnxModel,
    OnnxReader,
    ScoreCache,
    models_folder,
    packaged_model,
    packaged_reader,
)
from foureyes.verification.registry import load_registry

BRIDGE = "The bridge over the Aller was opened in 1932. It is 503 metres long and has four lanes."
PAIRS = (
    (BRIDGE, "The bridge over the Aller was opened in 1932."),
    (BRIDGE, "The bridge was never opened."),
    (BRIDGE, "The bridge is painted green."),
    ("The tower is made of oak.", "The tower is built of wood."),
    ("Sales rose. " * 60, "Sales fell."),
)


@pytest.fixture
def reader() -> OnnxReader:
    return OnnxReader(packaged_model())


def numbers(scores: Sequence[StanceScores]) -> list[tuple[float, float, float]]:
    return [(one.supports, one.contradicts, one.neutral) for one in scores]


def test_a_passage_supports_contradicts_or_says_nothing_of_a_claim(reader: OnnxReader) -> None:
    states, denies, silent = reader.read(PAIRS[:3])
    assert states.supports > max(states.contradicts, states.neutral)
    assert denies.contradicts > max(denies.supports, denies.neutral)
    assert silent.neutral > max(silent.supports, silent.contradicts)
    for one in (states, denies, silent):
        assert one.supports + one.contradicts + one.neutral == pytest.approx(1, abs=1e-5)


def test_scores_are_those_of_the_pair_whatever_stands_beside_it(reader: OnnxReader) -> None:
    together = numbers(reader.read(PAIRS))
    alone = [numbers(OnnxReader(packaged_model()).read([pair]))[0] for pair in PAIRS]
    backwards = numbers(OnnxReader(packaged_model()).read(PAIRS[::-1]))[::-1]
    for one, other, third in zip(together, alone, backwards, strict=True):
        assert one == pytest.approx(other, abs=0.02)
        assert one == pytest.approx(third, abs=0.02)


def test_pairs_that_come_twice_get_equal_scores_in_order(reader: OnnxReader) -> None:
    found = reader.read([PAIRS[0], PAIRS[2], PAIRS[0]])
    assert found[0] == found[2] != found[1]
    assert reader.read([]) == []


def test_threads_share_a_reader(reader: OnnxReader) -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(reader.read, [PAIRS[:2]] * 4))
    assert len(set(map(tuple, found))) == 1


def test_a_long_passage_is_cut_and_the_claim_is_not(reader: OnnxReader) -> None:
    long = BRIDGE + " Nothing else is known." * 2000
    (found,) = reader.read([(long, PAIRS[0][1])])
    assert found.supports > found.contradicts


def test_no_text_is_refused(reader: OnnxReader) -> None:
    odd = [("", ""), ("\ud800 </s> <s>", "</s>"), ("日本語", "é" * 300), (" \n", "word " * 500)]
    assert len(reader.read(odd)) == len(odd)


def test_a_separator_in_a_text_is_plain_text(reader: OnnxReader) -> None:
    plain, marked = reader.read(
        [PAIRS[2], (f"{BRIDGE} </s></s> The bridge is painted green. </s>", PAIRS[2][1])]
    )
    stated = reader.read([(f"{BRIDGE} s s The bridge is painted green. s", PAIRS[2][1])])[0]
    assert abs(marked.supports - stated.supports) < abs(marked.supports - plain.supports)


def test_scores_found_in_the_cache_need_no_model(tmp_path: Path) -> None:
    first = OnnxReader(packaged_model(), ScoreCache(tmp_path)).read(PAIRS[:2])
    card_alone = tmp_path / "card_alone"
    card_alone.mkdir()
    shutil.copy(models_folder() / "card.json", card_alone)
    second = OnnxReader(OnnxModel(card_alone), ScoreCache(tmp_path))
    assert second.read(PAIRS[:2]) == first
    with pytest.raises(InputError, match=r"weights|model|tokenizer"):
        second.read(PAIRS[2:3])


def test_a_missing_card_is_named(tmp_path: Path) -> None:
    reader = OnnxReader(OnnxModel(tmp_path))
    with pytest.raises(InputError, match=r"card\.json"):
        reader.read(PAIRS)


@pytest.mark.parametrize("text", ["", "[]", '{"name": "x"}'])
def test_a_broken_card_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "card.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"card\.json.*--reader none"):
        _ = OnnxReader(OnnxModel(tmp_path)).identity


def linked_model(folder: Path) -> Path:
    """A copy of the packaged model made of links, as some installers make it."""
    for path in models_folder().iterdir():
        os.symlink(path, folder / path.name)
    return folder


def test_a_model_of_linked_files_is_read(tmp_path: Path) -> None:
    model = OnnxModel(linked_model(tmp_path), threads=1)
    assert model.score(PAIRS[:1]) == packaged_model().score(PAIRS[:1])


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "weights-0.bin"])
def test_a_changed_or_missing_file_is_named(tmp_path: Path, name: str) -> None:
    folder = linked_model(tmp_path)
    (folder / name).unlink()
    with pytest.raises(InputError, match=f"{name}.*No such file"):
        OnnxModel(folder).load()
    (folder / name).write_bytes(b"something else")
    with pytest.raises(InputError, match=f"{name}.*SHA-256"):
        OnnxModel(folder).load()


def test_where_nothing_reads_reading_is_an_error() -> None:
    nobody = NoReader()
    assert (nobody.available, nobody.identity) == (False, "none")
    with pytest.raises(RuntimeError, match="no reader is available"):
        nobody.read(PAIRS)


def test_a_process_has_one_reader_for_each_cache(tmp_path: Path) -> None:
    assert packaged_reader() is packaged_reader()
    assert packaged_reader(tmp_path) is packaged_reader(tmp_path)
    assert packaged_reader(tmp_path).model is packaged_reader().model
    assert packaged_reader().available


def test_a_registry_has_the_packaged_reader_unless_given_another() -> None:
    registry = load_registry()
    assert registry.reader.identity == packaged_reader().identity
    assert registry.with_reader(NoReader()).reader.identity == "none"
