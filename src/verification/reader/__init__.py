"""How likely a passage supports or contradicts a claim, read by a model that ships with foureyes."""
