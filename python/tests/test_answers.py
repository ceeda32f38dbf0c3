from __future__ import annotations

import json
import re
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import ROLES, people

import scrim
from scrim.sdv import evaluate_disclosure

QUICK: dict[str, Any] = {**ROLES, "profile": "quick", "type": "synthetic"}


@pytest.fixture(scope="module")
def answer() -> scrim.Assessment:
    original = people(1)
    copied = pd.concat([original[:80], people(2)[:40]], ignore_index=True)
    return scrim.assess(original, {"copied": copied, "made anew": people(2)}, **QUICK)


def test_an_assessment_says_it_all(answer: scrim.Assessment) -> None:
    assert list(answer.releases) == ["copied", "made anew"]
    copied = answer.releases["copied"]
    assert (answer.level, answer.sentence, answer.recommendation) == (
        copied.level,
        copied.sentence,
        copied.recommendation,
    )
    assert copied.level == "HIGH"
    threats = answer.threats
    assert isinstance(threats, pd.DataFrame)
    assert set(threats["release"]) == {"copied", "made anew"}
    assert threats.loc[threats["release"] == "copied", "leakage"].max() > 0.5
    assert set(answer.measures["measure"]) >= {"attribution", "shared-information"}
    assert copied.utility is None
    assert list(answer.utility.columns) == ["release", "level", "score", "sentence"]
    numbers = ["leakage", "lower", "upper", "exposure", "people"]
    assert set(threats[threats["threat"] == "identity"][numbers].dtypes) == {np.dtype("float64")}
    assert answer.to_dict() == answer.document
    assert answer.to_dict() is not answer.document


def test_it_is_the_words_of_the_terminal_in_those_of_python(answer: scrim.Assessment) -> None:
    assert "original (120 records) and copied, made anew;" in repr(answer)
    assert "HIGH: copied" in repr(answer)
    assert "holdout=: people who were not used" in repr(answer)
    assert re.search(" --[a-z]", repr(answer)) is None
    assert "Written:" not in repr(answer)


def test_a_notebook_shows_the_top_of_the_report(answer: scrim.Assessment) -> None:
    top = answer._repr_html_()
    assert top.startswith("<iframe")
    for part in ("HIGH", "Do not release it.", "What to do", "Findings"):
        assert part in top
    assert len(top) < len(answer.html())
    assert "</iframe>" not in top[: -len("</iframe>")]


def test_it_is_saved_and_replaces_nothing_of_others(answer: scrim.Assessment, tmp_path: Path) -> None:
    report = answer.save(tmp_path / "report.html")
    assert report.read_text(encoding="utf-8") == answer.html()
    answer.save(report)
    document = answer.save(tmp_path / "answer.json")
    assert json.loads(document.read_text(encoding="utf-8")) == answer.document
    answer.save(document)
    mine = tmp_path / "mine.html"
    mine.write_text("<!doctype html><title>mine</title>")
    with pytest.raises(FileExistsError, match="scrim did not write it"):
        answer.save(mine)
    answer.save(mine, overwrite=True)


def test_a_frame_of_polars_gets_frames_of_polars(original: pd.DataFrame, others: pd.DataFrame) -> None:
    answer = scrim.measure(
        "k-anonymity", pl.from_pandas(original), pl.from_pandas(others), keys=["sex", "age"], records=True
    )
    assert isinstance(answer.table, pl.DataFrame)
    assert answer.records["released"].height == 120


def test_a_measure_has_a_value_and_scores_of_records(original: pd.DataFrame, others: pd.DataFrame) -> None:
    answer = scrim.measure(
        "k-anonymity", original, [others, original], keys=["sex", "age"], options={"k": 3}, records=True
    )
    table = answer.table.set_index("release")
    assert list(table.index) == ["original", "released-1", "released-2"]
    sizes = original.groupby(["sex", "age"])["age"].transform("size")
    assert table.loc["original", "value"] == pytest.approx((sizes < 3).mean())
    assert table.loc["released-2", "value"] == table.loc["original", "value"]
    assert list(answer.records) == ["released-1", "released-2"]
    assert list(answer.records["released-2"].iloc[:, 1]) == list(sizes)
    assert repr(answer).startswith("k-anonymity (k-anonymity): share of records")
    assert "<pre>" in answer._repr_html_()
    disclosure = scrim.measure("disclosure", original, others, **ROLES)
    assert {"ident", "attrib"} <= set(disclosure.tables)
    assert len(disclosure.tables["attrib"]) == 1
    assert "Identity disclosure (ident)\n\n" in repr(disclosure)
    assert f"{100 * disclosure.tables['ident']['UiO'][0]:.2f} %" in repr(disclosure)
    checks = ["twoWay.records=0", "twoWay.percent=10"]
    flags = scrim.measure("disclosure", original, others, **ROLES, options=checks).tables["exclude"]
    left_out = scrim.measure("disclosure", original, others, **ROLES, options=[*checks, *flags["option"][:1]]).tables
    assert len(flags) > 1
    assert flags.iloc[0, 0] not in set(left_out["check_2way"]["target_key_levs"])
    alone = scrim.measure("ks", original, others)
    assert alone.records == {}
    assert alone.value is not None


def test_all_measures_are_listed() -> None:
    listed = scrim.measures()
    assert {"attribution", "k-anonymity", "dcr", "pmse"} <= set(listed["measure"])


def test_utility(original: pd.DataFrame, others: pd.DataFrame) -> None:
    related = [table.assign(hours=table["age"] + table["hours"] // 9) for table in (original, others)]
    answer = scrim.utility(*related, profile="standard")
    assert answer.score is not None
    assert 0 < answer.score <= 1
    assert "pmse" in set(answer.measures["measure"])
    assert answer.level in repr(answer)


def test_compare(original: pd.DataFrame, others: pd.DataFrame) -> None:
    answer = scrim.compare(original, {"copy": original, "anew": others}, draws=20, measures="ks", **ROLES)
    candidates = answer.candidates.set_index("release")
    assert candidates.loc["copy", "level"] == "HIGH"
    assert candidates.loc["copy", "leakage"] > candidates.loc["anew", "leakage"]
    assert answer.releases["anew"].name == "anew"
    assert "Which of them may be released" in answer._repr_html_()


def test_keys(original: pd.DataFrame) -> None:
    guess = scrim.keys(original, largest=2)
    assert guess.keys == ["sex", "age", "region"]
    assert guess.target == ["income"]
    assert set(guess.roles["role"]) == {"key", "target"}
    assert guess.sets["size"].max() == 2
    assert "guess" in repr(guess)
    assert '  scrim.assess(original, released, keys=["sex", "age", "region"], target="income")' in repr(guess)
    assert re.search(" --[a-z]|scrim init", repr(guess)) is None


def test_advise_gives_the_release_that_it_recommends(original: pd.DataFrame) -> None:
    advice = scrim.advise(original, original, trials=6, release_seed=1, type="perturbed", **ROLES)
    assert advice.trials.loc[0, "change"] == "as it is"
    assert len(advice.trials) == 7
    if advice.document["recommended"] is not None:
        assert list(advice.recommended.columns) == list(original.columns)
    assert advice.document["release"]["verdict"] == "HIGH"
    assert re.search(" --[a-z]|scrim-py|advised", repr(advice)) is None
    assert "scrim-py" not in json.dumps(advice.to_dict())


def test_a_gate_raises_with_its_report(original: pd.DataFrame, others: pd.DataFrame) -> None:
    with pytest.raises(scrim.ReleaseRefused, match="1 of 1 rules fails") as raised:
        scrim.check(original, original, policy={"overall": "MODERATE"}, **QUICK)
    report = raised.value.report
    assert not report.passed
    assert list(report.outcomes["status"]) == ["fail"]
    kept = scrim.check(original, others, policy={"overall": "HIGH"}, **QUICK)
    assert kept.passed
    with pytest.raises(scrim.InvalidInput, match=r'^policy: .*"overal"'):
        scrim.check(original, others, policy={"overal": "HIGH"}, **QUICK)


def test_an_assertion_for_pipelines(original: pd.DataFrame) -> None:
    with pytest.raises(AssertionError, match="overall"):
        scrim.assert_releasable(original, original, **QUICK)
    assert scrim.assert_releasable(original, original, at_most="HIGH", **QUICK).passed


def test_the_fixture_keeps_its_report(pytester: pytest.Pytester, original: pd.DataFrame) -> None:
    original.to_csv(pytester.path / "people.csv", index=False)
    pytester.makepyfile(
        """
        OPTIONS = {"keys": ["sex", "age"], "target": "income", "profile": "quick", "type": "synthetic"}
        def test_kept(releasable, tmp_path):
            assert releasable("people.csv", "people.csv", at_most="HIGH", **OPTIONS).passed
            assert (tmp_path / "scrim-check.json").exists()
        def test_broken(releasable):
            releasable("people.csv", "people.csv", **OPTIONS)
        """
    )
    result = pytester.runpytest()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*overall*HIGH*LOW*", "*NotReleasable*", "*scrim-check.json*"])


def test_outputs_check(original: pd.DataFrame, tmp_path: Path) -> None:
    request = {"title": "t", "outputs": [{"id": "counts", "kind": "table", "by": ["sex", "region"]}]}
    first = scrim.outputs_check(request, original, rules_only=True, limits={"threshold": 5})
    assert first.verdict == "release"
    assert list(first.outputs["id"]) == ["counts"]
    assert first.document["appetite"]["threshold"] == 5
    assert "They may be released." in first.html()
    again = scrim.outputs_check({"title": "t", "outputs": [{"id": "f", "kind": "table", "by": ["region", "age"]}]}, original, rules_only=True, history=[first])  # fmt: skip
    assert again.verdict == "refuse"
    assert "more; .to_dict() has all" in repr(again)
    assert again.document["earlier"] != []


def test_embed_makes_records_of_printed_numbers_alone(original: pd.DataFrame) -> None:
    counts = original.groupby(["sex", "region"]).size()
    levels = {name: sorted(original[name].unique()) for name in ("sex", "region")}
    values = [
        {"cell": {"sex": sex, "region": region}, "value": int(counts[sex, region])}
        for sex in levels["sex"]
        for region in levels["region"]
    ]
    request = {
        "n": len(original),
        "variables": [{"name": name, "type": "categorical", "levels": levels[name]} for name in levels],
        "outputs": [{"id": "counts", "kind": "table", "by": ["sex", "region"], "values": values}],
    }
    made = scrim.embed(request, seed=3)
    assert made.records.groupby(["sex", "region"]).size().equals(counts)
    assert set(made.records["scrim_record"]) == {"simulated from outputs"}
    assert made.reproduced == 1
    assert len(made.off) == 0
    assert repr(made).startswith("120 simulated records reproduce 6 of 6 printed numbers.")
    fewer = scrim.embed({**request, "n": 90}, options={"proposals": 5000})
    assert fewer.reproduced < 1
    assert list(fewer.off.columns) == ["output", "element", "statistic", "printed", "here"]
    with pytest.raises(scrim.InvalidInput, match='"n", the number of records'):
        scrim.embed({name: request[name] for name in ("variables", "outputs")})
    with pytest.raises(scrim.UnknownOption, match="there is no option 'sed'; did you mean 'seed'"):
        scrim.embed(request, sed=3)


def test_synthesize_makes_tables_of_the_same_kind(original: pd.DataFrame) -> None:
    typed = original.astype({"sex": "category", "hours": "Int64"})
    made = scrim.synthesize(typed, seed=1)
    assert made.dtypes.to_dict() == typed.dtypes.to_dict()
    assert len(made) == 120
    several = scrim.synthesize(pa.Table.from_pandas(original), "independent", m=2, n=30, seed=1)
    assert [table.num_rows for table in several] == [30, 30]
    assert several[0].schema.types == pa.Table.from_pandas(original).schema.types
    assert scrim.synthesize(typed, seed=1).equals(made)


SDV = {
    "METADATA_SPEC_VERSION": "V1",
    "tables": {
        "people": {
            "primary_key": "id",
            "columns": {
                "id": {"sdtype": "id"},
                "postcode": {"sdtype": "postcode", "pii": True},
                "age": {"sdtype": "numerical"},
                "born": {"sdtype": "datetime", "datetime_format": "%d %b %Y"},
                "income": {"sdtype": "categorical"},
            },
        }
    },
}
MOSTLYAI = {
    "name": "g",
    "tables": [
        {
            "name": "people",
            "primary_key": "id",
            "columns": [
                {"name": "id", "model_encoding_type": "AUTO"},
                {"name": "age", "model_encoding_type": "TABULAR_NUMERIC_BINNED"},
                {"name": "income", "model_encoding_type": "TABULAR_CATEGORICAL"},
                {"name": "born", "model_encoding_type": "TABULAR_DATETIME"},
                {"name": "text", "model_encoding_type": "AUTO"},
            ],
        }
    ],
}


def test_metadata_gives_types_ids_and_keys() -> None:
    kinds = {name: about["kind"] for name, about in scrim.from_metadata(SDV).types.items()}
    assert kinds == {
        "id": "categorical",
        "postcode": "categorical",
        "age": "numeric",
        "born": "date",
        "income": "categorical",
    }
    case = scrim.from_metadata(SDV).case([["age", "postcode"], ["postcode", "age", "id"]])
    assert case["keys"] == ["postcode"]
    assert list(case["types"]) == ["postcode", "age"]
    assert "sdtype is postcode" in case["guesses"]["postcode"]
    kinds = {name: about["kind"] for name, about in scrim.from_metadata(MOSTLYAI).types.items()}
    assert kinds == {"id": "categorical", "age": "numeric", "income": "categorical", "born": "date"}
    written = json.loads(
        json.dumps(MOSTLYAI).replace("primary_key", "primaryKey").replace("model_encoding_type", "modelEncodingType")
    )
    assert scrim.from_metadata(written) == scrim.from_metadata(MOSTLYAI)
    ordinal = {
        "columns": {
            "size": {"sdtype": "ordinal", "range_values": ["S", "M"]},
            "old": {"sdtype": "categorical", "order": [1, 2]},
        }
    }
    assert [about["levels"] for about in scrim.from_metadata(ordinal).types.values()] == [["S", "M"], ["1", "2"]]
    with pytest.raises(scrim.InvalidInput, match="which of the tables a, b"):
        scrim.from_metadata({"tables": {"a": {"columns": {}}, "b": {"columns": {}}}})
    with pytest.raises(scrim.InvalidInput, match="neither SDV's nor mostlyai's"):
        scrim.from_metadata({"x": 1})


def test_an_evaluation_beside_those_of_sdv(capsys: pytest.CaptureFixture[str]) -> None:
    def table(seed: int) -> pd.DataFrame:
        made = people(seed)[["age", "income"]]
        born = (pd.Timestamp("2020-01-01") - pd.to_timedelta(made["age"] * 365, unit="D")).dt.strftime("%d %b %Y")
        return made.assign(
            id=range(seed * 1000, seed * 1000 + len(made)), postcode=(made["age"] % 7 + 1000).astype(str), born=born
        )

    report = evaluate_disclosure(table(1), table(2), SDV, target="income", profile="quick")
    assert "keys postcode" in capsys.readouterr().out
    assert report.get_score() == pytest.approx(1 - report.assessment.threats["leakage"].max(), abs=1e-12)
    properties = report.get_properties()
    assert list(properties.columns) == ["Property", "Score", "Verdict"]
    assert len(report.get_details("attribute")) == 1
    with pytest.raises(scrim.InvalidInput, match="there is no property 'quality'"):
        report.get_details("quality")
    named = [{"people": table(seed)} for seed in (1, 2)]
    again = evaluate_disclosure(named[0], named[1], SDV, verbose=False, target="income", profile="quick")
    assert again.get_score() == report.get_score()
    assert capsys.readouterr().out == ""


def test_nothing_is_imported_before_it_is_needed() -> None:
    import subprocess

    heavy = ["pyarrow", "pandas", "polars", "numpy", "tqdm"]
    code = f"import scrim, sys; print([name for name in {heavy} if name in sys.modules])"
    with warnings.catch_warnings():
        assert (
            subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
            == "[]"
        )
