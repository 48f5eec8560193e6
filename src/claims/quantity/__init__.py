"""Numbers with their unit, modifier, range and kind."""
