"""A run as one HTML file that anyone can open: no request to anywhere, no script but its own."""
