"""What does it look like? Pictures of runs, questions and indexes, each drawn from plain data."""
