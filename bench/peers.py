"""Runs one job of a tool of Python as a black box, once with few records so that everything is compiled and once to be timed, and prints
seconds and processor seconds, loading not counted; then what it measured.

python peers.py linkability|inference|multivariate|sdmetrics|mostlyai-qa ORIGINAL RELEASED HOLDOUT ATTACKS
"""

import os
import sys
import time
import warnings

os.environ["HF_HUB_OFFLINE"] = "1"
warnings.filterwarnings("ignore")

import numpy as np
import pandas as pd

job, *files, attacks = sys.argv[1:]
original, released, holdout = (pd.read_csv(file, keep_default_na=False, na_values=[""]) for file in files)
SECRET = "marital"


def anonymeter(attacks: int) -> list[float]:
    from anonymeter.evaluators import InferenceEvaluator, LinkabilityEvaluator, SinglingOutEvaluator

    files = {"ori": original, "syn": released, "control": holdout, "n_attacks": attacks}
    np.random.seed(0)
    if job == "multivariate":
        evaluator = SinglingOutEvaluator(**files, n_cols=4)
        evaluator.evaluate(mode="multivariate")
    else:
        columns = list(original)
        half = len(columns) // 2
        evaluator = (
            LinkabilityEvaluator(**files, aux_cols=(columns[:half], columns[half:]), n_neighbors=1)
            if job == "linkability"
            else InferenceEvaluator(**files, aux_cols=[name for name in columns if name != SECRET], secret=SECRET)
        )
        evaluator.evaluate(n_jobs=1)
    risk = evaluator.risk()
    return [risk.value, *risk.ci]


def sdmetrics(rows: int) -> list[float]:
    from sdmetrics.single_table import DCROverfittingProtection

    kinds = {name: "numerical" if pd.api.types.is_numeric_dtype(original[name]) else "categorical" for name in original}
    metadata = {"tables": {"t": {"columns": {name: {"sdtype": kind} for name, kind in kinds.items()}}}}
    data = [file.head(rows) for file in (original, released, holdout)]
    found = DCROverfittingProtection.compute_breakdown(*data, metadata, "t")
    return [found["synthetic_data_percentages"]["closer_to_training"]]


def mostlyai_qa(rows: int) -> list[float]:
    """Encoding and distances alone: the report also draws hundreds of charts."""
    from mostlyai.qa._distances import calculate_dcr_share, calculate_distances
    from mostlyai.qa._sampling import prepare_data_for_embeddings

    points = prepare_data_for_embeddings(
        syn_tgt_data=released.head(rows), trn_tgt_data=original.head(rows), hol_tgt_data=holdout.head(rows)
    )
    found = calculate_distances(**dict(zip(("syn_embeds", "trn_embeds", "hol_embeds"), points)))
    return [calculate_dcr_share(found["dcr_syn_trn"], found["dcr_syn_hol"])]


run = {"sdmetrics": sdmetrics, "mostlyai-qa": mostlyai_qa}.get(job, anonymeter)
run(50)
start = time.perf_counter(), time.process_time()
found = run(int(attacks))
print(time.perf_counter() - start[0], time.process_time() - start[1], *found)
