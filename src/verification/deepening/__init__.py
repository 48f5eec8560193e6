"""What the evidence of a draft lacks, and what to look for."""
