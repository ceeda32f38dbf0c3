"""The files of a call: a Case, and each table beside it under the name that the answer calls it by."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from . import tables
from .errors import InvalidInput
from .metadata import Metadata, from_metadata
from .options import ROLES, case_of

CASE = "arguments"
LONGEST_NAME = 80


@dataclass(frozen=True)
class Inputs:
    """What the engine is told, and where it runs."""

    arguments: list[str]
    cwd: Path
    #: Where tables came from, so that answers are tables of the same kind.
    kind: str


def write_inputs(
    folder: Path,
    original: object,
    released: object,
    options: Mapping[str, Any],
    *,
    metadata: object = None,
    needs_release: bool = False,
) -> Inputs:
    """A release is needed but where a file may hold both tables."""
    if needs_release and released is None and not tables.is_path(original):
        raise InvalidInput("no released data: give a table, a list of them, or a dict of them by name")
    data = folder / "data"
    data.mkdir()
    releases = named_releases(released)
    roles = {role: options[role] for role in ROLES if options.get(role) is not None}
    if options.get("engine") is not None:
        return write_names(data, [original, *releases.values()], roles, options)
    names = unique_names(["original", *releases, *roles], [original, *releases.values(), *roles.values()])
    given = [original, *releases.values(), *roles.values()]
    known = Metadata() if metadata is None else from_metadata(metadata)
    columns = [put(table, name, data, known.formats) for table, name in zip(given, names, strict=True)]
    case = case_of(options, columns[0])
    if metadata is not None:
        case = {**known.case([each for each in columns[: 1 + len(releases)] if each]), **case}
    for role, name in zip(roles, names[1 + len(releases) :], strict=True):
        case[role] = name
    if "rules" in case:
        case["rules"] = rules_file(options["rules"], folder)
    folder_of_syntheses(case)
    (data / CASE).write_text(json.dumps(case, ensure_ascii=False), encoding="utf-8")
    # A command of the user's runs where the user is.
    is_command = str(case.get("synthesizer", "")).startswith("command:")
    cwd = Path.cwd() if is_command else data
    files = [os.path.relpath(data / name, cwd) for name in names[: 1 + len(releases)]]
    arguments = [*files, "--config", os.path.relpath(data / CASE, cwd), "--allow-commands"]
    return Inputs(arguments, cwd, tables.kind_of(original))


def write_names(data: Path, given: Sequence[object], roles: Mapping[str, object], options: Mapping[str, Any]) -> Inputs:
    """Tables that live in a database are named, and nothing is written but the Case."""
    for table in [*given, *roles.values()]:
        if not isinstance(table, (str, os.PathLike)):
            raise InvalidInput(
                f"with engine={options['engine']!r} tables are named by texts, not given as {type(table).__name__}"
            )
    case = {**case_of(options), **{role: os.fspath(cast("str", name)) for role, name in roles.items()}}
    (data / CASE).write_text(json.dumps(case, ensure_ascii=False), encoding="utf-8")
    names = [os.fspath(cast("str", name)) for name in given]
    return Inputs([*names, "--config", str(data / CASE), "--allow-commands"], Path.cwd(), "pandas")


def named_releases(released: object) -> dict[str, object]:
    if released is None:
        return {}
    if isinstance(released, Mapping):
        named = {str(name): table for name, table in released.items()}
        if not named:
            raise InvalidInput("no released data: the dict is empty")
        return named
    if isinstance(released, Sequence) and not tables.is_path(released):
        if not released:
            raise InvalidInput("no released data: the list is empty")
        return (
            {f"released-{k + 1}": table for k, table in enumerate(released)}
            if len(released) > 1
            else {"released": released[0]}
        )
    return {"released": released}


def unique_names(names: Sequence[str], given: Sequence[object]) -> list[str]:
    """Names that a file may have and that differ, also where large and small letters are the same."""
    taken = {CASE}
    result = []
    for name, table in zip(names, given, strict=True):
        called = Path(os.fspath(table)).name if isinstance(table, (str, os.PathLike)) else name
        safe = re.sub(r'[\x00-\x1f\x7f/\\:*?"<>|]+', "_", called).strip(" .")[:LONGEST_NAME]
        safe = re.sub(r"^-", "_", safe) or "table"
        free, number = safe, 2
        while free.lower() in taken:
            stem, ending = os.path.splitext(safe)
            free, number = f"{stem}-{number}{ending}", number + 1
        taken.add(free.lower())
        result.append(free)
    return result


def put(table: object, name: str, folder: Path, formats: Mapping[str, str]) -> list[str]:
    """Writes a table, or links a file; gives the names of the columns, where they are known."""
    if isinstance(table, (str, os.PathLike)):
        link(tables.existing(Path(table)), folder / name)
        return []
    return tables.write(table, name, folder / name, formats)


def link(path: Path, place: Path) -> None:
    for make in (place.symlink_to, place.hardlink_to):
        with contextlib.suppress(OSError):
            make(path)
            return
    shutil.copyfile(path, place)


def rules_file(rules: object, folder: Path) -> str:
    """A file of edit rules, or the rules themselves in a list."""
    if isinstance(rules, (str, os.PathLike)):
        return str(tables.existing(Path(rules)))
    if not isinstance(rules, Sequence):
        raise InvalidInput(f"rules is a file, or a list of rules, but it is of type {type(rules).__name__}")
    file = folder / "rules.txt"
    file.write_text("".join(f"{rule}\n" for rule in rules), encoding="utf-8")
    return str(file)


def folder_of_syntheses(case: dict[str, Any]) -> None:
    prefix, separator, path = str(case.get("synthesizer", "")).partition(":")
    if prefix == "folder" and separator:
        case["synthesizer"] = f"folder:{Path(path.strip()).expanduser().resolve()}"
