"""Prompts, templates and registries that ship with foureyes (data only)."""
