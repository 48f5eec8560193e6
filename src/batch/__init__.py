"""Many documents checked, run or reviewed: an engine's jobs, and one summary of all."""
