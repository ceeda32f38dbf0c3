"""Figures of anonymeter, as a black box: python run_anonymeter.py ORIGINAL RELEASED HOLDOUT ROLES.json ATTACKS [parts]"""

import sys

import numpy as np
from anonymeter.evaluators import InferenceEvaluator, LinkabilityEvaluator, SinglingOutEvaluator
from files import figure, guarded, read, timed

original, released, holdout, roles = read()
attacks = int(sys.argv[5])
parts = sys.argv[6].split(",") if len(sys.argv) > 6 else ["univariate", "multivariate", "linkability", "inference"]
secret = roles["target"]
known = [name for name in original if name != secret]


def evaluator(part: str):
    if part in ("univariate", "multivariate"):
        columns = {"n_cols": 4} if part == "multivariate" else {}
        return SinglingOutEvaluator(
            ori=original, syn=released, control=holdout, n_attacks=attacks, **columns
        ), {"mode": part}
    if part == "linkability":
        return LinkabilityEvaluator(
            ori=original,
            syn=released,
            control=holdout,
            n_attacks=attacks,
            aux_cols=tuple(roles["linked"]),
            n_neighbors=1,
        ), {"n_jobs": 1}
    return InferenceEvaluator(
        ori=original, syn=released, control=holdout, aux_cols=known, secret=secret, n_attacks=attacks
    ), {"n_jobs": 1}


def attack(part: str) -> None:
    np.random.seed(0)
    with timed(part):
        attacker, options = evaluator(part)
        attacker.evaluate(**options)
    results = attacker.results()
    for name in ("attack_rate", "baseline_rate", "control_rate"):
        rate = getattr(results, name)
        if rate is not None:
            figure(f"{part} {name}", rate.value)
    for name, count in (("successes", results.n_success), ("control successes", results.n_control)):
        figure(f"{part} {name}", np.nan if count is None else count)
    figure(f"{part} attacks", results.n_attacks_ori)
    risk = results.risk()
    figure(f"{part} risk", risk.value)
    figure(f"{part} lower", risk.ci[0])
    figure(f"{part} upper", risk.ci[1])


for part in parts:
    guarded(f"{part} risk", lambda part=part: attack(part))
