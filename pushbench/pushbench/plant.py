"""MuJoCo simulates a body on a floor: torques in, states and contacts out."""

from __future__ import annotations

import math
from xml.etree import ElementTree

import mujoco
import numpy as np

from .body import Body
from .controller import Contact, Robot
from .toml import FileError


class Plant:
    """A body on a floor. Torques act in the joints only, clipped to the limits of the model."""

    def __init__(self, body: Body, friction: float, step: float) -> None:
        root = ElementTree.fromstring(body.mjcf)
        floor = {"name": "pushbench_floor", "type": "plane", "size": "0 0 1", "friction": f"{friction} 0.005 0.0001"}
        world = root.find("worldbody")
        world.insert(0, ElementTree.Element("geom", floor))
        model = mujoco.MjModel.from_xml_string(ElementTree.tostring(root, encoding="unicode"))
        model.opt.timestep = step
        # Joint damping is integrated implicitly; contacts and everything else are MuJoCo's defaults.
        model.opt.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        kinds = [mujoco.mjtJoint(kind) for kind in model.jnt_type]
        hinges = {mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE}
        if kinds[:1] != [mujoco.mjtJoint.mjJNT_FREE] or not set(kinds[1:]) <= hinges:
            raise FileError(f"body `{body.name}`: a free root and then hinges and slides are expected")
        limits = model.jnt_actfrcrange[1:].copy()
        missing = [model.joint(1 + i).name for i in range(len(limits)) if not limits[i, 0] < limits[i, 1]]
        if missing:
            raise FileError(f"body `{body.name}`: no actuatorfrcrange for {', '.join(missing)}")
        self.body, self.model, self.limits, self.friction = body, model, limits, friction
        # Disables the model's own limits, because the plant already clips the torques.
        model.jnt_actfrclimited[:] = 0
        self.data = mujoco.MjData(model)
        self.floor = model.geom("pushbench_floor").id
        self.owner = model.geom_bodyid.tolist()
        self.names = [model.body(index).name for index in range(model.nbody)]
        self.chest = self.id_of(body.chest)
        self.head = None if body.head is None else self.id_of(body.head)
        self.feet = tuple({self.id_of(name) for name in foot} for foot in (body.left_foot, body.right_foot))
        self.joints = tuple(model.joint(1 + i).name for i in range(model.njnt - 1))
        self.place_at_start()
        self.start = self.data.qpos.copy()
        self.height = float(self.data.subtree_com[1][2])
        self.mass = float(model.body_subtreemass[1])
        # Initial up direction in the chest frame.
        self.up = self.data.xmat[self.chest].reshape(3, 3).T @ np.array([0.0, 0.0, 1.0])

    def id_of(self, name: str) -> int:
        found = mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_BODY, name)
        if found < 0:
            raise FileError(f"body `{self.body.name}`: its model has no body `{name}`")
        return found

    def place_at_start(self) -> None:
        """Sets the pose of the file, with the lowest point of the feet on the floor."""
        model, data = self.model, self.data
        mujoco.mj_resetData(model, data)
        for name, angle in self.body.start.items():
            if name not in self.joints:
                raise FileError(f"body `{self.body.name}`: its model has no joint `{name}`")
            data.qpos[7 + self.joints.index(name)] = angle
        # Zero may be out of range, as for a knee that cannot straighten fully: the joint limit would throw the body.
        low, high = model.jnt_range[1:].T
        data.qpos[7:] = np.where(model.jnt_limited[1:], np.clip(data.qpos[7:], low, high), data.qpos[7:])
        data.qpos[2] += 10.0
        mujoco.mj_kinematics(model, data)
        gaps, ends = [], np.zeros(6)
        for geom in range(model.ngeom):
            if model.geom_bodyid[geom] in self.feet[0] | self.feet[1] and model.geom_contype[geom]:
                gaps.append(mujoco.mj_geomDistance(model, data, geom, self.floor, 100.0, ends))
        if not gaps:
            raise FileError(f"body `{self.body.name}`: nothing of its feet touches")
        data.qpos[2] -= min(gaps)
        mujoco.mj_forward(model, data)

    def robot(self, task: str, latency: float) -> Robot:
        body = self.body
        return Robot(
            body.name, body.mjcf, self.joints, self.limits.copy(), self.start.copy(), body.chest, body.head, body.left_foot,
            body.right_foot, task, self.friction, latency, self.model.opt.timestep,
        )  # fmt: skip

    def step(self, torque: np.ndarray, pushed: int, force: np.ndarray, count: int) -> None:
        """Simulates `count` steps under torques and a force at the centre of mass of a body."""
        self.data.qfrc_applied[6:] = np.minimum(np.maximum(torque, self.limits[:, 0]), self.limits[:, 1])
        self.data.xfrc_applied[pushed, :3] = force
        mujoco.mj_step(self.model, self.data, count)

    def contacts(self) -> list[Contact]:
        """Contacts, with the force on each of the robot's bodies."""
        found, parts, data = [], np.zeros(6), self.data
        for index, (first, second) in enumerate(data.contact.geom.tolist() if data.ncon else []):
            mujoco.mj_contactForce(self.model, data, index, parts)
            contact = data.contact[index]
            force, point = parts[:3] @ contact.frame.reshape(3, 3), contact.pos.copy()
            for geom, other, sign in ((first, second, -1.0), (second, first, 1.0)):
                if geom != self.floor:
                    found.append(Contact(self.names[self.owner[geom]], point, sign * force, other == self.floor))
        return found

    def on_floor(self) -> set[int]:
        """Bodies that touch the floor."""
        if not self.data.ncon:
            return set()
        pairs = [pair for pair in self.data.contact.geom.tolist() if self.floor in pair]
        return {self.owner[second if first == self.floor else first] for first, second in pairs}

    def com(self) -> np.ndarray:
        return self.data.subtree_com[1]

    def com_velocity(self) -> np.ndarray:
        """Velocity of the centre of mass, world axes, m/s."""
        mujoco.mj_subtreeVel(self.model, self.data)
        return self.data.subtree_linvel[1].copy()

    def tilt(self) -> float:
        """Angle of the chest from its initial upright orientation, rad."""
        up = float(self.data.xmat[self.chest][6:] @ self.up)
        return math.acos(min(max(up, -1.0), 1.0))
