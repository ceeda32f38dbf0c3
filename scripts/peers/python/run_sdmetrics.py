"""Figures of SDMetrics, as a black box: python run_sdmetrics.py ORIGINAL RELEASED HOLDOUT ROLES.json [only]"""

import sys

from files import figure, guarded, numeric, read, timed
from sdmetrics.column_pairs import ContingencySimilarity, CorrelationSimilarity
from sdmetrics.reports.single_table import DiagnosticReport, QualityReport
from sdmetrics.single_column import KSComplement, TVComplement
from sdmetrics.single_table import (
    CategoricalCAP,
    CategoricalGeneralizedCAP,
    CategoricalZeroCAP,
    DCRBaselineProtection,
    DCROverfittingProtection,
    NewRowSynthesis,
)

original, released, holdout, roles = read()
parts = sys.argv[5].split(",") if len(sys.argv) > 5 else ["definitions", "reports", "distances", "attribution", "rows"]
numbers = numeric(original)
categories = [name for name in original if name not in numbers]
metadata = {"columns": {name: {"sdtype": "numerical" if name in numbers else "categorical"} for name in original}}
tables = {"tables": {"table": metadata}}


def definitions() -> None:
    for name in numbers:
        figure(f"KSComplement {name}", KSComplement.compute(original[name], released[name]))
    for name in categories:
        figure(f"TVComplement {name}", TVComplement.compute(original[name], released[name]))
    columns = list(original)
    for i, a in enumerate(columns):
        for b in columns[i + 1 :]:
            pair = [original[[a, b]].copy(), released[[a, b]].copy()]
            if a in numbers and b in numbers:
                figure(f"CorrelationSimilarity {a}:{b}", CorrelationSimilarity.compute(*pair))
            else:
                cut = [name for name in (a, b) if name in numbers]
                score = ContingencySimilarity.compute(*pair, continuous_column_names=cut or None)
                figure(f"ContingencySimilarity {a}:{b}", score)


def reports() -> None:
    with timed("QualityReport"):
        quality = QualityReport()
        quality.generate(original, released, metadata, verbose=False)
    with timed("DiagnosticReport"):
        diagnostic = DiagnosticReport()
        diagnostic.generate(original, released, metadata, verbose=False)
    figure("QualityReport", quality.get_score())
    for _, row in quality.get_properties().iterrows():
        figure(f"QualityReport {row['Property']}", row["Score"])
    figure("DiagnosticReport", diagnostic.get_score())


def distances() -> None:
    with timed("DCROverfittingProtection"):
        overfitting = DCROverfittingProtection.compute_breakdown(original, released, holdout, tables, "table")
    figure("DCROverfittingProtection", overfitting["score"])
    figure("closer to training", overfitting["synthetic_data_percentages"]["closer_to_training"])
    with timed("DCRBaselineProtection"):
        baseline = DCRBaselineProtection.compute_breakdown(original, released, tables, "table")
    figure("DCRBaselineProtection", baseline["score"])
    figure("median DCR", baseline["median_DCR_to_real_data"]["synthetic_data"])


def attribution() -> None:
    chosen = {"key_fields": roles["keys"], "sensitive_fields": [roles["target"]]}
    columns = [*roles["keys"], roles["target"]]
    for metric in (CategoricalCAP, CategoricalZeroCAP, CategoricalGeneralizedCAP):

        def compute(metric=metric) -> None:
            # It takes categories only, so numbers among the keys go as text.
            pair = [data[columns].astype(str) for data in (original, released)]
            with timed(metric.__name__):
                score = metric.compute(*pair, **chosen)
            figure(metric.__name__, score)

        guarded(metric.__name__, compute)


def rows() -> None:
    with timed("NewRowSynthesis"):
        score = NewRowSynthesis.compute(original, released, metadata)
    figure("NewRowSynthesis", score)


for part in parts:
    {"definitions": definitions, "reports": reports, "distances": distances, "attribution": attribution, "rows": rows}[
        part
    ]()
