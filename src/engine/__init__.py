"""Where runs run: a run directory on this machine."""
