"""evidex: an evidence engine."""
