"""Tables, enumerations and lists of a source."""
