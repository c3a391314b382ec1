from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, Protocol, final
from numpy import bool_, float64, uintp
from numpy.typing import ArrayLike, NDArray
Array = NDArray[float64]
Path = str | PathLike[str]
__version__: str
HAS_CLI: bool

class Objective(Protocol):

    def residual(self, now: Senses) -> tuple[ArrayLike, ArrayLike] | None:
        ...

@final
class Model:
    """An articulated body: `Model("adult")` by the name of a shipped one, `Model(path)` from a file in MJCF or URDF.

    Raises NotFoundError and FileError.
    """

    def __new__(cls, reference: Path) -> Model:
        ...

    @staticmethod
    def parse(text: str, name: str='model.xml') -> Model:
        """A model from a text in MJCF or URDF; `name` is what messages call it. Raises FileError."""

    @property
    def name(self) -> str:
        """Name in the file."""

    @property
    def nq(self) -> int:
        """Number of configuration numbers (a quaternion counts four)."""

    @property
    def nv(self) -> int:
        """Number of velocity coordinates."""

    @property
    def mass(self) -> float:
        """kg"""

    @property
    def bodies(self) -> list[str]:
        """Names of the bodies; every parent stands before its children."""

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
        """Least and greatest torque of each velocity coordinate: shape (nv, 2), N m or N; infinite where there is none."""

    @property
    def armature(self) -> Array:
        """Reflected inertia of each velocity coordinate: shape (nv,), kg m² or kg."""

    @property
    def geoms(self) -> list[Geom]:
        """Its shapes, and those that its file adds to the world."""

    def body_poses(self, q: Sequence[float] | Array) -> Array:
        """Where its bodies are in configuration `q`, shape (nq,): shape (bodies, 7), position (m) and quaternion w, x, y, z,
        world axes. Raises ValueError for another shape of `q`.
        """

    def rest(self) -> Array:
        """The configuration it stands in by itself: shape (nq,), m and rad."""

    def joint_index(self, joint: str) -> tuple[int, int]:
        """First number of a joint in q and in v. Raises WorldError for a name that no joint has."""

@final
class Geom:
    """A shape of a body, or of the world."""

    @property
    def name(self) -> str:
        """Name in the file; empty without one."""

    @property
    def body(self) -> str | None:
        """Name of its body; None for a shape of the world."""

    @property
    def kind(self) -> Literal['plane', 'sphere', 'capsule', 'cylinder', 'box', 'ellipsoid', 'hull', 'field']:
        """`plane`, `sphere`, `capsule`, `cylinder`, `box`, `ellipsoid`, `hull` (convex) or `field` (of heights)."""

    @property
    def size(self) -> Array:
        """As MuJoCo has it, m: radius of a sphere; radius and half length along z of a capsule (without its caps) or cylinder;
        half lengths of a box or ellipsoid along x, y and z; nothing for the others.
        """

    @property
    def pose(self) -> Array:
        """Where it is in the frame of its body: shape (7,), position (m) and quaternion w, x, y, z."""

    @property
    def vertices(self) -> Array:
        """Corners of a hull in its own frame: shape (corners, 3), m; none of other kinds."""

    @property
    def triangles(self) -> NDArray[uintp]:
        """Triangles of a hull's surface, as indices into `vertices`: shape (triangles, 3); none of other kinds."""

@final
class Controller:
    """A controller: `Controller("balance")` by the name of a shipped one, `Controller(path)` from a file in TOML.

    Raises NotFoundError and FileError.
    """

    def __new__(cls, reference: Path) -> Controller:
        ...

    @staticmethod
    def parse(text: str, name: str='controller.toml') -> Controller:
        """A controller from a text in TOML; `name` is what messages call it. Raises FileError."""

    @property
    def title(self) -> str | None:
        """The line for people."""

    @property
    def text(self) -> str:
        """The file's text."""

    @property
    def states(self) -> list[str]:
        """Names of its states, in the order of the file."""

    @property
    def parameters(self) -> dict[str, float]:
        """Its parameters and their values, in the order of the file."""

    def with_value(self, path: str, value: str) -> Controller:
        """The same with another value at a path of keys (`states.swing.objectives.foot.weight`); `value` is in TOML.
        Raises FileError.
        """

@final
class Obstacle:
    """A box for `World`, by half of its lengths along its axes and its centre, m, turned by roll, pitch and yaw, rad.

    It has the ground's friction where none is given. `contact_weight` is its own weight of keeping contacts where they
    touched; 0 for a wall that is only bumped into.
    """

    def __new__(cls, name: str, half_lengths: Sequence[float], position: Sequence[float], angles: Sequence[float]=..., *, friction: float | None=None, contact_weight: float | None=None) -> Obstacle:
        ...

@final
class Snapshot:
    """A moment of a world: everything that changes. Going back to it gives the same bits, as often as one likes."""

    @property
    def frame(self) -> int:
        """Number of the frame before which it was taken."""

@final
class Contacts:
    """The k contacts that bore in a frame, and grips, in arrays; world axes."""

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
        """What they come from: `ground`, an obstacle or a hold."""

    @property
    def kinds(self) -> list[Literal['static', 'dynamic', 'grip', 'stand']]:
        """`static` (sticks), `dynamic` (slides), `grip` (grasps a hold) or `stand` (stands on one)."""

    @property
    def points(self) -> Array:
        """Where they act: shape (k, 3), m."""

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
    """A body at one moment, with Jacobians. It stays as it is while the world goes on."""

    @property
    def time(self) -> float:
        """s"""

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
        """Its velocity: shape (3,), m/s."""

    def position(self, body: str, offset: Sequence[float]=...) -> Array:
        """Where a body's origin, or a point `offset` from it in body axes, is: shape (3,), m. Raises WorldError for a name
        that no body has.
        """

    def velocity(self, body: str, offset: Sequence[float]=...) -> Array:
        """Velocity of that point: shape (3,), m/s."""

    def rotation(self, body: str) -> Array:
        """From body axes to world axes: shape (3, 3)."""

    def jacobian_of_point(self, body: str, offset: Sequence[float]=...) -> Array:
        """J with J v the velocity of that point: shape (3, nv)."""

    def jacobian_of_rotation(self, body: str) -> Array:
        """J with J v the angular velocity of a body in world axes: shape (3, nv)."""

    def jacobian_of_com(self) -> Array:
        """J with J v the velocity of the centre of mass: shape (3, nv)."""

    def mass_matrix(self) -> Array:
        """Joint-space inertia M: shape (nv, nv)."""

@final
class BodyPoint:
    """An objective: a body's origin, or a point `offset` from it in body axes, to a point of the world, m."""

    def __new__(cls, body: str, target: Sequence[float], offset: Sequence[float]=...) -> BodyPoint:
        ...

@final
class ComPosition:
    """An objective: the centre of mass to a point of the world, m; with `horizontal` its height is left free."""

    def __new__(cls, target: Sequence[float], *, horizontal: bool=False) -> ComPosition:
        ...

@final
class Pose:
    """An objective: joints to angles, by name, rad or m."""

    def __new__(cls, joints: Mapping[str, float]) -> Pose:
        ...

@final
class Goal:
    """A goal that a program added to a character."""

    @property
    def name(self) -> str:
        """Its name among the objectives."""

    @property
    def weight(self) -> float:
        """How much it counts, 0 or more."""

    @weight.setter
    def weight(self, weight: float) -> None:
        ...

    def enable(self, enabled: bool) -> None:
        """From now on it holds, or does not."""

    def set_target(self, target: Sequence[float] | Array | Mapping[str, float]) -> None:
        """Another point (3 numbers, m) for a `BodyPoint` or `ComPosition`; angles by joint (rad or m) for a `Pose`. Takes
        no time.
        """

@final
class Character:
    """Somebody who acts, in a world. Arrays are copies."""

    @property
    def name(self) -> str:
        """Its name in the world."""

    @property
    def model(self) -> Model:
        """Its body."""

    @property
    def controller(self) -> Controller:
        """Its controller as it is now."""

    @property
    def q(self) -> Array:
        """Configuration now: shape (nq,)."""

    @property
    def v(self) -> Array:
        """Velocity now: shape (nv,)."""

    @property
    def com(self) -> Array:
        """Centre of mass now: shape (3,), m."""

    @property
    def com_velocity(self) -> Array:
        """Its velocity: shape (3,), m/s."""

    @property
    def com_height(self) -> float:
        """Height of the centre of mass over the ground, m."""

    @property
    def capture_point(self) -> Array:
        """Where a step would bring it to rest: shape (2,), m."""

    @property
    def body_poses(self) -> Array:
        """Where its bodies are now, in the order of the model: shape (bodies, 7), position (m) and quaternion w, x, y, z."""

    @property
    def senses(self) -> Senses:
        """Its body at this moment, with Jacobians."""

    @property
    def state(self) -> str:
        """State of its controller."""

    @property
    def transitions(self) -> list[str]:
        """Changes of the controller's state in the last frame, in words."""

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
        """Names of all costs, in the order of `cost_values`."""

    @property
    def costs(self) -> dict[str, float]:
        """Weighted cost w‖r‖² of each objective in the last frame, by name; empty before the first. Objectives of one name
        share one.
        """

    @property
    def cost_values(self) -> Array:
        """The same as numbers: shape (objectives,)."""

    @property
    def outcome(self) -> Literal['solved', 'relaxed', 'failed', 'limp']:
        """How the last frame's QP ended: `solved`, `relaxed` (rows gave way), `failed` or `limp`."""

    @property
    def events(self) -> list[str]:
        """Pushes that were active in the last frame, and what happened to grips."""

    @property
    def record(self) -> dict[str, Any]:
        """Everything of the last frame, under the names that traces have: a dict of numbers, lists and texts."""

    def forces_ahead(self) -> list[dict[str, Any]]:
        """What each newton of its contact and grip forces in the next frame is for, as the frame comes if nothing else
        happens; the world stays as it is. A list with a dict for each body: `body`, `force` (N, world axes) and `parts`,
        which add up to the force, each with `name`, `of` (`objective`, `row` or `remainder`), `place` (FILE:LINE or
        None), `multiplier`, `force`, `weight_slope` (change of the force with the logarithm of the weight) and `without`
        (how the force would change without it; None for rows). Empty for a ragdoll, and where the frame is solved
        together with another character's. Raises StepError.
        """

    @property
    def parameters(self) -> dict[str, float]:
        """Parameters of the controller and their values now."""

    def push(self, body: str, force: Sequence[float]=..., torque: Sequence[float]=..., *, duration: float, offset: Sequence[float]=...) -> None:
        """Pushes a body from the next frame on, for `duration` seconds, at least one frame.

        force: 3 numbers, N, world axes, at the body's centre of mass, or `offset` from it (m, body axes).
        torque: 3 numbers, N m, world axes.

        Raises WorldError for a name that no body has.
        """

    def set_parameter(self, name: str, value: float) -> None:
        """Another value for a parameter of the controller, from the next frame on. Takes about as long as a few frames.
        Raises WorldError.
        """

    def set_value(self, path: str, value: str) -> None:
        """Another value anywhere in the controller, by its path of keys (`objectives.NAME.weight`); `value` is in TOML.
        Raises FileError.
        """

    def command(self, name: str, value: float | Sequence[float]) -> None:
        """Sets a command of the controller (`[commands]` in its file), a number or three, from the next frame on; beyond its
        range the nearest end is taken. Raises WorldError.
        """

    def commands(self) -> dict[str, float | list[float]]:
        """Commands of the controller by name, with what each is worth: a float, or a list of three."""

    def replace_controller(self, controller: Controller | Path) -> None:
        """Another controller takes over, between two frames. Raises FileError."""

    def enable_objective(self, name: str, enabled: bool) -> None:
        """Has an objective of the controller (`NAME`, or `STATE.NAME`) hold or not, from the next frame on. Raises
        WorldError.
        """

    def enable_constraint(self, name: str, enabled: bool) -> None:
        """Has a constraint of the controller hold or not, from the next frame on. Raises WorldError."""

    def add_hold(self, name: str, site: str) -> None:
        """Makes a site of its body something that others can hold on to, under a name that controllers added later may use.
        Raises WorldError.
        """

    def hold_on(self, site: str, hold: str) -> None:
        """Has a site of its body hold on to something as soon as that is within reach, whatever its controller says. Raises
        WorldError.
        """

    def teleport(self, q: Sequence[float] | Array, v: Sequence[float] | Array) -> None:
        """Puts it into a state at once, shapes (nq,) and (nv,): contacts and forces begin anew, the controller keeps its
        state. Raises WorldError.
        """

    def add_objective(self, name: str, objective: BodyPoint | ComPosition | Pose | Objective, *, weight: float=1.0, response: float | None=None, horizon: float | None=None, fastest: float | None=None, hard: bool=False) -> Goal:
        """Adds a goal that holds in every state.

        objective: a `BodyPoint`, `ComPosition` or `Pose`; or any object with a method `residual(now)` that is given
        `Senses` and returns an error, shape (k,), and J with the error's rate J v, shape (k, nv), or None where it has
        no meaning now. Its attribute `unit` says what the error is: "m" (if it has none), "rad", "1", or for errors of
        rates "m/s" and "rad/s" (then J v is the rate itself, and a target is taken off the error).
        weight: a pure number, on the squared dimensionless residual.
        response: s, in which the error should vanish, as a critically damped oscillator would have it; or horizon: s,
        ahead of which it should, never faster than `fastest`, m/s or rad/s. With neither, in the next frame.
        hard: an equality instead of a goal.

        An exception in `residual` is raised by the step, after its frame, which was solved without the goal.
        """

@final
class Passive:
    """Something that moves and does not act."""

    @property
    def name(self) -> str:
        """Its name in the world."""

    @property
    def parts(self) -> list[str]:
        """Names of its parts."""

    @property
    def mass(self) -> float:
        """kg"""

    @property
    def com(self) -> Array:
        """Centre of mass: shape (3,), m."""

    @property
    def com_velocity(self) -> Array:
        """Its velocity: shape (3,), m/s."""

    @property
    def energy(self) -> float:
        """Kinetic and potential, J."""

    @property
    def part_poses(self) -> Array:
        """Where its parts are: shape (parts, 7), position (m) and quaternion w, x, y, z."""

    def push(self, part: str, force: Sequence[float], *, duration: float, point: Sequence[float]=...) -> None:
        """Pushes a part from the next frame on, for `duration` seconds, at least one frame: force in N, world axes, at
        `point` of the part, m. Raises WorldError.
        """

@final
class World:
    """Characters, passive objects and what they stand on.

    dt: length of a frame, s; 0.0001 to 0.05.
    gravity: m/s², world axes; z is up.
    friction, ground_height: of the ground; m.
    obstacles: boxes that are in the way.
    solver: name of the QP solver; `active_set` where none is named.
    bias_velocity: `backward`, `extrapolated`, `midpoint` or `momentum`: velocity at which the bias force is taken.
    simulated: frames end where forward dynamics has them, not where the QP does.
    parallel: characters are solved side by side, with the same bytes.

    One thread at a time may use a world; others are told by BusyError. Raises WorldError.
    """

    def __new__(cls, *, dt: float=0.01, gravity: Sequence[float]=..., friction: float=1.0, ground_height: float=0.0, obstacles: Sequence[Obstacle]=..., solver: str | None=None, bias_velocity: str='backward', simulated: bool=False, parallel: bool=False) -> World:
        ...

    def add_character(self, model: Model | Path, controller: Controller | Path, *, name: str | None=None, position: Sequence[float]=..., heading: float=0.0, height: float=0.0, velocity: Sequence[float]=..., joints: Mapping[str, float] | None=None, reach: Mapping[str, Sequence[float]] | None=None, orientation: Mapping[str, Sequence[float]] | None=None, limp: bool=False, torque_limits: bool=True, self_collision: bool=True, reaction_delay: tuple[float, float] | None=None, perception: float=0.0, objects: Sequence[str]=...) -> Character:
        """Adds a character, before the first frame or between two.

        model, controller: objects, paths, or names of shipped ones.
        position: added to x and y of the rest pose, m. heading: rad; 0 faces along x. height: of the lowest point over
        the ground, m. velocity: of the root, m/s.
        joints: joint values that differ from the rest pose, rad or m, by name.
        reach: where bodies, sites or the `com` are to be, 3 numbers, m. orientation: roll, pitch and yaw of bodies,
        rad.
        limp: no joint torques. torque_limits: whether those of the model hold. self_collision: whether limbs do not pass
        through each other and through the trunk.
        reaction_delay: seconds and weight of a late answer of the joint torques to surprises. perception: seconds until the
        controller knows of them, 0 at once. People's are (0.1, 3e4) and 0.2.
        objects: names of passive objects that are added later and that the controller speaks of.

        Raises WorldError and FileError.
        """

    def add_passive(self, name: str, model: Model | Path, *, position: Sequence[float]=..., orientation: Sequence[float]=..., velocity: Sequence[float]=..., angular_velocity: Sequence[float]=..., joints: Mapping[str, float] | None=None, restitution: float=0.0, friction: float | None=None, damping: float=0.0) -> Passive:
        """Adds bodies on joints that nothing drives: a ball, a crate, a ragdoll.

        model: an object, a path, or the name of a shipped one.
        position: m, from where the model puts it. orientation: quaternion w, x, y, z. velocity: of its centre of mass,
        m/s. angular_velocity: rad/s, world axes.
        joints: joint values that differ from the rest pose, rad or m, by name.
        restitution: 0 to 1. friction: of its shapes. damping: of joints that have none, N m s/rad.

        Raises WorldError.
        """

    def add_chain(self, name: str, points: Sequence[Sequence[float]], links: int, mass: float) -> Passive:
        """Adds a stiff chain through points (m) with so many links between each two, kg together; its first end is fixed.
        Raises WorldError.
        """

    def add_rope(self, name: str, ends: Sequence[Sequence[float]], sticks: int, mass: float) -> Passive:
        """Adds a rope of so many sticks between two points, m, and kg; its first end is fixed. Raises WorldError."""

    def add_cloth(self, name: str, corner: Sequence[float], sides: Sequence[Sequence[float]], grid: Sequence[int], mass: float, pins: Sequence[Sequence[int]]=...) -> Passive:
        """Adds a cloth of `grid` rows and columns of particles, kg together: first row from `corner` along `sides[0]`,
        first column along `sides[1]`, m. Particles at rows and columns of `pins` are fixed. Raises WorldError.
        """

    @property
    def characters(self) -> list[Character]:
        """The characters, in the order in which they were added."""

    def character(self, name: str) -> Character:
        """The character of that name. Raises WorldError."""

    @property
    def passive(self) -> list[Passive]:
        """The passive objects, in the order in which they were added."""

    @property
    def time(self) -> float:
        """Simulated time at which the next frame begins, s."""

    @property
    def frame(self) -> int:
        """Number of the next frame, from 0."""

    @property
    def dt(self) -> float:
        """Length of a frame, s."""

    @property
    def gravity(self) -> Array:
        """shape (3,), m/s²"""

    def step(self, frames: int=1) -> None:
        """Computes so many frames, without the interpreter's lock. Raises StepError."""

    def run_until(self, time: float) -> None:
        """Computes frames until the time of the world, s. Raises ValueError if it has passed, and StepError."""

    def snapshot(self) -> Snapshot:
        """Keeps everything that changes, to go back to. What a program added as objectives is not in it."""

    def restore(self, snapshot: Snapshot) -> None:
        """Goes back to a moment of this world, or of one that was made in the same way. Raises WorldError."""

    def move_obstacle(self, name: str, position: Sequence[float], orientation: Sequence[float]=...) -> None:
        """Moves the ground (`ground`) or an obstacle in the coming frame to a position, m, and orientation, quaternion w,
        x, y, z. Raises WorldError.
        """

@final
class Scene:
    """A scene: `Scene("balance_push")` by the name of a shipped one, `Scene(path)` from a file in TOML. `set` has values
    for keys, `PATH=VALUE` with VALUE in TOML, as the command line's --set.

    Raises NotFoundError and FileError.
    """

    def __new__(cls, reference: Path, set: Sequence[str]=...) -> Scene:
        ...

    @staticmethod
    def parse(text: str, name: str='scene.toml') -> Scene:
        """A scene from a text in TOML. What it refers to is looked for among the shipped files, then on disk. Raises
        FileError.
        """

    @property
    def name(self) -> str:
        """Its file's name without folders and extension."""

    @property
    def title(self) -> str | None:
        """The line for people."""

    @property
    def text(self) -> str:
        """The file's text."""

    @property
    def overrides(self) -> list[str]:
        """What `set` said."""

    @property
    def dt(self) -> float:
        """Length of a frame, s."""

    @property
    def duration(self) -> float:
        """s"""

    @property
    def warnings(self) -> list[str]:
        """What is legal in it and probably not meant, as `file:line:column: …`."""

    def start(self) -> Run:
        """A world of it, at its beginning. Raises FileError."""

@final
class Run:
    """A scene that runs."""

    @property
    def world(self) -> World:
        """Its world."""

    @property
    def header(self) -> dict[str, Any]:
        """All that does not change from frame to frame: names, units, texts; what `Trace.header` has of the run's trace."""

    @property
    def record(self) -> dict[str, Any]:
        """Everything of the last frame, under the names that its trace has: a dict of numbers, lists and texts. Before the first
        frame that of the beginning, without forces.
        """

    @property
    def character(self) -> Character:
        """The scene's character. Raises WorldError where nobody acts."""

    def step(self, frames: int=1) -> bool:
        """Computes so many frames, or until the run is over; whether there were any. Raises StepError."""

    def finish(self) -> bool:
        """Computes all frames; whether every criterion held. Raises StepError."""

    @property
    def is_over(self) -> bool:
        """Whether all frames are done, or a criterion that must always hold is broken."""

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
    """So many worlds of one scene, stepped side by side on `threads` threads (as many as there are cores where it is left
    out), with the same bytes for any number of them. Arrays have a row a world and are of the scene's character; they are
    copies.

    `set` has a list of `PATH=VALUE` for each world, as that of `Scene`; with `seed` world k is trial k of the scene's
    `[trials]`, as `aplomb test --seed` draws it, and `set` comes after what is drawn.

    Raises FileError, and WorldError where the characters of worlds have bodies of other sizes.
    """

    def __new__(cls, scene: Scene | Path, count: int, *, threads: int | None=None, set: Sequence[Sequence[str]] | None=None, seed: int | None=None) -> Worlds:
        ...

    def __len__(self) -> int:
        ...

    def __getitem__(self, index: int) -> World:
        ...

    def step(self, frames: int=1, only: Sequence[bool] | None=None, *, raise_errors: bool=True) -> None:
        """Computes so many frames of all worlds that are not over, or of those alone for which `only` is true, without the
        interpreter's lock. A world whose frame cannot be computed stays where it is until it goes back (`reset`, `restore`)
        and does not keep the others from their frames; then StepError is raised once, or nothing with
        `raise_errors=False`: `outcomes` and `errors` tell of it.
        """

    def reset(self, only: Sequence[bool] | None=None) -> None:
        """Has all worlds go back to their beginnings, or those alone for which `only` is true; what they were told is taken
        back.
        """

    def set_parameter(self, name: str, values: Sequence[float] | Array) -> None:
        """Gives a parameter of each world's controller the value in its place, shape (worlds,).

        Raises WorldError; the worlds before the one that does not take it have it then.
        """

    @property
    def outcomes(self) -> list[str]:
        """How far each world has come: `running`, `finished` (all frames of its scene are done), `violated` (a criterion that
        must always hold is broken) or `failed` (its next frame cannot be computed).
        """

    @property
    def errors(self) -> list[str | None]:
        """Why the next frame of each world cannot be computed; None where it can."""

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
        """Their velocities: shape (worlds, 3), m/s."""

    @property
    def torque(self) -> Array:
        """Joint torques of the last frames: shape (worlds, nv), N m or N; 0 before the first."""

    @property
    def time(self) -> Array:
        """shape (worlds,), s"""

    @property
    def is_over(self) -> NDArray[bool_]:
        """Whether it is not stepped on: as `Run.is_over`, or it has failed. Shape (worlds,), bool."""

    @property
    def is_upright(self) -> NDArray[bool_]:
        """Whether no criterion that must always hold is broken: shape (worlds,), bool."""

    @property
    def passed(self) -> NDArray[bool_]:
        """As `Run.passed`: shape (worlds,), bool."""

    def snapshot(self, index: int) -> Snapshot:
        """A moment of the world of that number."""

    def restore(self, index: int, snapshot: Snapshot) -> None:
        """Has the world of that number go back to a moment of any of them."""

@final
class Trace:
    """The record of a run: `Trace(path)` reads an MCAP file of `run` or `aplomb run`. A row a frame; the last has no
    forces (NaN).

    Raises Error.
    """

    def __new__(cls, path: Path) -> Trace:
        ...

    def __len__(self) -> int:
        ...

    @property
    def header(self) -> dict[str, Any]:
        """All that does not change from frame to frame: names, units, texts."""

    def frame(self, index: int) -> dict[str, Any]:
        """Everything of a frame, by its number."""

    @property
    def time(self) -> Array:
        """shape (frames,), s"""

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
        """A channel over time, such as `com.y`: shape (frames,), NaN where it has no value. Raises WorldError."""

@final
class FoxgloveMessages:
    """Messages in which Foxglove and Lichtblick show a run while it goes on, in protobuf: those that
    `aplomb export --to foxglove` writes. `aplomb.foxglove` sends them.
    """

    def __new__(cls, run: Run) -> FoxgloveMessages:
        ...

    @property
    def topics(self) -> list[tuple[str, str]]:
        """Topic and name of the message of shapes, of poses, and of forces."""

    @property
    def schema(self) -> bytes:
        """The schema of all topics: a `google.protobuf.FileDescriptorSet`."""

    def shapes(self) -> bytes:
        """Shapes of bodies, objects and surfaces, for the first topic: once, and again for who comes later."""

    def frame(self) -> tuple[float, bytes, bytes]:
        """Time of the last frame, s, and its messages for the second and the third topic."""

@final
class Plan:
    """The runs of a sweep. All files are read when it is made."""

    def __new__(cls, scene: Path, set: Sequence[str], over: Sequence[str], directions: int, impulses: str, event: str | None=None, count: str | None=None) -> Plan:
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
        """Begins the journal of rows in a folder, which is nobody else's until the plan is closed, or goes on with it: the rows,
        as JSON, that it has.
        """

    def close(self) -> None:
        """Lets go of the journal and its folder."""

    def note(self, row: str) -> None:
        """Notes a row, as JSON, in the journal."""

    def run(self, runs: Sequence[int], threads: int, take: Callable[[str], object]) -> None:
        """Makes those runs on so many threads and hands each row, as JSON, to `take`, in the order given."""

    def parcel(self) -> str:
        """The scene with the texts of all its files, for [`remote_row`]."""

    def errand(self, run: int) -> tuple[list[str], list[float], str | None]:
        """Overrides and values of a run, and which state is counted."""

def shipped(kind: str) -> list[str]:
    """Names of the shipped files of a kind: `characters`, `controllers`, `scenes` or `passive`."""

def record(scene: Scene | Path, trace: Path | None=None) -> str:
    """Runs a scene; the summary, as JSON."""

def remote_row(parcel: str, run: int, overrides: Sequence[str], values: Sequence[float], count: str | None) -> str:
    """Makes one run of a plan of another process, from its parcel and errand; the row, as JSON."""

def cells(row: str) -> list[str]:
    """The cells of a row in the table, as text."""

def columns() -> list[str]:
    """Names of the columns after those of the run's number and the axes."""

def push_map(rows: Sequence[str], impulses: int) -> str:
    """What a map of pushes says, as JSON, from its rows."""

def command_line(arguments: Sequence[str]) -> int:
    """Does what the arguments say, the program's name first, and returns the exit code."""

@final
class FeedbackController:
    """A controller without a plant: it is told the measured state once a call and says what the joints should do until the
    next. What it remembers is its controller's state, which contacts bear and since when, and the torques and the contact forces
    of the call before; contacts stick where they are measured to be.

    model, controller: objects, paths, or names of shipped ones.
    dt: seconds from one call to the next.
    horizon: seconds that each call looks ahead, at least dt, and dt by default; 0.01 is good for people however often they are
    asked.
    latency: seconds from the measurement of a state to the moment from which on the answer acts, up to 0.1. Each call then begins
    where the body will be under the torques that are under way.
    servo: stiffness and damping, shapes (nv,), of drives that add K (command.q − q) + D (command.v − v) to the torques, where the
    plant has some; only what is under way depends on it.
    compliance: of the plant's ground under a point, m/N. What is no deeper in it than the whole weight would press it penetrates
    nothing. The default suits simulators, whose contacts are soft; with too little the body is thrown off the ground.
    disturbance_time: time constant, in seconds, with which forces that nobody told it of are estimated and reckoned with; None:
    never. The contacts' forces should be measured then.
    friction, ground_height: of the ground that it reckons with; m.

    Raises WorldError and FileError.
    """

    def __new__(cls, model: Model | Path, controller: Controller | Path, *, dt: float=0.01, horizon: float | None=None, latency: float=0.0, servo: tuple[Sequence[float] | Array, Sequence[float] | Array] | None=None, compliance: float=2e-05, disturbance_time: float | None=None, friction: float=1.0, ground_height: float=0.0) -> FeedbackController:
        ...

    @property
    def start(self) -> Array:
        """Where it would begin by itself: shape (nq,)."""

    @property
    def character(self) -> Character:
        """Its character, to be given objectives and parameters."""

    def observe(self, q: Sequence[float] | Array, v: Sequence[float] | Array, torque: Sequence[float] | Array | None=None, contacts: Sequence[tuple[str, Sequence[float] | Array] | tuple[str, Sequence[float] | Array, Sequence[float] | Array | None]] | None=None) -> Command:
        """What the joints should do for dt seconds: from now on, or once the latency is over.

        q, v: the measured state, shapes (nq,) and (nv,).
        torque: what was really applied since the call before, shape (nv,), where that is not what was asked for.
        contacts: those that bear, where that is measured: (body, point) or (body, point, force on the body), world axes, m and
        N. Without them, what is within 1 mm of the ground bears, and what bore until it is lifted.

        Raises WorldError for a state of another body, StepError.
        """

@final
class Command:
    """What a feedback controller asks for until its next call."""

    @property
    def torque(self) -> Array:
        """Joint torques: shape (nv,), N m or N; zeros for a floating root."""

    @property
    def q(self) -> Array:
        """Configuration that it expects at the next call, or by as much later as the latency is: shape (nq,)."""

    @property
    def v(self) -> Array:
        """Velocity that it expects then: shape (nv,)."""

    @property
    def contacts(self) -> Contacts:
        """Contact forces that it reckons with."""

    @property
    def costs(self) -> dict[str, float]:
        """What each objective cost, by name."""

    @property
    def disturbance(self) -> Array | None:
        """Generalised force that nobody told it of, as it is estimated: shape (nv,), N or N m; None where it is not."""

    @property
    def outcome(self) -> Literal['solved', 'relaxed', 'failed', 'limp']:
        """How its QP ended: `solved`, `relaxed` (rows gave way), `failed` or `limp`."""

    @property
    def state(self) -> str:
        """State of the controller."""
