from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

pytest_plugins = ["pytester"]

ROLES: dict[str, Any] = {"keys": ["sex", "region", "age"], "target": ["income"]}


def people(seed: int, records: int = 120) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "sex": random.choice(["f", "m"], records),
            "region": random.choice(["north", "south", "east"], records),
            "age": random.integers(20, 70, records),
            "income": random.choice(["low", "mid", "high"], records),
            "hours": random.integers(5, 66, records),
        }
    )


@pytest.fixture(scope="session")
def original() -> pd.DataFrame:
    return people(1)


@pytest.fixture(scope="session")
def others() -> pd.DataFrame:
    return people(2)


@pytest.fixture(autouse=True)
def nothing_is_left(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> object:
    """Whatever a test does, no folder of scrim is left behind."""
    import tempfile

    place = tmp_path_factory.mktemp("private")
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    yield place
    assert list(Path(place).glob("scrim-py-*")) == []


def processes_of(folder: Path) -> list[str]:
    listed = subprocess.run(["ps", "-eww", "-o", "args"], capture_output=True, text=True, check=True).stdout
    return [line for line in listed.splitlines() if str(folder) in line and "scrim.js" in line]
