"""How is each measure defined? One a file; all are pure, and None where undefined, which is neither 0 nor 1."""
