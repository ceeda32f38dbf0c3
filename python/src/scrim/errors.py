"""What can go wrong, one exception each; the message is what the command line would say."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .answers import Check


class ScrimError(Exception):
    """Anything that scrim raises on purpose."""


class InvalidInput(ScrimError, ValueError):
    """Something about the tables or the options is wrong; the message names the table, the column or the option."""


class UnknownOption(ScrimError, TypeError):
    """There is no option of that name; the message has the nearest one."""


class NodeMissing(ScrimError, RuntimeError):
    """There is no Node.js to run the engine with, or it is too old."""


class EngineFailed(ScrimError, RuntimeError):
    """The engine broke: a bug in scrim, or the machine ran out of memory."""


class ReleaseRefused(ScrimError):
    """A release breaks the policy. ``report`` has every rule and what was found."""

    def __init__(self, report: Check) -> None:
        super().__init__(report.text)
        self.report = report
