"""For tests, shipped: a disk that is full, and a laboratory in which faults are planted and have to be found."""
