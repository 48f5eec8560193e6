"""The agents: their prompts and forms, and the reading of their answers."""
