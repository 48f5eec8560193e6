"""How likely a passage supports or contradicts a claim, read by a packaged model."""
