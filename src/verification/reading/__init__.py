"""A claim and a source read for comparison: words, names, who does what, passages, rows."""
