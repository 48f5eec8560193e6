"""Results of other harnesses as an experiment: judged by the same statistics, never run."""
