"""Is a difference more than chance? Tests, intervals and verdicts over the per-question values of two runs."""
