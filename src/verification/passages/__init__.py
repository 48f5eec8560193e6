"""Source texts as units and passages: `split_units` splits a text, `SourceText` finds the best.

A passage is what the reader reads: a few neighbouring units of one section under their headings.
"""
