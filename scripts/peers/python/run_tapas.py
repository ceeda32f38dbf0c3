"""Membership attacks of TAPAS, as a black box, on releases made with and without one person: python run_tapas.py FOLDER SHADOWS ROW...

The folder has people.csv, with.csv and without-ROW.csv; `set` numbers the releases, of which the first SHADOWS of each world train. TAPAS is found by PYTHONPATH.
"""

import sys
import warnings
from pathlib import Path

warnings.filterwarnings("ignore")

import numpy as np
import pandas as pd
from files import figure, numeric, timed
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import KernelDensity
from tapas.attacks import (
    ClosestDistanceMIA,
    FeatureBasedSetClassifier,
    GroundhogAttack,
    HammingDistance,
    ProbabilityEstimationAttack,
    RandomTargetedQueryFeature,
    ShadowModellingAttack,
)
from tapas.datasets import DataDescription, TabularDataset
from tapas.threat_models import BlackBoxKnowledge, ExactDataKnowledge, TargetedMIA

np.random.seed(0)
folder, shadows, rows = Path(sys.argv[1]), int(sys.argv[2]), [int(row) for row in sys.argv[3:]]
TREES = 200  # Groundhog has 100: a forest of one's own it takes for a list, and fails.
QUERIES = 100

people = pd.read_csv(folder / "people.csv")
numbers = numeric(people)
low, high = people[numbers].min(), people[numbers].max()
levels = {name: sorted(people[name].unique()) for name in people if name not in numbers}
schema = [
    {"name": name, "type": "interval", "representation": "number"}
    if name in numbers
    else {"name": name, "type": "finite", "representation": levels[name]}
    for name in people
]
description = DataDescription(schema, "people")


def dataset(data: pd.DataFrame) -> TabularDataset:
    """Its histograms are of numbers from 0 to 1; what is equal stays equal."""
    scaled = data[list(people)].reset_index(drop=True)
    scaled[numbers] = (scaled[numbers] - low) / (high - low)
    return TabularDataset(scaled, description)


def releases(file: str) -> list[TabularDataset]:
    return [dataset(data) for _, data in pd.read_csv(folder / file).groupby("set")]


everybody = dataset(people)
inside = releases("with.csv")
for row in rows:
    outside = releases(f"without-{row}.csv")
    target = everybody.get_records([row])
    rest = everybody.drop_records([row])
    threat = TargetedMIA(ExactDataKnowledge(rest), target, BlackBoxKnowledge(None, len(people)), generate_pairs=False)
    labels = np.array([True] * shadows + [False] * shadows)
    # The releases are made already: what it remembers is not made again.
    threat._memory[True] = (inside[:shadows] + outside[:shadows], list(labels))
    tests = inside[shadows:] + outside[shadows:]
    truth = [True] * len(inside[shadows:]) + [False] * len(outside[shadows:])
    queries = sum(
        (RandomTargetedQueryFeature(target, order, QUERIES) for order in (2, 3)),
        RandomTargetedQueryFeature(target, 1, QUERIES),
    )
    forest = RandomForestClassifier(n_estimators=TREES, random_state=0)
    attacks = {
        "queries": ShadowModellingAttack(FeatureBasedSetClassifier(queries, forest)),
        "groundhog": GroundhogAttack(),
        "closest distance": ClosestDistanceMIA(HammingDistance(), "accuracy"),
        "density": ProbabilityEstimationAttack(KernelDensity(bandwidth=0.1), "accuracy"),
    }
    for name, attack in attacks.items():
        with timed(f"{row} {name}"):
            attack.train(threat, num_samples=None)
            scores = np.asarray(attack.attack_score(tests), dtype=float)
        figure(f"{row} {name}", roc_auc_score(truth, scores[:, -1] if scores.ndim == 2 else scores))
