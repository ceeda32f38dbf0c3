"""What docs/errata.md says about anonymeter, SDMetrics and mostlyai-qa, beside a direct count on small data. Prints each claim with the
versions at hand; ends with an error where one no longer holds. Run by `npm run peers:python -- claims`."""

import contextlib
import io
import os
import sys
import tempfile
import warnings
from importlib.metadata import version

os.environ["HF_HUB_OFFLINE"] = "1"
warnings.filterwarnings("ignore")

import numpy as np
import pandas as pd
from anonymeter.evaluators import InferenceEvaluator, SinglingOutEvaluator
from anonymeter.evaluators.inference_evaluator import evaluate_inference_guesses
from mostlyai import qa
from mostlyai.qa._distances import calculate_dcr_share, calculate_distances
from sdmetrics.single_column import TVComplement
from sdmetrics.single_table import (
    DCROverfittingProtection,
    DisclosureProtection,
    DisclosureProtectionEstimate,
)

failed = 0
rng = np.random.default_rng(0)


def claim(what: str, printed: float, right: float, holds: bool) -> None:
    global failed
    failed += not holds
    word = "as said" if holds else "NO LONGER SO"
    print(f"{what:<88} {printed:>9.4f} {right:>9.4f}  {word}\t", flush=True)


def about(name: str) -> None:
    print(f"\n{name} {version(name)}\t")


def differ(a: float, b: float) -> bool:
    return abs(a - b) > 0.01


def of_anonymeter() -> None:
    about("anonymeter")

    def people() -> pd.DataFrame:
        return pd.DataFrame({"x": rng.normal(size=2000), "secret": rng.choice(["yes", "no"], 2000)})

    original, released, control = people(), people(), people()

    def inference(released: pd.DataFrame, attacks: int) -> InferenceEvaluator:
        np.random.seed(0)
        return InferenceEvaluator(
            ori=original, syn=released, control=control, aux_cols=["x"], secret="secret", n_attacks=attacks
        ).evaluate(n_jobs=1)

    results = inference(released, 500).results()
    chance = sum((original.secret == value).mean() * (released.secret == value).mean() for value in ("yes", "no"))
    naive = results.n_baseline / results.n_attacks_baseline
    claim("inference, baseline: a released value at random for a secret of two values", naive, chance, naive < 0.2)
    results = inference(original, 2000).results()
    naive = results.n_baseline / results.n_attacks_baseline
    claim("the same, release = original in its order", naive, chance, naive == 1)
    groups = inference(released, 200).risk_for_groups()
    first = groups["no"][0] if isinstance(groups["no"], tuple) else groups["no"]
    attacked = first.control_rate.value
    claim("risk_for_groups: success with people outside, nothing to be learnt", attacked, 0.5, attacked < 0.1)
    claim("risk_for_groups: risk there", first.risk().value, 0, first.risk().ci[0] > 0.2)
    guesses = evaluate_inference_guesses(pd.Series([-1.0] * 3), pd.Series([-1.0, 50.0, -900.0]), regression=True)
    claim("a guess of -1 for the numbers -1, 50 and -900: share within 5 %", guesses.mean(), 1 / 3, guesses.all())
    data = pd.DataFrame({"age": rng.integers(20, 70, 300), "sex": rng.choice(["f", "m"], 300)})
    np.random.seed(0)
    attack = SinglingOutEvaluator(ori=data, syn=data, control=data.copy(), n_attacks=500).evaluate(mode="univariate")
    made, rate = len(attack.queries()), attack.results().attack_rate.value
    right = attack.results().n_success / made
    claim(f"univariate singling out, {made} predicates made of 500 asked for: success", rate, right, rate < 0.1 < right)


def of_sdmetrics() -> None:
    about("sdmetrics")

    def closer(training: pd.DataFrame, released: pd.DataFrame, holdout: pd.DataFrame, kind: str) -> float:
        columns = {name: {"sdtype": kind} for name in training}
        found = DCROverfittingProtection.compute_breakdown(
            training, released, holdout, {"tables": {"t": {"columns": columns}}}, "t"
        )
        return found["synthetic_data_percentages"]["closer_to_training"]

    even = pd.DataFrame({"x": np.arange(0.0, 200, 2)})
    between = even + np.where(np.arange(100) % 2 == 0, 0.25, 0.75)[:, None]
    outlier = pd.concat([even, pd.DataFrame({"x": [2000.0]})], ignore_index=True)
    share = closer(outlier, between, even + 1, "numerical")
    claim("share closer to training, one more training record far away", share, 0.5, share == 1)
    pairs = [pd.DataFrame({name: rng.choice(list("ab"), 500) for name in "pqrs"}) for _ in range(2)]
    share = closer(pairs[0], pairs[0], pairs[1], "categorical")
    claim("share closer to training of the training data itself, all tied (half each)", share, 0.5, share == 0)
    draw = [pd.DataFrame({"x": rng.uniform(size=size)}) for size in (800, 800, 200)]
    score = min(1, 2 * (1 - closer(*draw, "numerical")))
    claim("its score, all drawn alike, 800 training and 200 holdout records", score, 1, score < 0.5)
    skewed = pd.DataFrame({"key": rng.choice(list("ab"), 2000), "ill": np.where(np.arange(2000) % 20 == 0, "yes", "no")})
    everybody = skewed.assign(ill="no")
    found = DisclosureProtection.compute_breakdown(
        skewed, everybody, known_column_names=["key"], sensitive_column_names=["ill"]
    )
    claim("DisclosureProtection of a release in which nobody is ill, 5 % are", found["score"], 1, found["score"] < 0.2)
    tied = TVComplement.compute(pd.Series(["a"]), pd.Series(["b"]))
    claim("TVComplement of files without a level in common, times a million", 1e6 * tied, 0, tied > 0)
    small = [pd.DataFrame({"key": rng.choice(list("abcd"), 300), "ill": rng.choice(list("xy"), 300)}) for _ in range(2)]
    chosen = {"known_column_names": ["key"], "sensitive_column_names": ["ill"]}
    shown = io.StringIO()
    with contextlib.redirect_stderr(shown):
        DisclosureProtectionEstimate.compute(*small, **chosen, num_rows_subsample=20, num_iterations=1, verbose=False)
    rounds = 10 if "/10" in shown.getvalue() else 1
    claim("DisclosureProtectionEstimate.compute(num_iterations=1): rounds made", rounds, 1, rounds == 10)


def of_mostlyai_qa() -> None:
    about("mostlyai-qa")
    files = [pd.DataFrame({"x": rng.normal(size=200)}) for _ in range(3)]
    with tempfile.TemporaryDirectory() as folder:
        distances = qa.report(
            syn_tgt_data=files[0],
            trn_tgt_data=files[1],
            hol_tgt_data=files[2],
            report_path=os.path.join(folder, "report.html"),
            statistics_path=os.path.join(folder, "statistics"),
        )[1].distances
    same = np.isin(files[0].x, files[1].x).mean()
    claim("identical matches of one number, no two records equal", distances.ims_training, same, distances.ims_training > 0.9)
    shares = []
    for seed in range(20):
        np.random.seed(seed)
        points = rng.normal(size=(3, 200, 24))
        points /= np.linalg.norm(points, axis=2, keepdims=True)
        released, training, holdout = points
        found = calculate_distances(syn_embeds=released, trn_embeds=training, hol_embeds=holdout)
        shares.append(calculate_dcr_share(found["dcr_syn_trn"], found["dcr_syn_hol"]))
    claim("mean DCR share of 20 releases drawn like training and holdout", np.mean(shares), 0.5, np.mean(shares) > 0.52)


print(f"{'':<88} {'the tool':>9} {'right':>9}\t")
of_anonymeter()
of_sdmetrics()
of_mostlyai_qa()
if failed:
    sys.exit(f"{failed} claims no longer hold")
