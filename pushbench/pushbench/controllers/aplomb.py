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
#: Time between calls, s, default 0.01: on the compliant edges of a foot, walking needs a higher rate.
PERIODS = {"walk": 0.002}
#: Prediction horizon of each call, s, at any calling rate.
HORIZON = 0.01
#: Parameter of controllers and included controllers: time at rest after which knees straighten, s. On soft ground a
#: body with straight knees keeps rocking from side to side.
KNEES = "knees_after"
NEVER = 1e6


class Aplomb:
    """A shipped controller or a file, called at 100 Hz, or at 500 Hz for walking. It measures q and v, and predicts
    contacts itself."""

    def __init__(self, controller: str | None = None) -> None:
        self.name = controller

    def reset(self, robot: Robot) -> float:
        mjcf = robot.mjcf
        if robot.task == "get_up":
            # A ragdoll keeps the damping of its model, which is too small for the springs with which it lies down.
            mjcf = re.sub(r' damping="[^"]*"', "", mjcf)
        model = aplomb.Model.parse(mjcf, f"{robot.name}.xml")
        name = self.name or BY_TASK[robot.task]
        period = robot.step * max(round(PERIODS.get(robot.task, HORIZON) / robot.step), 1)
        self.feedback = aplomb.FeedbackController(
            model, name, dt=period, horizon=max(period, HORIZON), latency=robot.latency, friction=robot.friction
        )
        self.character = self.feedback.character
        for parameter in self.character.parameters:
            if parameter.split(".")[-1] == KNEES:
                self.character.set_parameter(parameter, NEVER)
        return period

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
