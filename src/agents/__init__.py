"""The agents: who they are, what they are asked, and how their answers are read."""
