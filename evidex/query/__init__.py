"""The life of a question: scope, understand, retrieve, fuse, rerank, assemble, answer."""
