"""Where was the evidence lost? The first boundary that a failed question's evidence did not pass, with proof."""
