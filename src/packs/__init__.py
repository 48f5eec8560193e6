"""Evidence packs of ended runs: made, and checked again from the pack alone."""
