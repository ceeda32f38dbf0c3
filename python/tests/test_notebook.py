"""The notebook among the examples is executed, and says what it says there."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[2] / "examples" / "notebook.ipynb"
#: When it ran, hashes of files, whose bytes depend on the version of pyarrow, and how reports look, which says nothing.
CHANGING = re.compile(r"run on \d{4}-\d\d-\d\d \d\d:\d\d|[0-9a-f]{64}|&lt;style.*?&lt;/style&gt;", re.S)


def executed() -> Any:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    return notebook


def outputs(notebook: Any) -> list[list[dict[str, str]]]:
    """What each cell shows, in every form that it has."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [[plain(output) for output in cell.outputs] for cell in code]


def plain(output: Any) -> dict[str, str]:
    shown = {"stream": output.text} if output.output_type == "stream" else dict(output.get("data", {}))
    return {form: CHANGING.sub("…", text) for form, text in shown.items()}


@pytest.mark.skipif(not NOTEBOOK.exists(), reason="the package is tested outside of the clone")
def test_the_notebook_says_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TQDM_DISABLE", "1")
    made = executed()
    if os.environ.get("SCRIM_UPDATE") == "1":
        for cell in made.cells:
            cell.metadata.clear()
        nbformat.write(made, NOTEBOOK)
    assert outputs(made) == outputs(nbformat.read(NOTEBOOK, as_version=4))
