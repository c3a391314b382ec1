"""Controllers in C, from a shared library: `include/pushbench.h` declares the functions that it must export."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np

from ..controller import BadAnswer, CannotDo, Robot
from ..toml import FileError

DOUBLES, TEXTS = ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_char_p)
MESSAGE = 256
#: Return codes of the functions.
OK, CANNOT = 0, 1
VERSION = 1


class CRobot(ctypes.Structure):
    _fields_ = [
        ("version", ctypes.c_int32), ("nq", ctypes.c_int32), ("nv", ctypes.c_int32), ("joints", ctypes.c_int32),
        ("name", ctypes.c_char_p), ("mjcf", ctypes.c_char_p), ("task", ctypes.c_char_p), ("joint_names", TEXTS),
        ("torque_limits", DOUBLES), ("start", DOUBLES), ("chest", ctypes.c_char_p), ("head", ctypes.c_char_p),
        ("left_foot", TEXTS), ("right_foot", TEXTS), ("friction", ctypes.c_double), ("latency", ctypes.c_double),
        ("step", ctypes.c_double),
    ]  # fmt: skip


class CContact(ctypes.Structure):
    _fields_ = [
        ("body", ctypes.c_char_p), ("position", ctypes.c_double * 3), ("force", ctypes.c_double * 3), ("floor", ctypes.c_int32)
    ]  # fmt: skip


def pointer(values: np.ndarray) -> DOUBLES:
    return values.ctypes.data_as(DOUBLES)


def names(list_: tuple[str, ...]) -> ctypes.Array:
    """A NULL-terminated array of strings."""
    return (ctypes.c_char_p * (len(list_) + 1))(*[name.encode() for name in list_], None)


class Native:
    def __init__(self, path: Path) -> None:
        try:
            library = ctypes.CDLL(str(path.resolve()))
        except OSError as error:
            raise FileError(f"{path}: {error}") from None
        state, text = ctypes.c_void_p, ctypes.c_char_p
        wanted = {
            "reset": [ctypes.POINTER(CRobot), ctypes.POINTER(state), DOUBLES, text],
            "command": [state, DOUBLES, ctypes.c_double, text],
            "act": [state, ctypes.c_double, DOUBLES, DOUBLES, ctypes.POINTER(CContact), ctypes.c_int32, DOUBLES, text],
            "close": [state],
        }
        for name, arguments in wanted.items():
            function = getattr(library, f"pushbench_{name}", None)
            if function is None:
                raise FileError(f"{path} exports no function `pushbench_{name}`")
            function.argtypes, function.restype = arguments, None if name == "close" else ctypes.c_int
            setattr(self, f"_{name}", function)
        self.state, self.message, self.library = state(), ctypes.create_string_buffer(MESSAGE), library

    def answer(self, code: int) -> None:
        if code == OK:
            return
        said = self.message.value.decode(errors="replace") or f"code {code}"
        raise CannotDo(said) if code == CANNOT else RuntimeError(said)

    def reset(self, robot: Robot) -> float:
        # Everything that its pointers refer to lives as long as the controller.
        self.limits, self.start = np.ascontiguousarray(robot.torque_limits), np.ascontiguousarray(robot.start)
        self.names = [names(robot.joints), names(robot.left_foot), names(robot.right_foot)]
        joints = len(robot.joints)
        self.robot = CRobot(
            VERSION, len(robot.start), joints + 6, joints, robot.name.encode(), robot.mjcf.encode(), robot.task.encode(),
            self.names[0], pointer(self.limits), pointer(self.start), robot.chest.encode(),
            None if robot.head is None else robot.head.encode(), self.names[1], self.names[2], robot.friction,
            robot.latency, robot.step,
        )  # fmt: skip
        self.joints = joints
        period = ctypes.c_double(0.01)
        self.answer(self._reset(ctypes.byref(self.robot), ctypes.byref(self.state), ctypes.byref(period), self.message))
        return period.value

    def command(self, velocity: np.ndarray, turn: float) -> None:
        self.answer(self._command(self.state, pointer(np.ascontiguousarray(velocity, dtype=float)), turn, self.message))

    def act(self, time: float, q: np.ndarray, v: np.ndarray, contacts: list) -> np.ndarray:
        # NaN marks torques that the library does not write.
        torque = np.full(self.joints, np.nan)
        touches = (CContact * max(len(contacts), 1))()
        for place, contact in zip(touches, contacts):
            place.body, place.floor = contact.body.encode(), contact.floor
            place.position[:], place.force[:] = contact.position, contact.force
        q, v = np.ascontiguousarray(q), np.ascontiguousarray(v)
        code = self._act(self.state, time, pointer(q), pointer(v), touches, len(contacts), pointer(torque), self.message)
        self.answer(code)
        if np.isnan(torque).any():
            raise BadAnswer("pushbench_act left torques unset, or set them to NaN")
        return torque

    def close(self) -> None:
        if self.state:
            self._close(self.state)
            self.state = ctypes.c_void_p()
