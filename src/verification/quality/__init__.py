"""How well the evidence carries a whole document: the map of it, and the critique."""
