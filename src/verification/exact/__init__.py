"""Exact checks of a claim against passages: figures, dates, quotations and single edits."""
