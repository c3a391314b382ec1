"""What goes wrong, as exceptions."""

from __future__ import annotations

from typing import NamedTuple


class Mistake(NamedTuple):
    """Something wrong in a file. Lines and columns are from 1; columns count characters."""

    file: str
    line: int
    column: int
    message: str
    #: What may be meant.
    help: str | None
    #: Name of the rule that found it, where it has one.
    rule: str | None

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


class Error(Exception):
    """Anything that aplomb says no to."""


class FileError(Error, ValueError):
    """Mistakes in a file: its text says each as `file:line:column: message`, `mistakes` has them as a list."""

    mistakes: list[Mistake]

    def __init__(self, message: str, mistakes: list[tuple] | None = None) -> None:
        super().__init__(message)
        self.mistakes = [Mistake(*mistake) for mistake in mistakes or []]


class NotFoundError(Error, FileNotFoundError):
    """A file that is nowhere, with the names that are alike."""


class WorldError(Error, ValueError):
    """What a world cannot be or do: a name that nothing has, a number out of its range, a snapshot of another world."""


class StepError(Error, RuntimeError):
    """A frame that cannot be computed. Restore a snapshot to go on."""


class BusyError(Error, RuntimeError):
    """A world that another thread is stepping, or the step that asks is its own; a folder into which another sweep writes."""
