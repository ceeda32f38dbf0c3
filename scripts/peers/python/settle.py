"""The same definitions once more, in a few lines of NumPy and pandas that take nothing from the tools: who is right where they differ.

python settle.py ORIGINAL RELEASED HOLDOUT ROLES.json
"""

import numpy as np
import pandas as pd
from files import figure, numeric, read

original, released, holdout, roles = read()
numbers = numeric(original)
MISSING = "(missing)"


def shares(*columns: pd.Series) -> pd.Series:
    return pd.concat([column.astype(object).where(column.notna(), MISSING) for column in columns], axis=1).value_counts(
        normalize=True
    )


def total_variation(p: pd.Series, q: pd.Series) -> float:
    return p.subtract(q, fill_value=0).abs().sum() / 2


def widths(column: pd.Series) -> pd.Series:
    """Ten classes of equal width over the range of the original."""
    if column.name not in numbers:
        return column
    low, high = original[column.name].min(), original[column.name].max()
    place = np.floor((column - low) / ((high - low) / 10)).clip(0, 9)
    return place.where(column.notna())


def columns_and_pairs() -> None:
    names = list(original)
    for name in names:
        x, y = original[name].dropna(), released[name].dropna()
        if name in numbers:
            at = np.union1d(x, y)
            gap = np.abs([(x <= value).mean() - (y <= value).mean() for value in at]).max()
            figure(f"KSComplement {name}", 1 - gap)
        else:
            figure(f"TVComplement {name}", 1 - total_variation(shares(x), shares(y)))
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            if a in numbers and b in numbers:
                r, s = (np.corrcoef(*data[[a, b]].dropna().to_numpy(float).T)[0, 1] for data in (original, released))
                figure(f"CorrelationSimilarity {a}:{b}", 1 - abs(r - s) / 2)
            else:
                p, q = (shares(widths(data[a]), widths(data[b])) for data in (original, released))
                figure(f"ContingencySimilarity {a}:{b}", 1 - total_variation(p, q))


def nearest(queries: pd.DataFrame, real: pd.DataFrame, ranges: pd.Series) -> np.ndarray:
    """Gower's distance to the nearest real record: categories 0 or 1, numbers over a range and at most 1."""
    total = np.zeros((len(queries), len(real)))
    for name in original:
        x, y = queries[name].to_numpy()[:, None], real[name].to_numpy()[None, :]
        missing = [pd.isna(values) for values in (x, y)]
        if name in numbers:
            apart = np.minimum(np.abs(x - y) / ranges[name], 1)
        else:
            apart = (x != y).astype(float)
        apart = np.where(missing[0] & missing[1], 0, np.where(missing[0] ^ missing[1], 1, apart))
        total += apart
    return (total / original.shape[1]).min(axis=1)


def distances() -> None:
    span = {key: data[numbers].max() - data[numbers].min() for key, data in (("T", original), ("H", holdout))}
    to_training, to_holdout = nearest(released, original, span["T"]), nearest(released, holdout, span["H"])
    share = (to_training < to_holdout - 1e-9).mean()
    figure("closer to training", share)
    figure("DCROverfittingProtection", min(1, 2 * (1 - share)))
    figure("median DCR", np.median(to_training))


def attribution() -> None:
    keys, target = roles["keys"], roles["target"]
    # Missing is a value of its own.
    known, seen = (data[keys].astype(object).where(data[keys].notna(), MISSING) for data in (original, released))
    by_key: dict[tuple, list] = {}
    for key, secret in zip(seen.itertuples(index=False, name=None), released[target]):
        by_key.setdefault(key, []).append(secret)
    cap = np.array(
        [
            np.mean([guess == secret for guess in by_key[key]]) if key in by_key else np.nan
            for key, secret in zip(known.itertuples(index=False, name=None), original[target])
        ]
    )
    figure("CategoricalCAP", 1 - np.nanmean(cap))
    figure("CategoricalZeroCAP", 1 - np.nan_to_num(cap).mean())
    codes = pd.concat([known, seen]).apply(lambda column: pd.factorize(column)[0]).to_numpy()
    mine, theirs = codes[: len(original)], codes[len(original) :]
    secrets = released[target].to_numpy()
    scores = []
    for row, secret in zip(mine, original[target]):
        apart = (theirs != row).sum(axis=1)
        scores.append((secrets[apart == apart.min()] == secret).mean())
    figure("CategoricalGeneralizedCAP", 1 - np.mean(scores))


def new_rows() -> None:
    matched = 0
    for _, row in released.iterrows():
        same = np.ones(len(original), bool)
        for name in original:
            if pd.isna(row[name]):
                same &= original[name].isna().to_numpy()
            elif name in numbers:
                same &= ((original[name] - row[name]).abs() <= 0.01 * abs(row[name])).to_numpy()
            else:
                same &= (original[name] == row[name]).to_numpy()
        matched += same.any()
    figure("NewRowSynthesis", 1 - matched / len(released))


def cuts(values: pd.Series) -> list[float]:
    """mostlyai-qa's: near ten quantiles, and as few decimals as tell them apart."""
    ordered = np.sort(values.dropna().to_numpy(float))
    found = np.unique(ordered)
    if len(found) <= 10:
        found = np.append(found, found[-1] + 1)
    else:
        for places in range(10, max(11, min(1000, len(ordered) + 1))):
            found = np.unique(ordered[np.linspace(0, len(ordered) - 1, places).astype(int)])
            if len(found) > 10:
                break
    for digits in range(20):
        floors = np.floor(found * 10.0**digits) / 10.0**digits
        if len(np.unique(floors)) == len(found):
            return list(floors[1:-1])
    return list(found[1:-1])


def accuracy() -> None:
    real = pd.concat([original, holdout], ignore_index=True)

    def classes(data: pd.DataFrame, name: str) -> pd.Series:
        column = data[name]
        if name in numbers:
            return pd.Series(np.searchsorted(cuts(real[name]), column, side="right")).where(column.notna().to_numpy())
        counts = real[name].fillna(MISSING).value_counts().head(10)
        kept = set(counts[counts >= 5].index)
        return column.where(column.isin(kept) | column.isna(), "(other)")

    files = [pd.DataFrame({name: classes(data, name).to_numpy() for name in original}) for data in (real, released)]
    names = list(original)
    tuples = {
        "univariate": [(a,) for a in names],
        "bivariate": [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]],
        "trivariate": [
            (a, b, c) for i, a in enumerate(names) for j, b in enumerate(names[i + 1 :], i + 1) for c in names[j + 1 :]
        ],
    }
    for kind, sets in tuples.items():
        gaps = [total_variation(*(shares(*(data[name] for name in chosen)) for data in files)) for chosen in sets]
        figure(f"accuracy {kind}", 1 - np.mean(gaps))


columns_and_pairs()
distances()
attribution()
new_rows()
accuracy()
