"""One claim against all its sources and against its own document."""
