from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from conftest import ROLES

import scrim
from scrim.options import case_of, fields


def test_the_options_are_those_of_the_schema() -> None:
    declared = scrim.CaseOptions.__annotations__
    assert list(declared) == list(fields())
    assert all(fields().values())


def test_the_help_of_a_function_has_every_option() -> None:
    assert all(f"    {name}: {about}" in str(scrim.assess.__doc__) for name, about in fields().items())


def test_a_wrong_option_is_refused_with_the_nearest(original: pd.DataFrame, others: pd.DataFrame) -> None:
    with pytest.raises(scrim.UnknownOption, match="there is no option 'holdot'; did you mean 'holdout'\\?"):
        scrim.assess(original, others, holdot=others)  # type: ignore[call-arg]
    with pytest.raises(scrim.UnknownOption, match="there is no option 'numericKeys'; did you mean 'numeric_keys'\\?"):
        scrim.measure("ks", original, others, numericKeys=["age"])
    with pytest.raises(TypeError, match="did you mean 'single_out'"):
        scrim.keys(original, singleout=0.3)  # type: ignore[call-arg]


def test_wrong_values_are_told_by_the_engine_by_name(original: pd.DataFrame, others: pd.DataFrame) -> None:
    wrong = {
        "arguments: field \"type\"": {"type": "synthetc"},
        'no column "regoin" (a key): unknown column "regoin"; did you mean "region"?': {"keys": ["regoin"]},
        "k-anonymity: option \"k\" must be": {"options": {"k-anonymity": {"k": "many"}}, "measures": ["k-anonymity"]},
        'unknown measure "k-anonimity"; did you mean "k-anonymity"?': {"measures": ["k-anonimity"]},
    }  # fmt: skip
    for says, options in wrong.items():
        with pytest.raises(scrim.InvalidInput) as raised:
            scrim.assess(original, others, **options)  # type: ignore[arg-type]
        assert says in str(raised.value)


def test_what_is_no_argument_of_a_command_is_told_too(original: pd.DataFrame, others: pd.DataFrame) -> None:
    with pytest.raises(scrim.InvalidInput, match=r"^no released data: give a table"):
        scrim.assess(original, **ROLES)
    with pytest.raises(scrim.InvalidInput, match=r"^no released data: give a table"):
        scrim.check(original, policy={"overall": "LOW"}, **ROLES)
    with pytest.raises(scrim.InvalidInput, match="audience"):
        scrim.assess(original, others, audience="intern", **ROLES)  # type: ignore[arg-type]
    with pytest.raises(scrim.InvalidInput, match=r'^single_out must be a number, found "many"'):
        scrim.keys(original, single_out="many")  # type: ignore[arg-type]
    with pytest.raises(scrim.InvalidInput, match=r'^policy: overall is "WORST"'):
        scrim.check(original, others, policy={"overall": "WORST"}, **ROLES)
    with pytest.raises(scrim.InvalidInput, match=r"^there is no file nowhere\.json"):
        scrim.assess(original, others, metadata="nowhere.json", **ROLES)


def test_columns_that_differ_are_told(original: pd.DataFrame, others: pd.DataFrame) -> None:
    with pytest.raises(scrim.InvalidInput, match='released has no column "income"'):
        scrim.assess(original, others.drop(columns="income"), **ROLES)


def test_what_only_a_person_can_say_is_asked_in_python(original: pd.DataFrame, others: pd.DataFrame) -> None:
    upper = others.assign(sex=others["sex"].str.upper())
    with pytest.raises(scrim.InvalidInput) as raised:
        scrim.assess(original, upper, **ROLES)
    assert (
        'match_levels=True says yes, match_levels=False says no; for one of them: answers={"released:sex": "same"}'
        in str(raised.value)
    )
    answer = scrim.measure("k-anonymity", original, upper, keys="sex", answers={"released:sex": "same"})
    assert answer.value is not None


def test_tables_of_a_database_are_named(original: pd.DataFrame) -> None:
    with pytest.raises(scrim.InvalidInput, match="tables are named by texts, not given as DataFrame"):
        scrim.assess("census.people", original, engine="postgresql://reader@db.example/census")
    with pytest.raises(scrim.InvalidInput, match="password"):
        scrim.assess("people", "released", engine="postgresql://reader:secret@db.example/census")


def test_values_become_json() -> None:
    said = {"keys": pd.Index(["a", "b"]), "seed": np.int64(3), "group": {"age": np.int32(5)}, "threads": None}
    assert case_of(said) == {"keys": ["a", "b"], "seed": 3, "group": {"age": 5}}
    assert case_of({"keys": "a,b"}, ["a", "b"]) == {"keys": "a,b"}
    assert case_of({"keys": "a,b"}, ["a,b", "c"]) == {"keys": ["a,b"]}
    with pytest.raises(scrim.InvalidInput, match="seed: a value of type complex cannot be an option"):
        case_of({"seed": 1j})
