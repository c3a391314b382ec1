"""TOML files, with errors that name the file and the key."""

from __future__ import annotations

import difflib
from pathlib import Path

try:
    import tomllib
except ImportError:
    import tomli as tomllib


class FileError(Exception):
    """An invalid file or argument."""


class Table:
    """A table of a file. Each key is taken once; `done` raises an error for keys that were not taken."""

    def __init__(self, values: dict, place: str) -> None:
        self.values, self.place, self.known = dict(values), place, []

    def error(self, message: str) -> FileError:
        return FileError(f"{self.place}: {message}")

    def take(self, key: str, kind: type | tuple[type, ...], default: object = ...) -> object:
        self.known.append(key)
        if key not in self.values:
            if default is ...:
                raise self.error(f"`{key}` is missing")
            return default
        value = self.values.pop(key)
        kinds = kind if isinstance(kind, tuple) else (kind,)
        if float in kinds:
            kinds += (int,)
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            expected = " or ".join(k.__name__ for k in kinds)
            raise self.error(f"`{key}` is {value!r}, where {expected} is expected")
        return value

    def table(self, key: str, default: object = ...) -> Table | None:
        value = self.take(key, dict, default)
        return None if value is None else Table(value, f"{self.place}, [{key}]")

    def done(self) -> None:
        for key in self.values:
            near = difflib.get_close_matches(key, self.known, 1)
            meant = f"; did you mean `{near[0]}`?" if near else f"; there are {', '.join(self.known)}"
            raise self.error(f"unknown key `{key}`{meant}")


def read(path: Path) -> Table:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
    try:
        return Table(tomllib.loads(text), str(path))
    except tomllib.TOMLDecodeError as error:
        raise FileError(f"{path}: {error}") from None
