"""An experiment as one HTML file, in the frame that pages of runs and of reviews have."""
