"""What every layer shares: errors, vocabularies, findings, atomic files, registries, logs."""
