"""What a controller is: four functions.

    class Mine:
        def reset(self, robot): ...                       # returns seconds from call to call of `act`, or None for 0.01
        def command(self, velocity, turn): ...            # m/s and rad/s, in the robot's own heading
        def act(self, time, q, v, contacts): ...          # returns torques, N m
        def close(self): ...

Each trial has an object of its own: made without arguments, `reset` once, `command` once before the first `act`, `act` from
the start of the trial in steps of what `reset` returned, and `close` at the end, whatever has happened.

`q` (nq,) and `v` (nv,) are as MuJoCo has them. `q`: place of the root's origin in world axes, m; the quaternion that takes
root axes to world axes, w first; the joints in the order of `robot.joints`, rad. `v`: velocity of the root's origin, world
axes, m/s; angular velocity in root axes, rad/s; rates of the joints, rad/s. x is forward at the start, y left, z up; the floor
is z = 0. Torques are in the order of `robot.joints`. They act until those of the next call do. The plant holds them within
`robot.torque_limits`; it does not tell. Nobody tells a controller of the push.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

#: Seconds from one call of `act` to the next, where `reset` returns nothing.
PERIOD = 0.01


class CannotDo(Exception):
    """Raised by `reset` or `command`: this controller is not made for that body or that task. The table says so, with the
    message, instead of a rate."""


class BadAnswer(Exception):
    """What a controller returned is not what it should return."""


@dataclass(frozen=True)
class Contact:
    """A point where the robot touches the floor or itself."""

    #: The robot's body that is touched, by its name in the model.
    body: str
    #: World axes, m.
    position: np.ndarray
    #: On that body, world axes, N.
    force: np.ndarray
    #: Whether what it touches is the floor; else it is another of the robot's bodies.
    floor: bool


@dataclass(frozen=True)
class Robot:
    """What a controller is told before a trial."""

    name: str
    #: The body as an MJCF document, without a floor; its inertias, armature, damping and dry friction are those of the plant.
    mjcf: str
    #: Names of the joints, all hinges or slides, in the order of `q[7:]`, `v[6:]` and torques.
    joints: tuple[str, ...]
    #: Least and greatest torque of each joint, N m, shape (joints, 2).
    torque_limits: np.ndarray
    #: Where each trial begins, at rest, shape (nq,).
    start: np.ndarray
    #: Bodies by role: `chest`, `head`, and the bodies of each foot.
    chest: str
    head: str | None
    left_foot: tuple[str, ...]
    right_foot: tuple[str, ...]
    #: What it is asked for: `stand`, `walk`, or `get_up` (it will fall, and should come to its feet again).
    task: str
    #: Of the floor, sliding.
    friction: float
    #: Seconds from a measurement until the torques that answer it act.
    latency: float
    #: Plant's time step, s.
    step: float = field(default=0.001)


class Controller(Protocol):
    """The four functions; the text above says what they are given."""

    def reset(self, robot: Robot) -> float | None:
        """Before a trial. Returns how many seconds lie between calls of `act`, a multiple of `robot.step`; None: 0.01."""

    def command(self, velocity: np.ndarray, turn: float) -> None:
        """Walk so: ahead and to the left, shape (2,), m/s, and turning to the left, rad/s. All zero: stand."""

    def act(self, time: float, q: np.ndarray, v: np.ndarray, contacts: list[Contact]) -> np.ndarray:
        """Torques of all joints, shape (joints,), N m, from the state measured at `time` (s since the start)."""

    def close(self) -> None:
        """After a trial."""


def checked_period(answer: object, step: float) -> int:
    """Steps of the plant from call to call."""
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
    """The torques, if they are such."""
    try:
        torque = np.asarray(answer, dtype=float)
    except (TypeError, ValueError):
        raise BadAnswer(f"act returned {type(answer).__name__}, which is no array of torques") from None
    if torque.shape != (joints,):
        raise BadAnswer(f"act returned shape {torque.shape}, where ({joints},) is expected")
    if not np.isfinite(torque).all():
        raise BadAnswer(f"act returned {torque[~np.isfinite(torque)][0]} among its torques")
    return torque
