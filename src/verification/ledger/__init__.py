"""What is known of each claim: its evidence weighed, its bindings, its history."""
