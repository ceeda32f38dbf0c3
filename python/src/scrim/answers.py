"""What the engine answered: the words, the numbers, the report. Nothing here computes."""

from __future__ import annotations

import copy
import html as escaping
import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from . import tables

#: From worst to best, as the engine has them.
LEVELS = ("HIGH", "MODERATE", "INCONCLUSIVE", "LOW", "NOT ASSESSED")

Document = dict[str, Any]

#: What a data frame holds, column by column, also where there is nothing in it.
Columns = Mapping[str, type]


def texts(names: str) -> dict[str, type]:
    return dict.fromkeys(names.split(), str)


def numbers(names: str) -> dict[str, type]:
    return dict.fromkeys(names.split(), float)


@dataclass(frozen=True, repr=False)
class Answer:
    """What every answer has: ``text`` as the terminal shows it, ``document`` as JSON has it, and a report where there is one."""

    text: str
    document: Document
    report: str | None = field(default=None, repr=False)
    kind: str = "pandas"

    def to_dict(self) -> Document:
        """Everything, as the JSON of the command line has it: fractions, not percent."""
        return copy.deepcopy(self.document)

    def html(self) -> str:
        """The report: one page without script or network."""
        return self.report or page(self.text)

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Writes the report, or the document where the name ends in ``.json``; replaces nothing but files of scrim."""
        file = Path(path)
        if file.exists() and not overwrite and not is_ours(file):
            raise FileExistsError(f"{file} is there already and scrim did not write it; overwrite=True replaces it")
        is_document = file.suffix.lower() == ".json"
        file.write_text(
            json.dumps(self.document, indent=2, ensure_ascii=False) if is_document else self.html(), encoding="utf-8"
        )
        return file

    def __repr__(self) -> str:
        return self.text.rstrip("\n")

    def _repr_html_(self) -> str:
        return top_of(self.html()) if self.report else f"<pre>{escaping.escape(self.text)}</pre>"

    def _frame(self, rows: Iterable[Document], columns: Columns | None = None) -> Any:
        return tables.frame(rows, self.kind, columns)


def page(text: str) -> str:
    return f'<!doctype html>\n<html lang="en"><meta charset="utf-8"/><title>scrim</title><pre>{escaping.escape(text)}</pre></html>\n'


SIGNATURES = (
    re.compile(r'<!doctype html>.*(<p class="kicker">scrim ·|<title>scrim</title>)', re.S),
    re.compile(r'\{\s*"(scrim|schemaVersion|outcomes)"'),
)


def is_ours(file: Path) -> bool:
    with file.open(encoding="utf-8", errors="replace") as content:
        start = content.read(200_000)
    return any(signature.match(start) for signature in SIGNATURES)


@dataclass(frozen=True)
class Release:
    """The answer for one release."""

    name: str
    level: str
    #: The threat, and the target, that the answer rests on.
    threat: str | None
    target: str | None
    recommendation: str
    sentence: str
    document: Document = field(repr=False)

    @property
    def utility(self) -> float | None:
        """0 keeps nothing, 1 is an honest sample of the original; None where it was not measured."""
        utility = self.document.get("utility")
        return None if utility is None else utility["score"]


def release_of(document: Document) -> Release:
    verdict = document["verdict"]
    return Release(
        document["name"],
        verdict["level"],
        verdict["threat"],
        verdict["target"],
        verdict["recommendation"],
        verdict["sentence"],
        document,
    )


THREATS = (
    texts("release threat target level") | numbers("leakage lower upper exposure people") | texts("decided_by reason")
)


def threat_row(release: str, threat: Document) -> Document:
    interval = threat["interval"] or {}
    return {
        **threat,
        "release": release,
        "lower": interval.get("lower"),
        "upper": interval.get("upper"),
        "decided_by": threat["decidedBy"],
        "reason": (threat["reason"] or {}).get("text"),
    }


class Assessment(Answer):
    """May it be released? One verdict per release and threat, and what it rests on."""

    @cached_property
    def releases(self) -> dict[str, Release]:
        """The answer for each release, by its name."""
        return {each["name"]: release_of(each) for each in self.document["releases"]}

    @property
    def worst(self) -> Release:
        return min(self.releases.values(), key=lambda release: LEVELS.index(release.level))

    @property
    def level(self) -> str:
        """HIGH, MODERATE, INCONCLUSIVE, LOW or NOT ASSESSED; of several releases that of the worst."""
        return self.worst.level

    @property
    def sentence(self) -> str:
        return self.worst.sentence

    @property
    def recommendation(self) -> str:
        return self.worst.recommendation

    @property
    def threats(self) -> Any:
        """One row per release, threat and target: leakage with its bounds, exposure, people concerned, what decided."""
        releases = self.document["releases"]
        rows = (threat_row(release["name"], threat) for release in releases for threat in release["threats"])
        return self._frame(rows, THREATS)

    @property
    def measures(self) -> Any:
        """One row per measure, release and target."""
        return self._frame((row for result in self.document["results"] for row in finding_rows(result)), FINDINGS)

    @property
    def utility(self) -> Any:
        """One row per release: level and score of its utility."""
        scored = (release for release in self.document["releases"] if release["utility"] is not None)
        rows = ({**release["utility"], "release": release["name"]} for release in scored)
        return self._frame(rows, texts("release level") | numbers("score") | texts("sentence"))


TOP = re.compile(r'<header>.*?</header>|<section class="(?:answer|first)\b.*?</section>', re.S)
BODY = re.compile(r"<body>.*</body>", re.S)


def top_of(report: str) -> str:
    """The first screen of each release in a frame of its own, so that its style is its own too."""
    shown = BODY.sub(lambda body: f"<body><main>{''.join(TOP.findall(body[0]))}</main></body>", report)
    return (
        '<iframe title="scrim" sandbox="" style="width:100%;height:34em;border:1px solid #d5d9de;border-radius:4px" '
        f'srcdoc="{escaping.escape(shown, quote=True)}"></iframe>'
    )


FINDINGS = (
    texts("measure release target status")
    | numbers("value lower upper nothing fair everything leakage exposure")
    | texts("says")
)


def finding_rows(result: Document) -> list[Document]:
    """The original where a measure looks at one file, then each release, by target."""
    findings = [*([result["original"]] if result.get("original") else []), *result["releases"]]
    if not findings:
        reason = (
            (result.get("reason") or {}).get("text") if isinstance(result.get("reason"), dict) else result.get("reason")
        )
        return [finding_row(result["measure"], {"status": result["status"], "reason": {"text": reason}})]
    targets = [target for finding in findings for target in finding.get("targets") or [finding]]
    return [finding_row(result["measure"], finding) for finding in targets]


def is_text(column: Document) -> bool:
    return column["format"]["kind"] in ("text", "option")


def table_columns(table: Document) -> Columns:
    return {column["name"]: str if is_text(column) else float for column in table["columns"]}


def table_rows(table: Document) -> list[Document]:
    names = [column["name"] for column in table["columns"]]
    return [dict(zip(names, row, strict=True)) for row in table["rows"]]


MOST_ROWS = 30


def table_text(table: Document) -> str:
    """A table of a measure as it is printed: shares in percent, numbers on the right."""
    columns, shown = table["columns"], table["rows"][:MOST_ROWS]
    cells = [[column["name"] for column in columns]]
    cells += [[cell_text(cell, column["format"]) for cell, column in zip(row, columns, strict=True)] for row in shown]
    widths = [max(map(len, each)) for each in zip(*cells, strict=True)]
    on_the_left = [is_text(column) for column in columns]
    lines = [
        "  ".join(
            cell.ljust(width) if left else cell.rjust(width)
            for cell, width, left in zip(row, widths, on_the_left, strict=True)
        ).rstrip()
        for row in cells
    ]
    left_out = len(table["rows"]) - len(shown)
    more = [f"... and {left_out} more"] if left_out > 0 else []
    return "\n".join([table["title"], "", *lines, *more, ""])


def cell_text(cell: Any, looks: Document) -> str:
    if cell is None:
        return "-"
    if looks["kind"] == "share":
        return f"{100 * cell:.{looks['digits']}f} %"
    return f"{cell:.{looks.get('digits', 6)}g}" if isinstance(cell, float) else str(cell)


def finding_row(measure: str, finding: Document) -> Document:
    interval, controls = finding.get("interval") or {}, finding.get("controls") or {}
    control = {name: (controls.get(name) or {}).get("value") for name in ("nothing", "fair", "everything")}
    says = finding.get("sentence") or (finding.get("reason") or {}).get("text")
    return {
        "measure": measure,
        "release": finding.get("name"),
        "target": finding.get("target"),
        "status": finding.get("status"),
        "value": finding.get("value"),
        "lower": interval.get("lower"),
        "upper": interval.get("upper"),
        **control,
        "leakage": (finding.get("leakage") or {}).get("value"),
        "exposure": finding.get("exposure"),
        "says": says,
    }


def bounds(name: str, estimate: Document | None) -> Document:
    """A value and its interval in three columns; nothing in them where it could not be told."""
    known = estimate or {}
    return {name: known.get("value"), f"{name}_lower": known.get("lower"), f"{name}_upper": known.get("upper")}


class Utility(Answer):
    """How useful is it? Every measure beside what an honest sample of the original gives."""

    @property
    def level(self) -> str:
        """Of several releases that of the first."""
        return str(self.document["releases"][0]["utility"]["level"])

    @property
    def score(self) -> float | None:
        """0 keeps nothing, 1 is an honest sample; of several releases the least, None where nothing was scored."""
        scores = [release["utility"]["score"] for release in self.document["releases"]]
        return min((score for score in scores if score is not None), default=None)

    @property
    def sentence(self) -> str:
        return str(self.document["releases"][0]["utility"]["sentence"])

    @property
    def measures(self) -> Any:
        """One row per release and measure."""
        releases = self.document["releases"]
        rows = ({**each, "release": release["name"]} for release in releases for each in release["utility"]["measures"])
        figures = numbers("value honest nothing place ratio sample p")
        return self._frame(rows, texts("release measure target") | figures | texts("sentence"))


CANDIDATES = (
    texts("release level")
    | numbers("leakage leakage_lower leakage_upper utility utility_lower utility_upper")
    | texts("front")
    | numbers("front_probability")
)


class Comparison(Answer):
    """Several candidates on one map of risk and utility."""

    @property
    def candidates(self) -> Any:
        """One row per candidate: level, leakage and utility with bounds, and whether another is as safe and as useful."""
        rows = (
            {
                "release": each["name"],
                "level": each["level"],
                **bounds("leakage", each["risk"]),
                **bounds("utility", each["utility"]),
                "front": (each["front"] or {}).get("label"),
                "front_probability": (each["front"] or {}).get("probability"),
            }
            for each in self.document["candidates"]
        )
        return self._frame(rows, CANDIDATES)

    @property
    def releases(self) -> dict[str, Release]:
        """The answer for each candidate alone, by its name."""
        each = [release_of(release) for one in self.document["assessments"] for release in one["releases"]]
        return {release.name: release for release in each}


@dataclass(frozen=True, repr=False)
class Measurement(Answer):
    """One measure, of each release."""

    #: One score per record, by release; only where it was asked for, and nowhere else.
    records: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def value(self) -> float | None:
        """Of one release, or the mean of several."""
        value = self.document["value"]
        return None if value is None else float(value)

    @property
    def interval(self) -> tuple[float, float] | None:
        interval = self.document["interval"]
        return None if interval is None else (interval["lower"], interval["upper"])

    @property
    def table(self) -> Any:
        """One row per release and target."""
        return self._frame(finding_rows(self.document), FINDINGS)

    @property
    def tables(self) -> dict[str, Any]:
        """What users of the measure look at, by name; shares are fractions."""
        return {each["name"]: self._frame(table_rows(each), table_columns(each)) for each in self.document["tables"]}


class Keys(Answer):
    """Which columns may be identifiers, keys and targets: everything is a guess."""

    @property
    def keys(self) -> list[str]:
        return [guess["column"] for guess in self.document["keys"]]

    @property
    def target(self) -> list[str]:
        return [guess["column"] for guess in self.document["targets"]]

    @property
    def roles(self) -> Any:
        """One row per guess, with its reason."""
        named = {"identifiers": "identifier", "keys": "key", "targets": "target"}
        guesses = [(role, guess) for part, role in named.items() for guess in self.document[part]]
        guesses += [(role, self.document[role]) for role in ("weight", "household") if self.document[role]]
        return self._frame(({**guess, "role": role} for role, guess in guesses), texts("role column reason"))

    @property
    def sets(self) -> Any:
        """Sets of columns, by the share of people who are unique on them."""
        rows = (
            {**each, "columns": " + ".join(each["columns"]), "size": len(each["columns"])}
            for each in self.document["best"]
        )
        return self._frame(rows, texts("columns") | {"size": int} | numbers("unique distinction separation"))


@dataclass(frozen=True, repr=False)
class Advice(Answer):
    """What would make it safer: changes tried on the data."""

    #: The release that is recommended, made; None where nothing helps.
    recommended: Any = field(default=None, repr=False)

    @property
    def trials(self) -> Any:
        """One row per change: its verdict, the leakage of its worst threat, its utility."""
        rows = (
            {
                "change": each["change"],
                "verdict": each["verdict"],
                "threat": (each["worst"] or {}).get("threat"),
                "leakage": (each["worst"] or {}).get("leakage"),
                "utility": (each["utility"] or {}).get("score"),
                "on_front": each.get("onFront", False),
            }
            for each in [self.document["release"], *self.document["tried"]]
        )
        return self._frame(rows, texts("change verdict threat") | numbers("leakage utility") | {"on_front": bool})


@dataclass(frozen=True, repr=False)
class Check(Answer):
    """Does it keep the policy?"""

    passed: bool = False

    @property
    def outcomes(self) -> Any:
        """One row per rule and release."""
        parts = {"found": "foundText", "allowed": "limitText", "says": "sentence"}
        rows = (
            {**each, **{name: each.get(part) for name, part in parts.items()}} for each in self.document["outcomes"]
        )
        return self._frame(rows, texts("status rule release target found allowed says"))


class OutputsCheck(Answer):
    """May tables and models be taken out?"""

    @property
    def verdict(self) -> str:
        """release, review or refuse."""
        return str(self.document["verdict"])

    @property
    def outputs(self) -> Any:
        """One row per output."""
        return self._frame(self.document["outputs"], texts("id verdict alone why"))


@dataclass(frozen=True, repr=False)
class EmbeddedRecords(Answer):
    """Simulated records that give published outputs."""

    #: Each marked in the column ``scrim_record``: these are no people.
    records: Any = field(default=None, repr=False)

    @property
    def reproduced(self) -> float:
        """The share of printed numbers that the records give, to the last digit."""
        return float(self.document["reproduced"] / self.document["numbers"])

    @property
    def off(self) -> Any:
        """One row per number that they do not give: as printed, and of the records."""
        return self._frame(self.document["off"])
