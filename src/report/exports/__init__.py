"""Findings, claims and provenance of a document in the formats that other tools read."""
