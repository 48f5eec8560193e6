"""Paired statistics: pure functions on typed values.

`comparison.compare` picks the test and the interval that fit the data, `comparison.conclude_family`
says what follows. docs/concepts/statistics.md tells which test answers which question.
"""
