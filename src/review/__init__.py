"""Document review: findings of a red team, their defence, and claims checked against sources."""
