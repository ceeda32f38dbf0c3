"""What is said about an assessment: keyword arguments are the fields of a Case, in the writing of Python."""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from .errors import InvalidInput, UnknownOption
from .node import ENGINE

if TYPE_CHECKING:
    from .tables import Table

Names = "str | Sequence[str]"


class CaseOptions(TypedDict, total=False):
    """The fields of a Case (``_engine/case.schema.json``); a test holds the two equal."""

    keys: str | Sequence[str] | None
    target: str | Sequence[str] | None
    numeric_keys: str | Sequence[str] | None
    holdout: Table | None
    population: Table | None
    attacker: Table | None
    attacker_columns: Mapping[str, str] | None
    identifier: str | None
    rules: str | os.PathLike[str] | Sequence[str] | None
    weight: str | None
    household: str | None
    type: Literal["synthetic", "perturbed", "unknown"] | None
    match_levels: bool | None
    answers: Mapping[str, Literal["same", "different"]] | None
    group: Mapping[str, str | int] | None
    codes: Mapping[str, float | Sequence[float] | str] | None
    types: Mapping[str, str | Mapping[str, Any]] | None
    missing_tokens: str | Sequence[str] | None
    object: str | Sequence[str] | None
    sheet: str | Sequence[str] | None
    labels: Literal["levels", "codes"] | None
    keep_missing_codes: bool | None
    delimiter: str | None
    encoding: Literal["utf-8", "latin1"] | None
    decimal: Literal[".", ","] | None
    max_size: str | float | None
    profile: Literal["quick", "standard", "full"] | None
    measures: str | Sequence[str] | None
    side: Literal["risk", "utility"] | None
    synthesizer: str | None
    epsilon: float | None
    delta: float | None
    options: Mapping[str, Mapping[str, Any]] | None
    seed: int | None
    engine: str | None
    memory: str | float | None
    sample: int | None
    threads: int | None
    guesses: Mapping[str, str] | None


#: The tables of a Case besides original and releases.
ROLES = ("holdout", "population", "attacker")


@cache
def fields() -> dict[str, str]:
    """Options in Python's writing, with what each means."""
    properties = json.loads((ENGINE / "case.schema.json").read_text(encoding="utf-8"))["properties"]
    own = {name: about for name, about in properties.items() if name not in ("original", "released")}
    return {snake_case(name): about.get("description", "") for name, about in own.items()}


def snake_case(field: str) -> str:
    return re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", field)


def camel_case(option: str) -> str:
    return re.sub(r"_([a-z])", lambda letter: letter[1].upper(), option)


def check_names(options: Mapping[str, object], also: Collection[str] = (), *, of_case: bool = True) -> None:
    """Refuses what is no option, with the nearest one; ``also`` are the arguments of the function itself."""
    known = [*(fields() if of_case else ()), *also]
    unknown = [option for option in options if option not in known]
    if unknown:
        raise UnknownOption("\n".join(f"there is no option {option!r}{nearest(option, known)}" for option in unknown))


def nearest(name: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(name, known, 1, 0.5)
    return f"; did you mean {near[0]!r}?" if near else f"; there is: {', '.join(known)}"


def case_of(options: Mapping[str, Any], columns: Collection[str] = ()) -> dict[str, Any]:
    """The fields of a Case, without its tables. ``columns`` are those of the original, where they are known."""
    said = {name: value for name, value in options.items() if value is not None and name not in ROLES}
    case = {camel_case(name): json_value(value, name) for name, value in said.items()}
    for role in ("keys", "target", "numericKeys"):
        # A text is read as the value of a flag would be, with commas between names, unless it is a name itself.
        if isinstance(case.get(role), str) and case[role] in columns:
            case[role] = [case[role]]
    return case


def json_value(value: Any, option: str) -> Any:
    """Numbers of NumPy and lists of any kind as JSON has them."""
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, Mapping):
        return {str(name): json_value(each, option) for name, each in value.items()}
    if hasattr(value, "tolist"):
        return json_value(value.tolist(), option)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (Sequence, set, frozenset)):
        return [json_value(each, option) for each in value]
    raise InvalidInput(f"{option}: a value of type {type(value).__name__} cannot be an option")


def with_options(doc: str | None) -> str:
    """A docstring with every option below it."""
    lines = [f"    {name}: {about}" for name, about in fields().items()]
    return "\n".join([doc or "", "Options:", *lines])
