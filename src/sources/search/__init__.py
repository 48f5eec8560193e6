"""Queries to located hits: providers, the queries they are sent, and the answers that are kept."""
