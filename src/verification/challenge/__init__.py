"""Claims that have their verdict, put to the test again: what lowers or links them, and never raises."""
