"""Pushes for controllers of humanoids: five protocols, MuJoCo as the plant, one table. `pushbench.controller` says what a
controller is; `python -m pushbench` runs them."""

from .controller import BadAnswer, CannotDo, Contact, Controller, Robot

__all__ = ["BadAnswer", "CannotDo", "Contact", "Controller", "Robot"]
