"""For tests and pipelines: an assertion about a release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .api import Level, Policy, Releases, checked
from .errors import ReleaseRefused
from .options import CaseOptions
from .tables import Table

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .answers import Check


class NotReleasable(ReleaseRefused, AssertionError):
    """A test fails because a release breaks the policy; ``report`` has every rule."""


def assert_releasable(
    original: Table,
    released: Releases | None = None,
    *,
    at_most: Level = "LOW",
    policy: Policy | None = None,
    metadata: object = None,
    progress: bool | None = None,
    **options: Unpack[CaseOptions],
) -> Check:
    """Raises an ``AssertionError`` with the table of rules unless the release keeps the policy, or stays at or below a level."""
    __tracebackhide__ = True
    limits = {"overall": at_most} if policy is None else policy
    report = checked(original, released, limits, None, metadata, progress, options)
    if not report.passed:
        raise NotReleasable(report)
    return report
