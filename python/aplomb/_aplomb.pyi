from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, Protocol, final, overload
from numpy import bool_, float64, uint8, uintp
from numpy.typing import ArrayLike, NDArray
Array = NDArray[float64]
Path = str | PathLike[str]
Number = float | str | Mapping[str, Any]
Vector = Sequence[Number] | Array | str | Mapping[str, Any]
Overrides = Mapping[str, Any] | Sequence[str]
__version__: str
HAS_CLI: bool

class HasResidual(Protocol):

    def residual(self, now: Senses) -> tuple[ArrayLike, ArrayLike] | None:
        ...

@final
class Objective:
    """An objective of any kind that a controller file can name, with the same keys: `Objective("com_height", target=0.9)`.

    A number may be an expression of quantities as text (`target="0.9 * standing_height"`), a vector three numbers or one
    expression; `aplomb list quantities` lists the quantities. Names of a controller, such as its parameters, are not among
    them. A key that is None is left out; `from_` is the key `from`. `Character.add_objective` adds it, with weight and
    form.

    Raises ValueError for an unknown kind or key and for a value that a key cannot have; bodies, joints and expressions are
    checked when it is added.

    com_over_support: COM over the centre of the support polygon (of all contacts, or of the feet named): keeps
        balance.
        feet (optional): Bodies whose contacts, including those of their descendants, form the support; default: all
            contacts.
        follow (optional): Measure velocities relative to the support, so that the COM moves along with a moving
            floor. Otherwise a shaking floor moves beneath the COM. Default: false.

    com_position: COM to a point: shifts the weight, or carries the body somewhere.
        target: Target position, world, m.
        horizontal (optional): Control only the horizontal components. Default: false.
        follow (optional): Feed the target's velocity and acceleration forward, which avoids a lag. Default: `true`
            for a target that depends only on `time`, `state_time` or keyframes.

    com_height: Height of the COM over the ground: crouches, rises, keeps the legs from folding.
        target: Target height over the footing, m; e.g. "0.985 * standing_height".
        over (optional): World height that the target is relative to, m, in place of the footing, which jumps at
            each step up or down; e.g. "lerp(here, there, smoothstep(0, 1, state_time))". `follow` applies to it as
            well.
        follow (optional): Feed the target's velocity and acceleration forward, which avoids a lag. Default: `true`
            for a target that depends only on `time`, `state_time` or keyframes.

    upright: An axis of a body upright: keeps the back straight.
        body: Body to keep upright.
        axis (optional): Axis in the body frame; default: the direction that is up in the rest pose.

    align: An axis of a body along a direction: lays a sole on a hold, turns a hand to a wall.
        body: Body to rotate.
        axis: Axis in the body frame.
        along: Target direction, world axes, of any length; e.g. "hold_normal(foothold)".

    velocity: Small rates of joints and root: avoids sudden movements.
        joints (optional): Joints that it applies to; default: all.
        root (optional): Include the root's six coordinates. Default: true.
        follow (optional): Measure the root's linear velocity relative to the supporting surface, for moving floors.
            Default: false.
        time_constant (optional): Scale of the residual, s; one-step form only. Default: 0.1.

    pose: Joints (all, or those named) towards angles: holds a pose.
        joints (optional): Joints, or roles of joints, that it applies to; default: all. Joints named in `angles`
            are added.
        angles (optional): Targets by joint or role of a hinge, rad or m; the target of other joints is the rest
            pose. Default: {}.
        follow (optional): Feed the angles' rates and accelerations forward, which avoids a lag. Default: `true` for
            angles that depend only on `time`, `state_time` or keyframes.

    body_point: A body's point or a site to a point in the world: reaches, places a foot.
        point: A body (its frame's origin) or a site.
        target: Target position, world, m; with `relative_to`, forward, left and up from that body's origin, m.
        offset (optional): Offset from `point`, in the axes of its body, m. Default: [0.0, 0.0, 0.0].
        relative_to (optional): Body that the target moves with: the target is a point of it, in the forward, left
            and up axes of its rest pose.
        horizontal (optional): Control only the horizontal components. Default: false.
        vertical (optional): Control only the height. Default: false.
        follow (optional): Feed the target's velocity and acceleration forward, which avoids a lag. Default: `true`
            for a target that depends only on `time`, `state_time` or keyframes.

    body_orientation: A body's orientation to roll, pitch and yaw: keeps a sole flat, turns a hand.
        body: Body to rotate.
        target: Roll, pitch and yaw, rad, of the axes that point forward, left and up in the rest pose: Rz(yaw)
            Ry(pitch) Rx(roll), relative to the world; with `relative_to`, relative to that body's forward, left and
            up axes.
        relative_to (optional): Body that the target rotates with.
        follow (optional): Feed the target's rates forward, which avoids a lag. Default: `true` for a target that
            depends only on `time`, `state_time` or keyframes.

    contact_force: Normal force on a body to a fraction of the weight: unloads a foot before it is lifted.
        body: Loaded body, including its descendants.
        target: Target normal force as a fraction of the weight m g.

    contact_wrench: Force and torque of contacts and grips on a body, as vectors: leans on a wall or pulls on a bar
        with a given force.
        body: Body that the wrench acts on, including its descendants.
        force (optional): Target force on the body, world axes, N; default: no force rows.
        torque (optional): Target torque on the body about its origin, world axes, N m; default: no torque rows.

    com_velocity: Velocity of the COM, or its component in a direction that depends on the state: swings, throws
        itself forward.
        target: Target velocity, world axes, m/s; e.g. "com_velocity + 0.3 * swing_direction".
        along (optional): Direction, world axes, of any length.
        time_constant (optional): Scale of the residual, s; one-step form only. Default: 0.1.

    grip_force: Zero force on the grip of a site: unloads a hand or foot before release.
        site: Site that grips.

    angular_momentum: Angular momentum about the COM: turns in flight, or does not flail.
        target (optional): Target angular momentum, world axes, N m s. Default: [0.0, 0.0, 0.0].
        time_constant (optional): Scale of the residual, s; one-step form only. Default: 0.1.

    centre_of_pressure: Centre of pressure to a point of the ground: leans on heels or toes, or on one foot.
        target: Target centre of pressure, world, m; its height is ignored.
        body (optional): Use only the contacts of this body and its descendants; default: all contacts.

    keep_away: A point away from a line or another point: dodges.
        point: A body (its frame's origin) or a site.
        from_: Point to keep away from, or a point of the line, world, m; e.g. "position(ball)".
        clearance: m
        offset (optional): Offset from `point`, in the axes of its body, m. Default: [0.0, 0.0, 0.0].
        along (optional): Direction of the line, world axes, of any length; e.g. "velocity(ball)". Default: no line,
            only the point `from`.

    look_at: A direction of a body towards a point: looks at something.
        body: Body to rotate.
        target: Point to look at, world, m; e.g. "position(ball)".
        axis (optional): Axis in the body frame; default: the direction that is forward in the rest pose.

    joint_torque: Small joint torques: reduces effort.
        joints (optional): Joints that it applies to; default: all.

    object_position: A held or pushed passive object to a point: carries it, sets it down.
        object: Name of the passive object.
        target: Target position, world, m.
        horizontal (optional): Control only the horizontal components. Default: false.
        follow (optional): Feed the target's velocity and acceleration forward, which avoids a lag. Default: `true`
            for a target that depends only on `time`, `state_time` or keyframes.

    object_orientation: Orientation of a held or pushed passive object to roll, pitch and yaw: keeps a box level.
        object: Name of the passive object; of one with several parts, the first is turned.
        target: Roll, pitch and yaw of its own axes in the world, rad: Rz(yaw) Ry(pitch) Rx(roll).

    object_velocity: Velocity of a held or pushed passive object: pushes it at a speed.
        object: Name of the passive object.
        target: Target velocity, world axes, m/s.
        time_constant (optional): Scale of the residual, s; one-step form only. Default: 0.1.
    """

    @overload
    def __new__(cls, kind: Literal['com_over_support'], /, *, feet: Sequence[str] | None=None, follow: bool | None=None) -> Objective:
        ...

    @overload
    def __new__(cls, kind: Literal['com_position'], /, *, target: Vector, horizontal: bool | None=None, follow: bool | None=None) -> Objective:
        ...

    @overload
    def __new__(cls, kind: Literal['com_height'], /, *, target: Number, over: Number | None=None, follow: bool | None=None) -> Objective:
        ...

    @overload
    def __new__(cls, kind: Literal['upright'], /, *, body: str, axis: Sequence[float] | None=None) -> Objective:
        ...

    @overload
    def __new__(cls, kind: Literal['align'], /, *, body: str, axis: Sequence[float], along: Vector) -> Objective:
        ...

    @overload
    def __new__(cls, kind: Literal['velocity'], /, *, joints: Sequence[str] | None=None, root: bool | None=None, follow: bool | None=None, time_constant: float | None=None) -> Objective:
        ...

    @overload
    def __new__(cls, kind: Literal['pose'], /, *, joints: Sequence[str] | None=None, angles: Mapping[str, Number] | None=None, follow: bool | None=None) -> Objective:
        ...

    @overload
    def __new__(cls, kind: Literal['body_point'], /, *, point: str, target: Vector, offset: Sequence[float] | None=None, relative_to: str | None=None, horizontal: bool | None=None, vertical: bool | None=None, follow: bool | None=None) -> Objective:
        ...

    @overload
    def __new__(cls, kind: Literal['body_orientation'], /, *, body: str, target: Vector, relative_to: str | None=None, follow: bool | None=None) -> Objective:
        ...

    @overload
    def __new__(cls, kind: Literal['contact_force'], /, *, body: str, target: Number) -> Objective:
        ...

    @overload
    def __new__(cls, kind: Literal['contact_wrench'], /, *, body: str, force: Vector | None=None, torque: Vector | None=None) -> Objective:
        ...

    @overload
    def __new__(cls, kind: Literal['com_velocity'], /, *, target: Vector, along: Vector | None=None, time_constant: float | None=None) -> Objective:
        ...

    @overload
    def __new__(cls, kind: Literal['grip_force'], /, *, site: str) -> Objective:
        ...

    @overload
    def __new__(cls, kind: Literal['angular_momentum'], /, *, target: Vector | None=None, time_constant: float | None=None) -> Objective:
        ...

    @overload
    def __new__(cls, kind: Literal['centre_of_pressure'], /, *, target: Vector, body: str | None=None) -> Objective:
        ...

    @overload
    def __new__(cls, kind: Literal['keep_away'], /, *, point: str, from_: Vector, clearance: Number, offset: Sequence[float] | None=None, along: Vector | None=None) -> Objective:
        ...

    @overload
    def __new__(cls, kind: Literal['look_at'], /, *, body: str, target: Vector, axis: Sequence[float] | None=None) -> Objective:
        ...

    @overload
    def __new__(cls, kind: Literal['joint_torque'], /, *, joints: Sequence[str] | None=None) -> Objective:
        ...

    @overload
    def __new__(cls, kind: Literal['object_position'], /, *, object: str, target: Vector, horizontal: bool | None=None, follow: bool | None=None) -> Objective:
        ...

    @overload
    def __new__(cls, kind: Literal['object_orientation'], /, *, object: str, target: Vector) -> Objective:
        ...

    @overload
    def __new__(cls, kind: Literal['object_velocity'], /, *, object: str, target: Vector, time_constant: float | None=None) -> Objective:
        ...

    @staticmethod
    def kinds() -> dict[str, str]:
        """Every kind, with a sentence about it."""

    @property
    def kind(self) -> str:
        """Its kind."""

@final
class Constraint:
    """A constraint of a kind with settings, with the keys that it has in a controller file: `Constraint("collision_avoidance",
    bodies=["left_hand"], from_=["chest"], clearance=0.05)`.

    The other constraints hold for every character to which they apply (`Constraint.kinds()`); `torque_limits` and
    `self_collision` of `World.add_character` drop two of them. With `hard=True`, `Character.add_objective` makes a
    constraint of any objective. A key that is None is left out; `from_` is the key `from`. `Character.add_constraint` adds
    it.

    Raises ValueError for an unknown kind or key and for a value that a key cannot have; bodies and expressions are checked
    when it is added.

    collision_avoidance: Parts of the body that avoid each other, including their descendants: legs, or an arm and
        the trunk. A body belongs to its nearest named ancestor. Pairs of bodies that share a joint are excluded.
        bodies: Bodies on one side.
        from_: Bodies on the other side.
        clearance (optional): Minimum distance between their shapes, m. Default: 0.0.
        response (optional): Time constant of the approach to `clearance`, s on the controller's clock. Default:
            0.1.
        when (optional): The constraint is active only in frames where this condition holds.
        enabled (optional): Whether it is active from the start; if not, an event of the scene can enable it.
            Default: true.
    """

    def __new__(cls, kind: Literal['collision_avoidance'], /, *, bodies: Sequence[str], from_: Sequence[str], clearance: Number | None=None, response: Number | None=None, when: bool | str | None=None, enabled: bool | None=None) -> Constraint:
        ...

    @staticmethod
    def kinds() -> dict[str, str]:
        """Every kind, with a sentence about it. Kinds that are not in the description of the class hold for every
        character to which they apply, and cannot be added.
        """

    @property
    def kind(self) -> str:
        """Its kind."""

@final
class Model:
    """An articulated body: `Model("adult")` loads a shipped one, `Model(path)` a file in MJCF or URDF.

    Raises NotFoundError and FileError.
    """

    def __new__(cls, reference: Path) -> Model:
        ...

    @staticmethod
    def parse(text: str, name: str='model.xml') -> Model:
        """A model from a string in MJCF or URDF; `name` is its file name in messages. Raises FileError."""

    @property
    def name(self) -> str:
        """Name in the file."""

    @property
    def nq(self) -> int:
        """Number of configuration coordinates (a quaternion counts four)."""

    @property
    def nv(self) -> int:
        """Number of velocity coordinates."""

    @property
    def mass(self) -> float:
        """Total mass, kg."""

    @property
    def bodies(self) -> list[str]:
        """Names of the bodies; every parent precedes its children."""

    @property
    def joints(self) -> list[str]:
        """Names of the joints, in the order of their coordinates."""

    @property
    def coordinates(self) -> list[str]:
        """A name for each velocity coordinate."""

    @property
    def actuated(self) -> NDArray[bool_]:
        """Whether an actuator drives each velocity coordinate: shape (nv,), bool."""

    @property
    def torque_limits(self) -> Array:
        """Torque limits of each velocity coordinate, lower and upper: shape (nv, 2), N m or N; infinite without a limit."""

    @property
    def armature(self) -> Array:
        """Reflected inertia of each velocity coordinate: shape (nv,), kg m² or kg."""

    @property
    def geoms(self) -> list[Geom]:
        """Its shapes, and those that its file adds to the world."""

    def body_poses(self, q: Sequence[float] | Array) -> Array:
        """Poses of its bodies in configuration `q`, shape (nq,): shape (bodies, 7), position (m) and quaternion w, x, y,
        z, world axes. Raises ValueError if `q` has another shape.
        """

    def rest(self) -> Array:
        """Default standing configuration: shape (nq,), m and rad."""

    def joint_index(self, joint: str) -> tuple[int, int]:
        """Indices of a joint's first coordinate in q and in v. Raises WorldError for an unknown joint."""

@final
class Geom:
    """A shape of a body, or of the world."""

    @property
    def name(self) -> str:
        """Name in the file; empty if it has none."""

    @property
    def body(self) -> str | None:
        """Name of its body; None for a shape of the world."""

    @property
    def kind(self) -> Literal['plane', 'sphere', 'capsule', 'cylinder', 'box', 'ellipsoid', 'hull', 'field']:
        """`plane`, `sphere`, `capsule`, `cylinder`, `box`, `ellipsoid`, `hull` (convex) or `field` (of heights)."""

    @property
    def size(self) -> Array:
        """Size in MuJoCo's convention, m: radius of a sphere; radius and half length along z of a capsule (without its
        caps) or cylinder; half lengths of a box or ellipsoid along x, y and z; empty for the others.
        """

    @property
    def pose(self) -> Array:
        """Pose in the frame of its body: shape (7,), position (m) and quaternion w, x, y, z."""

    @property
    def vertices(self) -> Array:
        """Vertices of a hull in its own frame: shape (vertices, 3), m; empty for other kinds."""

    @property
    def triangles(self) -> NDArray[uintp]:
        """Triangles of a hull's surface, as indices into `vertices`: shape (triangles, 3); empty for other kinds."""

@final
class Controller:
    """A controller: `Controller("balance")` loads a shipped one, `Controller(path)` a TOML file.

    Raises NotFoundError and FileError.
    """

    def __new__(cls, reference: Path) -> Controller:
        ...

    @staticmethod
    def parse(text: str, name: str='controller.toml') -> Controller:
        """A controller from a TOML string; `name` is its file name in messages. Raises FileError."""

    @property
    def title(self) -> str | None:
        """Title in the file."""

    @property
    def text(self) -> str:
        """Text of the file."""

    @property
    def states(self) -> list[str]:
        """Names of its states, in the order of the file."""

    @property
    def parameters(self) -> dict[str, float]:
        """Its parameters and their values, in the order of the file."""

    def with_value(self, path: str, value: str) -> Controller:
        """A copy with another value at a key path (`states.swing.objectives.foot.weight`); `value` is in TOML. Raises
        FileError.
        """

@final
class Obstacle:
    """A box for `World`: half lengths along its axes and position of its centre, m, and roll, pitch and yaw, rad.

    `friction`: the ground's by default. `contact_weight`: weight of keeping contact points on it where they were
    made, instead of the world's; 0 for a wall that is only bumped into.
    """

    def __new__(cls, name: str, half_lengths: Sequence[float], position: Sequence[float], angles: Sequence[float]=..., *, friction: float | None=None, contact_weight: float | None=None) -> Obstacle:
        ...

@final
class Snapshot:
    """A checkpoint of a world: everything that changes. It can be restored any number of times, with bit-identical
    results.
    """

    @property
    def frame(self) -> int:
        """Index of the next frame when it was taken."""

@final
class Contacts:
    """The k contacts with a force in a frame, and grips, as arrays; world axes."""

    def __len__(self) -> int:
        ...

    @property
    def names(self) -> list[str]:
        """Stable names of the contact points (`left_foot.sole.2`)."""

    @property
    def bodies(self) -> list[str]:
        """Bodies that the forces act on."""

    @property
    def surfaces(self) -> list[str]:
        """Surfaces that the forces come from: `ground`, an obstacle or a hold."""

    @property
    def kinds(self) -> list[Literal['static', 'dynamic', 'grip', 'stand']]:
        """`static` (sticks), `dynamic` (slides), `grip` (grasps a hold) or `stand` (stands on one)."""

    @property
    def points(self) -> Array:
        """Points at which the forces act: shape (k, 3), m."""

    @property
    def normals(self) -> Array:
        """Unit normals of the surfaces: shape (k, 3)."""

    @property
    def forces(self) -> Array:
        """Forces on the bodies: shape (k, 3), N."""

    @property
    def friction(self) -> Array:
        """Coefficients of friction: shape (k,)."""

    @property
    def gaps(self) -> Array:
        """Gaps between bodies and surfaces: shape (k,), m; negative where they penetrate."""

@final
class Senses:
    """Kinematics of a body at one time, with Jacobians. It does not change when the world is stepped."""

    @property
    def time(self) -> float:
        """Time of the state, s."""

    @property
    def dt(self) -> float:
        """Length of a frame, s."""

    @property
    def q(self) -> Array:
        """Configuration: shape (nq,)."""

    @property
    def v(self) -> Array:
        """Velocity: shape (nv,)."""

    @property
    def com(self) -> Array:
        """Centre of mass: shape (3,), m."""

    @property
    def com_velocity(self) -> Array:
        """Velocity of the centre of mass: shape (3,), m/s."""

    def position(self, body: str, offset: Sequence[float]=...) -> Array:
        """Position of a body's origin, or of a point at `offset` in body axes: shape (3,), m. Raises WorldError for an
        unknown body.
        """

    def velocity(self, body: str, offset: Sequence[float]=...) -> Array:
        """Velocity of the same point: shape (3,), m/s."""

    def rotation(self, body: str) -> Array:
        """Rotation matrix from body axes to world axes: shape (3, 3)."""

    def jacobian_of_point(self, body: str, offset: Sequence[float]=...) -> Array:
        """Jacobian of a point, where J v is its velocity: shape (3, nv)."""

    def jacobian_of_rotation(self, body: str) -> Array:
        """Jacobian of a body's rotation, where J v is its angular velocity in world axes: shape (3, nv)."""

    def jacobian_of_com(self) -> Array:
        """Jacobian of the centre of mass, where J v is its velocity: shape (3, nv)."""

    def mass_matrix(self) -> Array:
        """Joint-space inertia matrix M: shape (nv, nv)."""

@final
class BodyPoint:
    """An objective that moves a body's origin, or a point at `offset` in body axes, to a point in the world, m."""

    def __new__(cls, body: str, target: Sequence[float], offset: Sequence[float]=...) -> BodyPoint:
        ...

@final
class ComPosition:
    """An objective that moves the centre of mass to a point in the world, m; with `horizontal` its height is free."""

    def __new__(cls, target: Sequence[float], *, horizontal: bool=False) -> ComPosition:
        ...

@final
class Pose:
    """An objective that moves joints to positions, by name, rad or m."""

    def __new__(cls, joints: Mapping[str, float]) -> Pose:
        ...

@final
class Goal:
    """An objective that a program added to a character."""

    @property
    def name(self) -> str:
        """Its name among the objectives."""

    @property
    def weight(self) -> float:
        """Weight of the objective, 0 or more. Raises ValueError if it is an expression; a number may take its place."""

    @weight.setter
    def weight(self, weight: float) -> None:
        ...

    def enable(self, enabled: bool) -> None:
        """Enables or disables the objective from the next frame on."""

    def set(self, **keys: Any) -> None:
        """Sets keys of an `Objective`: `goal.set(target=[0.3, 0.2, 1.1])`; None removes a key. Its text is read and bound
        again, which takes some tens of microseconds. A weight that was set stays. Raises ValueError, and the objective
        then continues as it was.
        """

    def set_target(self, target: Vector | Number | Mapping[str, Number]) -> None:
        """Sets the target: a point (3 numbers, m) for a `BodyPoint` or `ComPosition`, joint positions by name (rad or m)
        for a `Pose`, which takes no time; for an `Objective`, its key `target`, or `angles` for a dict.
        """

@final
class Character:
    """A character of a world. Arrays are copies."""

    @property
    def name(self) -> str:
        """Its name in the world."""

    @property
    def model(self) -> Model:
        """Its model."""

    @property
    def controller(self) -> Controller:
        """Its controller with the current values."""

    @property
    def q(self) -> Array:
        """Current configuration: shape (nq,)."""

    @property
    def v(self) -> Array:
        """Current velocity: shape (nv,)."""

    @property
    def com(self) -> Array:
        """Current centre of mass: shape (3,), m."""

    @property
    def com_velocity(self) -> Array:
        """Velocity of the centre of mass: shape (3,), m/s."""

    @property
    def com_height(self) -> float:
        """Height of the centre of mass above the ground, m."""

    @property
    def capture_point(self) -> Array:
        """Capture point, where a step would bring the body to rest: shape (2,), m."""

    @property
    def body_poses(self) -> Array:
        """Current poses of its bodies, in the order of the model: shape (bodies, 7), position (m) and quaternion w, x,
        y, z.
        """

    @property
    def senses(self) -> Senses:
        """Current kinematics of its body, with Jacobians."""

    @property
    def state(self) -> str:
        """Current state of its controller."""

    @property
    def transitions(self) -> list[str]:
        """State transitions of the controller in the last frame, as text."""

    @property
    def torque(self) -> Array:
        """Joint torques of the last frame: shape (nv,), N m or N; zeros for a floating root; shape (0,) before the first
        frame.
        """

    @property
    def contacts(self) -> Contacts:
        """Contacts of the last frame, with their forces."""

    @property
    def objectives(self) -> list[str]:
        """Names of all objectives, in the order of `cost_values`."""

    @property
    def costs(self) -> dict[str, float]:
        """Weighted cost w‖r‖² of each objective in the last frame, by name; empty before the first. Objectives with the
        same name share one entry.
        """

    @property
    def cost_values(self) -> Array:
        """Weighted costs of the last frame, in the order of `objectives`: shape (objectives,)."""

    @property
    def outcome(self) -> Literal['solved', 'relaxed', 'failed', 'limp']:
        """Outcome of the QP in the last frame: `solved`, `relaxed` (some rows were relaxed), `failed` or `limp` (no QP:
        a ragdoll).
        """

    @property
    def events(self) -> list[str]:
        """Pushes that were active in the last frame, and changes of grips."""

    @property
    def record(self) -> dict[str, Any]:
        """Record of the last frame, with the names used in traces: a dict of numbers, lists and strings."""

    def forces_ahead(self) -> list[dict[str, Any]]:
        """Provenance of its contact and grip forces in the next frame, as that frame will be without further events; the
        world is not changed. A list with one dict per body: `body`, `force` (N, world axes) and `parts`, which add up
        to the force, each with `name`, `of` (`objective`, `row` or `remainder`), `place` (FILE:LINE or None),
        `multiplier`, `force`, `weight_slope` (change of the force with the logarithm of the weight) and `without`
        (change of the force if the part were removed; None for rows). Empty for a ragdoll, and if the frame is solved
        together with another character's. Raises StepError.
        """

    @property
    def parameters(self) -> dict[str, float]:
        """Parameters of the controller and their current values."""

    def push(self, body: str, force: Sequence[float]=..., torque: Sequence[float]=..., *, duration: float, offset: Sequence[float]=...) -> None:
        """Applies a force and a torque to a body, starting with the next frame, for `duration` seconds, at least one
        frame.

        force: 3 numbers, N, world axes, at the body's centre of mass, or `offset` from it (m, body axes).
        torque: 3 numbers, N m, world axes.

        Raises WorldError for an unknown body.
        """

    def set_parameter(self, name: str, value: float) -> None:
        """Sets a parameter of the controller, starting with the next frame. Takes about as long as a few frames. Raises
        WorldError.
        """

    def set_value(self, path: str, value: str) -> None:
        """Sets any value in the controller by its key path (`objectives.NAME.weight`); `value` is in TOML. Raises
        FileError.
        """

    def command(self, name: str, value: float | Sequence[float]) -> None:
        """Sets a command of the controller (`[commands]` in its file) to one or three numbers, starting with the next
        frame; values outside its range are clamped. Raises WorldError.
        """

    def commands(self) -> dict[str, float | list[float]]:
        """Commands of the controller by name, with their current values: a float, or a list of three."""

    def replace_controller(self, controller: Controller | Path) -> None:
        """Replaces the controller between two frames. Raises FileError."""

    def enable_objective(self, name: str, enabled: bool) -> None:
        """Enables or disables an objective of the controller (`NAME`, or `STATE.NAME`), starting with the next frame.
        Raises WorldError.
        """

    def enable_constraint(self, name: str, enabled: bool) -> None:
        """Enables or disables a constraint of the controller, or one that was added, starting with the next frame. Raises
        WorldError.
        """

    def add_hold(self, name: str, site: str) -> None:
        """Makes a site of its body a hold for other characters, under a name that controllers added later may use.
        Raises WorldError.
        """

    def hold_on(self, site: str, hold: str) -> None:
        """Makes a site of its body grip a hold as soon as it is within reach, whatever its controller requests. Raises
        WorldError.
        """

    def teleport(self, q: Sequence[float] | Array, v: Sequence[float] | Array) -> None:
        """Sets its state, shapes (nq,) and (nv,): grips are released, contacts and forces are reset, the controller
        keeps its state. Raises WorldError.
        """

    def add_objective(self, name: str, objective: Objective | BodyPoint | ComPosition | Pose | HasResidual, *, weight: Number=1.0, response: Number | None=None, horizon: Number | None=None, fastest: Number | None=None, hard: bool=False, side: Literal['at_least', 'at_most', 'exactly'] | None=None, time_to_go: Number | None=None, when: bool | str | None=None, axes: Sequence[float] | None=None, joints: Sequence[str] | None=None) -> Goal:
        """Adds an objective that is active in every state.

        objective: an `Objective` of any kind; a `BodyPoint`, `ComPosition` or `Pose`; or any object with a method
        `residual(now)` that takes `Senses` and returns an error, shape (k,), and the Jacobian J of its rate J v, shape
        (k, nv), or None if it is undefined now. Its attribute `unit` is the unit of the error: "m" (the default),
        "rad", "1", or for rate errors "m/s" and "rad/s" (J v is then the rate itself, and the error is the rate minus
        its target).
        weight: dimensionless weight of the squared dimensionless residual.
        response: response time of the error as a critically damped oscillator, s; or horizon: time constant of its
        decay, s, at a rate of at most `fastest`, m/s or rad/s. With neither, the error should vanish in the next
        frame.
        side: "at_least" or "at_most" for a target that has a cost on one side only.
        hard: an equality constraint instead of an objective; with a side, an inequality.

        For an `Objective`, weight, response, horizon and fastest may be expressions as text, and there are also
        time_to_go: time until the target is reached at rest, s, with a response; when: a condition as text;
        axes: factors on the weight along x, y and z, world axes; joints: names of those that contribute.

        An exception in `residual` is raised by the step, after its frame, which was solved without this objective.
        Mistakes in an `Objective` and its keywords are ValueErrors.
        """

    def add_constraint(self, name: str, constraint: Constraint) -> None:
        """Adds a constraint that holds in every state; `enable_constraint` disables and enables it. Raises ValueError."""

@final
class Passive:
    """A passive object of a world."""

    @property
    def name(self) -> str:
        """Its name in the world."""

    @property
    def parts(self) -> list[str]:
        """Names of its parts."""

    @property
    def mass(self) -> float:
        """Total mass, kg."""

    @property
    def com(self) -> Array:
        """Centre of mass: shape (3,), m."""

    @property
    def com_velocity(self) -> Array:
        """Velocity of the centre of mass: shape (3,), m/s."""

    @property
    def energy(self) -> float:
        """Kinetic plus potential energy, J."""

    @property
    def part_poses(self) -> Array:
        """Poses of its parts: shape (parts, 7), position (m) and quaternion w, x, y, z."""

    def push(self, part: str, force: Sequence[float], *, duration: float, point: Sequence[float]=...) -> None:
        """Applies a force to a part, starting with the next frame, for `duration` seconds, at least one frame: N, world
        axes, at `point` in the part's frame, m. Raises WorldError.
        """

@final
class World:
    """A world of characters, passive objects, the ground and obstacles.

    dt: length of a frame, s; 0.0001 to 0.05.
    gravity: m/s², world axes; z is up.
    friction, ground_height: coefficient of friction and height of the ground, m.
    obstacles: boxes that characters and objects collide with.
    solver: name of the QP solver; default: `active_set`.
    bias_velocity: `backward`, `extrapolated`, `midpoint` or `momentum`: velocity at which the bias force is taken.
    simulated: whether frames end in the state of forward dynamics instead of the state that the QP predicts.
    parallel: whether characters are solved in parallel; the results are bit-identical.

    Only one thread at a time may use a world; other threads get a BusyError. Raises WorldError.
    """

    def __new__(cls, *, dt: float=0.01, gravity: Sequence[float]=..., friction: float=1.0, ground_height: float=0.0, obstacles: Sequence[Obstacle]=..., solver: str | None=None, bias_velocity: str='backward', simulated: bool=False, parallel: bool=False) -> World:
        ...

    def add_character(self, model: Model | Path, controller: Controller | Path, *, name: str | None=None, position: Sequence[float]=..., heading: float=0.0, height: float=0.0, velocity: Sequence[float]=..., joints: Mapping[str, float] | None=None, reach: Mapping[str, Sequence[float]] | None=None, orientation: Mapping[str, Sequence[float]] | None=None, limp: bool=False, torque_limits: bool=True, self_collision: bool=True, reaction_delay: tuple[float, float] | None=None, perception: float=0.0, objects: Sequence[str]=...) -> Character:
        """Adds a character, before the first frame or between two frames.

        model, controller: objects, paths, or names of shipped ones.
        position: added to x and y of the rest pose, m. heading: rad; 0 faces along x. height: of the lowest point
        above the ground, m. velocity: of the root, m/s.
        joints: joint values that differ from the rest pose, rad or m, by name.
        reach: target positions of bodies, sites or the `com`, 3 numbers, m. orientation: roll, pitch and yaw of
        bodies, rad.
        limp: whether it is a ragdoll without joint torques. torque_limits: whether the model's torque limits apply.
        self_collision: whether collisions of limbs with each other and with the trunk are avoided.
        reaction_delay: delay, s, and torque-change weight of the joint torques' reaction to disturbances. perception:
        delay until the controller perceives a disturbance, s; 0: none. Human values are (0.1, 3e4) and 0.2.
        objects: names of passive objects that are added later and that the controller refers to.

        Raises WorldError and FileError.
        """

    def add_passive(self, name: str, model: Model | Path, *, position: Sequence[float]=..., orientation: Sequence[float]=..., velocity: Sequence[float]=..., angular_velocity: Sequence[float]=..., joints: Mapping[str, float] | None=None, restitution: float=0.0, friction: float | None=None, damping: float=0.0) -> Passive:
        """Adds a passive object, a body without actuators, such as a ball, a crate or a ragdoll.

        model: an object, a path, or the name of a shipped one.
        position: offset from the position in the model, m. orientation: quaternion w, x, y, z. velocity: of its
        centre of mass, m/s. angular_velocity: rad/s, world axes.
        joints: joint values that differ from the rest pose, rad or m, by name.
        restitution: 0 to 1. friction: of its shapes. damping: of joints that have none, N m s/rad.

        Raises WorldError.
        """

    def add_chain(self, name: str, points: Sequence[Sequence[float]], links: int, mass: float) -> Passive:
        """Adds a stiff chain through points (m) with `links` links between each two and a total `mass` in kg; its first
        end is fixed. Raises WorldError.
        """

    def add_rope(self, name: str, ends: Sequence[Sequence[float]], sticks: int, mass: float) -> Passive:
        """Adds a rope of `sticks` sticks between two points (m) with `mass` in kg; its first end is fixed. Raises
        WorldError.
        """

    def add_cloth(self, name: str, corner: Sequence[float], sides: Sequence[Sequence[float]], grid: Sequence[int], mass: float, pins: Sequence[Sequence[int]]=...) -> Passive:
        """Adds a cloth of `grid` rows and columns of particles and a total `mass` in kg: first row from `corner` along
        `sides[0]`, first column along `sides[1]`, m. Particles at rows and columns of `pins` are fixed. Raises
        WorldError.
        """

    @property
    def characters(self) -> list[Character]:
        """The characters, in the order in which they were added."""

    def character(self, name: str) -> Character:
        """The character with this name. Raises WorldError."""

    @property
    def passive(self) -> list[Passive]:
        """The passive objects, in the order in which they were added."""

    @property
    def time(self) -> float:
        """Simulated time at which the next frame begins, s."""

    @property
    def frame(self) -> int:
        """Index of the next frame, from 0."""

    @property
    def dt(self) -> float:
        """Length of a frame, s."""

    @property
    def gravity(self) -> Array:
        """Gravity: shape (3,), m/s²."""

    def step(self, frames: int=1) -> None:
        """Computes `frames` frames, without the interpreter's lock. Raises StepError."""

    def run_until(self, time: float) -> None:
        """Computes frames until the world reaches `time`, s. Raises ValueError if that has passed, and StepError."""

    def snapshot(self) -> Snapshot:
        """Saves everything that changes, for `restore`. Objectives added by the program are not included."""

    def restore(self, snapshot: Snapshot) -> None:
        """Restores a snapshot of this world, or of one that was built in the same way. Raises WorldError."""

    def move_obstacle(self, name: str, position: Sequence[float], orientation: Sequence[float]=...) -> None:
        """Moves the ground (`ground`) or an obstacle during the next frame to a position, m, and an orientation,
        quaternion w, x, y, z. Raises WorldError.
        """

@final
class Scene:
    """A scene: `Scene("balance_push")` loads a shipped one, `Scene(path)` a TOML file. `set` overrides values by key, as
    --set on the command line: a dict of values by path, or a list of `PATH=VALUE` with VALUE in TOML.

    Raises NotFoundError and FileError.
    """

    def __new__(cls, reference: Path, set: Overrides=...) -> Scene:
        ...

    @staticmethod
    def parse(text: str, name: str='scene.toml') -> Scene:
        """A scene from a TOML string. Files that it refers to are searched among the shipped files, then on disk. Raises
        FileError.
        """

    @property
    def name(self) -> str:
        """Name of its file without folders and extension."""

    @property
    def title(self) -> str | None:
        """Title in the file."""

    @property
    def text(self) -> str:
        """Text of the file."""

    @property
    def overrides(self) -> list[str]:
        """Overrides given by `set`."""

    @property
    def dt(self) -> float:
        """Length of a frame, s."""

    @property
    def duration(self) -> float:
        """Simulated duration, s."""

    @property
    def warnings(self) -> list[str]:
        """Warnings about content that is legal but probably not intended, as `file:line:column: …`."""

    def start(self) -> Run:
        """A new run of the scene in its initial state. Raises FileError."""

@final
class Run:
    """A run of a scene."""

    @property
    def world(self) -> World:
        """Its world."""

    @property
    def header(self) -> dict[str, Any]:
        """Header of the run's trace: names, units, texts and everything else that does not change from frame to frame."""

    @property
    def record(self) -> dict[str, Any]:
        """Record of the last frame, with the names used in its trace: a dict of numbers, lists and strings. Before the
        first frame, that of the initial state, without forces.
        """

    @property
    def character(self) -> Character:
        """The scene's character. Raises WorldError for a scene without a character."""

    def picture(self, width: int=640) -> NDArray[uint8]:
        """A picture of the present state from the side and from the front, with the forces of the last frame, as in films
        of the command line: shape (height, width, 3), uint8, red, green and blue. Pictures of one width have one height
        and scale. Raises Error for a width of less than 64 pixels or more than 8192.
        """

    def step(self, frames: int=1) -> bool:
        """Computes `frames` frames, or fewer if the run ends; returns whether any frame was computed. Raises StepError."""

    def finish(self) -> bool:
        """Computes all frames; returns whether every criterion held. Raises StepError."""

    @property
    def is_over(self) -> bool:
        """Whether all frames are done, or a criterion of kind `always` is violated."""

    @property
    def passed(self) -> bool:
        """Whether every criterion holds so far."""

    @property
    def criteria(self) -> list[tuple[str, Literal['always', 'at_end', 'once'], bool, float | None]]:
        """Name, kind (`always`, `at_end`, `once`), whether it holds so far, and when that was decided (s, or None), of
        each criterion.
        """

@final
class Worlds:
    """`count` worlds of one scene, stepped in parallel on `threads` threads (default: one per core); the results do not
    depend on the number of threads, bit for bit. Arrays have one row per world, for the scene's character; they are
    copies.

    `set`: for each world a dict of values by path, or a list of `PATH=VALUE`, as for `Scene`. With `seed`, world k is
    trial k of the scene's `[trials]`, as drawn by `aplomb test --seed`, and `set` is applied after the drawn values.

    Raises FileError, and WorldError if the worlds' characters have bodies of different sizes.
    """

    def __new__(cls, scene: Scene | Path, count: int, *, threads: int | None=None, set: Sequence[Overrides] | None=None, seed: int | None=None) -> Worlds:
        ...

    def __len__(self) -> int:
        ...

    def __getitem__(self, index: int) -> World:
        ...

    def picture(self, index: int, width: int=640) -> NDArray[uint8]:
        """A picture of the world with this index, as of `Run.picture`: shape (height, width, 3), uint8."""

    def step(self, frames: int=1, only: Sequence[bool] | None=None, *, raise_errors: bool=True) -> None:
        """Computes at most `frames` frames of all running worlds, or only of those with true in `only`, without the
        interpreter's lock. A world whose frame cannot be computed stays in its state until it is reset or restored
        and does not stop the others; StepError is then raised once, unless `raise_errors=False`: see `outcomes` and
        `errors`.
        """

    def reset(self, only: Sequence[bool] | None=None) -> None:
        """Resets all worlds to their initial states, or only those with true in `only`, and undoes everything that was
        set in them.
        """

    def set_parameter(self, name: str, values: Sequence[float] | Array) -> None:
        """Sets a parameter of each world's controller, one value per world, shape (worlds,).

        Raises WorldError; worlds before the one that rejects its value keep their new values.
        """

    @property
    def outcomes(self) -> list[str]:
        """Outcome of each world: `running`, `finished` (all frames of its scene are done), `violated` (a criterion of
        kind `always` does not hold) or `failed` (its next frame cannot be computed).
        """

    @property
    def errors(self) -> list[str | None]:
        """Why the next frame of each world cannot be computed; None if it can."""

    @property
    def q(self) -> Array:
        """Configurations: shape (worlds, nq)."""

    @property
    def v(self) -> Array:
        """Velocities: shape (worlds, nv)."""

    @property
    def com(self) -> Array:
        """Centres of mass: shape (worlds, 3), m."""

    @property
    def com_velocity(self) -> Array:
        """Velocities of the centres of mass: shape (worlds, 3), m/s."""

    @property
    def torque(self) -> Array:
        """Joint torques of the last frame: shape (worlds, nv), N m or N; 0 before the first."""

    @property
    def time(self) -> Array:
        """Simulated time of each world: shape (worlds,), s."""

    @property
    def is_over(self) -> NDArray[bool_]:
        """Whether each world has ended, as `Run.is_over`, or has failed: shape (worlds,), bool."""

    @property
    def is_upright(self) -> NDArray[bool_]:
        """Whether no criterion of kind `always` is violated: shape (worlds,), bool."""

    @property
    def passed(self) -> NDArray[bool_]:
        """Whether every criterion holds so far, as `Run.passed`: shape (worlds,), bool."""

    def snapshot(self, index: int) -> Snapshot:
        """A snapshot of the world with this index."""

    def restore(self, index: int, snapshot: Snapshot) -> None:
        """Restores a snapshot of any of the worlds in the world with this index."""

@final
class Trace:
    """The trace of a run: `Trace(path)` reads an MCAP file written by `run` or `aplomb run`. One row per frame; the last
    one has no forces (NaN).

    Raises Error.
    """

    def __new__(cls, path: Path) -> Trace:
        ...

    def __len__(self) -> int:
        ...

    @property
    def header(self) -> dict[str, Any]:
        """Everything that does not change from frame to frame: names, units, texts."""

    def frame(self, index: int) -> dict[str, Any]:
        """Record of a frame, by its index."""

    @property
    def time(self) -> Array:
        """Time of each frame: shape (frames,), s."""

    @property
    def q(self) -> Array:
        """Configurations: shape (frames, nq)."""

    @property
    def v(self) -> Array:
        """Velocities: shape (frames, nv)."""

    @property
    def torque(self) -> Array:
        """Joint torques: shape (frames, nv), N m or N."""

    @property
    def com(self) -> Array:
        """Centres of mass: shape (frames, 3), m."""

    @property
    def costs(self) -> Array:
        """Weighted costs: shape (frames, objectives)."""

    @property
    def objectives(self) -> list[str]:
        """Names of the columns of `costs`."""

    @property
    def states(self) -> list[str]:
        """State of the controller in each frame."""

    @property
    def channels(self) -> list[tuple[str, str, str]]:
        """Name, unit and meaning of each channel."""

    def channel(self, name: str) -> Array:
        """Time series of a channel such as `com.y`: shape (frames,), NaN where it has no value. Raises WorldError."""

@final
class FoxgloveMessages:
    """Messages with which Foxglove and Lichtblick show a run in progress, in protobuf: those that
    `aplomb export --to foxglove` writes. `aplomb.foxglove` sends them.
    """

    def __new__(cls, run: Run) -> FoxgloveMessages:
        ...

    @property
    def topics(self) -> list[tuple[str, str]]:
        """Topic and message name of the shapes, the poses and the forces."""

    @property
    def schema(self) -> bytes:
        """Schema of all topics: a `google.protobuf.FileDescriptorSet`."""

    def shapes(self) -> bytes:
        """Shapes of bodies, objects and surfaces, for the first topic: sent once, and again to clients that connect
        later.
        """

    def frame(self) -> tuple[float, bytes, bytes]:
        """Time of the last frame, s, and its messages for the second and third topics."""

@final
class Plan:
    """The runs of a sweep. All files are read on construction."""

    def __new__(cls, scene: Path, set: Overrides, over: Sequence[str], directions: int, impulses: str, event: str | None=None, count: str | None=None) -> Plan:
        ...

    def __len__(self) -> int:
        ...

    @property
    def axes(self) -> list[tuple[str, list[float]]]:
        ...

    @property
    def is_map(self) -> bool:
        ...

    def open_journal(self, folder: Path, resume: bool) -> list[str]:
        """Creates or resumes the journal of rows in a folder, which stays locked until the plan is closed; returns the
        rows that it contains, as JSON.
        """

    def close(self) -> None:
        """Closes the journal and unlocks its folder."""

    def note(self, row: str) -> None:
        """Adds a row, as JSON, to the journal."""

    def run(self, runs: Sequence[int], threads: int, take: Callable[[str], object]) -> None:
        """Computes the given runs on `threads` threads and passes each row, as JSON, to `take`, in the given order."""

    def parcel(self) -> str:
        """The scene with the texts of all its files, packed for [`remote_row`]."""

    def errand(self, run: int) -> tuple[list[str], list[float], str | None]:
        """Overrides and values of a run, and the state that is counted."""

def shipped(kind: str) -> list[str]:
    """Names of the shipped files of a kind: `characters`, `controllers`, `scenes` or `passive`."""

def record(scene: Scene | Path, trace: Path | None=None, set: Overrides=...) -> str:
    """Runs a scene with the overrides `set` and returns its summary as JSON."""

def remote_row(parcel: str, run: int, overrides: Sequence[str], values: Sequence[float], count: str | None) -> str:
    """Computes one run of a plan of another process, from its parcel and errand; returns the row, as JSON."""

def cells(row: str) -> list[str]:
    """The cells of a row in the table, as text."""

def columns() -> list[str]:
    """Names of the columns that follow the run's index and the axes."""

def push_map(rows: Sequence[str], impulses: int) -> str:
    """Push map computed from its rows, as JSON."""

def command_line(arguments: Sequence[str]) -> int:
    """Runs the command line with these arguments, the program's name first, and returns the exit code."""

@final
class FeedbackController:
    """A controller without a plant: each call takes the measured state and returns the joint commands until the next
    call. It stores the state of its controller, the contacts with a force and since when, and the torques and contact
    forces of the previous call; contacts stick at their measured points.

    model, controller: objects, paths, or names of shipped ones.
    dt: time from one call to the next, s.
    horizon: prediction horizon of each call, s, at least dt; default: dt. 0.01 suits human bodies at any calling
    rate.
    latency: time from the measurement of a state until the torques computed from it act, s, up to 0.1. Each call then
    starts from the state predicted for that time under the torques already sent.
    servo: stiffness K and damping D, shapes (nv,), of the plant's drives, if any, which add K (command.q − q) + D
    (command.v − v) to the torques; only used to predict over the latency.
    compliance: of the plant's ground at a contact point, m/N. A point no deeper than the whole weight would press it
    does not count as penetrating. The default suits simulators, whose contacts are soft; if it is too small, the body
    is thrown off the ground.
    disturbance_time: time constant of the estimate of unknown external forces, s; None: no estimate. The contact
    forces should then be measured.
    friction, ground_height: coefficient of friction and height of the ground in the prediction, m.

    Raises WorldError and FileError.
    """

    def __new__(cls, model: Model | Path, controller: Controller | Path, *, dt: float=0.01, horizon: float | None=None, latency: float=0.0, servo: tuple[Sequence[float] | Array, Sequence[float] | Array] | None=None, compliance: float=2e-05, disturbance_time: float | None=None, friction: float=1.0, ground_height: float=0.0) -> FeedbackController:
        ...

    @property
    def start(self) -> Array:
        """Default start configuration, standing: shape (nq,)."""

    @property
    def character(self) -> Character:
        """Its character, for adding objectives and setting parameters."""

    def observe(self, q: Sequence[float] | Array, v: Sequence[float] | Array, torque: Sequence[float] | Array | None=None, contacts: Sequence[tuple[str, Sequence[float] | Array] | tuple[str, Sequence[float] | Array, Sequence[float] | Array | None]] | None=None) -> Command:
        """Joint commands for the next dt seconds, starting now or after the latency.

        q, v: the measured state, shapes (nq,) and (nv,).
        torque: mean joint torques actually applied since the previous call, shape (nv,); default: the commanded ones.
        contacts: the measured contacts with a force: (body, point) or (body, point, force on the body), world axes, m
        and N. Default: points within 1 mm of the ground, and contacts of the previous call until they separate.

        Raises WorldError for the state of another body, and StepError.
        """

@final
class Command:
    """Command of a feedback controller until its next call."""

    @property
    def torque(self) -> Array:
        """Joint torques: shape (nv,), N m or N; zeros for a floating root."""

    @property
    def q(self) -> Array:
        """Configuration expected at the next call, or later by the latency: shape (nq,)."""

    @property
    def v(self) -> Array:
        """Velocity expected at the same time: shape (nv,)."""

    @property
    def contacts(self) -> Contacts:
        """Predicted contact forces."""

    @property
    def costs(self) -> dict[str, float]:
        """Weighted cost of each objective, by name."""

    @property
    def disturbance(self) -> Array | None:
        """Estimated unknown generalised force: shape (nv,), N or N m; None without an estimate."""

    @property
    def outcome(self) -> Literal['solved', 'relaxed', 'failed', 'limp']:
        """Outcome of the QP: `solved`, `relaxed` (some rows were relaxed), `failed` or `limp`."""

    @property
    def state(self) -> str:
        """State of the controller."""
