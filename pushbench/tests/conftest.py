"""Small protocols and controllers for the tests."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
pytest.importorskip("mujoco", reason="MuJoCo is the plant")

SMALL = """
title = "One push"
body = "adult"
task = "stand"
trials = 2
[push]
at = 0.05
duration = 0.1
direction = {{ uniform = [0, 360] }}
{strength}
after = {after}
[recovered]
speed = 0.1
still_for = 0.1
"""


@pytest.fixture
def small(tmp_path):
    """Writes a protocol of two short trials."""

    def write(strength="impulse = 1", after=0.1, name="small", **changed):
        text = SMALL.format(strength=strength, after=after)
        for old, new in changed.items():
            text = re.sub(rf"(?m)^{old} = .*", f"{old} = {new}", text)
        path = tmp_path / f"{name}.toml"
        path.write_text(text)
        return str(path)

    return write


@pytest.fixture
def controller(tmp_path):
    """Writes a controller whose `act` has the given code, and returns its specification for the command line."""

    def write(act, reset="return 0.01", command="pass", close="pass"):
        path = tmp_path / "mine.py"
        path.write_text(
            "import numpy as np, os\nimport pushbench\n\nclass Mine:\n"
            f"    def reset(self, robot):\n        self.robot = robot\n        {reset}\n"
            f"    def command(self, velocity, turn):\n        {command}\n"
            f"    def act(self, time, q, v, contacts):\n        n = len(self.robot.joints)\n        {act}\n"
            f"    def close(self):\n        {close}\n"
        )
        return f"{path}:Mine"

    return write
