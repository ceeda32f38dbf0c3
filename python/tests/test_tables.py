"""What a table is made of comes back as it went: through Arrow, the engine, and Parquet."""

from __future__ import annotations

import datetime
import decimal
from pathlib import Path
from typing import Any

import datasets
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import scrim
from scrim import tables

ROWS = 40
#: Nothing is beyond, so that the engine gives back what it read.
UNCHANGED: dict[str, Any] = {"method": "top-coding", "options": {"bounds": {"number": [None, 1e9]}}}


def every_kind() -> pd.DataFrame:
    random = np.random.default_rng(0)
    days = pd.to_timedelta(random.integers(0, 99, ROWS), unit="D")
    seconds = pd.to_timedelta(random.integers(0, 99_999, ROWS), unit="s")
    now = pd.Timestamp("2020-01-01 10:20:30")
    return pd.DataFrame(
        {
            "number": random.normal(size=ROWS),
            "number with missing": np.where(np.arange(ROWS) % 5 == 0, np.nan, random.normal(size=ROWS)),
            "whole": random.integers(0, 9, ROWS),
            "small": random.integers(0, 9, ROWS).astype("int8"),
            "nullable whole": pd.array([None if k % 4 == 0 else k for k in range(ROWS)], dtype="Int64"),
            "beyond doubles": np.arange(ROWS) + 2**53,
            "boolean": random.random(ROWS) < 0.5,
            "nullable boolean": pd.array([None if k % 3 == 0 else k % 2 == 0 for k in range(ROWS)], dtype="boolean"),
            "looks like a number": [f"{k % 7:03}" for k in range(ROWS)],
            "looks missing": ["NA" if k % 3 == 0 else "" if k % 3 == 1 else "x" for k in range(ROWS)],
            "text": pd.Series([None if k % 6 == 0 else f"x{k % 4}" for k in range(ROWS)], dtype=object).astype(
                "string"
            ),
            "ordered": pd.Categorical(
                random.choice(["low", "mid", "high"], ROWS), ["low", "mid", "high"], ordered=True
            ),
            "unordered": pd.Categorical(random.choice(["z", "a"], ROWS), ["z", "a", "never"]),
            "category of numbers": pd.Categorical(random.choice([3, 1, 2], ROWS), [3, 1, 2]),
            "category with missing": pd.Categorical([None if k % 5 == 0 else "ab"[k % 2] for k in range(ROWS)]),
            "interval": pd.cut(random.normal(size=ROWS), 3),
            "day": pd.Timestamp("2020-01-01") + days,
            "time": now + seconds,
            "time with zone": (now + seconds).tz_localize("Europe/Vienna"),
            "day with missing": pd.Series(
                [pd.NaT if k % 5 == 0 else now.normalize() + pd.Timedelta(days=k) for k in range(ROWS)]
            ),
            "date": [datetime.date(2020, 1, 1 + k % 28) for k in range(ROWS)],
            "duration": pd.to_timedelta(random.integers(0, 99, ROWS), unit="h"),
            "period": pd.period_range("2020-01", periods=ROWS, freq="M"),
            "decimal": [decimal.Decimal("1.25") * k for k in range(ROWS)],
        }
    )


def test_a_frame_of_pandas_comes_back_as_it_went() -> None:
    given = every_kind()
    made = scrim.anonymise(given, **UNCHANGED)
    pd.testing.assert_frame_equal(made, given)


def test_a_frame_of_polars_comes_back_as_it_went() -> None:
    given = pl.from_pandas(every_kind().drop(columns=["interval", "period", "category of numbers"])).with_columns(
        pl.col("ordered").cast(pl.Enum(["low", "mid", "high"])),
        pl.col("unordered").cast(pl.String).cast(pl.Categorical),
    )
    made = scrim.anonymise(given, **UNCHANGED)
    assert made.schema == given.schema
    assert made.equals(given)
    assert scrim.anonymise(given.lazy(), **UNCHANGED).equals(given)


def test_a_table_of_pyarrow_comes_back_as_it_went() -> None:
    given = pa.table(
        {
            "number": pa.array([1.5, None, 3.0]),
            "half": pa.array(np.array([1.5, 2.5, 3.5], "float16")),
            "dictionary": pa.DictionaryArray.from_arrays(
                pa.array([1, None, 0], pa.int8()), pa.array(["b", "a"]), ordered=True
            ),
            "time": pa.array([datetime.time(1, 2), None, datetime.time(3, 4, 5)], pa.time64("us")),
            "moment": pa.array([0, 1, None], pa.timestamp("ns", "UTC")),
            "nothing": pa.array([None, "x", ""], pa.large_string()),
        }
    )
    given = given.set_column(4, "moment", pa.array([10**9, 2 * 10**9, None], pa.timestamp("ns", "UTC")))
    assert scrim.anonymise(given, **UNCHANGED).equals(given)


def test_whole_numbers_that_become_missing_stay_whole() -> None:
    given = pd.DataFrame({"a": [1, 1, 2, 2, 3], "b": list("xxyyz")})
    made = scrim.anonymise(given, "local-suppression", keys=["a", "b"], options={"k": 2}, seed=1)
    assert made["a"].isna().any() or made["b"].isna().any()
    assert str(made["a"].dtype) in ("Int64", "int64")


def schema(given: Any) -> list[tuple[str, str]]:
    table = tables.arrow(given, "given", {})
    return [(field.name, str(field.type)) for field in table.schema]


TEXT = "dictionary<values=string, indices=int32, ordered=0>"
ORDERED = "dictionary<values=string, indices=int32, ordered=1>"


def test_structured_arrays_of_numpy() -> None:
    types = [("text", "U5"), ("bytes", "S5"), ("number", "f8"), ("day", "M8[D]"), ("yes", "?"), ("thing", "O")]
    rows = [("é", b"a", 1.5, "2020-01-01", True, "x"), ("b", b"b", np.nan, "NaT", False, None)]
    given = np.array(rows, dtype=types)
    assert schema(given) == [
        ("text", TEXT),
        ("bytes", TEXT),
        ("number", "double"),
        ("day", "date32[day]"),
        ("yes", "bool"),
        ("thing", TEXT),
    ]
    table = tables.arrow(given, "given", {})
    assert [column.null_count for column in table.columns] == [0, 0, 1, 1, 0, 1]
    masked = np.ma.array(given, mask=[(True, False, False, False, False, False), (False,) * 6])
    assert tables.arrow(masked, "masked", {}).column("text").null_count == 1


def test_a_dataset_of_hugging_face_has_the_names_of_its_classes() -> None:
    features = datasets.Features({"label": datasets.ClassLabel(names=["no", "yes"]), "age": datasets.Value("int64")})
    given = datasets.Dataset.from_dict({"label": [1, 0, None, 1], "age": [1, 2, 3, 4]}, features=features)
    assert schema(given) == [("label", TEXT), ("age", "int32")]
    assert tables.arrow(given, "given", {}).column("label").to_pylist() == ["yes", "no", None, "yes"]
    assert tables.arrow(given.select([2, 0]), "given", {}).column("age").to_pylist() == [3, 1]


def test_a_relation_of_duckdb() -> None:
    given = duckdb.sql("select 1 as a, 'x'::enum('y', 'x') as b, date '2020-01-01' as c, 1.25::decimal(9, 2) as d")
    assert schema(given) == [("a", "int32"), ("b", TEXT), ("c", "date32[day]"), ("d", "double")]
    assert tables.arrow(given, "given", {}).column("b").chunk(0).dictionary.to_pylist() == ["y", "x"]


def test_the_order_of_an_enum_is_an_order() -> None:
    given = pl.DataFrame(
        {"a": pl.Series(["x", "y"], dtype=pl.Enum(["y", "x"])), "b": pl.Series(["x", "y"], dtype=pl.Categorical)}
    )
    assert schema(given) == [("a", ORDERED), ("b", TEXT)]


def test_texts_are_sorted_as_the_engine_sorts_them() -> None:
    given = pa.table({"a": ["b", "a", None, "é", "Z", "b"]})
    column = tables.arrow(given, "given", {}).column("a")
    assert column.to_pylist() == ["b", "a", None, "é", "Z", "b"]
    assert column.chunk(0).dictionary.to_pylist() == ["Z", "a", "b", "é"]


def test_paths_of_files_are_read_by_the_engine(original: pd.DataFrame, others: pd.DataFrame, tmp_path: Path) -> None:
    original.to_csv(tmp_path / "people.csv", index=False)
    others.to_parquet(tmp_path / "made.parquet")
    answer = scrim.measure("k-anonymity", tmp_path / "people.csv", str(tmp_path / "made.parquet"), keys="sex,age")
    assert list(answer.table["release"]) == ["people.csv", "made.parquet"]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["made.parquet", "people.csv"]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "original: the column name 'a' occurs more than once"),
        (pd.DataFrame([[1, 2]], columns=[1, "1"]), "original: the column name '1' occurs more than once"),
        (pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("a", "b")])), "original: the columns have a MultiIndex"),
        (pd.DataFrame({"a": [1]}, index=pd.MultiIndex.from_tuples([("x", "y")], names=["p", "q"])), r"MultiIndex \(p, q\).*reset_index"),
        (pd.DataFrame({"a": [1, "x", None]}), r"original, column 'a' holds values of several kinds \(int, str\)"),
        (pd.DataFrame({"a": [{"x": 1}]}), r"original, column 'a' is of type struct<x: int64>, which scrim does not know"),
        (pd.DataFrame({"a": [1j]}), "original, column 'a' is of type complex, which scrim does not know"),
        (pd.DataFrame({"a": pd.Categorical([1, "1"])}), "two of its categories are written alike"),
        (pd.DataFrame({"a": []}), "original has no rows"),
        (pd.DataFrame(), "original has no columns"),
        (pd.Series([1]), "original is a single column"),
        (np.zeros((3, 3)), "original is an array without names of columns"),
        (pa.table({"a": [b"x"]}), "original, column 'a' is of type binary"),
        ([1, 2], "original is of type list; scrim takes data frames"),
        ("no-such-file.csv", "there is no file no-such-file.csv"),
    ],
)  # fmt: skip
def test_wrong_tables_get_one_sentence(given: Any, says: str, others: pd.DataFrame) -> None:
    with pytest.raises(scrim.InvalidInput, match=says) as raised:
        scrim.assess(given, others)
    assert len(str(raised.value).splitlines()) == 1
    assert raised.value.__cause__ is None


def test_infinite_numbers_are_refused_by_the_engine(original: pd.DataFrame, others: pd.DataFrame) -> None:
    with pytest.raises(scrim.InvalidInput, match='released, column "hours", row 3: expected a number, found Infinity'):
        scrim.assess(original, others.assign(hours=[1.0, 2.0, np.inf, *range(117)]), keys=["sex"])
