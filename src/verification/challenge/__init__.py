"""Second looks at checked claims: questions, other sources, and gaps in the evidence."""
