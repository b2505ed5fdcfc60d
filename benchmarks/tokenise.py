"""How fast does text become numbers of terms? Against bm25s.tokenize, on real text, as it is.

    python -m benchmarks tokenise --collection scifact
    python -m benchmarks tokenise --collection generated --size 100000

Both start from nothing in every round: no vocabulary, no memory of words. `plain` keeps stop words and does not stem;
`English` drops stop words and stems with Snowball. evidex also takes identifiers, numbers and abbreviations apart,
which bm25s does not, so its terms are not the same.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice

from benchmarks.corpus import REAL, generated, raw_texts
from benchmarks.rotation import OURS, ROUNDS, Report, Round

GENERATED = "generated"
Tokenise = Callable[[Sequence[str]], object]


def main() -> None:
    parser = argparse.ArgumentParser(description="Text to numbers of terms.")
    parser.add_argument("--collection", choices=(*REAL, GENERATED), default=REAL[0])
    parser.add_argument("--size", type=int, help="its first passages; all of them by default")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_args()
    found = generated(asked.size or 100_000).texts() if asked.collection == GENERATED else raw_texts(asked.collection)
    texts = list(islice(found, asked.size))
    megabytes = sum(len(text.encode()) for text in texts) / 1e6
    title = f"Text to term numbers, {asked.collection}, {megabytes:.1f} MB"
    report = Report(f"tokenise-{asked.collection}", title, unit="MB per CPU-second")
    for task, english in (("plain", False), ("English", True)):
        made = {
            OURS: report.attempt(OURS, partial(_evidex, english)),
            "bm25s": report.attempt("bm25s", partial(_bm25s, english)),
        }
        runners = {name: _runner(run, texts) for name, run in made.items() if run is not None}
        report.race(task, megabytes, runners, asked.rounds)
    report.finish()


def _runner(tokenise: Tokenise, texts: Sequence[str]) -> Round:
    def run() -> None:
        tokenise(texts)

    return run


def _evidex(english: bool) -> Tokenise:
    from evidex.analysis.analyzer import make_analyzer
    from evidex.analysis.numbering import TermNumbering
    from evidex.config import AnalysisSettings

    settings = AnalysisSettings(language="en" if english else "none", stop_words=english)
    return lambda texts: TermNumbering(make_analyzer(settings)).number(texts)


def _bm25s(english: bool) -> Tokenise:
    import bm25s
    import Stemmer

    def tokenise(texts: Sequence[str]) -> object:
        stemmer = Stemmer.Stemmer("english") if english else None
        stop_words = "en" if english else []
        return bm25s.tokenize(texts, stopwords=stop_words, stemmer=stemmer, show_progress=False)

    return tokenise


if __name__ == "__main__":
    main()
