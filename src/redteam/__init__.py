"""What a document's own text holds against it, found by rules: the red team without a model."""
