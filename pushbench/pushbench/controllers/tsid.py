"""A stepping controller on TSID: the capture point determines the desired centre of pressure and the time of a step; an
inverse-dynamics QP with tasks realises them. Needs the packages `tsid` and `pin`
(`pip install "./pushbench[tsid]"`)."""

from __future__ import annotations

import itertools

import mujoco
import numpy as np

from ..controller import CannotDo, Robot

try:
    import pinocchio as pin
    import tsid

    if not hasattr(tsid, "RobotWrapper"):
        # In some wheels the package is a folder around its module.
        from tsid import tsid_pywrap as tsid
except ImportError as error:
    raise CannotDo(f"TSID is not installed: pip install './pushbench[tsid]' ({error})") from error

GRAVITY = 9.81


def pinocchio_model(model: mujoco.MjModel) -> pin.Model:
    """Pinocchio's model of the body: joints in the same order, with armature."""
    if np.abs(model.qpos0[7:]).max() > 0.0:
        raise CannotDo("joints whose zero is not where the model has them (`ref`) are not translated for TSID")
    made, of_body = pin.Model(), {0: (0, pin.SE3.Identity())}
    for body in range(1, model.nbody):
        parent, place = of_body[model.body_parentid[body]]
        turn = pin.Quaternion(*model.body_quat[body]).toRotationMatrix()
        place = place * pin.SE3(turn, model.body_pos[body])
        first, count = model.body_jntadr[body], model.body_jntnum[body]
        for joint in range(first, first + count):
            name, kind = model.joint(joint).name, model.jnt_type[joint]
            if kind == mujoco.mjtJoint.mjJNT_FREE:
                parent, place = made.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), name), pin.SE3.Identity()
                continue
            hinge = kind == mujoco.mjtJoint.mjJNT_HINGE
            shape = pin.JointModelRevoluteUnaligned if hinge else pin.JointModelPrismaticUnaligned
            anchor = pin.SE3(np.eye(3), model.jnt_pos[joint])
            parent = made.addJoint(parent, shape(model.jnt_axis[joint]), place * anchor, name)
            place = anchor.inverse()
        of_body[body] = parent, place
        main = pin.Quaternion(*model.body_iquat[body]).toRotationMatrix()
        inertia = main @ np.diag(model.body_inertia[body]) @ main.T
        made.appendBodyToJoint(parent, pin.Inertia(model.body_mass[body], model.body_ipos[body], inertia), place)
        made.addFrame(pin.Frame(model.body(body).name, parent, place, pin.FrameType.OP_FRAME))
    made.armature = model.dof_armature.copy()
    return made


def hull(points: np.ndarray) -> np.ndarray:
    """Corners of the convex hull in the plane, counter-clockwise."""
    order = sorted(map(tuple, points))

    def chain(sequence):
        kept = []
        for p in sequence:
            while len(kept) > 1 and cross(np.subtract(kept[-1], kept[-2]), np.subtract(p, kept[-2])) <= 0.0:
                kept.pop()
            kept.append(p)
        return kept[:-1]

    return np.array(chain(order) + chain(order[::-1]))


def cross(a: np.ndarray, b: np.ndarray) -> float:
    return a[0] * b[1] - a[1] * b[0]


def nearest(corners: np.ndarray, point: np.ndarray) -> tuple[np.ndarray, float]:
    """Nearest point of a polygon, and distance of the given point outside of it (negative: inside)."""
    best, depth = None, -np.inf
    for a, b in zip(corners, np.roll(corners, -1, axis=0)):
        edge = b - a
        on = a + np.clip((point - a) @ edge / (edge @ edge), 0.0, 1.0) * edge
        depth = max(depth, -cross(edge, point - a) / np.linalg.norm(edge))
        if best is None or np.linalg.norm(point - on) < np.linalg.norm(point - best):
            best = on
    return (point.copy(), depth) if depth <= 0.0 else (best, float(np.linalg.norm(point - best)))


def towards(state: np.ndarray, goal: np.ndarray, left: float, dt: float) -> np.ndarray:
    """State after dt on a minimum-jerk path from position, velocity and acceleration (rows) to rest at a goal in `left`
    seconds."""
    place, rate, acceleration = state
    t, way = left, goal - place
    a = 10 * way / t**3 - 6 * rate / t**2 - 1.5 * acceleration / t
    b = -15 * way / t**4 + 8 * rate / t**3 + 1.5 * acceleration / t**2
    c = 6 * way / t**5 - 3 * rate / t**4 - 0.5 * acceleration / t**3
    s = min(dt, t)
    return np.array([
        place + rate * s + acceleration * s**2 / 2 + a * s**3 + b * s**4 + c * s**5,
        rate + acceleration * s + 3 * a * s**2 + 4 * b * s**3 + 5 * c * s**4,
        acceleration + 6 * a * s + 12 * b * s**2 + 20 * c * s**3,
    ])  # fmt: skip


class Sole:
    """Initial contact rectangle of a foot's first body on the floor, with a frame at its centre."""

    def __init__(self, name: str, model: mujoco.MjModel, data: mujoco.MjData, made: pin.Model) -> None:
        body, points = model.body(name).id, []
        for geom in range(model.ngeom):
            if model.geom_bodyid[geom] == body and model.geom_contype[geom]:
                middle, half = model.geom_aabb[geom][:3], model.geom_aabb[geom][3:]
                corners = [middle + half * sign for sign in itertools.product((-1, 1), repeat=3)]
                points += [data.geom_xpos[geom] + data.geom_xmat[geom].reshape(3, 3) @ corner for corner in corners]
        points = np.array([point for point in points if point[2] < min(p[2] for p in points) + 0.005])
        low, high = points.min(axis=0), points.max(axis=0)
        self.half = (high - low)[:2] / 2.0
        own = pin.SE3(data.xmat[body].reshape(3, 3).copy(), data.xpos[body].copy())
        frame = own.inverse() * pin.SE3(np.eye(3), np.append((low + high)[:2] / 2.0, low[2]))
        self.body, self.name = body, f"{name}_sole"
        parent = made.frames[made.getFrameId(name)]
        self.frame = made.addFrame(pin.Frame(self.name, parent.parentJoint, parent.placement * frame, pin.FrameType.OP_FRAME))

    def points(self) -> np.ndarray:
        x, y = self.half
        return np.array([[-x, -x, x, x], [-y, y, -y, y], [0.0, 0.0, 0.0, 0.0]])

    def corners(self, place: pin.SE3) -> np.ndarray:
        return (place.rotation @ self.points() + place.translation[:, None]).T[:, :2]


class TsidStepper:
    """The capture point xi = c + c' / omega is brought back to the middle of the feet by the centre of pressure
    p = m + (1 + K) (xi - m), within the supporting feet (Englsberger, Ott, Albu-Schaeffer 2015), so that c'' = omega^2
    (c - p) is the task of the COM. When xi leaves the support, a foot steps to where xi will be when it lands: the foot
    on the side of a sideways fall, otherwise the less loaded one. It does not walk."""

    PERIOD = 0.004
    #: Gain K of the centre of pressure; duration of a step, s; its height, m; reach of a foot relative to the other,
    #: ahead and aside, m.
    GAIN, SWING, LIFT, AHEAD, ASIDE = 1.5, 0.3, 0.05, 0.45, (0.16, 0.5)
    #: Time on both feet before the next step, s; distance of xi outside the support from which a foot steps, m.
    REST, OUTSIDE = 0.04, 0.0

    def reset(self, robot: Robot) -> float:
        model = mujoco.MjModel.from_xml_string(robot.mjcf)
        data = mujoco.MjData(model)
        data.qpos[:] = robot.start
        mujoco.mj_forward(model, data)
        made = pinocchio_model(model)
        self.soles = [Sole(foot[0], model, data, made) for foot in (robot.left_foot, robot.right_foot)]
        self.feet = [set(robot.left_foot), set(robot.right_foot)]
        self.wrapper = tsid.RobotWrapper(made, tsid.RootJointType.FLOATING_BASE_SYSTEM, False)
        self.friction, self.damping = 0.8 * robot.friction, model.dof_damping[6:].copy()
        self.problem = problem = tsid.InverseDynamicsFormulationAccForce("tsid", self.wrapper, False)
        q, v = self.state(robot.start, np.zeros(model.nv))
        problem.computeProblemData(0.0, q, v)
        # The formulation returns its own data as a copy each time.
        self.made, self.data = made, made.createData()
        self.measure(q, v)
        self.weight = GRAVITY * float(model.body_subtreemass[1])
        self.height = float(self.data.com[0][2])
        self.omega = np.sqrt(GRAVITY / self.height)
        self.contacts = [self.contact(side) for side in range(2)]
        self.down = [False, False]
        for side in range(2):
            self.put_down(side)
        middle = self.middle()
        self.offset = self.data.com[0][:2] - middle
        self.com = tsid.TaskComEquality("com", self.wrapper)
        self.gains(self.com, 3, 40.0)
        problem.addMotionTask(self.com, 10.0, 1, 0.0)
        self.trunk = tsid.TaskSE3Equality("trunk", self.wrapper, robot.chest)
        self.gains(self.trunk, 6, 60.0)
        self.trunk.setMask(np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0]))
        here = self.data.oMf[made.getFrameId(robot.chest)].copy()
        self.trunk.setReference(tsid.TrajectorySE3Constant("trunk", here).computeNext())
        problem.addMotionTask(self.trunk, 1.0, 1, 0.0)
        self.posture = tsid.TaskJointPosture("posture", self.wrapper)
        self.gains(self.posture, model.nv - 6, 40.0)
        self.posture.setReference(tsid.TrajectoryEuclidianConstant("posture", robot.start[7:]).computeNext())
        problem.addMotionTask(self.posture, 0.05, 1, 0.0)
        self.swings = []
        for side in range(2):
            task = tsid.TaskSE3Equality(f"swing{side}", self.wrapper, self.soles[side].name)
            self.gains(task, 6, 400.0)
            self.swings.append(task)
        bounds = tsid.TaskActuationBounds("torques", self.wrapper)
        bounds.setBounds(robot.torque_limits[:, 0].copy(), robot.torque_limits[:, 1].copy())
        problem.addActuationTask(bounds, 1.0, 0, 0.0)
        self.bounds = bounds
        self.solver = tsid.SolverHQuadProgFast("qp")
        self.torque = np.zeros(model.nv - 6)
        #: The current step: side, start time, state of the sole's reference, initial pose of the sole.
        self.step, self.landed = None, -1.0
        return self.PERIOD

    def gains(self, task, size: int, stiffness: float) -> None:
        task.setKp(stiffness * np.ones(size))
        task.setKd(2.0 * np.sqrt(stiffness) * np.ones(size))

    def measure(self, q: np.ndarray, v: np.ndarray) -> None:
        pin.framesForwardKinematics(self.made, self.data, q)
        pin.centerOfMass(self.made, self.data, q, v)

    def contact(self, side: int):
        sole = self.soles[side]
        made = tsid.Contact6d(
            f"contact{side}", self.wrapper, sole.name, sole.points(), np.array([0.0, 0.0, 1.0]), self.friction, 1.0,
            3.0 * self.weight,
        )  # fmt: skip
        self.gains(made, 6, 20.0)
        return made

    def place(self, side: int) -> pin.SE3:
        return self.data.oMf[self.soles[side].frame].copy()

    def put_down(self, side: int) -> None:
        self.contacts[side].setReference(self.place(side))
        self.problem.addRigidContact(self.contacts[side], 1e-5, 1.0, 0)
        self.down[side] = True

    def middle(self) -> np.ndarray:
        return (self.place(0).translation + self.place(1).translation)[:2] / 2.0

    def state(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """State in Pinocchio's convention: quaternion with w last, root velocities in root axes."""
        turn = pin.Quaternion(*q[3:7]).toRotationMatrix()
        return np.concatenate([q[:3], q[4:7], q[3:4], q[7:]]), np.concatenate([turn.T @ v[:3], v[3:]])

    def command(self, velocity: np.ndarray, turn: float) -> None:
        if velocity.any() or turn:
            raise CannotDo("it steps where it is pushed and does not walk")

    def act(self, time: float, q: np.ndarray, v: np.ndarray, contacts: list) -> np.ndarray:
        own_q, own_v = self.state(q, v)
        self.measure(own_q, own_v)
        com, rate = self.data.com[0].copy(), self.data.vcom[0].copy()
        xi = com[:2] + rate[:2] / self.omega
        load = [sum(c.force[2] for c in contacts if c.floor and c.body in feet) for feet in self.feet]
        bearing = [side for side in range(2) if self.down[side]]
        area = hull(np.concatenate([self.soles[side].corners(self.place(side)) for side in bearing]))
        if self.step is None:
            goal = self.middle() + self.offset
            out = nearest(area, xi)[1]
            if out > self.OUTSIDE and time - self.landed > self.REST and time > self.REST:
                self.lift(self.foot_for(xi, load), time)
                area = hull(self.soles[1 - self.step[0]].corners(self.place(1 - self.step[0])))
        else:
            goal = self.place(1 - self.step[0]).translation[:2]
        pressure, _ = nearest(area, goal + (1.0 + self.GAIN) * (xi - goal))
        if self.step is not None:
            self.swing(time, xi, pressure, load)
        sample = tsid.TrajectorySample(3)
        sample.value(np.array([com[0], com[1], self.height]))
        sample.derivative(np.array([rate[0], rate[1], 0.0]))
        sample.second_derivative(np.append(self.omega**2 * (com[:2] - pressure), 0.0))
        self.com.setReference(sample)
        program = self.problem.computeProblemData(time, own_q, own_v)
        self.solver.resize(self.problem.nVar, self.problem.nEq, self.problem.nIn)
        answer = self.solver.solve(program)
        if answer.status == 0:
            # The plant's damping acts in addition.
            self.torque = self.problem.getActuatorForces(answer) + self.damping * v[6:]
        return self.torque

    def foot_for(self, xi: np.ndarray, load: list[float]) -> int:
        """The foot on the side of the fall if it is to the side, else the one with less load."""
        turn = self.place(0).rotation[:2, :2]
        ahead, aside = turn.T @ (xi - self.middle())
        if abs(aside) > abs(ahead):
            return 0 if aside > 0.0 else 1
        return int(load[1] < load[0])

    def lift(self, side: int, time: float) -> None:
        place = self.place(side)
        self.problem.removeRigidContact(self.contacts[side].name, 0.0)
        self.down[side] = False
        self.step = [side, time, np.array([place.translation[:2], np.zeros(2), np.zeros(2)]), place]
        self.problem.addMotionTask(self.swings[side], 10.0, 1, 0.0)

    def swing(self, time: float, xi: np.ndarray, pressure: np.ndarray, load: list[float]) -> None:
        side, began, state, start = self.step
        spent = time - began
        if spent > 0.5 * self.SWING and load[side] > 0.02 * self.weight or spent > 1.3 * self.SWING:
            self.problem.removeTask(self.swings[side].name, 0.0)
            self.put_down(side)
            self.step, self.landed = None, time
            return
        left = max(self.SWING - spent, self.PERIOD)
        other = self.place(1 - side)
        turn, sign = other.rotation[:2, :2], 1.0 if side == 0 else -1.0
        # Capture point at the time when the foot lands, with a lateral margin.
        there = pressure + (xi - pressure) * np.exp(self.omega * left)
        ahead, aside = turn.T @ (there - other.translation[:2])
        low, high = self.ASIDE
        ahead, aside = np.clip(ahead, -self.AHEAD, self.AHEAD), sign * np.clip(sign * aside + 0.03, low, high)
        goal = other.translation[:2] + turn @ np.array([ahead, aside])
        if left > 0.2 * self.SWING:
            self.step[3], self.goal = start, goal
        state = self.step[2] = towards(state, self.goal, left, self.PERIOD)
        s = min(spent / self.SWING, 1.0)
        # Up and down with zero velocity and acceleration at both ends; then further down until contact.
        bump, floor = 64.0 * (s * (1.0 - s)) ** 3, -0.1 * max(spent - self.SWING, 0.0)
        up = start.translation[2] + self.LIFT * bump + floor
        slope = 64.0 * 3.0 * (s * (1.0 - s)) ** 2 * (1.0 - 2.0 * s) / self.SWING if s < 1.0 else 0.0
        level = pin.SE3(pin.rpy.rpyToMatrix(0.0, 0.0, pin.rpy.matrixToRpy(start.rotation)[2]), np.append(state[0], up))
        sample = tsid.TrajectorySample(12, 6)
        sample.value(np.concatenate([level.translation, level.rotation.T.reshape(-1)]))
        sample.derivative(np.concatenate([state[1], [self.LIFT * slope], np.zeros(3)]))
        sample.second_derivative(np.concatenate([state[2], np.zeros(4)]))
        self.swings[side].setReference(sample)

    def close(self) -> None:
        pass
