"""Markdown to located sentences, citations with their scope, quotes and language."""
