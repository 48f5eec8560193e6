"""Ledger of the claims: weighed evidence, bindings and history of each claim."""
