"""Latent semantic analysis (Deerwester et al. 1990): vectors learned from the corpus itself, with the base install.

Its terms are English ones, stemmed and without stop words, whatever `analysis.language` says: on 1,000 documents of
SciFact this gives an nDCG@10 of .792, plain words .756. Words of other languages are matched as they are written, but
for endings that look English.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from evidex.analysis.analyzer import make_analyzer
from evidex.config import AnalysisSettings, EmbeddingSettings
from evidex.embedding.prefixes import Role, prefix_for, prefixed
from evidex.embedding.truncated_svd import right_singular_vectors
from evidex.embedding.unit import unit_rows
from evidex.errors import ContractError, GenerationError
from evidex.ports import Analyzer, EmbedderContract, Embedding
from evidex.storage import Folder, canonical_json, digest, digest_of
from evidex.types import Vectors

FORMAT = "lsa/1"
DESCRIPTION = "lsa.json"
IDF = "lsa.idf.f64"
COMPONENTS = "lsa.components.f32"

# Below this share of a text's length the latent space says nothing of it: what is left is float32 rounding.
_LEAST_PROJECTION = 1e-5


def make(settings: EmbeddingSettings, weights: Path) -> LsaEmbedder:
    """The embedder trained into the folder `weights`. Raises `GenerationError` when that holds no trained weights."""
    return LsaEmbedder(read_model(weights), settings)


def make_trainer(settings: EmbeddingSettings) -> LsaTrainer:
    """A trainer of at most `settings.width` dimensions."""
    return LsaTrainer(settings.width, settings.passage_prefix)


@dataclass(frozen=True, slots=True)
class LsaModel:
    """Trained weights: `idf` has an entry and `components` a row (of `width`) for every term of `vocabulary`."""

    vocabulary: Mapping[str, int]
    idf: NDArray[np.float64]
    components: Vectors
    weights: str
    analyzer: str

    @property
    def width(self) -> int:
        return int(self.components.shape[1])


class LsaEmbedder:
    """A text's tf-idf row projected on the latent dimensions, L2-normalised.

    A text has the zero vector when it has no known term, or only terms of which the latent dimensions hold nothing.
    """

    has_token_vectors = False

    def __init__(self, model: LsaModel, settings: EmbeddingSettings) -> None:
        self._model = model
        self._analyzer = _analyzer()
        if model.analyzer != self._analyzer.name:
            raise ContractError("analyzer", model.analyzer, self._analyzer.name)
        self.contract = EmbedderContract(
            model="lsa",
            revision=" ".join(filter(None, (FORMAT, model.analyzer, settings.revision))),
            weights=model.weights,
            query_prefix=settings.query_prefix,
            passage_prefix=settings.passage_prefix,
            pooling="sum",
            normalized=True,
            width=model.width,
            max_tokens=0,
            metric="cosine",
        )

    def embed(self, texts: Sequence[str], *, role: Role, token_vectors: bool = False) -> Embedding:  # noqa: ARG002
        known: list[int] = []
        unknown: list[int] = []
        rows: list[Counter[int]] = []
        for text in prefixed(texts, prefix_for(self.contract, role)):
            terms = self._analyzer.terms(text)
            row = Counter(self._model.vocabulary[term] for term in terms if term in self._model.vocabulary)
            rows.append(row)
            known.append(row.total())
            unknown.append(len(terms) - row.total())
        weighted = _weighted(_sparse(rows, len(self._model.vocabulary)), self._model.idf)
        # In float32 like the components, which would otherwise be copied whole for every call.
        projected = weighted.astype(np.float32) @ self._model.components
        projected[np.linalg.norm(projected, axis=1) < _LEAST_PROJECTION] = 0
        return Embedding(unit_rows(projected), tuple(known), tuple(unknown), (0,) * len(texts))


@dataclass(frozen=True, slots=True)
class LsaTrainer:
    """Learns the latent dimensions of a corpus; never more than the rank of its term matrix, and at least one."""

    width: int
    passage_prefix: str = ""

    @property
    def name(self) -> str:
        return f"{_analyzer().name} {FORMAT}"

    def __call__(self, texts: Sequence[str], folder: Path) -> None:
        analyzer = _analyzer()
        counts, terms = _counted(prefixed(texts, self.passage_prefix), analyzer)
        idf = inverse_document_frequencies(counts)
        vectors = right_singular_vectors(_weighted(counts, idf), self.width)
        # A corpus without terms has no dimensions; one of zeros keeps the width positive and every vector zero.
        components = vectors if vectors.shape[1] else np.zeros((len(terms), 1))
        write_model(folder, analyzer.name, terms, idf, components.astype(np.float32))


def inverse_document_frequencies(counts: csr_array) -> NDArray[np.float64]:
    """ln((n + 1) / (df + 1)) + 1 of every column, over n rows."""
    document_frequency = np.bincount(counts.indices, minlength=counts.shape[1])
    return np.log((counts.shape[0] + 1) / (document_frequency + 1)) + 1


def write_model(
    folder: Path, analyzer: str, terms: Sequence[str], idf: NDArray[np.float64], components: Vectors
) -> None:
    """Write trained weights; `lsa.json` last, with the digest of all of them."""
    target = Folder(folder)
    parts = {"terms": digest_of(list(terms)), IDF: digest(idf.tobytes()), COMPONENTS: digest(components.tobytes())}
    target.write_array(IDF, idf)
    target.write_array(COMPONENTS, components)
    description = {
        "analyzer": analyzer,
        "format": FORMAT,
        "terms": list(terms),
        "weights": digest_of(parts),
        "width": components.shape[1],
    }
    target.write(DESCRIPTION, canonical_json(description))


def read_model(folder: Path) -> LsaModel:
    """Open trained weights by memory map. Raises `GenerationError` when they are absent or not whole."""
    try:
        description = json.loads((folder / DESCRIPTION).read_bytes())
        if description["format"] != FORMAT:
            raise ValueError(f"format {description['format']!r} instead of {FORMAT!r}")
        terms, width = description["terms"], description["width"]
        idf = np.fromfile(folder / IDF, dtype="<f8")
        return LsaModel(
            vocabulary={term: number for number, term in enumerate(terms)},
            idf=idf.reshape(len(terms)),
            components=_mapped(folder / COMPONENTS, (len(terms), width)),
            weights=description["weights"],
            analyzer=description["analyzer"],
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise GenerationError(
            f"{str(folder)!r} holds no whole LSA weights: {error}.", "Rebuild the generation with 'evidex build'."
        ) from error


def _mapped(path: Path, shape: tuple[int, int]) -> Vectors:
    expected = shape[0] * shape[1] * 4
    if path.stat().st_size != expected:
        raise ValueError(f"{path.name} has {path.stat().st_size} bytes instead of {expected}")
    if expected == 0:  # an empty file cannot be mapped
        return np.zeros(shape, np.float32)
    return np.memmap(path, dtype="<f4", mode="r", shape=shape)


def _analyzer() -> Analyzer:
    return make_analyzer(AnalysisSettings(language="en", stop_words=True))


def _counted(texts: Iterable[str], analyzer: Analyzer) -> tuple[csr_array, tuple[str, ...]]:
    """Term counts of every text, and the terms of the columns, sorted."""
    first_seen: dict[str, int] = {}
    starts, columns, values = array("q", [0]), array("q"), array("d")
    for text in texts:
        for term, count in Counter(analyzer.terms(text)).items():
            columns.append(first_seen.setdefault(term, len(first_seen)))
            values.append(count)
        starts.append(len(columns))
    terms = tuple(sorted(first_seen))
    place = np.zeros(len(terms), np.int64)
    place[[first_seen[term] for term in terms]] = np.arange(len(terms))
    counts = csr_array(
        (np.array(values), place[np.array(columns, dtype=np.int64)], np.array(starts)),
        shape=(len(starts) - 1, len(terms)),
    )
    counts.sort_indices()
    return counts, terms


def _sparse(rows: Sequence[Counter[int]], width: int) -> csr_array:
    starts = np.cumsum([0, *(len(row) for row in rows)])
    columns = [column for row in rows for column in sorted(row)]
    values = [float(row[column]) for row in rows for column in sorted(row)]
    return csr_array((values, np.array(columns, np.int64), starts), shape=(len(rows), width))


def _weighted(counts: csr_array, idf: NDArray[np.float64]) -> csr_array:
    """(1 + ln f) · idf, every row divided by its length."""
    weights = (1 + np.log(counts.data)) * idf[counts.indices]
    row_of = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    lengths = np.sqrt(np.bincount(row_of, weights * weights, minlength=counts.shape[0]))
    return csr_array((weights / lengths[row_of], counts.indices, counts.indptr), shape=counts.shape)
