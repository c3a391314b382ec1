"""A PD stander: springs hold the pose, ankles pull the capture point back over the feet."""

from __future__ import annotations

import mujoco
import numpy as np

from ..controller import CannotDo, Robot


class PdStander:
    """Holds the initial pose, joint by joint, and takes no steps.

    tau = K (q0 - q) - D v - k m g a x r . (xi - xi0): K is proportional to the torque limit of a joint, and at most
    that of a pendulum of the whole weight; D is proportional to K; both are below the stability limit of a limb at this
    rate. The last term is the ankle strategy, for ankles of feet on the floor: xi = c + c' / omega is the capture point
    relative to the feet, xi0 its initial value, a the axis of the joint, and r the vector from it to the COM.
    """

    PERIOD = 0.002
    #: Stiffness per torque limit of a joint, 1/rad; gain k of the ankle strategy, 1/m.
    STIFFNESS, ANKLE = 4.0, 1.5
    #: Share of the damping at which a joint with the smallest inertia becomes unstable at this rate,
    #: 2 inertia / period.
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
        # Inertia seen by a torque in one joint while all others are free, kg m2, which is the smallest. Damping and
        # stiffness of sampled torques must be below its stability limit at this rate; those of joints in series add up.
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
        """Joints between a foot and its shank; each of the two axes of an ankle may have its own body."""
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
                    # A foot that stands still rotates the body about its ankle, against the axis.
                    arm = data.subtree_com[1] - data.xanchor[1 + joint]
                    torque[joint] -= np.cross(data.xaxis[1 + joint], arm) @ force / len(loaded)
        return torque

    def close(self) -> None:
        pass
