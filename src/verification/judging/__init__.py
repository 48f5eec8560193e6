"""One claim against one source: the passages, what speaks for and against, the judgement."""
