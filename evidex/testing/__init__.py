"""For tests, shipped: fault injection."""
