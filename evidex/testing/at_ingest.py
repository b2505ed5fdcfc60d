"""What goes wrong before anything is indexed: documents that never come in, or come in under the wrong conditions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from typing import TypeAlias

from evidex.testing.pipeline import Pipeline
from evidex.types import EVERYONE, Case, DocumentId, Metadata, SourceItem

Name: TypeAlias = tuple[str, DocumentId]
"""Tenant and id of a document."""

_NOBODY_ASKING = frozenset({"board"})
_NEXT_YEAR = date(2027, 1, 1)


def never_ingested(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """The documents with the evidence stand in no source."""
    gone = evidence_of(cases, pipeline)
    return replace(pipeline, items=tuple(item for item in pipeline.items if _name(item) not in gone))


def retired_by_mistake(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """The documents with the evidence are marked retired, and nothing takes their place."""
    return _relabelled(pipeline, evidence_of(cases, pipeline), lambda metadata: replace(metadata, retired=True))


def begins_too_late(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """The documents with the evidence are dated into the future."""
    return _relabelled(
        pipeline, evidence_of(cases, pipeline), lambda metadata: replace(metadata, effective_from=_NEXT_YEAR)
    )


def old_version_left_active(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """Of each family the version that is over answers on, and the one that took its place is marked retired."""
    wanted = evidence_of(cases, pipeline)
    families = {item.metadata.family for item in pipeline.items if _name(item) in wanted}

    def flipped(metadata: Metadata) -> Metadata:
        if metadata.effective_to is None:
            return replace(metadata, retired=True)
        return replace(metadata, effective_to=None)

    named = {_name(item) for item in pipeline.items if item.metadata.family in families}
    return _relabelled(pipeline, named, flipped)


def access_narrowed(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """Whoever asks has lost the right to read the evidence."""
    return _relabelled(
        pipeline, evidence_of(cases, pipeline), lambda metadata: replace(metadata, readers=_NOBODY_ASKING)
    )


def access_widened(pipeline: Pipeline, cases: Sequence[Case]) -> Pipeline:
    """Everyone may read what is withheld from those who ask."""
    tenant = pipeline.settings.access.default_tenant
    named = {(case.tenant or tenant, document) for case in cases for document in case.withheld}
    return _relabelled(pipeline, named, lambda metadata: replace(metadata, readers=frozenset({EVERYONE})))


def evidence_of(cases: Sequence[Case], pipeline: Pipeline) -> set[Name]:
    """The documents that hold the evidence of cases."""
    tenant = pipeline.settings.access.default_tenant
    return {(case.tenant or tenant, evidence.document) for case in cases for evidence in case.evidence}


def _relabelled(pipeline: Pipeline, named: set[Name], change: Callable[[Metadata], Metadata]) -> Pipeline:
    items = tuple(
        replace(item, metadata=change(item.metadata)) if _name(item) in named else item for item in pipeline.items
    )
    return replace(pipeline, items=items)


def _name(item: SourceItem) -> Name:
    return item.metadata.tenant, item.metadata.id
