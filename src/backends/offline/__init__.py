"""The offline backend: deterministic agents that fill the same templates by rules."""
