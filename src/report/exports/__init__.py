"""What was found in a document, in the formats that other tools read."""
