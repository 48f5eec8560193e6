"""What makes two alike wordings differ: polarity, direction, roles, speakers, extremes."""
