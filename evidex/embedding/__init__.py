"""Text into vectors, under a contract that index and query share."""
