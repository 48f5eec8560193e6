"""The parts of scipy that foureyes uses, which has no types of its own."""
