"""The metadata of SDV and a configuration of mostlyai, made by these packages themselves, in scrim: python run_metadata.py ORIGINAL RELEASED TARGET

Beside the data an id, dates in a form of their own, postcodes and grades, so that every kind occurs.
"""

import math
import sys
import warnings
from importlib.metadata import version

warnings.filterwarnings("ignore")

import numpy as np
import pandas as pd
import scrim
from mostlyai.sdk.domain import GeneratorConfig, SourceColumnConfig, SourceTableConfig
from scrim.sdv import evaluate_disclosure
from sdv.evaluation import evaluate_quality, run_diagnostic
from sdv.metadata import Metadata


def same(what: str, found: object, expected: object) -> None:
    words = ("equal ", "") if found == expected else ("DIFFER", f", expected {expected}")
    print(f"{words[0]} {what}: {found}{words[1]}\t")


def with_every_kind(file: str, first: int) -> pd.DataFrame:
    data = pd.read_csv(file, keep_default_na=False, na_values=[""])
    random = np.random.default_rng(first)
    born = pd.Timestamp("1994-06-30") - pd.to_timedelta(random.integers(0, 20_000, len(data)), unit="D")
    return data.assign(
        id=range(first, first + len(data)),
        born=born.strftime("%d %b %Y"),
        postcode=random.choice(["1010", "1020", "1030"], len(data)),
        grade=random.choice(["low", "mid", "high"], len(data)),
    )


original, released = with_every_kind(sys.argv[1], 10_000), with_every_kind(sys.argv[2], 50_000)
target = sys.argv[3]
numbers = [name for name in original if pd.api.types.is_numeric_dtype(original[name]) and name != "id"]
others = [name for name in original if name not in [*numbers, "id", "born", "postcode", "grade"]]
expected = {
    **{name: {"kind": "numeric"} for name in numbers},
    **{name: {"kind": "categorical"} for name in [*others, "id", "postcode"]},
    "born": {"kind": "date"},
    "grade": {"kind": "ordered", "levels": ["low", "mid", "high"]},
}


def of_sdv() -> Metadata:
    metadata = Metadata.detect_from_dataframes({"people": original})
    metadata.update_column(table_name="people", column_name="id", sdtype="id")
    metadata.update_column(table_name="people", column_name="born", sdtype="datetime", datetime_format="%d %b %Y")
    metadata.update_column(table_name="people", column_name="postcode", sdtype="postcode", pii=True)
    metadata.update_column(
        table_name="people", column_name="grade", sdtype="ordinal", range_values=["low", "mid", "high"]
    )
    return metadata


def of_mostlyai() -> GeneratorConfig:
    kinds = {name: "TABULAR_NUMERIC_AUTO" for name in numbers} | {"born": "TABULAR_DATETIME", "id": "AUTO"}
    columns = [
        SourceColumnConfig(name=name, model_encoding_type=kinds.get(name, "TABULAR_CATEGORICAL")) for name in original
    ]
    return GeneratorConfig(name="g", tables=[SourceTableConfig(name="people", primary_key="id", columns=columns)])


sdv = of_sdv()
known = scrim.from_metadata(sdv)
print(f"SDV {version('sdv')}\t")
for name in original:
    sdtype = sdv.to_dict()["tables"]["people"]["columns"][name]["sdtype"]
    same(f"{name}, {sdtype}", known.types.get(name), expected[name])
same("personal columns", list(known.personal), ["postcode"])
same("form of dates", known.formats, {"born": "%d %b %Y"})

quality = evaluate_quality({"people": original}, {"people": released}, sdv, verbose=False)
diagnostic = run_diagnostic({"people": original}, {"people": released}, sdv, verbose=False)
disclosure = evaluate_disclosure(
    {"people": original}, {"people": released}, sdv, verbose=False, target=target, profile="quick"
)
same(
    "methods of a report",
    [hasattr(disclosure, name) for name in ("get_score", "get_properties", "get_details")],
    [True] * 3,
)
same("columns of properties", list(disclosure.get_properties())[:2], list(quality.get_properties())[:2])
same("a score from 0 to 1", 0 <= disclosure.get_score() <= 1 and not math.isnan(disclosure.get_score()), True)
print(
    f"       evaluate_quality {quality.get_score():.3f}, run_diagnostic {diagnostic.get_score():.3f}, "
    f"evaluate_disclosure {disclosure.get_score():.3f} ({disclosure.assessment.level})\t"
)

print(f"\nmostlyai {version('mostlyai')}\t")
configured = scrim.from_metadata(of_mostlyai())
for name in original:
    # It has no order of levels.
    same(name, configured.types.get(name), {"kind": "categorical"} if name == "grade" else expected[name])
# Nor the form of dates, which it finds out by itself.
dated = [data.assign(born=pd.to_datetime(data["born"], format="%d %b %Y")) for data in (original, released)]
answer = scrim.assess(*dated, metadata=of_mostlyai(), keys=["age"], target=target, profile="quick", progress=False)
same("an answer", answer.level in ("LOW", "MODERATE", "HIGH", "INCONCLUSIVE"), True)
