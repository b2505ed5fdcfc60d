"""Where is a document cut? Chunks with exact offsets: windows, sentences, headings, parents and their children."""
