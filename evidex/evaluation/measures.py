"""What can be measured of a case? Every measure has an id that names its stage, its level and its convention.

    [stage/][level:]NAME[(convention)][@k]        fused/chunk:R@50 · source:nDCG(lin)@10 · context/fact:R · TokenF1

`stage` is a channel, `candidates`, `fused`, `reranked`, `context`, `cited`, or `final`, which needs no saying; `random`
stands for a draw by chance from what the asker may see. `level` is `chunk`, `source`, `family` or `fact`. Names are
those of ir_measures where it has one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from evidex.errors import ConfigError
from evidex.evaluation.metrics.average_precision import average_precision
from evidex.evaluation.metrics.bpref import bpref
from evidex.evaluation.metrics.citations import citation_containment, citation_validity
from evidex.evaluation.metrics.containment import containment
from evidex.evaluation.metrics.context_precision import context_precision
from evidex.evaluation.metrics.context_recall import context_recall
from evidex.evaluation.metrics.judged import judged
from evidex.evaluation.metrics.lexical_faithfulness import lexical_faithfulness
from evidex.evaluation.metrics.ndcg import ndcg
from evidex.evaluation.metrics.precision import precision
from evidex.evaluation.metrics.random_draw import expected_recall
from evidex.evaluation.metrics.recall import recall
from evidex.evaluation.metrics.reciprocal_rank import reciprocal_rank
from evidex.evaluation.metrics.success import success
from evidex.evaluation.metrics.token_f1 import token_f1
from evidex.evaluation.observed import Level, Observed
from evidex.types import Claim

_ID = re.compile(
    r"(?:(?P<stage>[^/:@]+)/)?(?:(?P<level>[a-z]+):)?(?P<name>[A-Za-z0-9]+)(?:\((?P<convention>\w+)\))?(?:@(?P<k>[1-9]\d*))?"
)
RANDOM = "random"
FINAL = "final"


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure of one case. `of` gives None where it is undefined; `asked_of` tells of which cases it can be asked."""

    id: str
    of: Callable[[Observed], float | None]
    asked_of: Callable[[Case], bool]
