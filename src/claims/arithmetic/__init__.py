"""The figures of a document worked again and held against each other."""
