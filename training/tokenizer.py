"""Make the reader's `tokenizer.json`: word pieces with the ids of MPNet's own vocabulary."""

from __future__ import annotations

from pathlib import Path

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers

UNKNOWN = "[UNK]"


def make_tokenizer(vocabulary: Path) -> Tokenizer:
    """The tokenizer of a vocabulary file with one piece a line.

    No piece is declared special: a text that contains ``</s>`` must not end the passage for the
    reader. The separators are put between the ids of passage and claim.
    """
    pieces = vocabulary.read_text(encoding="utf-8").split("\n")
    ids = {piece: number for number, piece in enumerate(pieces) if piece}
    tokenizer = Tokenizer(models.WordPiece(ids, unk_token=UNKNOWN, max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    return tokenizer
