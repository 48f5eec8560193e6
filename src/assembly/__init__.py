"""Builds backends, agents and runs from settings; alone reads the environment."""
