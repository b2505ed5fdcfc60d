"""Why is there nothing to say? What a generator that abstains gives as its reason."""

from __future__ import annotations

NO_PASSAGE = "No passage was found for this question."
NOTHING_TO_LOOK_FOR = "The question has no word that a passage could be searched for."
NOTHING_KNOWN = "No word of this question occurs in the documents that were searched."
NO_SENTENCE = "The passages found hold no sentence that could be quoted."
