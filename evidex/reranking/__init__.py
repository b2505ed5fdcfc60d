"""In which order do the candidates answer the question? Each file is one answer; all of them only reorder."""
