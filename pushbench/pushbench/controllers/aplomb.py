"""aplomb's feedback controller. Needs the package `aplomb`."""

from __future__ import annotations

import re

import numpy as np

from ..controller import CannotDo, Robot

try:
    import aplomb
except ImportError as error:
    raise CannotDo("the package `aplomb` is not installed: pip install ./python") from error

#: Shipped controllers by task.
BY_TASK = {"stand": "step_recovery", "walk": "drive", "get_up": "fall_and_get_up"}
#: Parameters that say when knees straighten at rest, s. On soft ground a body with straight knees rocks from side to side for
#: good.
KNEES = {"knees_after", "steps.knees_after"}
NEVER = 1e6


class Aplomb:
    """A shipped controller or a file, asked 100 times a second. What it measures is q and v; contacts it reckons itself."""

    def __init__(self, controller: str | None = None) -> None:
        self.name = controller

    def reset(self, robot: Robot) -> float:
        mjcf = robot.mjcf
        if robot.task == "get_up":
            # A limp body keeps the damping of its model, too light for the springs by which it lies down.
            mjcf = re.sub(r' damping="[^"]*"', "", mjcf)
        model = aplomb.Model.parse(mjcf, f"{robot.name}.xml")
        name = self.name or BY_TASK[robot.task]
        self.feedback = aplomb.FeedbackController(
            model, name, dt=0.01, latency=robot.latency, friction=robot.friction
        )
        self.character = self.feedback.character
        for parameter in KNEES.intersection(self.character.parameters):
            self.character.set_parameter(parameter, NEVER)
        return 0.01

    def command(self, velocity: np.ndarray, turn: float) -> None:
        told = {"walk_velocity": [*velocity, 0.0], "turn": turn}
        known = self.character.commands()
        if (velocity.any() or turn) and not told.keys() <= known.keys():
            raise CannotDo(f"the controller `{self.name}` takes no command to walk")
        for name in told.keys() & known.keys():
            self.character.command(name, told[name])

    def act(self, time: float, q: np.ndarray, v: np.ndarray, contacts: list) -> np.ndarray:
        return np.asarray(self.feedback.observe(q, v).torque)[6:]

    def close(self) -> None:
        pass
