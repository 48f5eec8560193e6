"""What a person reads at the end of a run."""
