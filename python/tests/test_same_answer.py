"""Python asks what the library, the command line, the page and R are asked, and gets the same bytes."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import scrim

PLACE = os.environ.get("SCRIM_SAME_ANSWERS")
#: What the command line adds to an assessment.
ADDED = ("scrim", "files", "weight", "household", "groups", "results")


def cases() -> list[Path]:
    return sorted(Path(PLACE).iterdir()) if PLACE else []


@pytest.mark.skipif(not PLACE, reason="SCRIM_SAME_ANSWERS is not set: npm run test:python writes the cases")
def test_there_are_ten_cases() -> None:
    assert len(cases()) == 10


@pytest.mark.parametrize("folder", cases(), ids=lambda folder: json.loads((folder / "answer.json").read_text())["name"])
def test_one_answer(folder: Path) -> None:
    said: dict[str, Any] = json.loads((folder / "said.json").read_text())
    expected = json.loads((folder / "answer.json").read_text())["answer"]
    releases = [pd.read_csv(file) for file in sorted(folder.glob("released*"))]
    if (folder / "holdout").exists():
        said["holdout"] = pd.read_csv(folder / "holdout")
    answer = scrim.assess(pd.read_csv(folder / "original"), releases, **said).to_dict()
    for part in ADDED:
        answer.pop(part)
    assert json.dumps(answer) == json.dumps(expected)
