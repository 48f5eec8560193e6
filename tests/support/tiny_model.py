"""A tiny ONNX model of text pairs: it goes by the words "denies" and "affirms" in the premise."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

WORDS = {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "denies": 3, "affirms": 4}


def write_model(
    folder: Path,
    *,
    labels: tuple[str, ...] = ("CONTRADICTION", "ENTAILMENT", "NEUTRAL"),
    inputs: tuple[str, ...] = ("input_ids", "attention_mask"),
) -> Path:
    """Write the three files of a model into `folder`; the outputs stand in the order of the first.

    A premise that denies is taken for a contradiction, one that affirms for entailment, with a
    probability of 0.98.
    """
    # These libraries bring no types that are worth checking.
    helper: Any = importlib.import_module("onnx.helper")
    onnx: Any = importlib.import_module("onnx")
    integer, real = onnx.TensorProto.INT64, onnx.TensorProto.FLOAT
    nodes: list[Any] = []
    for word in ("denies", "affirms"):
        nodes += [
            helper.make_node("Constant", [], [f"{word}_id"], value_int=WORDS[word]),
            helper.make_node("Equal", [inputs[0], f"{word}_id"], [f"{word}_at"]),
            helper.make_node("Cast", [f"{word}_at"], [f"{word}_one"], to=real),
            helper.make_node("ReduceMax", [f"{word}_one", "axes"], [f"{word}_has"], keepdims=1),
            helper.make_node("Mul", [f"{word}_has", "eight"], [f"{word}_logit"]),
        ]
    nodes.append(
        helper.make_node("Concat", ["denies_logit", "affirms_logit", "four"], ["logits"], axis=1)
    )
    fixed = [
        helper.make_tensor("axes", integer, [1], [1]),
        helper.make_tensor("eight", real, [1, 1], [8.0]),
        helper.make_tensor("four", real, [1, 1], [4.0]),
    ]
    given = [helper.make_tensor_value_info(name, integer, [1, None]) for name in inputs]
    out = [helper.make_tensor_value_info("logits", real, [1, 3])]
    graph = helper.make_graph(nodes, "tiny", given, out, initializer=fixed)
    opset = helper.make_opsetid("", 18)
    model = helper.make_model(graph, opset_imports=[opset], ir_version=9)
    onnx.save(model, str(folder / "model.onnx"))
    names = {str(at): label for at, label in enumerate(labels)}
    (folder / "config.json").write_text(json.dumps({"id2label": names}), encoding="utf-8")
    _write_tokenizer(folder / "tokenizer.json")
    return folder


def _write_tokenizer(path: Path) -> None:
    library: Any = importlib.import_module("tokenizers")
    models: Any = importlib.import_module("tokenizers.models")
    processors: Any = importlib.import_module("tokenizers.processors")
    splitters: Any = importlib.import_module("tokenizers.pre_tokenizers")
    tokenizer = library.Tokenizer(models.WordLevel(WORDS, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = splitters.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", WORDS["[CLS]"]), ("[SEP]", WORDS["[SEP]"])],
    )
    tokenizer.save(str(path))
