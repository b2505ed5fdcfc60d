"""Was the right place named? A place of a pipeline is made whole again, and nothing else is touched."""

from __future__ import annotations

from dataclasses import replace

from evidex.testing.pipeline import Pipeline, Wrap

_SECTIONS = {"retrieval": "B6", "reranking": "B8", "context": "B9"}
"""Where a setting of a section does harm."""


def mended(pipeline: Pipeline, whole: Pipeline, boundary: str) -> Pipeline:
    """The pipeline with all that does harm at a boundary taken out; `whole` is the one in which nothing does."""

    def kept(wraps: tuple[Wrap, ...]) -> tuple[Wrap, ...]:
        return tuple(wrap for wrap in wraps if wrap.boundary != boundary)

    return replace(
        pipeline,
        items=whole.items if boundary == "B0" else pipeline.items,
        cases=whole.cases if boundary == "B13" else pipeline.cases,
        changed=tuple(change for change in pipeline.changed if _SECTIONS.get(change[0]) != boundary),
        parsers=kept(pipeline.parsers),
        chunkers=kept(pipeline.chunkers),
        analyzers=kept(pipeline.analyzers),
        sealers=kept(pipeline.sealers),
        line=kept(pipeline.line),
    )
