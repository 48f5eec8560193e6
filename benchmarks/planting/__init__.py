"""Documents with errors planted into them, and the clean texts that they are planted into."""
