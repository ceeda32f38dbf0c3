"""Disclosure risk and utility of anonymised and synthetic microdata.

>>> import scrim
>>> answer = scrim.assess(original, released, keys=["sex", "age", "region"], target="income")  # doctest: +SKIP
>>> answer.level  # doctest: +SKIP
'LOW'

The computing is done by the engine of scrim, which comes with the package and runs on Node.js; no data leave the machine.
"""

from .answers import (
    Advice,
    Answer,
    Assessment,
    Check,
    Comparison,
    EmbeddedRecords,
    Keys,
    Measurement,
    OutputsCheck,
    Release,
    Utility,
)
from .api import (
    advise,
    anonymise,
    assess,
    check,
    compare,
    embed,
    keys,
    measure,
    measures,
    outputs_check,
    synthesize,
    utility,
)
from .errors import EngineFailed, InvalidInput, NodeMissing, ReleaseRefused, ScrimError, UnknownOption
from .metadata import Metadata, from_metadata
from .options import CaseOptions
from .tables import Table
from .testing import NotReleasable, assert_releasable

__all__ = [
    "Advice",
    "Answer",
    "Assessment",
    "CaseOptions",
    "Check",
    "Comparison",
    "EmbeddedRecords",
    "EngineFailed",
    "InvalidInput",
    "Keys",
    "Measurement",
    "Metadata",
    "NodeMissing",
    "NotReleasable",
    "OutputsCheck",
    "Release",
    "ReleaseRefused",
    "ScrimError",
    "Table",
    "UnknownOption",
    "Utility",
    "advise",
    "anonymise",
    "assert_releasable",
    "assess",
    "check",
    "compare",
    "embed",
    "from_metadata",
    "keys",
    "measure",
    "measures",
    "outputs_check",
    "synthesize",
    "utility",
]
