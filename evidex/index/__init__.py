"""Sealed generations: what a question is searched in. Written once, manifest last, opened by memory map."""
