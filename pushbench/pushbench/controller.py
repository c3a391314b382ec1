"""Interface of a controller: four functions.

    class Mine:
        def reset(self, robot): ...                       # returns seconds between calls of `act`, or None for 0.01
        def command(self, velocity, turn): ...            # m/s and rad/s, in the robot's own heading
        def act(self, time, q, v, contacts): ...          # returns torques, N m
        def close(self): ...

Each trial has its own object, constructed without arguments. `reset` is called once, `command` once before the first
`act`, `act` from the start of the trial at the period that `reset` returned, and `close` at the end, in any case.

`q` (nq,) and `v` (nv,) follow MuJoCo's convention. `q`: position of the root's origin in world axes, m; quaternion from
root axes to world axes, w first; joint positions in the order of `robot.joints`, rad. `v`: velocity of the root's
origin, world axes, m/s; angular velocity in root axes, rad/s; joint velocities, rad/s. At the start x is forward and y
left; z is up; the floor is z = 0. Torques are in the order of `robot.joints`. They act until those of the next call do.
The plant clips them to `robot.torque_limits` without notice. The push is unknown to the controller.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

#: Default time between calls of `act`, s.
PERIOD = 0.01


class CannotDo(Exception):
    """Raised by `reset` or `command` if the controller does not support the body or the task. The table shows the
    message instead of a rate."""


class BadAnswer(Exception):
    """A controller returned an invalid value."""


@dataclass(frozen=True)
class Contact:
    """A point where the robot touches the floor or itself."""

    #: Name of the robot's body in contact.
    body: str
    #: Contact point, world axes, m.
    position: np.ndarray
    #: Force on that body, world axes, N.
    force: np.ndarray
    #: Whether it touches the floor; otherwise it touches another body of the robot.
    floor: bool


@dataclass(frozen=True)
class Robot:
    """Description of the robot, for `reset`."""

    name: str
    #: The body as an MJCF document, without a floor; its inertias, armature, damping and dry friction are those of the
    #: plant.
    mjcf: str
    #: Names of the joints, all hinges or slides, in the order of `q[7:]`, `v[6:]` and torques.
    joints: tuple[str, ...]
    #: Lower and upper torque limit of each joint, N m, shape (joints, 2).
    torque_limits: np.ndarray
    #: Initial configuration of each trial, at rest, shape (nq,).
    start: np.ndarray
    #: Bodies by role: `chest`, `head`, and the bodies of each foot.
    chest: str
    head: str | None
    left_foot: tuple[str, ...]
    right_foot: tuple[str, ...]
    #: Task: `stand`, `walk`, or `get_up` (it will fall, and should get up again).
    task: str
    #: Sliding friction of the floor.
    friction: float
    #: Time from a measurement until the torques computed from it act, s.
    latency: float
    #: Time step of the plant, s.
    step: float = field(default=0.001)


class Controller(Protocol):
    """The four functions; see the module docstring for their arguments."""

    def reset(self, robot: Robot) -> float | None:
        """Called before a trial. Returns the time between calls of `act`, s, a multiple of `robot.step`; None: 0.01."""

    def command(self, velocity: np.ndarray, turn: float) -> None:
        """Sets the walking velocity ahead and to the left, shape (2,), m/s, and the turning rate to the left, rad/s.
        All zero: stand."""

    def act(self, time: float, q: np.ndarray, v: np.ndarray, contacts: list[Contact]) -> np.ndarray:
        """Returns the torques of all joints, shape (joints,), N m, from the state measured at `time` (s since the
        start)."""

    def close(self) -> None:
        """Called after a trial."""


def checked_period(answer: object, step: float) -> int:
    """Number of plant steps between calls."""
    if answer is None:
        answer = PERIOD
    try:
        steps = float(answer) / step
    except (TypeError, ValueError):
        raise BadAnswer(f"reset returned {answer!r}, which is no time in seconds") from None
    if not (np.isfinite(steps) and steps > 0.5 and abs(steps - round(steps)) < 1e-6 * steps):
        raise BadAnswer(f"reset returned {answer} s, which is no multiple of the plant's step of {step} s")
    return round(steps)


def checked_torque(answer: object, joints: int) -> np.ndarray:
    """The torques; raises BadAnswer if they are invalid."""
    try:
        torque = np.asarray(answer, dtype=float)
    except (TypeError, ValueError):
        raise BadAnswer(f"act returned {type(answer).__name__}, which is no array of torques") from None
    if torque.shape != (joints,):
        raise BadAnswer(f"act returned shape {torque.shape}, where ({joints},) is expected")
    if not np.isfinite(torque).all():
        raise BadAnswer(f"act returned {torque[~np.isfinite(torque)][0]} among its torques")
    return torque
