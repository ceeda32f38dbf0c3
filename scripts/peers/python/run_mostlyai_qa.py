"""Figures of mostlyai-qa, as a black box: python run_mostlyai_qa.py ORIGINAL RELEASED HOLDOUT ROLES.json"""

import os
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"

from files import figure, read, timed
from mostlyai import qa

original, released, holdout, _ = read()
with tempfile.TemporaryDirectory() as folder, timed("report"):
    _, metrics = qa.report(
        syn_tgt_data=released,
        trn_tgt_data=original,
        hol_tgt_data=holdout,
        report_path=os.path.join(folder, "report.html"),
        statistics_path=os.path.join(folder, "statistics"),
    )
for part in ("accuracy", "similarity", "distances"):
    for name, value in getattr(metrics, part).model_dump().items():
        if value is not None:
            figure(f"{part} {name}", value)
