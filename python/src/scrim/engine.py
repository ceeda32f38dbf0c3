"""Runs the engine in a folder of its own, which is removed whatever happens."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from . import node
from .errors import EngineFailed, InvalidInput
from .progress import Progress

RECORD_MARK = "\x1e"
WIDEST = 120
SECONDS_TO_END = 5

DONE = 0
FAILED = 1
MISTAKE = 2
REFUSED = 3
INTERRUPTED = 130


@dataclass(frozen=True)
class Run:
    """What the engine printed, and how it ended."""

    text: str
    code: int


@contextlib.contextmanager
def private_folder() -> Iterator[Path]:
    """Only its owner reads it. What a killed process left behind goes with the next call."""
    remove_leftovers()
    folder = Path(tempfile.mkdtemp(prefix=f"{prefix()}{os.getpid()}-"))
    try:
        yield folder.resolve()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def prefix() -> str:
    """With the name of the machine: numbers of processes say nothing to another one that shares the place."""
    return f"scrim-py-{re.sub(r'[^A-Za-z0-9]', '', platform.node())}-"


def remove_leftovers() -> None:
    if os.name == "nt":  # There, asking whether a process is alive ends it.
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{prefix()}*-*"):
        owner = folder.name.removeprefix(prefix()).split("-")[0]
        with contextlib.suppress(OSError):
            if owner.isdigit() and not is_alive(int(owner)) and folder.stat().st_uid == os.getuid():
                shutil.rmtree(folder, ignore_errors=True)


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def run(
    arguments: Sequence[str | os.PathLike[str]],
    folder: Path,
    *,
    cwd: Path | None = None,
    fine: Sequence[int] = (DONE,),
    result: Path | None = None,
    progress: bool | None = None,
) -> Run:
    """Gives what was printed, or raises what was said on stderr.

    Where there is a result it is never lost: code 2 then means that nothing could be assessed, which is an answer too.
    """
    words = [*node.command(), *(os.fspath(argument) for argument in arguments)]
    printed = folder / "stdout"
    with printed.open("wb") as out:
        process = subprocess.Popen(
            words, cwd=cwd, env=environment(folder), stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE,
            encoding="utf-8", errors="replace",
        )  # fmt: skip
        try:
            with Progress(arguments[0], shown=progress) as bar:
                said = listen(process.stderr, bar)
            code = process.wait()
        finally:
            end(process)
    has_result = result is not None and result.exists()
    if code == FAILED and has_result:
        warnings.warn("a measure failed; the others are in the result", RuntimeWarning, stacklevel=4)
    if code not in fine and not (has_result and code in (FAILED, MISTAKE)):
        raise failure(code, [line.replace(f"{folder}{os.sep}", "") for line in said])
    return Run(printed.read_text(encoding="utf-8"), code)


def environment(folder: Path) -> dict[str, str]:
    said = {name: value for name, value in os.environ.items() if name != "FORCE_COLOR"}
    columns = min(WIDEST, shutil.get_terminal_size((100, 24)).columns)
    own = {"COLUMNS": str(columns), "SCRIM_CACHE": str(folder / "cache"), "NO_COLOR": "1"}
    return {**said, **own, "SCRIM_FACE": "python", "SCRIM_PROGRESS": "json"}


def listen(stderr: IO[str] | None, bar: Progress) -> list[str]:
    """Shows progress, and gives the rest of what the engine says."""
    said: list[str] = []
    for line in stderr or ():
        if line.startswith(RECORD_MARK):
            record = json.loads(line[1:])
            bar.show(record["text"], record["share"])
        else:
            said.append(line.rstrip("\n"))
    return said


def end(process: subprocess.Popen[str]) -> None:
    """Ctrl-C, or any other exception while the engine works, stops it."""
    if process.stderr is not None:
        process.stderr.close()
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def failure(code: int, said: Sequence[str]) -> BaseException:
    message = "\n".join(line.removeprefix("scrim: ") for line in said) or f"scrim ended with code {code}"
    if code == MISTAKE:
        return InvalidInput(message)
    if code in (INTERRUPTED, -signal.SIGINT):
        # What the engine kept to go on with is gone with the folder.
        return KeyboardInterrupt()
    return EngineFailed(f"{message}; was there too little memory?" if code < 0 else message)
