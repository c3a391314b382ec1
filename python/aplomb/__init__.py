"""Characters that move because an optimiser decides their next frame.

    import aplomb
    run = aplomb.Scene("balance_push").start()
    print(run.finish(), run.character.com)

Numbers are f64 in SI units and world axes, z up. Arrays are copies, which do not change when the world is stepped. A
configuration q has nq numbers (floating root: position x, y, z, quaternion w, x, y, z; then joints), a velocity v has
nv (floating root: linear velocity in world axes, angular velocity in body axes). Results are bit-identical to those of
the Rust engine, on any number of threads.
"""

from ._aplomb import (
    HAS_CLI,
    BodyPoint,
    Character,
    Command,
    ComPosition,
    Constraint,
    Contacts,
    Controller,
    FeedbackController,
    Geom,
    Goal,
    Model,
    Objective,
    Obstacle,
    Passive,
    Pose,
    Run,
    Scene,
    Senses,
    Snapshot,
    World,
    Worlds,
    __version__,
    shipped,
)
from ._errors import BusyError, Error, FileError, Mistake, NotFoundError, StepError, WorldError

__all__ = [
    "BodyPoint",
    "BusyError",
    "Character",
    "Command",
    "ComPosition",
    "Constraint",
    "Contacts",
    "Controller",
    "Error",
    "FeedbackController",
    "FileError",
    "Geom",
    "Goal",
    "Mistake",
    "Model",
    "NotFoundError",
    "Objective",
    "Obstacle",
    "Passive",
    "Pose",
    "Run",
    "Scene",
    "Senses",
    "Snapshot",
    "StepError",
    "World",
    "WorldError",
    "Worlds",
    "shipped",
    "__version__",
]

if HAS_CLI:
    from ._aplomb import FoxgloveMessages, Trace
    from ._sweep import Sweep, run, sweep

    __all__ += ["FoxgloveMessages", "Sweep", "Trace", "run", "sweep"]
