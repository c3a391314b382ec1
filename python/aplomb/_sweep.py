"""Runs and sweeps with the command line's plan, on threads of this process or on a Ray cluster."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import _aplomb
from ._aplomb import Plan, Scene
from ._errors import Error

JOURNAL = "sweep.journal"
TABLE = "sweep.csv"


def run(
    scene: Scene | str | os.PathLike[str],
    trace: str | os.PathLike[str] | None = None,
    *,
    set: Mapping[str, Any] | Sequence[str] = (),
) -> dict[str, Any]:
    """Runs a scene to its end and returns its summary, with the keys of docs/summary.md.

    trace: path of the trace to write (MCAP), if any; `Trace` reads it.
    set: values by path, as `--set` on the command line: `{"events.push.impulse": [50, 0, 0], "duration": 1.0}`, or a
        list of `PATH=VALUE` with VALUE in TOML. A str is text: a name or an expression.

    Raises FileError for mistakes in the scene's files, StepError if not even the first frame can be computed.
    """
    return json.loads(_aplomb.record(scene, trace, _overrides(set)))


class Sweep:
    """The rows of a sweep, in the order of its plan. `docs/sweep.md` describes the columns."""

    def __init__(self, axes: list[tuple[str, list[float]]], rows: list[str], is_map: bool) -> None:
        self._axes = axes
        self._rows = rows
        self._is_map = is_map
        self.names = ["run", *(name for name, _ in axes), *_aplomb.columns()]
        self._cells = [_aplomb.cells(row) for row in rows]

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def axes(self) -> dict[str, np.ndarray]:
        """Values along each axis, by the name of the axis."""
        return {name: np.array(values) for name, values in self._axes}

    @property
    def passed(self) -> np.ndarray:
        """Whether each run satisfied every criterion, in the shape of the axes (the last varies fastest)."""
        outcome = np.array([cells[1 + len(self._axes)] == "pass" for cells in self._cells], dtype=bool)
        return outcome.reshape([len(values) for _, values in self._axes])

    def __getitem__(self, name: str) -> np.ndarray:
        """A column with one value per run: numbers, NaN for missing ones, or strings."""
        if name not in self.names:
            raise KeyError(f"there is no column {name!r}; known: {', '.join(self.names)}")
        cells = [row[self.names.index(name)] for row in self._cells]
        try:
            return np.array([float(cell) if cell else np.nan for cell in cells])
        except ValueError:
            return np.array(cells)

    def push_map(self) -> dict[str, Any]:
        """The push map: `area` (N s rad), `mean` and `least` (N s), and `directions`, each with its `limit`.

        Raises ValueError for a sweep that is not a push map.
        """
        if not self._is_map:
            raise ValueError("this sweep is over values, not over pushes")
        return json.loads(_aplomb.push_map(self._rows, len(self._axes[-1][1])))

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Writes the table, byte for byte as `aplomb sweep` does."""
        with open(path, "w", newline="", encoding="utf-8") as file:
            table = csv.writer(file, lineterminator="\n")
            table.writerow(self.names)
            table.writerows(self._cells)

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Writes the table as Parquet, numbers as f64 (needs `pip install aplomb[parquet]`)."""
        import pyarrow
        import pyarrow.parquet

        def column(name: str) -> pyarrow.Array:
            values = self[name]
            if values.dtype.kind == "f":
                return pyarrow.array(values, mask=np.isnan(values))
            return pyarrow.array([str(value) for value in values])

        pyarrow.parquet.write_table(pyarrow.table({name: column(name) for name in self.names}), path)

    def __repr__(self) -> str:
        return f"Sweep({len(self)} runs, {int(np.sum(self.passed))} passed)"


def sweep(
    scene: str | os.PathLike[str],
    *,
    set: Mapping[str, Any] | Sequence[str] = (),
    over: Mapping[str, str | Iterable[float]] | None = None,
    directions: int = 12,
    impulses: str = "20:80:5",
    event: str | None = None,
    count: str | None = None,
    threads: int | None = None,
    engine: str = "threads",
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Sweep:
    """Runs a scene many times: pushed from all directions, or with any value varied over a range.

    scene: a path, or the name of a shipped scene.
    set: overrides of every run, as `--set` on the command line: a dict of values by path, or a list of `PATH=VALUE`
        with VALUE in TOML.
    over: instead of pushes, ranges by path: `{"ground.friction": "0.2:1:0.2"}` (`FROM:TO:STEP`, `FROM:TO:linN`,
        `FROM:TO:logN`). With two or more, every combination; the last varies fastest.
    directions, impulses, event: number of evenly spaced directions, range of impulses in N s, and the event that
        pushes.
    count: the state of the controller whose entries count as steps, instead of footfalls.
    threads: number of runs at the same time; default: one per core.
    engine: "threads" of this process, without the interpreter's lock; or "ray": tasks of a Ray cluster (that of
        `ray.init`, else a local one). Rows are identical.
    out: a folder for `sweep.csv`, and for the journal to which each row is added as soon as it is computed.
    resume: whether to resume the sweep of the same plan that was interrupted in `out`; its rows are kept.
    progress: called with the number of finished runs and the number of all runs.

    Raises FileError for mistakes, before the first run; BusyError if another sweep is writing to `out`.
    """
    if engine not in ("threads", "ray"):
        raise ValueError(f"there is no engine {engine!r}; known: threads, ray")
    if resume and out is None:
        raise ValueError("`resume` needs the folder `out` of the sweep that was interrupted")
    ranges = [f"{path}={_range(values)}" for path, values in (over or {}).items()]
    plan = Plan(scene, _overrides(set), ranges, directions, impulses, event, count)
    rows: dict[int, str] = {}
    folder = None if out is None else Path(out)
    if folder is not None:
        if resume and (folder / TABLE).exists() and not (folder / JOURNAL).exists():
            raise Error(f"the sweep in {folder} is complete; leave out `resume` to make it again")
        folder.mkdir(parents=True, exist_ok=True)
        rows = {json.loads(row)["run"]: row for row in plan.open_journal(folder, resume)}
    total = len(plan)

    def take(row: str) -> None:
        rows[json.loads(row)["run"]] = row
        if progress is not None:
            progress(len(rows), total)

    left = [index for index in range(total) if index not in rows]
    try:
        if engine == "ray":
            from ._ray import run_on_ray

            run_on_ray(plan, left, take)
        else:
            plan.run(left, threads or _cores(), take)
        made = Sweep(plan.axes, [rows[index] for index in range(total)], plan.is_map)
        if folder is not None:
            made.to_csv(folder / TABLE)
            (folder / JOURNAL).unlink()
    finally:
        plan.close()
    return made


def _overrides(set: Mapping[str, Any] | Sequence[str]) -> dict[str, Any] | list[str]:
    if isinstance(set, str):
        raise TypeError("`set` is a dict of values by path, or a list of texts PATH=VALUE")
    return dict(set) if isinstance(set, Mapping) else list(set)


def _cores() -> int:
    # The cores that this process may use, if the system reports them.
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _range(values: str | Iterable[float]) -> str:
    if isinstance(values, str):
        return values
    numbers = [float(value) for value in values]
    if len(numbers) < 2 or not np.allclose(np.diff(numbers), numbers[1] - numbers[0]):
        raise ValueError("values of an axis are evenly spaced numbers, or a range as text: FROM:TO:STEP")
    return f"{numbers[0]!r}:{numbers[-1]!r}:lin{len(numbers)}"
