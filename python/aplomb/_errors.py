"""Exceptions."""

from __future__ import annotations

from typing import NamedTuple


class Mistake(NamedTuple):
    """A mistake in a file. Lines and columns count from 1, columns in characters."""

    file: str
    line: int
    column: int
    message: str
    #: What was probably meant.
    help: str | None
    #: Name of the rule that found it, if any.
    rule: str | None

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


class Error(Exception):
    """Base class of all errors of aplomb."""


class FileError(Error, ValueError):
    """Mistakes in a file. The message has a line `file:line:column: message` for each; `mistakes` is the list of
    them."""

    mistakes: list[Mistake]

    def __init__(self, message: str, mistakes: list[tuple] | None = None) -> None:
        super().__init__(message)
        self.mistakes = [Mistake(*mistake) for mistake in mistakes or []]


class NotFoundError(Error, FileNotFoundError):
    """A file that is not found, with similar names."""


class WorldError(Error, ValueError):
    """A request that a world rejects: an unknown name, a number out of its range, a snapshot of another world."""


class StepError(Error, RuntimeError):
    """A frame that cannot be computed. Restore a snapshot to continue."""


class BusyError(Error, RuntimeError):
    """A world that is being stepped, by another thread or by the caller's own step; a folder in use by another
    sweep."""
