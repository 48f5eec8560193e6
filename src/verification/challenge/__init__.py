"""Claims that have their verdict are put to the test again: lowered or linked, never raised."""
