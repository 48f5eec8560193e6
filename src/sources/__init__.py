"""Addresses to stored snapshots: guarded fetch, source states, snapshot store, text extraction."""
