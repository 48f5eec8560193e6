"""The evidence gate: a decision by code from the ledger and the reads."""
