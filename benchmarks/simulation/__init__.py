"""Documents with planted errors, made from hand-written sentences, with sources and truth."""
