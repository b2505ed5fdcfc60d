"""Numeric loops, compiled by Numba: one idea a file, each kernel beside a plain NumPy twin that gives the same."""
