"""Which words stand before a full stop that ends no sentence? English first, with the commonest of its neighbours."""

from __future__ import annotations


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


NEVER_LAST = _words("bijv bzw cf d.h d.w.z e.g eg i.e ie inkl p.ej viz vs vgl z.b zzgl")
"""Abbreviations that always lead on."""

BEFORE_NUMBERS = _words(
    """abb abs app art bd cap ch chap eq eqs fig figs lit no nos nr núm para pos pp ref refs sec sect tab vol vols"""
)
"""Abbreviations that lead on when a number follows."""

SELDOM_LAST = _words(
    """al approx apr aug av ave blvd ca capt co col corp dec dept dr dra ed eds esp est etc feb gen gov hon inc jan jr
    jul jun lt ltd mar max mgr min misc mlle mme mr mrs ms mt nov oct prof rep rev sen sep sept sgt sr sra st tel univ
    usw"""
)
"""Abbreviations that lead on unless one of `OPENERS` follows, as single letters and `U.S.` do."""

OPENERS = _words(
    """a after all also although an and any as at because before but by each every for from he her here his how however
    i if in it its no nor not of on once or our please she since so some such that the their then there these they this
    those though to under until we what when where which while who why with you your"""
)
"""Words with which English sentences like to begin."""
