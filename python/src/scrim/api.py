"""The functions: each writes a Case, asks the engine, and gives its answer."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from . import engine, tables
from .answers import (
    Advice,
    Answer,
    Assessment,
    Check,
    Comparison,
    EmbeddedRecords,
    Keys,
    Measurement,
    OutputsCheck,
    Utility,
    table_text,
)
from .errors import InvalidInput, ReleaseRefused
from .inputs import write_inputs
from .options import CaseOptions, check_names, with_options
from .tables import Table

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: One release, several in a list, or several by name.
Releases: TypeAlias = "Table | Sequence[Table] | Mapping[str, Table]"

Audience = Literal["publishable", "internal"]
Level = Literal["HIGH", "MODERATE", "INCONCLUSIVE", "LOW"]
Policy: TypeAlias = "Mapping[str, Any] | str | os.PathLike[str]"

AnswerType = TypeVar("AnswerType", bound=Answer)


def assess(
    original: Table,
    released: Releases | None = None,
    *,
    why: bool = False,
    audience: Audience = "publishable",
    metadata: object = None,
    progress: bool | None = None,
    **options: Unpack[CaseOptions],
) -> Assessment:
    """May it be released? One verdict per release and threat, and what it rests on.

    ``released`` is a table, a list of tables or a dict of them by name; ``why`` finds the columns that carry each alarm;
    ``audience="internal"`` puts exact counts and the most exposed records into the report; ``metadata`` is that of SDV or a
    configuration of mostlyai; ``progress`` shows a bar, or not, whoever looks.
    """
    flags = flags_of({"why": why, "audience": None if audience == "publishable" else audience})
    return ask(
        "assess", Assessment, original, released, options, flags=flags, html=True, metadata=metadata, progress=progress
    )


def utility(
    original: Table,
    released: Releases | None = None,
    *,
    metadata: object = None,
    progress: bool | None = None,
    **options: Unpack[CaseOptions],
) -> Utility:
    """How useful is it? Every measure of utility beside what an honest sample of the original gives."""
    return ask("utility", Utility, original, released, options, metadata=metadata, progress=progress)


def compare(
    original: Table,
    released: Releases,
    *,
    draws: int | None = None,
    audience: Audience = "publishable",
    metadata: object = None,
    progress: bool | None = None,
    **options: Unpack[CaseOptions],
) -> Comparison:
    """Several candidates on one map of risk and utility, and who dominates whom. ``draws`` are behind intervals and dominance."""
    check_names(options, ["draws", "audience", "metadata", "progress"])
    also = options.pop("measures", None)
    also = ",".join(also) if also is not None and not isinstance(also, str) else also
    own = None if audience == "publishable" else audience
    flags = flags_of({"draws": draws, "audience": own, "measures": also})
    return ask(
        "compare", Comparison, original, released, options, flags=flags, html=True, metadata=metadata, progress=progress
    )


def measure(
    measure: str,
    original: Table,
    released: Releases | None = None,
    *,
    records: bool = False,
    options: Mapping[str, Any] | Iterable[str] | None = None,
    metadata: object = None,
    progress: bool | None = None,
    **case: Any,
) -> Measurement:
    """One measure of each release.

    ``options`` are those of the measure, or a list of them as the command line takes them (``["k=3"]``), such as rows of
    ``tables["exclude"]["option"]``, which leave out what the checks of ``disclosure`` name; ``records`` keeps one score per
    record in ``.records``.
    """
    check_names(case, ["records", "options", "metadata", "progress"])
    typed: list[str] = []
    if isinstance(options, Mapping):
        case["options"] = {measure: options}
    elif options is not None:
        typed = [word for option in ([options] if isinstance(options, str) else options) for word in ("--set", option)]
    with engine.private_folder() as folder:
        inputs = write_inputs(folder, original, released, case, metadata=metadata, needs_release=True)
        place = folder / "records.csv"
        flags = [*typed, *(["--records", str(place)] if records else [])]
        run = engine.run(
            ["measure", measure, *inputs.arguments, "--json", *flags], folder, cwd=inputs.cwd, progress=progress
        )
        document = json.loads(run.text)
        names = [each["name"] for each in document["releases"]]
        files = {name: folder / f"records-{k + 1}.csv" if len(names) > 1 else place for k, name in enumerate(names)}
        scores = {name: scores_of(file, inputs.kind) for name, file in files.items() if file.exists()}
        return Measurement(summary(document), document, None, inputs.kind, scores)


def scores_of(file: Path, kind: str) -> Any:
    """Without the comment lines, which are for people."""
    import io

    import pyarrow.csv as csv

    lines = [line for line in file.read_text(encoding="utf-8").splitlines(keepends=True) if not line.startswith("#")]
    return tables.frame(csv.read_csv(io.BytesIO("".join(lines).encode())), kind)


def summary(document: Mapping[str, Any]) -> str:
    """The tables, and what each value says, as the engine puts it."""
    each = [target for release in document["releases"] for target in release.get("targets") or [release]]
    sentences = [finding.get("sentence") or (finding.get("reason") or {}).get("text") or "" for finding in each]
    named = [finding["name"] + (f", {finding['target']}" if finding.get("target") else "") for finding in each]
    lines = [f"{name}: {sentence}" for name, sentence in zip(named, sentences, strict=True)]
    notes = [f"note: {warning}" for warning in document["warnings"]]
    title = f"{document['title']} ({document['measure']}): {document['summary']}"
    return "\n".join([title, "", *map(table_text, document["tables"]), *lines, *notes])


def measures() -> Any:
    """Every measure, as a data frame: id, title, family, threat, role, what it needs, what it says."""
    with engine.private_folder() as folder:
        listed = json.loads(engine.run(["measures", "--json"], folder).text)
    columns = {"measure": "id", "title": "title", "family": "family", "threat": "threat", "role": "role"}
    return tables.frame(
        [
            {
                **{name: each.get(part) for name, part in columns.items()},
                "needs": ", ".join(each["needs"]),
                "says": each["summary"],
            }
            for each in listed
        ],
        "pandas",
    )


def keys(
    data: Table,
    *,
    single_out: float | None = None,
    largest: int | None = None,
    metadata: object = None,
    **options: Unpack[CaseOptions],
) -> Keys:
    """Which columns may be identifiers, keys and targets, and what sets of columns single people out. Everything is a guess."""
    check_names(options, ["single_out", "largest", "metadata"])
    flags = flags_of({"single-out": single_out, "largest": largest})
    with engine.private_folder() as folder:
        inputs = write_inputs(folder, data, None, options, metadata=metadata)
        document = json.loads(engine.run(["keys", *inputs.arguments, *flags, "--json"], folder, cwd=inputs.cwd).text)
        text = engine.run(["keys", *inputs.arguments, *flags], folder, cwd=inputs.cwd).text
    return Keys(text, document, None, inputs.kind)


def advise(
    original: Table,
    released: Table,
    *,
    budget: float | None = None,
    trials: int | None = None,
    release_seed: int | None = None,
    metadata: object = None,
    progress: bool | None = None,
    **options: Unpack[CaseOptions],
) -> Advice:
    """What would make it safer? Changes tried on the data, how each changes leakage and utility, and the best of them made.

    ``budget`` is in minutes; ``trials`` without it lets time not count.
    """
    check_names(options, ["budget", "trials", "release_seed", "metadata", "progress"])
    flags = flags_of({"budget": budget, "trials": trials, "release-seed": release_seed})
    with engine.private_folder() as folder:
        inputs = write_inputs(folder, original, released, options, metadata=metadata)
        out, result = folder / "advised.parquet", folder / "advice.json"
        # By the name that it has there: the document has commands, in which a folder that is gone means nothing.
        written = os.path.relpath(out, inputs.cwd)
        words = ["advise", *inputs.arguments, *flags, "-o", written, "--json", str(result)]
        run = engine.run(words, folder, cwd=inputs.cwd, progress=progress)
        made = tables.read_like(out, released, "released") if out.exists() else None
        return Advice(run.text, read_json(result), None, inputs.kind, made)


def check(
    original: Table,
    released: Releases | None = None,
    *,
    policy: Policy,
    baseline: Answer | Policy | None = None,
    metadata: object = None,
    progress: bool | None = None,
    **options: Unpack[CaseOptions],
) -> Check:
    """The assessment against a policy: raises :class:`ReleaseRefused` with the report where a rule fails.

    ``policy`` is a dict such as ``{"overall": "MODERATE"}`` or a JSON file; with a ``baseline``, an earlier assessment, only
    what got worse fails.
    """
    report = checked(original, released, policy, baseline, metadata, progress, options)
    if not report.passed:
        raise ReleaseRefused(report)
    return report


def checked(
    original: Table,
    released: Releases | None,
    policy: Policy,
    baseline: Answer | Policy | None,
    metadata: object,
    progress: bool | None,
    options: CaseOptions,
) -> Check:
    check_names(options, ["policy", "baseline", "metadata", "progress"])
    with engine.private_folder() as folder:
        inputs = write_inputs(folder, original, released, options, metadata=metadata, needs_release=True)
        result = folder / "gate.json"
        flags = ["--policy", document_file(policy, folder / "policy"), "--json", str(result)]
        if baseline is not None:
            flags += ["--baseline", document_file(baseline, folder / "baseline")]
        fine = (engine.DONE, engine.REFUSED)
        run = engine.run(["check", *inputs.arguments, *flags], folder, cwd=inputs.cwd, fine=fine, progress=progress)
        return Check(run.text, read_json(result), None, inputs.kind, run.code == engine.DONE)


def outputs_check(
    request: Mapping[str, Any] | str | os.PathLike[str],
    data: Table,
    *,
    history: Iterable[OutputsCheck | Mapping[str, Any]] | str | os.PathLike[str] | None = None,
    preset: Literal["acro", "essnet"] | None = None,
    limits: Mapping[str, Any] | None = None,
    rules_only: bool = False,
    seconds: float | None = None,
    settings: Mapping[str, Any] | None = None,
    progress: bool | None = None,
    **options: Unpack[CaseOptions],
) -> OutputsCheck:
    """May tables and models be taken out? By the rules of output checkers, by differencing, and by what they tell about people.

    ``request`` is a dict, a file, or a results folder of ACRO; ``history`` what was released before: a folder, or earlier
    answers; ``limits`` other limits than those of the preset; ``settings`` options of the measured risk.
    """
    own = ["history", "preset", "limits", "rules_only", "seconds", "settings", "progress"]
    check_names(options, own)
    with engine.private_folder() as folder:
        inputs = write_inputs(folder, data, None, options)
        [table, *config] = inputs.arguments
        result, html = folder / "outputs.json", folder / "outputs.html"
        flags = ["--data", table, *config, "--json", str(result), "--html", str(html)]
        if options.get("holdout") is not None:
            flags += ["--holdout", json.loads((folder / "data" / "arguments").read_text(encoding="utf-8"))["holdout"]]
        if history is not None:
            flags += ["--history", history_folder(history, folder / "history")]
        flags += flags_of({"preset": preset, "seconds": seconds, "rules-only": rules_only})
        flags += [*named_values("limit", limits), *named_values("set", settings)]
        asked = document_file(request, folder / "request.json", folders=True)
        fine = (engine.DONE, engine.REFUSED)
        run = engine.run(["outputs", "check", asked, *flags], folder, cwd=inputs.cwd, fine=fine, progress=progress)
        return OutputsCheck(run.text, read_json(result), html.read_text(encoding="utf-8"), inputs.kind)


def embed(
    request: Mapping[str, Any] | str | os.PathLike[str],
    *,
    seconds: float | None = None,
    seed: int | None = None,
    options: Mapping[str, Any] | None = None,
    threads: int | None = None,
    progress: bool | None = None,
    **unknown: Any,
) -> EmbeddedRecords:
    """Simulated records that give published outputs, from the printed numbers alone: what an outsider could make of them.

    ``request`` is a dict or a file as for ``outputs_check``, with the printed ``values`` of every output, the number of records
    ``n``, and levels or range of all ``variables``; ``seconds`` is the time for the search, ``options`` are those of the search.
    """
    check_names(unknown, ["seconds", "seed", "options", "threads", "progress"], of_case=False)
    with engine.private_folder() as folder:
        asked = document_file(request, folder / "request.json")
        made, result = folder / "made.parquet", folder / "made.json"
        flags = [*flags_of({"seconds": seconds, "seed": seed, "threads": threads}), *named_values("set", options)]
        words = ["embed", asked, "-o", str(made), "--json", str(result), *flags]
        run = engine.run(words, folder, cwd=folder, progress=progress)
        return EmbeddedRecords(run.text, read_json(result), records=tables.read_like(made, None, "made"))


def synthesize(
    data: Table,
    method: str = "cart",
    *,
    m: int = 1,
    n: int | None = None,
    seed: int | None = None,
    options: Mapping[str, Any] | None = None,
    metadata: object = None,
    progress: bool | None = None,
    **case: Any,
) -> Any:
    """Synthetic data as a table of the same kind, columns of the same types; a list of ``m`` tables where ``m`` is above 1.

    ``options`` are those of the method. The seed is drawn at random where it is not given, and kept nowhere.
    """
    check_names(case, ["method", "m", "n", "seed", "options", "metadata", "progress"])
    with engine.private_folder() as folder:
        out = folder / "made.parquet"
        flags = flags_of({"method": method, "m": m, "n": n})
        make("synthesize", method, data, options, case, flags, out, seed, folder, metadata, progress)
        files = [out] if m == 1 else [folder / f"made-{k + 1}.parquet" for k in range(m)]
        made = [tables.read_like(file, data, "data") for file in files]
    return made[0] if m == 1 else made


def anonymise(
    data: Table,
    method: str,
    *,
    released: Table | None = None,
    seed: int | None = None,
    options: Mapping[str, Any] | None = None,
    metadata: object = None,
    progress: bool | None = None,
    **case: Any,
) -> Any:
    """A masked table of the same kind: recoding, suppression, PRAM, microaggregation, swapping, shuffling, noise.

    ``released`` is the synthetic table that the method ``sdc`` prepares; ``data`` is then what it was made from.
    """
    check_names(case, ["method", "released", "seed", "options", "metadata", "progress"])
    with engine.private_folder() as folder:
        out = folder / "made.parquet"
        make(
            "anonymise",
            method,
            data,
            options,
            case,
            ["--method", method],
            out,
            seed,
            folder,
            metadata,
            progress,
            released,
        )
        return tables.read_like(out, data if released is None else released, "data")


def make(
    command: str,
    method: str,
    data: Table,
    options: Mapping[str, Any] | None,
    case: Mapping[str, Any],
    flags: Sequence[str],
    out: Path,
    seed: int | None,
    folder: Path,
    metadata: object,
    progress: bool | None,
    released: Table | None = None,
) -> None:
    said = {**case, "options": {method: options}} if options else dict(case)
    inputs = write_inputs(folder, data, released, said, metadata=metadata)
    [original, *rest] = inputs.arguments
    beside = [] if released is None else ["--released", rest.pop(0)]
    words = [command, original, *rest, *beside, *flags, *flags_of({"seed": seed}), "-o", str(out)]
    engine.run(words, folder, cwd=inputs.cwd, progress=progress)


def ask(
    command: str,
    answer: type[AnswerType],
    original: Table,
    released: Releases | None,
    options: CaseOptions,
    *,
    flags: Sequence[str] = (),
    html: bool = False,
    metadata: object,
    progress: bool | None,
) -> AnswerType:
    """A command that looks at releases and writes JSON and, some of them, a report."""
    check_names(options, ["metadata", "progress"])
    with engine.private_folder() as folder:
        inputs = write_inputs(folder, original, released, options, metadata=metadata, needs_release=True)
        result, report = folder / "result.json", folder / "report.html"
        written = ["--json", str(result), *(["--html", str(report)] if html else [])]
        words = [command, *inputs.arguments, *written, *flags]
        run = engine.run(words, folder, cwd=inputs.cwd, result=result, progress=progress)
        shown = report.read_text(encoding="utf-8") if report.exists() else None
        return answer(run.text, read_json(result), shown, inputs.kind)


def flags_of(values: Mapping[str, object]) -> list[str]:
    """Flags by their names; those of what was not said, or was denied, are left out."""
    said = {f"--{name}": value for name, value in values.items() if value is not None and value is not False}
    return [word for flag, value in said.items() for word in ([flag] if value is True else [flag, str(value)])]


def named_values(flag: str, values: Mapping[str, Any] | None) -> list[str]:
    return [word for name, value in (values or {}).items() for word in (f"--{flag}", f"{name}={json.dumps(value)}")]


def read_json(file: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return document


def document_file(given: object, file: Path, *, folders: bool = False) -> str:
    """A dict or an answer as a JSON file, or the file that a path names."""
    if isinstance(given, (str, os.PathLike)):
        path = Path(given).expanduser()
        return str(path.resolve() if folders and path.is_dir() else tables.existing(path))
    document = given.document if isinstance(given, Answer) else given
    if not isinstance(document, Mapping):
        raise InvalidInput(
            f"{file.stem} is a dict or the path of a JSON file, but it is of type {type(given).__name__}"
        )
    file.write_text(json.dumps(document), encoding="utf-8")
    return str(file)


def history_folder(history: object, folder: Path) -> str:
    if isinstance(history, (str, os.PathLike)):
        return str(Path(history).expanduser().resolve())
    folder.mkdir()
    if not isinstance(history, Iterable):
        raise InvalidInput(
            f"history is a folder or a list of earlier answers, but it is of type {type(history).__name__}"
        )
    for k, earlier in enumerate(history):
        document_file(earlier, folder / f"{k:06}.json")
    return str(folder)


for function in (assess, utility, compare, measure, keys, advise, check, outputs_check, synthesize, anonymise):
    function.__doc__ = with_options(function.__doc__)
