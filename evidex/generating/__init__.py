"""What does the context say to the question? Every generator drafts claims with quotes, or abstains."""
