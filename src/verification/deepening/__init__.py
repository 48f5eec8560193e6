"""Gaps in the evidence of a draft, and queries to fill them."""
