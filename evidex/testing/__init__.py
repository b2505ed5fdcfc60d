"""For tests, shipped: memory twins of stores, conformance suites and fault injection."""
