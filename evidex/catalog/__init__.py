"""What changes: documents and their revisions, who may read them, generations and the aliases that name them."""
