"""The Claude backend, through the agent SDK and its bundled CLI."""
