"""The loop: agent contract, templates, pipeline, approval, journal, run store, analytics."""
