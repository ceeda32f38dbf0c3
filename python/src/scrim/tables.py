"""Tables of any kind as Arrow, and what the engine made as a table of the same kind.

Arrow carries what a column is: numbers, texts, booleans, dates, times with zone, categories with their order, and what is
missing. Everything is brought into few types that mean the same to the engine; the rest is refused by name.
"""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast, runtime_checkable

from .errors import InvalidInput

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa


@runtime_checkable
class ArrowStream(Protocol):
    """Anything that hands itself over as Arrow: pandas, polars, pyarrow, DuckDB, and others since."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class LazyFrame(Protocol):
    """A ``polars.LazyFrame``, which is collected."""

    def collect(self) -> Any: ...


class HuggingFaceDataset(Protocol):
    """A ``datasets.Dataset``."""

    features: Any

    def with_format(self, type: str | None = ..., **other: Any) -> Any: ...


#: A data frame of pandas or polars, a table of pyarrow, a structured array of NumPy, a dataset of Hugging Face, a relation
#: of DuckDB, or the path of a file that scrim reads.
Table: TypeAlias = "str | os.PathLike[str] | ArrowStream | np.ndarray[Any, Any] | LazyFrame | HuggingFaceDataset"


def is_path(given: object) -> bool:
    return isinstance(given, (str, os.PathLike))


def existing(path: Path) -> Path:
    path = path.expanduser()
    if path.is_file():
        return path.resolve()
    if path.is_dir():
        raise InvalidInput(f"{path} is a folder, not a file")
    beside = [each.name for each in path.parent.glob("*")] if path.parent.is_dir() else []
    near = difflib.get_close_matches(path.name, beside, 1)
    raise InvalidInput(f"there is no file {path}" + (f"; did you mean {near[0]!r}?" if near else ""))


def kind_of(given: object) -> str:
    """Where a table comes from: ``pandas``, ``polars``, or ``pyarrow`` for everything else."""
    module = type(given).__module__.split(".")[0]
    return module if module in ("pandas", "polars") else "pyarrow"


def write(given: object, name: str, file: Path, formats: Mapping[str, str] | None = None) -> list[str]:
    """One batch, uncompressed; gives the names of the columns."""
    import pyarrow as pa

    table = arrow(given, name, formats or {})
    with pa.OSFile(str(file), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return list(table.column_names)


def arrow(given: object, name: str, formats: Mapping[str, str]) -> pa.Table:
    """A table as the engine reads it; ``name`` is what messages call it, ``formats`` how dates are written that are texts."""
    import pyarrow as pa

    names, columns = columns_of(given, name)
    repeated = sorted({column for column in names if names.count(column) > 1})
    if repeated:
        raise InvalidInput(
            "\n".join(f"{name}: the column name {column!r} occurs more than once" for column in repeated)
        )
    if not names:
        raise InvalidInput(f"{name} has no columns")
    plain = [
        dates(column, formats[title], where)
        if title in formats and is_text(column.type)
        else plain_column(column, where)
        for title, column in zip(names, columns, strict=True)
        for where in [f"{name}, column {title!r}"]
    ]
    table = pa.table(plain, names=names)
    if table.num_rows == 0:
        raise InvalidInput(f"{name} has no rows")
    return table.combine_chunks()


def columns_of(given: object, name: str) -> tuple[list[str], list[Any]]:
    """Names and columns, by whatever a table is made of."""
    if kind_of(given) == "pandas":
        return pandas_columns(cast("Any", given), name)
    if type(given).__module__.split(".")[0] == "numpy":
        return numpy_columns(cast("Any", given), name)
    table = arrow_table(cast("Any", given), name)
    return list(table.column_names), list(table.columns)


def arrow_table(given: Any, name: str) -> pa.Table:
    import pyarrow as pa

    if isinstance(given, pa.Table):
        return given
    if isinstance(given, pa.RecordBatch):
        return pa.Table.from_batches([given])
    if hasattr(given, "features") and hasattr(given, "with_format"):
        return hugging_face_table(given)
    if kind_of(given) == "polars":
        return polars_table(given, name)
    if isinstance(given, ArrowStream):
        return pa.table(given)
    what = f"{type(given).__module__}.{type(given).__qualname__}".removeprefix("builtins.")
    raise InvalidInput(
        f"{name} is of type {what}; scrim takes data frames of pandas or polars, pyarrow tables, structured arrays of NumPy, "
        "datasets of Hugging Face, relations of DuckDB and paths of files"
    )


def hugging_face_table(given: Any) -> pa.Table:
    """Class labels are numbers there, with names beside them."""
    import pyarrow as pa

    table = given.with_format("arrow")[:]
    for place, title in enumerate(table.column_names):
        names = getattr(given.features.get(title), "names", None)
        if names:
            codes = table.column(title).combine_chunks().cast(pa.int32())
            table = table.set_column(place, title, pa.DictionaryArray.from_arrays(codes, pa.array(names, pa.string())))
    return table


def polars_table(given: Any, name: str) -> pa.Table:
    """An Enum has an order, which Arrow is told; a Categorical has none."""
    import polars as pl
    import pyarrow as pa

    frame = given.collect() if isinstance(given, pl.LazyFrame) else given
    if isinstance(frame, pl.Series):
        raise InvalidInput(f"{name} is a single column; give a data frame")
    table = frame.to_arrow()
    for place, (title, dtype) in enumerate(frame.schema.items()):
        if isinstance(dtype, pl.Enum):
            codes = frame.get_column(title).to_physical().to_arrow().cast(pa.int32())
            levels = pa.array(dtype.categories.to_list(), pa.string())
            table = table.set_column(place, title, pa.DictionaryArray.from_arrays(codes, levels, ordered=True))
    return table


def pandas_columns(given: Any, name: str) -> tuple[list[str], list[Any]]:
    import pandas as pd

    if isinstance(given, pd.Series):
        raise InvalidInput(f"{name} is a single column; give a data frame")
    if isinstance(given.columns, pd.MultiIndex):
        raise InvalidInput(
            f"{name}: the columns have a MultiIndex; give each column one name, such as '_'.join of its levels"
        )
    if isinstance(given.index, pd.MultiIndex):
        levels = ", ".join(str(level) for level in given.index.names)
        raise InvalidInput(
            f"{name}: the rows have a MultiIndex ({levels}), which is no column; call reset_index() first"
        )
    names = [str(title) for title in given.columns]
    columns = [pandas_column(given.iloc[:, k], f"{name}, column {title!r}") for k, title in enumerate(names)]
    return names, columns


def pandas_column(column: Any, where: str) -> Any:
    import pandas as pd
    import pyarrow as pa

    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        codes = column.cat.codes.to_numpy()
        values = pa.array(codes.astype("int32"), mask=codes < 0)
        return dictionary(values, dtype.categories.tolist(), bool(dtype.ordered), where)
    if isinstance(dtype, pd.PeriodDtype):
        column = column.dt.to_timestamp()
    elif isinstance(dtype, pd.IntervalDtype):
        column = column.astype("object").map(str, na_action="ignore")
    try:
        return pa.array(column.array if hasattr(column.array, "__arrow_array__") else column, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
        raise mixed(column, where) from None


def mixed(column: Iterable[object], where: str) -> InvalidInput:
    kinds = sorted({type(value).__name__ for value in column if value is not None and value == value})
    if len(kinds) == 1:
        return unknown(where, kinds[0])
    return InvalidInput(
        f"{where} holds values of several kinds ({', '.join(kinds)}); make them one kind, for example texts"
    )


def unknown(where: str, kind: object) -> InvalidInput:
    return InvalidInput(f"{where} is of type {kind}, which scrim does not know; make it numbers, texts or dates")


def numpy_columns(given: Any, name: str) -> tuple[list[str], list[Any]]:
    import pyarrow as pa

    if given.dtype.names is None or given.ndim != 1:
        raise InvalidInput(
            f"{name} is an array without names of columns; scrim takes structured arrays of one dimension"
        )
    columns = []
    for title in given.dtype.names:
        where, column = f"{name}, column {title!r}", given[title]
        mask = getattr(column, "mask", None)
        values = getattr(column, "data", column) if mask is not None else column
        if values.dtype.kind == "S":
            values = values.astype("U")
        if values.ndim != 1 or values.dtype.kind not in "biufUOmM":
            raise unknown(where, given.dtype[title])
        try:
            columns.append(pa.array(values, mask=mask, from_pandas=True))
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            raise mixed(values, where) from None
    return list(given.dtype.names), columns


def dictionary(codes: Any, levels: Sequence[object], ordered: bool, where: str) -> Any:
    """A category, its levels as texts."""
    import pyarrow as pa

    texts = [level_text(level) for level in levels]
    if len(set(texts)) < len(texts):
        raise InvalidInput(f"{where}: two of its categories are written alike")
    return pa.DictionaryArray.from_arrays(codes, pa.array(texts, pa.string()), ordered=ordered)


def level_text(level: object) -> str:
    """1.0 is written as 1, as in the engine, and a boolean as its own."""
    if isinstance(level, bool):
        return "true" if level else "false"
    if isinstance(level, float) and level.is_integer():
        return str(int(level))
    return str(level)


def plain_column(column: Any, where: str) -> Any:
    """The same values in a type that the engine knows."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        return plain_column(column.cast(kind.storage_type), where)
    if pa.types.is_dictionary(kind):
        return plain_dictionary(column, where)
    if is_text(kind):
        return sorted_dictionary(column)
    if pa.types.is_float16(kind):
        return column.cast(pa.float32())
    if pa.types.is_decimal(kind):
        return column.cast(pa.float64())
    if kind in (pa.int64(), pa.uint64(), pa.uint32()):
        return short_integers(column)
    if pa.types.is_duration(kind) or pa.types.is_time(kind):
        whole = column.cast(pa.int32() if pa.types.is_time32(kind) else pa.int64())
        return pc.divide(whole.cast(pa.float64()), PER_SECOND[kind.unit])
    if not is_plain(kind):
        raise unknown(where, kind)
    return column


def dates(column: Any, form: str, where: str) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        return pc.strptime(column.cast(pa.string()), format=form, unit="s")
    except pa.ArrowInvalid:
        raise InvalidInput(f"{where}: not every value is a date as the metadata says ({form})") from None


PER_SECOND = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}


def is_plain(kind: Any) -> bool:
    from pyarrow import types

    known = (types.is_null, types.is_boolean, types.is_integer, types.is_floating, types.is_date, types.is_timestamp)
    return any(is_known(kind) for is_known in known)


def is_text(kind: Any) -> bool:
    from pyarrow import types

    is_view = getattr(types, "is_string_view", lambda _: False)
    return bool(types.is_string(kind) or types.is_large_string(kind) or is_view(kind))


def short_integers(column: Any) -> Any:
    """Half the bytes where all of them fit, which is nearly always; the engine has one kind of number."""
    import pyarrow as pa

    try:
        return column.cast(pa.int32())
    except pa.ArrowInvalid:
        return column


def sorted_dictionary(column: Any) -> Any:
    """Texts, each different one written once, in the order that the engine gives them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    encoded = whole(column.cast(pa.large_string())).dictionary_encode()
    order = pc.sort_indices(encoded.dictionary)
    place = pc.sort_indices(order).cast(pa.int32())
    return pa.DictionaryArray.from_arrays(place.take(encoded.indices), encoded.dictionary.take(order).cast(pa.string()))


def plain_dictionary(column: Any, where: str) -> Any:
    """Levels as texts, in their order, one dictionary for all batches."""
    import pyarrow as pa

    if isinstance(column, pa.ChunkedArray):
        column = column.unify_dictionaries().combine_chunks()
    if isinstance(column, pa.ChunkedArray):
        column = whole(column)
    codes = column.indices.cast(pa.int32())
    return dictionary(codes, column.dictionary.to_pylist(), bool(column.type.ordered), where)


def whole(column: Any) -> Any:
    """One array, however many pieces it came in."""
    import pyarrow as pa

    if not isinstance(column, pa.ChunkedArray):
        return column
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


# What the engine made, as the user has it.


def read_like(file: Path, given: object, name: str) -> Any:
    """A file of the engine as a table of the same kind and with the same types; new values have the type that they need.

    Where none was ``given``, or a path, as a data frame.
    """
    import pyarrow.parquet as parquet

    made = parquet.read_table(str(file))
    if given is None or is_path(given):
        return frame(made, "pandas")
    names, columns = columns_of(given, name)
    models = dict(zip(names, columns, strict=True))
    for place, title in enumerate(made.column_names):
        if title in models:
            made = made.set_column(place, title, restored(whole(made.column(title)), models[title]))
    if kind_of(given) == "pandas":
        return pandas_like(made, cast("Any", given))
    return polars_like(made, given) if kind_of(given) == "polars" else made


def restored(made: Any, model: Any) -> Any:
    """Values of the engine in the type of a column; as they are where they do not fit it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = model.type.storage_type if isinstance(model.type, pa.BaseExtensionType) else model.type
    try:
        if pa.types.is_dictionary(kind):
            return restored_dictionary(made, model)
        if pa.types.is_boolean(kind):
            return pc.equal(made, "true") if is_text(made.type) and is_within(made, ["false", "true"]) else made
        if pa.types.is_timestamp(kind) and kind.tz is not None:
            made = made.cast(pa.timestamp("ms")).cast(pa.timestamp("ms", "UTC"))
        if pa.types.is_duration(kind) or pa.types.is_time(kind):
            ticks = pc.round(pc.multiply(made.cast(pa.float64()), PER_SECOND[kind.unit]))
            made = ticks.cast(pa.int32() if pa.types.is_time32(kind) else pa.int64())
        return made.cast(kind)
    except pa.ArrowInvalid:
        return made


def is_within(made: Any, levels: Sequence[str]) -> bool:
    return set(made.unique().drop_null().to_pylist()) <= set(levels)


def restored_dictionary(made: Any, model: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    array = whole(model.unify_dictionaries()) if isinstance(model, pa.ChunkedArray) else model
    texts = [level_text(level) for level in array.dictionary.to_pylist()]
    if not is_text(made.type) or not is_within(made, texts):
        return made
    codes = pc.index_in(made, value_set=pa.array(texts, pa.string())).cast(array.type.index_type)
    return pa.DictionaryArray.from_arrays(codes, array.dictionary, ordered=array.type.ordered)


def pandas_like(made: pa.Table, given: Any) -> Any:
    import pandas as pd

    dtypes = {str(title): given.dtypes.iloc[k] for k, title in enumerate(given.columns)}
    titles = {str(title): title for title in given.columns}
    columns = {}
    for title in made.column_names:
        values, dtype = made.column(title), dtypes.get(title)
        if isinstance(dtype, pd.CategoricalDtype) and hasattr(whole(values), "indices"):
            codes = whole(values).indices.fill_null(-1).to_numpy(zero_copy_only=False)
            columns[titles[title]] = pd.Series(pd.Categorical.from_codes(codes, dtype=dtype))
        else:
            columns[titles.get(title, title)] = as_dtype(values, dtype)
    return pd.DataFrame(columns)


def as_dtype(values: Any, dtype: Any) -> Any:
    """Whole numbers that now have missing among them become pandas' nullable ones."""
    import pandas as pd

    series = values.to_pandas()
    is_recoded = pd.api.types.is_bool_dtype(dtype) and is_text(values.type)
    if dtype is None or isinstance(dtype, pd.CategoricalDtype) or is_recoded:
        return series
    if isinstance(dtype, pd.PeriodDtype):
        return series.dt.to_period(dtype.freq)
    if (
        values.null_count > 0
        and getattr(dtype, "kind", "") in "iu"
        and not pd.api.types.is_extension_array_dtype(dtype)
    ):
        dtype = pd.api.types.pandas_dtype(str(dtype).replace("int", "Int").replace("uInt", "UInt"))
    try:
        return series.astype(dtype)
    except (TypeError, ValueError):
        return series


def polars_like(made: pa.Table, given: Any) -> Any:
    import polars as pl

    frame = cast("pl.DataFrame", pl.from_arrow(made))
    schema = given.collect_schema() if isinstance(given, pl.LazyFrame) else given.schema
    for title, dtype in schema.items():
        if title in frame.columns and frame.schema[title] != dtype:
            try:
                frame = frame.with_columns(pl.col(title).cast(dtype))
            except pl.exceptions.PolarsError:
                continue
    return frame


def frame(rows: Any, kind: str, columns: Mapping[str, type] | None = None) -> Any:
    """Rows, or a table of pyarrow, as a data frame: of polars for who gave one, else of pandas where it is installed.

    ``columns`` are taken of the rows, and are what they say also where all is missing.
    """
    import pyarrow as pa

    kinds = {str: pa.string(), float: pa.float64(), int: pa.int64(), bool: pa.bool_()}
    schema = None if columns is None else pa.schema([(name, kinds[each]) for name, each in columns.items()])
    table = rows if isinstance(rows, pa.Table) else pa.Table.from_pylist(list(rows), schema=schema)
    if kind == "polars":
        import polars as pl

        return pl.from_arrow(table)
    if kind == "pandas" or "pandas" in sys.modules:
        try:
            return table.to_pandas()
        except ImportError:
            return table
    return table
