"""Numeric loops over text, compiled by Numba: one idea a file, each kernel beside a plain twin that gives the same."""
