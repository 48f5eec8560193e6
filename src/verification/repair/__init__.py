"""What would mend a claim, and the document with it mended."""
