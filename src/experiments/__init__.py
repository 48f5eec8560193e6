"""Experiments: variants of a run compared on the same items, and judged by paired statistics."""
