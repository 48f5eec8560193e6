"""Numbers, dates and units compared, converted and worked out."""
