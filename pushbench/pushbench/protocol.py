"""Protocols: the pushes with their directions, strengths and number, and the criteria of recovery."""

from __future__ import annotations

import hashlib
import itertools
import math
from dataclasses import dataclass
from pathlib import Path

from . import body, toml

HERE = Path(__file__).parent / "protocols"
TASKS = ("stand", "walk", "get_up")
#: Keys for the strength of a push: force, N; impulse, N s; impulse per mass of the whole body, m/s.
STRENGTHS = ("force", "impulse", "velocity")


def fraction(seed: int, trial: int, name: str) -> float:
    """A number in [0, 1) that depends only on seed, trial and name, not on other draws."""
    digest = hashlib.sha256(f"{seed}:{trial}:{name}".encode()).digest()
    return int.from_bytes(digest[:7], "big") / 2.0**56


class Draw:
    """A number, or the distribution from which it is drawn."""

    def __init__(self, table: toml.Table, key: str, default: object = ...) -> None:
        self.name, self.grid = f"{table.place.split('[')[-1].rstrip(']')}.{key}", None
        value = table.take(key, (float, dict), default)
        if not isinstance(value, dict):
            number = float(value)
            self.at = lambda u: number
            return
        inner = toml.Table(value, f"{table.place}, `{key}`")
        kinds = [kind for kind in ("uniform", "grid", "bins") if kind in value]
        if len(kinds) != 1:
            raise inner.error("one of uniform, grid, bins is expected")
        if kinds == ["uniform"]:
            low, high = numbers(inner, "uniform", 2)
            self.at = lambda u: low + u * (high - low)
        elif kinds == ["grid"]:
            self.grid = numbers(inner, "grid", None)
        else:
            edges = numbers(inner, "bins", None)
            weights = numbers(inner, "weights", len(edges) - 1)
            if sorted(edges) != edges or min(weights) < 0.0 or sum(weights) <= 0.0:
                raise inner.error("bins rise, and weights are not negative")
            self.at = lambda u: by_bins(edges, weights, u)
        inner.done()


def numbers(table: toml.Table, key: str, count: int | None) -> list[float]:
    """A list of numbers; a grid may also be `{ from, to, count }`, both ends included."""
    value = table.take(key, (list, dict) if key == "grid" else list)
    if isinstance(value, dict):
        inner = toml.Table(value, f"{table.place}, `{key}`")
        first, last, steps = inner.take("from", float), inner.take("to", float), inner.take("count", int)
        inner.done()
        if steps < 2:
            raise inner.error("`count` is at least 2")
        return [first + (last - first) * index / (steps - 1) for index in range(steps)]
    if not value or any(isinstance(n, bool) or not isinstance(n, (int, float)) for n in value):
        raise table.error(f"`{key}` is a list of numbers")
    if count is not None and len(value) != count:
        raise table.error(f"`{key}` has {len(value)} numbers, where {count} are expected")
    return [float(n) for n in value]


def by_bins(edges: list[float], weights: list[float], u: float) -> float:
    """A draw from bins with these weights, uniform within a bin."""
    left = u * sum(weights)
    for low, high, weight in zip(edges, edges[1:], weights):
        if left < weight:
            return low + (high - low) * left / weight
        left -= weight
    return edges[-1]


@dataclass(frozen=True)
class Recovered:
    """Criteria for a trial to count as recovered."""

    #: Least COM height, relative to the initial one, and largest tilt of the chest, rad. Both apply from the start to
    #: the end; for the task get_up, at the end.
    height: float
    tilt: float
    #: Whether only feet may touch the floor, in the same period.
    only_feet: bool
    #: Upper bound on the speed of the COM throughout the last `still_for` seconds, m/s; None: no bound.
    speed: float | None
    still_for: float
    #: Least mean velocity of the COM along the commanded one over the last two seconds, relative to the commanded
    #: speed; None: no bound.
    progress: float | None


@dataclass(frozen=True)
class Trial:
    """One push."""

    number: int
    #: Time since the start, and duration, s.
    at: float
    duration: float
    #: Direction of the force, degrees: 0 ahead, 90 to the left.
    direction: float
    #: Force, N; impulse, N s; impulse per mass, N s/kg.
    force: float
    impulse: float
    velocity: float


class Protocol:
    """A protocol, read from its file."""

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, path.stem
        table = toml.read(path)
        self.title, self.about = table.take("title", str), table.take("about", str, "")
        self.body = body.path_of(table.take("body", str), path.parent)
        self.task = table.take("task", str)
        if self.task not in TASKS:
            raise table.error(f"`task` is {self.task!r}; tasks are {', '.join(TASKS)}")
        self.trials, self.seed = table.take("trials", int, None), table.take("seed", int, 1)
        plant = table.table("plant", {})
        self.step, self.friction = plant.take("step", float, 0.001), plant.take("friction", float, 1.0)
        self.latency = plant.take("latency", float, 0.0)
        plant.done()
        command = table.table("command", {})
        self.velocity = numbers(command, "velocity", 2) if "velocity" in command.values else [0.0, 0.0]
        self.turn = float(command.take("turn", float, 0.0))
        command.done()
        push = table.table("push")
        self.pushed = push.take("body", str, "chest")
        strengths = [key for key in STRENGTHS if key in push.values]
        if len(strengths) != 1:
            raise push.error(f"one of {', '.join(STRENGTHS)} is expected")
        self.strength = strengths[0]
        self.draws = {key: Draw(push, key) for key in ("at", "duration", "direction", self.strength)}
        self.after = push.take("after", float)
        push.done()
        asked = table.table("recovered")
        self.recovered = Recovered(
            asked.take("height", float, 0.6), asked.take("tilt", float, 1.0), asked.take("only_feet", bool, True),
            asked.take("speed", float, None), asked.take("still_for", float, 0.5), asked.take("progress", float, None),
        )  # fmt: skip
        asked.done()
        table.done()
        if self.recovered.progress is not None and not any(self.velocity):
            raise asked.error("`progress` needs a [command] with a velocity")
        self.grid = [key for key in ("direction", self.strength, "duration", "at") if self.draws[key].grid is not None]
        self.cells = list(itertools.product(*(self.draws[key].grid for key in self.grid)))
        if self.trials is None:
            if not self.grid:
                raise table.error("`trials` is missing: nothing is a grid")
            self.trials = len(self.cells)

    def trial(self, number: int, seed: int, mass: float) -> Trial:
        """The trial of this number. With a grid, trials cycle through its cells."""
        cell = dict(zip(self.grid, self.cells[number % len(self.cells)]))
        drawn = {
            key: cell[key] if key in cell else draw.at(fraction(seed, number, draw.name)) for key, draw in self.draws.items()
        }
        duration, strength = drawn["duration"], drawn[self.strength]
        impulse = strength * {"force": duration, "impulse": 1.0, "velocity": mass}[self.strength]
        return Trial(number, drawn["at"], duration, drawn["direction"], impulse / duration, impulse, impulse / mass)

    def direction_of(self, trial: Trial) -> tuple[float, float]:
        angle = math.radians(trial.direction)
        return math.cos(angle), math.sin(angle)


def shipped() -> list[str]:
    return [path.stem for path in sorted(HERE.glob("*.toml"))]


def find(name: str) -> Protocol:
    """A shipped protocol by its name, or a file."""
    path = HERE / f"{name}.toml" if name in shipped() else Path(name)
    if not path.exists():
        raise toml.FileError(f"there is no protocol `{name}`: shipped are {', '.join(shipped())}, and it is no file")
    return Protocol(path)
