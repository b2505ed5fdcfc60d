"""On which texts and queries are engines compared? Passages that every engine's tokeniser cuts into the same tokens.

Generated text is a first-order Markov chain over a Zipf–Mandelbrot unigram law, with repetition inside a passage:
each token is drawn afresh, or is a likely successor of the token before it, or is a word that the passage has already
used. So words have a heavy head and a long tail, spans of words repeat between passages, and passages are about
something. The first 10,000 passages of any size are the same.

Real text is that of BEIR folders below $EVIDEX_SHARED/data/collections (default: ../shared), reduced to lower-case runs
of two and more ASCII letters: what a tokeniser does beyond that is measured by tokenise.py.

Words are runs of at least two lower-case ASCII letters, separated by one space; no engine drops stop words or stems.
A corpus is a text file with one passage a line, below build/bench/corpora, beside one file for each set of queries.

Sources: Mandelbrot (1953), "An informational theory of the statistical structure of language"; Church and Gale (1995),
"Poisson mixtures", for words that come in bursts.
"""

from __future__ import annotations

import json
import mmap
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).parent.parent
BUILD = ROOT / "build" / "bench"
COLLECTIONS = Path(os.environ.get("EVIDEX_SHARED", ROOT.parent / "shared")) / "data" / "collections"
REAL = ("scifact", "squad2_dev_half")
ENGLISH = ("clapnq_dev", "cranfield", "financebench_pages", "mtrag_un", "scifact", "squad2_dev_half")
WINDOW = 36

SEED = 20240229
VOCABULARY = 330_000
OFFSET, EXPONENT = 4.0, 1.2
"""Mandelbrot's: the word of rank r has probability proportional to 1 / (r + OFFSET) ** EXPONENT."""
SUCCEEDING, REPEATED = 0.45, 0.1
"""Shares of the tokens that follow from the token before, and that the passage has used already."""
FEWEST_SUCCESSORS, SUCCESSORS_PER_SHARE = 8, 40_000
MEDIAN_LENGTH, SPREAD, SHORTEST, LONGEST = 58, 0.5, 8, 300
"""Passage lengths in tokens are log-normal, within these limits; their mean is about 65."""

HEAD = 100
"""The most frequent words, which have the part of stop words: keyword queries do without them."""
QUERIES = 500
SHORTEST_QUERY, LONGEST_QUERY = 2, 8

_QUANTILES = 2**23
_BLOCK = 10_000
_VERSION = 1

Tokens = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Corpus:
    """One passage a line in `path`; `keyword` and `natural` are the two sets of queries.

    A keyword query is 2 to 8 different words of one passage, none of them of the head; a natural one is a contiguous
    span of 2 to 8 words, whatever they are.
    """

    name: str
    path: Path
    passages: int
    keyword: tuple[str, ...]
    natural: tuple[str, ...]

    @property
    def queries(self) -> dict[str, tuple[str, ...]]:
        return {"keyword": self.keyword, "natural": self.natural}

    def texts(self) -> Iterator[str]:
        """The passages in row order, read as they are asked for."""
        return read_texts(self.path)


def read_texts(path: Path) -> Iterator[str]:
    """The lines of a file of passages."""
    with path.open(encoding="ascii") as lines:
        for line in lines:
            yield line[:-1]


def generated(passages: int) -> Corpus:
    """The synthetic corpus of this size, made at its first use."""
    path = BUILD / "corpora" / f"zipf-bigram-{_VERSION}-{passages}.txt"
    if not path.exists():
        _write(path, _generated_blocks(passages))
    return _opened(f"zipf-bigram, {passages:,} passages", path)


def real(collection: str, passages: int | None = None) -> Corpus:
    """The passages of a BEIR folder, or the first of them."""
    path = BUILD / "corpora" / f"{collection}-{passages or 'all'}.txt"
    if not path.exists():
        _write(path, (f"{text}\n".encode() for text in islice(_plain(collection), passages)))
    return _opened(collection, path)


def raw_texts(collection: str) -> Iterator[str]:
    """The passages of a BEIR folder as they are, title first."""
    with (COLLECTIONS / collection / "corpus.jsonl").open(encoding="utf-8") as rows:
        for row in map(json.loads, rows):
            yield f"{row.get('title', '')} {row['text']}"


def window_texts() -> Iterator[str]:
    """Every English collection in windows of `WINDOW` words, each half in the next: about 100,000 real passages."""
    for collection in ENGLISH:
        for text in raw_texts(collection):
            words = text.split()
            for start in range(0, max(1, len(words) - WINDOW // 2), WINDOW // 2):
                yield " ".join(words[start : start + WINDOW])


def _plain(collection: str) -> Iterator[str]:
    words = re.compile("[a-z]{2,}")
    found = (" ".join(words.findall(text.lower())) for text in raw_texts(collection))
    return filter(None, found)


def _write(path: Path, blocks: Iterator[bytes]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    with unfinished.open("wb") as stream:
        stream.writelines(blocks)
    unfinished.replace(path)


# --- generated text ------------------------------------------------------------------------------------------------


def _generated_blocks(passages: int) -> Iterator[bytes]:
    """Blocks of passages as lines; each block has its own random numbers, so it is the same in every size."""
    law = _Law.of(VOCABULARY)
    spelled, sizes = _spelled(VOCABULARY)
    for number, start in enumerate(range(0, passages, _BLOCK)):
        random = np.random.default_rng([SEED, number])
        tokens, lengths = _block(law, random)
        kept = lengths[: passages - start]
        yield _lines(tokens[: kept.sum()], kept, spelled, sizes)


@dataclass(frozen=True, slots=True)
class _Law:
    """`quantiles` are the words at equal steps of the cumulative distribution: a uniform integer draws a word."""

    quantiles: Tokens
    successors: NDArray[np.int64]

    @classmethod
    def of(cls, vocabulary: int) -> _Law:
        shares = 1 / (np.arange(vocabulary) + 1 + OFFSET) ** EXPONENT
        shares /= shares.sum()
        steps = (np.arange(_QUANTILES) + 0.5) / _QUANTILES
        quantiles = np.searchsorted(np.cumsum(shares), steps).astype(np.int32)
        return cls(quantiles, (FEWEST_SUCCESSORS + SUCCESSORS_PER_SHARE * shares).astype(np.int64))

    def fresh(self, count: int, random: np.random.Generator) -> Tokens:
        return self.quantiles[random.integers(_QUANTILES, size=count)]

    def after(self, words: Tokens, random: np.random.Generator) -> Tokens:
        """A successor of each word. Which ones it has follows from a hash, so that no table of pairs is needed."""
        number = (self.successors[words] * random.random(len(words)) ** 3).astype(np.uint64)
        mixed = (words.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (number + np.uint64(1)) * np.uint64(0xC2B2AE3D27D4EB4F)) * np.uint64(0xD6E8FEB86659FD93)
        found: Tokens = self.quantiles[(mixed >> np.uint64(32)) % np.uint64(_QUANTILES)]
        return found


def _block(law: _Law, random: np.random.Generator) -> tuple[Tokens, NDArray[np.int64]]:
    """The tokens of a block of passages, one passage after another, and the passages' lengths.

    All passages grow by one token at a time. They stand in order of length meanwhile, longest first, so that those
    which still grow are always the first rows.
    """
    drawn = np.exp(random.normal(np.log(MEDIAN_LENGTH), SPREAD, _BLOCK))
    lengths = np.clip(np.rint(drawn), SHORTEST, LONGEST).astype(np.int64)
    order = np.argsort(-lengths, kind="stable")
    growing = np.searchsorted(-lengths[order], -np.arange(lengths.max()), side="left")
    tokens = np.empty((_BLOCK, lengths.max()), np.int32)
    for position, count in enumerate(growing.tolist()):
        tokens[:count, position] = law.fresh(count, random)
        if position:
            chance = random.random(count)
            follows = np.flatnonzero(chance < SUCCEEDING)
            tokens[follows, position] = law.after(tokens[follows, position - 1], random)
            repeats = np.flatnonzero(chance > 1 - REPEATED)
            earlier = (position * random.random(len(repeats))).astype(np.int64)
            tokens[repeats, position] = tokens[repeats, earlier]
    places = np.empty(_BLOCK, np.int64)
    places[order] = np.arange(_BLOCK)
    inside = np.arange(lengths.max()) < lengths[:, None]
    return tokens[places][inside], lengths


def _spelled(vocabulary: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Made-up words, the most frequent the shortest: rows of bytes that end in spaces, and how many each word takes.

    A syllable is consonants and then vowels, so a word of several can be read in one way only, and no two words of as
    many syllables are equal. The space behind a word is counted in.
    """
    random = np.random.default_rng(SEED)
    single, double = "b c d f g h j k l m n p r s t v w z", "br ch cl dr fl gr pl pr sh sl sp st th tr"
    onsets = f"{single} {double}".split()
    syllables = [onset + nucleus for onset, nucleus in product(onsets, ("a", "e", "i", "o", "u", "ea", "io"))]
    words: list[str] = []
    for count in (1, 2, 3):
        numbers = random.permutation(len(syllables) ** count)[: vocabulary - len(words)]
        parts = [numbers // len(syllables) ** place % len(syllables) for place in range(count)]
        words.extend("".join(syllables[part] for part in parts) for parts in zip(*parts, strict=True))
    sizes = np.array([len(word) + 1 for word in words])
    width = int(sizes.max())
    return np.array([word.ljust(width) for word in words], f"S{width}").view(np.uint8).reshape(-1, width), sizes


def _lines(tokens: Tokens, lengths: NDArray[np.int64], spelled: NDArray[np.uint8], sizes: NDArray[np.int64]) -> bytes:
    taken = sizes[tokens]
    letters = spelled[tokens][np.arange(spelled.shape[1]) < taken[:, None]]
    letters[np.cumsum(taken)[np.cumsum(lengths) - 1] - 1] = ord("\n")
    return letters.tobytes()


# --- queries -------------------------------------------------------------------------------------------------------


def _opened(name: str, path: Path) -> Corpus:
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        ends = _line_ends(data)
        files = {kind: path.with_suffix(f".{kind}") for kind in ("keyword", "natural")}
        if not all(file.exists() for file in files.values()):
            for kind, queries in zip(files, _queries(data, ends), strict=True):
                files[kind].write_text("\n".join(queries), "ascii")
        keyword, natural = (tuple(file.read_text("ascii").splitlines()) for file in files.values())
    return Corpus(name, path, len(ends), keyword, natural)


def _line_ends(data: mmap.mmap) -> NDArray[np.int64]:
    step = 2**26
    found = (
        np.flatnonzero(np.frombuffer(data[at : at + step], np.uint8) == ord("\n")) + at
        for at in range(0, len(data), step)
    )
    return np.concatenate(list(found))


def _queries(data: mmap.mmap, ends: NDArray[np.int64]) -> tuple[list[str], list[str]]:
    random = np.random.default_rng(SEED)
    head = _head(data, ends)
    keyword: list[str] = []
    natural: list[str] = []
    for row in random.permutation(len(ends)).tolist():
        if len(keyword) == len(natural) == QUERIES:
            break
        words = data[ends[row - 1] + 1 if row else 0 : ends[row]].decode().split()
        tail = sorted(set(words) - head)
        size = int(random.integers(SHORTEST_QUERY, LONGEST_QUERY + 1))
        if min(len(words), len(tail)) < LONGEST_QUERY:
            continue
        keyword.append(" ".join(random.permutation(tail)[:size].tolist()))
        start = int(random.integers(len(words) - size + 1))
        natural.append(" ".join(words[start : start + size]))
    return keyword, natural


def _head(data: mmap.mmap, ends: NDArray[np.int64]) -> frozenset[str]:
    """The most frequent words of the first passages."""
    counts = Counter(data[: ends[min(len(ends), _BLOCK) - 1]].decode().split())
    return frozenset(sorted(counts, key=lambda word: (-counts[word], word))[:HEAD])
