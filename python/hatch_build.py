"""Puts the command line into the package: what the build of the clone left there, or by building the clone."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = Path(__file__).parent
ENGINE = HERE / "src" / "scrim" / "_engine"
CLONE = HERE.parent


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        engine()


def engine() -> Path:
    if not (ENGINE / "bundle" / "main.js").exists():
        npm = shutil.which("npm")
        if npm is None or not (CLONE / "package-lock.json").exists():
            raise RuntimeError(
                "the command line is not built: run 'npm run build' in the clone first, or install npm so that it can be"
            )
        subprocess.run([npm, "run", "build"], cwd=CLONE, check=True)
    return ENGINE


def version() -> str:
    """That of the command line inside."""
    return str(json.loads((engine() / "package.json").read_text(encoding="utf-8"))["version"])
