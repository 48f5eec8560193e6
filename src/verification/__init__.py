"""Claim and source to verdict, ledger and gate, by code alone."""
