"""Repairs of claims, and the document with its repairs applied."""
