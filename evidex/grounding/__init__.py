"""Does each quote stand where it is said to stand? Drafts become answers here, and only here."""
