"""Beside SDV's own evaluation: called as ``evaluate_quality`` and ``run_diagnostic`` are, with a report of the same shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .answers import Assessment, numbers, texts
from .api import assess
from .errors import InvalidInput
from .metadata import chosen, from_metadata
from .options import CaseOptions
from .tables import Table

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True)
class DisclosureReport:
    """The methods of SDMetrics' reports over an assessment. A score is 1 minus leakage: 1 reveals nothing about these people."""

    assessment: Assessment

    def get_score(self) -> float:
        """Of the threat that leaks most; not a number where none could be tested."""
        leakages = [threat["leakage"] for threat in self._threats() if threat["leakage"] is not None]
        return 1 - max(0.0, *leakages) if leakages else float("nan")

    def get_properties(self) -> Any:
        """One row per threat, as SDMetrics names the columns."""
        rows = (
            {
                "Property": " ".join(filter(None, [threat["threat"], threat["target"] and f"({threat['target']})"])),
                "Score": None if threat["leakage"] is None else 1 - max(0.0, threat["leakage"]),
                "Verdict": threat["level"],
            }
            for threat in self._threats()
        )
        return self.assessment._frame(rows, texts("Property") | numbers("Score") | texts("Verdict"))

    def get_details(self, property_name: str) -> Any:
        """The measures behind one threat."""
        names = {threat["threat"] for threat in self._threats()}
        threat = property_name.split(" ")[0]
        if threat not in names:
            raise InvalidInput(f"there is no property {property_name!r}; there is: {', '.join(sorted(names))}")
        findings = [each for each in self._threats() if each["threat"] == threat]
        rows = (
            {
                "Metric": each["decidedBy"],
                "Score": each["value"],
                "Look": each["look"],
                "Reason": (each["reason"] or {}).get("text"),
            }
            for each in findings
        )
        return self.assessment._frame(rows, texts("Metric") | numbers("Score") | texts("Look Reason"))

    def _threats(self) -> list[dict[str, Any]]:
        return [threat for release in self.assessment.document["releases"] for threat in release["threats"]]

    def __repr__(self) -> str:
        return repr(self.assessment)

    def _repr_html_(self) -> str:
        return self.assessment._repr_html_()


def evaluate_disclosure(
    real_data: Table | Mapping[str, Table],
    synthetic_data: Table | Mapping[str, Table],
    metadata: object,
    verbose: bool = True,
    *,
    table_name: str | None = None,
    **options: Unpack[CaseOptions],
) -> DisclosureReport:
    """To stand beside ``evaluate_quality(real_data, synthetic_data, metadata)``; prints the answer unless ``verbose`` is False.

    Of tables by name, as SDV takes them, one is evaluated: the only one, or ``table_name``.
    """
    real, synthetic = (
        chosen(data, table_name) if isinstance(data, Mapping) else data for data in (real_data, synthetic_data)
    )
    known = from_metadata(metadata, table_name)
    options.setdefault("type", "synthetic")
    report = DisclosureReport(assess(real, synthetic, metadata=known, progress=verbose or None, **options))
    if verbose:
        print(report.assessment.text)
    return report
