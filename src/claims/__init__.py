"""Sentences to typed claims: quantities, dates, quotes, kind and stable ids."""
