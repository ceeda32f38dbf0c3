"""What the engine is doing: a bar by tqdm where it is installed, in a notebook one of the notebook's own."""

from __future__ import annotations

import os
import sys
import time
import warnings
from types import TracebackType
from typing import Any

#: What is done before that needs no bar.
SECONDS_OF_PATIENCE = 0.5


class Progress:
    """Nothing is shown of what is done in a moment, without tqdm, or where nobody looks."""

    def __init__(self, what: str | os.PathLike[str], *, shown: bool | None) -> None:
        self.what = os.fspath(what)
        self.shown = is_watched() if shown is None else shown
        self.bar: Any = None
        self.since = time.monotonic()

    def __enter__(self) -> Progress:
        return self

    def show(self, text: str, share: float | None) -> None:
        if not self.shown or time.monotonic() - self.since < SECONDS_OF_PATIENCE:
            return
        if self.bar is None:
            self.bar = new_bar(self.what)
            self.shown = self.bar is not None
        if self.bar is not None:
            self.bar.set_postfix_str(text, refresh=False)
            self.bar.n = round(max(self.bar.n, share or 0), 3)
            self.bar.refresh()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.close()


def is_watched() -> bool:
    """At a terminal or in a notebook; not in a log."""
    return sys.stderr.isatty() or is_notebook()


def is_notebook() -> bool:
    shell = sys.modules.get("IPython")
    current = shell.get_ipython() if shell else None
    return type(current).__name__ == "ZMQInteractiveShell"


def new_bar(what: str) -> Any:
    try:
        with warnings.catch_warnings():
            # Without ipywidgets a notebook gets a bar of letters, of which tqdm warns.
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(total=1.0, desc=f"scrim {what}", leave=False, bar_format="{desc}: {percentage:3.0f}% |{bar}|{postfix}")
