"""Metrics of synthcity that need no model, as a black box, beside the same in a few lines: python run_synthcity.py ORIGINAL RELEASED

Levels go in as numbers, as its own encoder has them.
"""

import os
import sys
import tempfile
import warnings
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
warnings.filterwarnings("ignore")

import numpy as np
import pandas as pd
from files import figure, numeric
from scipy.spatial.distance import cdist, jensenshannon
from synthcity.metrics.eval_privacy import IdentifiabilityScore
from synthcity.metrics.eval_sanity import CommonRowsProportion
from synthcity.metrics.eval_statistical import (
    JensenShannonDistance,
    KolmogorovSmirnovTest,
    MaximumMeanDiscrepancy,
    PRDCScore,
)
from synthcity.plugins.core.dataloader import GenericDataLoader

original, released = (pd.read_csv(file, keep_default_na=False, na_values=[""]).dropna() for file in sys.argv[1:3])
numbers = numeric(original)


def coded() -> list[pd.DataFrame]:
    both = pd.concat([original, released], keys=[0, 1])
    for name in both:
        if name not in numbers:
            both[name] = both[name].astype(str).rank(method="dense").astype(int)
    return [both.loc[place] for place in (0, 1)]


def score(metric: type, files: list[pd.DataFrame], **options: object) -> dict:
    """Each loader is new: identifiability divides the data that it is given in their place."""
    with tempfile.TemporaryDirectory() as folder:
        evaluator = metric(workspace=Path(folder), use_cache=False, **options)
        return evaluator.evaluate(*(GenericDataLoader(data.copy(), sensitive_features=[]) for data in files))


def both(name: str, theirs: float, ours: float) -> None:
    figure(f"synthcity {name}", theirs)
    figure(f"lines {name}", ours)


def step(values: np.ndarray, at: np.ndarray) -> np.ndarray:
    return np.searchsorted(np.sort(values), at, side="right") / len(values)


def nearer_to_release(x: np.ndarray, y: np.ndarray) -> float:
    own = cdist(x, x)
    np.fill_diagonal(own, np.inf)
    return float((cdist(x, y).min(axis=1) < own.min(axis=1)).mean())


def entropy(values: np.ndarray) -> float:
    shares = np.unique(np.round(values), return_counts=True)[1] / len(values)
    return float(-(shares * np.log(shares)).sum())


pair = [original[numbers], released[numbers]]
gaps = []
for name in numbers:
    at = np.union1d(original[name], released[name])
    gaps.append(np.abs(step(original[name].to_numpy(), at) - step(released[name].to_numpy(), at)).max())
both("ks_test", score(KolmogorovSmirnovTest, pair)["marginal"], 1 - np.mean(gaps))

x, y = (data.to_numpy(float) for data in pair)
kernels = [np.exp(-(cdist(a, b) ** 2)).mean() for a, b in ((x, x), (y, y), (x, y))]
both(
    "max_mean_discrepancy",
    score(MaximumMeanDiscrepancy, pair, kernel="rbf")["joint"],
    kernels[0] + kernels[1] - 2 * kernels[2],
)

files = coded()
here, there = ({tuple(row) for row in data.itertuples(index=False)} for data in files)
both("common_rows_proportion", score(CommonRowsProportion, files)["score"], len(here & there) / len(original))

x, y = (data.to_numpy(float) for data in files)
radius = np.sort(cdist(x, x), axis=1)[:, 5]
near = cdist(x, y)
prdc = score(PRDCScore, files)
both("prdc precision", prdc["precision"], (near < radius[:, None]).any(axis=0).mean())
both("prdc coverage", prdc["coverage"], (near.min(axis=1) < radius).mean())

identified = score(IdentifiabilityScore, files)["score"]
both("identifiability, all weights 1", identified, nearer_to_release(x, y))
weights = np.array([entropy(column) for column in x.T])
both("identifiability, weights of the paper", identified, nearer_to_release(x / weights, y / weights))

# Two columns that have no value in common are as far apart as can be.
apart = [pd.DataFrame({"a": [0, 1] * 50, "b": [0] * 100}), pd.DataFrame({"a": [2, 3] * 50, "b": [0] * 100})]
both(
    "jensenshannon_dist of nothing in common",
    2 * score(JensenShannonDistance, apart)["marginal"],
    jensenshannon([1, 1, 0, 0], [0, 0, 1, 1]),
)
