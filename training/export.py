"""Make the files of `config/models` from trained weights.

    python training/export.py WEIGHTS OUT_FOLDER

`WEIGHTS` is `.npz` or `.pk`. Writes the model, its tokenizer, and both cards with the hash of each
file. Needs torch, onnx and tokenizers, and takes less than a minute.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path
from typing import Any

import calibration
import model_files
import onnx_graph
import tokenizer
import weights

HERE = Path(__file__).parent
MODEL_FILE, TOKENIZER_FILE, CARD_FILE, CARD_TEXT = (
    "model.onnx",
    "tokenizer.json",
    "card.json",
    "card.md",
)


FLOATS = "8-bit weights, a step for each output, unpacked at loading; products of 32-bit floats"
INTEGERS = (
    "8-bit weights, a step for each output; inputs of 8 bits, a step for each token and block of "
    "inputs; 16 inputs of each layer in floats; embeddings of 8 bits, a step for each row"
)


def export(weights_file: Path, folder: Path, vocabulary: Path, *, floats: bool) -> None:
    """Write all files of a model folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("weights-*.bin"):
        old.unlink()
    tokenizer.make_tokenizer(vocabulary).save(str(folder / TOKENIZER_FILE), pretty=False)
    state = weights.load(weights_file)
    samples = None
    if not floats:
        texts = HERE / "calibration.jsonl"
        samples = calibration.sample_inputs(state, folder / TOKENIZER_FILE, texts)
    names = model_files.store(onnx_graph.make_model(state, samples), folder, MODEL_FILE)
    description = json.loads((HERE / "card.json").read_text(encoding="utf-8"))
    description["quantisation"] = FLOATS if floats else INTEGERS
    card = description | {"files": [_entry(folder / name) for name in [*names, TOKENIZER_FILE]]}
    text = json.dumps(card, indent=1, ensure_ascii=False) + "\n"
    (folder / CARD_FILE).write_text(text, encoding="utf-8")
    (folder / CARD_TEXT).write_text(_card_text(card), encoding="utf-8")
    for entry in card["files"]:
        print(f"{entry['name']:<16} {entry['bytes'] / 1e6:6.1f} MB  {entry['sha256']}")


def _entry(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    return {"name": path.name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def _card_text(card: dict[str, Any]) -> str:
    files = [[one["name"], f"{one['bytes']:,}", f"`{one['sha256']}`"] for one in card["files"]]
    data = [
        [one["name"], f"{one['rows']:,}", one["source"], one["licence"]] for one in card["data"]
    ]
    parts = {
        "{quantisation}": card["quantisation"],
        "{files}": _table(["file", "bytes", "SHA-256"], files),
        "{data}": _table(["set", "rows", "source", "licence"], data),
    }
    text = (HERE / "card.md").read_text(encoding="utf-8")
    for mark, part in parts.items():
        text = text.replace(mark, part)
    return text


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    """Read the arguments and export."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weights", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--vocabulary", type=Path, default=HERE / "vocabulary.txt")
    parser.add_argument(
        "--floats",
        action="store_true",
        help="Multiply floats: nearer to the trained network and 1.6 times slower on AVX2.",
    )
    given = parser.parse_args()
    export(given.weights, given.folder, given.vocabulary, floats=given.floats)


if __name__ == "__main__":
    main()
