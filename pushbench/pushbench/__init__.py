"""Push tests for humanoid controllers: five protocols, MuJoCo as the plant, one table. `pushbench.controller` describes
the interface of a controller; `python -m pushbench` runs the tests."""

from .controller import BadAnswer, CannotDo, Contact, Controller, Robot

__all__ = ["BadAnswer", "CannotDo", "Contact", "Controller", "Robot"]
