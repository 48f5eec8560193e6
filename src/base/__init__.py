"""Shared basics of all layers: errors, vocabularies, findings, atomic files, registries, logs."""
