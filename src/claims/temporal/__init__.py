"""Dates, periods and times in words, as intervals."""
