"""A controller for pushbench in Python: springs and dampers that hold the initial pose.

pushbench run standing -c pushbench/examples/hold.py:Hold
"""

import numpy as np
from pushbench import CannotDo


class Hold:
    def reset(self, robot):
        self.start, self.limit = robot.start[7:], robot.torque_limits[:, 1]
        return 0.001

    def command(self, velocity, turn):
        if np.any(velocity) or turn:
            raise CannotDo("it holds a pose and does not walk")

    def act(self, time, q, v, contacts):
        return self.limit * (4.0 * (self.start - q[7:]) - 0.04 * v[6:])

    def close(self):
        pass
