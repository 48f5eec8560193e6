"""Sentences split into self-contained statements, and what their pronouns stand for."""
