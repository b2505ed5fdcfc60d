"""What do the channels find? Every channel is asked every wording, within what the asker may see."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evidex.ports import Index
from evidex.types import ChunkId, DocumentId, Query, Ranking, Scope, Variant


@dataclass(frozen=True, slots=True)
class Route:
    """One channel's ranking for one wording of the question."""

    variant: Variant
    ranking: Ranking


def retrieve(query: Query, indexes: Sequence[Index], scope: Scope, limit: int) -> tuple[Route, ...]:
    """Ask each channel for each wording; at most `limit` hits a route."""
    texts = [variant.text for variant in query.variants]
    return tuple(
        Route(variant, ranking)
        for index in indexes
        for variant, ranking in zip(query.variants, index.search(texts, scope, limit), strict=True)
    )


def scores_of(ids: Sequence[ChunkId], query: Query, indexes: Sequence[Index], scope: Scope) -> tuple[Route, ...]:
    """What each channel says of these chunks for each wording, wherever they stand in its own ranking."""
    texts = [variant.text for variant in query.variants]
    return tuple(
        Route(variant, ranking)
        for index in indexes
        for variant, ranking in zip(
            query.variants, index.search(texts, scope, max(1, len(ids)), among=ids), strict=True
        )
    )


def ranks_beyond(
    document: DocumentId,
    query: Query,
    indexes: Sequence[Index],
    scope: Scope,
    documents_of: Callable[[Sequence[ChunkId]], Sequence[DocumentId]],
    limit: int,
) -> str:
    """Where a document stands in each channel when nothing is cut off, in words, for a reader who asks why not."""
    found = []
    for index in indexes:
        rankings = index.search([variant.text for variant in query.variants], scope, max(1, len(scope.rows)))
        ranks = [
            hit.rank
            for ranking in rankings
            for hit, found_in in zip(ranking.hits, documents_of(ranking.ids), strict=True)
            if found_in == document
        ]
        if not ranks:
            found.append(f"{index.channel} does not match it")
        elif min(ranks) > limit:
            found.append(f"{index.channel} has it at rank {min(ranks)}, beyond the {limit} that are kept")
        else:
            found.append(f"{index.channel} has it at rank {min(ranks)}")
    return "; ".join(found)
