"""What are the words of a text? Terms for keyword search, identifiers, sentences, and a count of model tokens."""
