"""Reports for people, exports for other tools, and evidence packs."""
