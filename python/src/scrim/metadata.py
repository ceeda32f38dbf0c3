"""What other tools know of a table: types, ids and personal columns of SDV's metadata and of mostlyai's configurations.

Neither says what an attacker may know. Columns that they call personal are proposed as keys, marked as guesses, so that the answer
says that nobody has confirmed them. Ids are texts, whatever they look like; the engine leaves out those that are different for
everybody, and says where a release shares them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import InvalidInput
from .tables import existing

PLAIN_SDTYPES = {
    "numerical": "numeric",
    "categorical": "categorical",
    "ordinal": "categorical",
    "boolean": "categorical",
    "datetime": "date",
    "id": "categorical",
}

ENCODINGS = {"NUMERIC": "numeric", "DATETIME": "date", "CATEGORICAL": "categorical", "CHARACTER": "categorical"}


@dataclass(frozen=True)
class Metadata:
    """What is known of the columns of one table."""

    #: As in the field ``types`` of a Case.
    types: dict[str, dict[str, Any]] = field(default_factory=dict)
    #: Columns that may be known about a person, with the reason.
    personal: dict[str, str] = field(default_factory=dict)
    #: How dates are written that are texts.
    formats: dict[str, str] = field(default_factory=dict)

    def case(self, columns: Sequence[Sequence[str]] = ()) -> dict[str, Any]:
        """Fields of a Case; ``columns`` are those of each table, so that nothing is said of what one of them lacks."""
        names = [name for name in self.types if all(name in each for each in columns)]
        keys = [name for name in self.personal if name in names]
        types = {"types": {name: self.types[name] for name in names}}
        return types | ({"keys": keys, "guesses": {name: self.personal[name] for name in keys}} if keys else {})


def from_metadata(metadata: object, table: str | None = None) -> Metadata:
    """What SDV's metadata or mostlyai's configuration say of a table, to be given as ``metadata=``.

    ``table`` chooses among several. Only needed for that: ``metadata=`` takes the objects themselves, dicts and JSON files.
    """
    if isinstance(metadata, Metadata):
        return metadata
    document = document_of(metadata)
    return mostlyai(document, table) if is_mostlyai(document) else sdv(document, table)


def document_of(metadata: object) -> dict[str, Any]:
    """An object of SDV or mostlyai, a dict, or the path of a JSON file, as a dict."""
    if isinstance(metadata, (str, os.PathLike)):
        file = existing(Path(metadata))
        try:
            metadata = json.loads(file.read_text(encoding="utf-8"))
        except ValueError as error:
            raise InvalidInput(f"{file} is no JSON: {error}") from None
    for method in ("to_dict", "model_dump"):
        if hasattr(metadata, method):
            metadata = getattr(metadata, method)(**({"mode": "json"} if method == "model_dump" else {}))
    if not isinstance(metadata, Mapping):
        raise InvalidInput(f"metadata of type {type(metadata).__name__} is none of SDV or mostlyai")
    return dict(metadata)


def is_mostlyai(document: Mapping[str, Any]) -> bool:
    return isinstance(document.get("tables"), list)


def chosen(tables: Mapping[str, Any], table: str | None) -> Any:
    if table is None and len(tables) == 1:
        return next(iter(tables.values()))
    if table is not None and table in tables:
        return tables[table]
    raise InvalidInput(
        f"which of the tables {', '.join(tables)}? scrim.from_metadata(metadata, table=...) takes one, and table_name= of evaluate_disclosure"
    )


def sdv(document: Mapping[str, Any], table: str | None) -> Metadata:
    """``Metadata`` of SDV 1 and 2, of one table or several."""
    one = chosen(document["tables"], table) if "tables" in document else document
    if not isinstance(one.get("columns"), Mapping):
        raise InvalidInput("the metadata has no columns: it is neither SDV's nor mostlyai's")
    known = Metadata()
    for name, about in one["columns"].items():
        sdtype = about.get("sdtype", "unknown")
        if sdtype in PLAIN_SDTYPES:
            known.types[name] = sdv_type(sdtype, about)
            if sdtype == "datetime" and about.get("datetime_format"):
                known.formats[name] = about["datetime_format"]
        elif sdtype != "unknown":
            known.types[name] = {"kind": "categorical"}
            known.personal[name] = f"its sdtype is {sdtype}, which others may know"
    return known


def sdv_type(sdtype: str, about: Mapping[str, Any]) -> dict[str, Any]:
    # Named `order` in SDV 1, and the values of an ordinal in SDV 2.
    levels = about.get("order") or (about.get("range_values") if sdtype == "ordinal" else None)
    if levels:
        return {"kind": "ordered", "levels": [str(level) for level in levels]}
    return {"kind": PLAIN_SDTYPES[sdtype]}


def mostlyai(document: Mapping[str, Any], table: str | None) -> Metadata:
    """A ``GeneratorConfig``, or a generator, of mostlyai; its fields are written as in Python or as in its JSON."""
    one = chosen({each.get("name", str(k)): each for k, each in enumerate(document["tables"])}, table)
    foreign = one.get("foreign_keys") or one.get("foreignKeys") or []
    ids = [one.get("primary_key") or one.get("primaryKey"), *(key.get("column") for key in foreign)]
    types: dict[str, Any] = {name: {"kind": "categorical"} for name in ids if name}
    for column in one.get("columns") or []:
        encoding = str(column.get("model_encoding_type") or column.get("modelEncodingType") or "AUTO")
        kind = next((kind for word, kind in ENCODINGS.items() if word in encoding), None)
        if kind is not None and column["name"] not in types:
            types[column["name"]] = {"kind": kind}
    return Metadata(types)
