"""What the scripts of this folder share: the files to look at, and how figures and processor time are printed."""

import json
import resource
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pandas as pd

warnings.filterwarnings("ignore")


def read() -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame, dict]:
    """Original, release, holdout and roles, as named on the command line."""
    original, released, holdout = (pd.read_csv(file, keep_default_na=False, na_values=[""]) for file in sys.argv[1:4])
    with open(sys.argv[4], encoding="utf-8") as file:
        return original, released, holdout, json.load(file)


def figure(name: str, value: float) -> None:
    print(f"{name}\t{float(value)!r}", flush=True)


def processor_time() -> float:
    """Seconds of this process and of those that it started and that ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


@contextmanager
def timed(name: str) -> Iterator[None]:
    start = processor_time()
    yield
    figure(f"seconds {name}", processor_time() - start)


def numeric(data: pd.DataFrame) -> list[str]:
    return [name for name in data if pd.api.types.is_numeric_dtype(data[name])]


def guarded(name: str, compute: Callable[[], None]) -> None:
    """A figure that the tool fails to compute is printed as not a number, with the reason for people."""
    try:
        compute()
    except Exception as error:
        print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
        figure(name, np.nan)
