"""A run as one HTML file that anyone can open: no request to anywhere, nothing in it executes but
what is written here."""
