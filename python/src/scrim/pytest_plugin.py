"""The fixture ``releasable``: the assertion, whose report is kept where a test fails."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .answers import Check


@pytest.fixture
def releasable(tmp_path: Path, request: pytest.FixtureRequest) -> Callable[..., Check]:
    """As :func:`scrim.assert_releasable`; the outcomes are in ``tmp_path / "scrim-check.json"`` and, where it fails, beside the failure."""
    from .testing import NotReleasable, assert_releasable

    def check(*tables: object, **options: object) -> Check:
        __tracebackhide__ = True
        try:
            report = assert_releasable(*tables, **options)  # type: ignore[arg-type]
        except NotReleasable as refusal:
            file = refusal.report.save(tmp_path / "scrim-check.json", overwrite=True)
            request.node.add_report_section("call", "scrim", f"{refusal.report.text}\n{file}")
            raise
        report.save(tmp_path / "scrim-check.json", overwrite=True)
        return report

    return check
