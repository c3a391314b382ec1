"""A PD stander: springs hold the pose, ankles pull the capture point back over the feet."""

from __future__ import annotations

import mujoco
import numpy as np

from ..controller import CannotDo, Robot


class PdStander:
    """Holds the pose of the start, joint by joint, and takes no step.

    tau = K (q0 - q) - D v - k m g a x r . (xi - xi0): K in proportion to the torque limit of a joint, and no more than a
    pendulum of the whole weight needs; D in proportion to K; both below what a limb can take at this rate. The last term is
    the ankle strategy, in the ankles of feet that are on the floor: xi = c + c' / omega is the capture point against the feet,
    xi0 where it was at the start, a the axis of the joint, and r the way from it to the COM.
    """

    PERIOD = 0.002
    #: Of a joint's torque limit, per rad; of m g, per m of the capture point.
    STIFFNESS, ANKLE = 4.0, 1.5
    #: Of the damping that makes a joint with nothing on its other side unstable at this rate, which is 2 inertia / period.
    STABLE = 0.3

    def reset(self, robot: Robot) -> float:
        self.model = mujoco.MjModel.from_xml_string(robot.mjcf)
        self.data = mujoco.MjData(self.model)
        self.start = robot.start
        self.feet = [[self.model.body(name).id for name in foot] for foot in (robot.left_foot, robot.right_foot)]
        self.parts = [set(robot.left_foot), set(robot.right_foot)]
        self.weight = 9.81 * float(self.model.body_subtreemass[1])
        self.forward(self.start, np.zeros(self.model.nv))
        mujoco.mj_forward(self.model, self.data)
        # What a torque in one joint has to turn where all others are free, kg m2: the least of all. Damping and stiffness of
        # sampled torques have to be below what makes that unstable at this rate; joints in a row add up.
        inverse = np.eye(self.model.nv)
        mujoco.mj_solveM(self.model, self.data, inverse, np.eye(self.model.nv))
        inertia = 1.0 / np.diag(inverse)[6:]
        height = self.data.subtree_com[1][2]
        self.omega = np.sqrt(9.81 / height)
        limit = np.abs(robot.torque_limits).max(axis=1)
        self.stiffness = np.minimum(self.STIFFNESS * limit, self.weight * height)
        self.stiffness = np.minimum(self.stiffness, 0.2 * self.STABLE * inertia / self.PERIOD**2)
        self.damping = np.minimum(0.2 * self.stiffness / self.omega, self.STABLE * inertia / self.PERIOD)
        self.ankles = [self.ankle(foot[0]) for foot in self.feet]
        self.offset = self.data.subtree_com[1][:2] - self.middle([0, 1])
        return self.PERIOD

    def ankle(self, foot: int) -> list[int]:
        """Joints between a foot and its shank; the two axes of an ankle may have a body each."""
        parent = self.model.body_parentid[foot]
        near = np.linalg.norm(self.data.xpos[parent] - self.data.xpos[foot]) < 0.05
        bodies = [parent, foot] if near else [foot]
        return [joint for joint in range(self.model.nv - 6) if self.model.jnt_bodyid[1 + joint] in bodies]

    def forward(self, q: np.ndarray, v: np.ndarray) -> None:
        self.data.qpos[:], self.data.qvel[:] = q, v
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        mujoco.mj_comVel(self.model, self.data)
        mujoco.mj_subtreeVel(self.model, self.data)

    def middle(self, loaded: list[int]) -> np.ndarray:
        return np.mean([self.data.xipos[self.feet[foot][0]][:2] for foot in loaded], axis=0)

    def command(self, velocity: np.ndarray, turn: float) -> None:
        if velocity.any() or turn:
            raise CannotDo("it stands and does not walk")

    def act(self, time: float, q: np.ndarray, v: np.ndarray, contacts: list) -> np.ndarray:
        self.forward(q, v)
        torque = self.stiffness * (self.start[7:] - q[7:]) - self.damping * v[6:]
        down = {c.body for c in contacts if c.floor and c.force[2] > 0.0}
        loaded = [foot for foot in range(2) if down & self.parts[foot]]
        if loaded:
            data = self.data
            capture = data.subtree_com[1][:2] + data.subtree_linvel[1][:2] / self.omega
            error = capture - self.middle(loaded) - self.offset
            force = np.append(-self.ANKLE * self.weight * error, 0.0)
            for foot in loaded:
                for joint in self.ankles[foot]:
                    # A foot that stands still turns the body over its ankle, against the axis.
                    arm = data.subtree_com[1] - data.xanchor[1 + joint]
                    torque[joint] -= np.cross(data.xaxis[1 + joint], arm) @ force / len(loaded)
        return torque

    def close(self) -> None:
        pass
