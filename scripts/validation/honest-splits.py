"""Writes data sets of Python packages as CSV files, for honest-splits.mjs. python3 honest-splits.py FOLDER

Each has one record per person, as in honest-splits.R. A package that is not installed is left out.
"""

import importlib
import os
import sys

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)

for name in ["anes96", "fair"]:
    try:
        data = importlib.import_module(f"statsmodels.datasets.{name}").load_pandas().data
    except ImportError:
        print("left out, not installed: statsmodels")
        break
    data.to_csv(os.path.join(folder, f"statsmodels-{name}.csv"), index=False)

for name in ["breast_cancer", "diabetes"]:
    try:
        data = getattr(importlib.import_module("sklearn.datasets"), f"load_{name}")(as_frame=True).frame
    except ImportError:
        print("left out, not installed: scikit-learn")
        break
    data.to_csv(os.path.join(folder, f"sklearn-{name}.csv"), index=False)
