"""Rules that find flaws in a document's own text: the red team without a model."""
