"""aplomb controls a body that MuJoCo simulates, under pushes unknown to aplomb (needs `pip install mujoco`).

    python python/examples/mujoco_plant.py --directions 8 --impulses 10 20 30 40 50 60
    python python/examples/mujoco_plant.py --table --threads 2

The plant is the shipped adult with MuJoCo's own contacts and self-collision. `actuated` adds reflected rotor inertia
(0.01 kg m²) and light damping to its joints; with `--servo`, drives also pull the joints to the state that aplomb
expects. `--shipped` is the unchanged body. At each call aplomb gets q and v and returns torques, which act until the
next ones do. MuJoCo's contacts are soft; `--compliance` is set accordingly, because aplomb would otherwise remove the
penetration and throw the body off the ground. A push is survived if the body stands after six seconds and has come to
rest. `--table` prints a table of all deviations of the plant from aplomb's model.
"""

from __future__ import annotations

import argparse
import multiprocessing
import subprocess
import sys
from dataclasses import dataclass, field, replace

import aplomb
import mujoco
import numpy as np

#: Armature, kg m², and joint damping, N m s/rad, of the actuated plant; aplomb knows the armature only.
ARMATURE, DAMPING = 0.01, 0.1
#: Compliance of MuJoCo's contacts, m/N: points no deeper than the whole weight would press them, 12 mm, do not count as
#: penetrating. A foot sinks 2 mm under its share of the weight, loaded toes 10 mm: the lighter a part, the softer its
#: contact.
COMPLIANCE = 2e-5
#: Parameters of controllers for the time at rest after which knees straighten, s.
KNEES = {"knees_after", "steps.knees_after"}
#: Start and duration of the push, and duration of a run, s.
SETTLED, PUSH, END = 1.0, 0.15, 7.0
#: Standard deviations of sensor noise: root position (m), root orientation and joint angles (rad), root velocity (m/s),
#: root angular velocity and joint velocities (rad/s).
NOISE = (0.001, 0.002, 0.0005, 0.01, 0.01, 0.02)
#: Truncation of the noise, in standard deviations.
CUT = 3.0


@dataclass(frozen=True)
class Case:
    """A plant and the settings of its controller."""

    actuated: bool = True
    #: Name of a shipped controller, or a file.
    controller: str = "step_recovery"
    #: Time between calls, and their prediction horizon, s.
    call: float = 0.01
    horizon: float = 0.01
    #: Stiffness, N m/rad, and damping, N m s/rad, of the servo in a joint of 200 N m; proportionally less in weaker
    #: joints.
    servo: tuple[float, float] = (0.0, 0.0)
    #: Mass of the plant relative to aplomb's model.
    mass: float = 1.0
    #: Friction of the plant's floor; aplomb assumes `known_friction`.
    friction: float = 1.0
    known_friction: float = 1.0
    #: Time from a measurement until the torques computed from it act, s; aplomb knows it if `compensated`.
    latency: float = 0.0
    compensated: bool = True
    noise: bool = False
    #: Weight of a noisy measured configuration relative to the expected one: 1 uses only the measurement.
    trust: float = 0.5
    #: Whether aplomb gets the contacts with their forces.
    contacts: bool = False
    #: Further arguments of FeedbackController.
    options: dict[str, object] = field(default_factory=dict)
    #: Whether mass, friction, latency and noise are drawn.
    drawn: bool = False
    seed: int = 0
    step: float = 0.001

    def drawn_by_seed(self) -> Case:
        """The case with a random mass within 10 %, random friction from 0.5 to 1, 10 ms of latency, and noise, if
        `drawn`."""
        if not self.drawn:
            return self
        dice = np.random.default_rng(self.seed)
        mass, friction = dice.uniform(0.9, 1.1), dice.uniform(0.5, 1.0)
        return replace(self, mass=mass, friction=friction, latency=0.01, noise=True)


def body(actuated: bool = True) -> str:
    """MJCF of the shipped adult, with armature or unchanged."""
    shown = subprocess.run([sys.executable, "-m", "aplomb", "show", "adult"], capture_output=True, text=True, check=True)
    if not actuated:
        return shown.stdout
    return shown.stdout.replace("<worldbody>", f'<default><joint armature="{ARMATURE}"/></default>\n  <worldbody>', 1)


class Plant:
    """MuJoCo's simulation of a body on a floor."""

    def __init__(self, text: str, case: Case) -> None:
        floor = f'<geom name="floor" type="plane" size="0 0 1" friction="{case.friction} 0.005 0.0001"/>'
        self.model = mujoco.MjModel.from_xml_string(text.replace("<worldbody>", "<worldbody>" + floor, 1))
        self.case = case
        self.model.opt.timestep = case.step
        self.model.opt.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        self.stiffness, self.damping = np.zeros(self.model.nv), np.zeros(self.model.nv)
        self.model.dof_armature[:6] = 0.0
        self.model.body_mass *= case.mass
        self.model.body_inertia *= case.mass
        mujoco.mj_setConst(self.model, mujoco.MjData(self.model))
        limits = np.abs(self.model.jnt_actfrcrange[1:]).max(axis=1)
        self.limits = np.concatenate([np.zeros(6), np.where(limits > 0.0, limits, 200.0)])
        if case.actuated:
            self.stiffness, self.damping = (gain * self.limits / 200.0 for gain in case.servo)
            # The servo's damping is part of the plant, as in a drive, where it is integrated implicitly.
            self.model.dof_damping[6:] = DAMPING + self.damping[6:]
        self.data = mujoco.MjData(self.model)
        self.chest = self.model.body("chest").id
        self.floor = self.model.geom("floor").id
        self.dice = np.random.default_rng(case.seed)

    def step(self, command: aplomb.Command, left: float, force: np.ndarray) -> np.ndarray:
        """Simulates one step, `left` seconds before the time of the state that the command expects; returns the torques
        that acted."""
        model, data = self.model, self.data
        torque = command.torque.copy()
        if self.stiffness.any() or self.damping.any():
            way = np.zeros(model.nv)
            mujoco.mj_differentiatePos(model, way, 1.0, data.qpos, command.q)
            # Displacement from the current state to the expected state at this time.
            way -= left * command.v
            torque += self.stiffness * way + self.damping * command.v
        data.qfrc_applied[:] = np.clip(torque, -self.limits, self.limits)
        data.xfrc_applied[self.chest, :3] = force
        mujoco.mj_step(model, data)
        return data.qfrc_applied - self.damping * data.qvel

    def measured(self) -> tuple[np.ndarray, np.ndarray]:
        """Measured configuration and velocity, with sensor noise."""
        q, v = self.data.qpos.copy(), self.data.qvel.copy()
        if not self.case.noise:
            return q, v
        place, turn, angle, velocity, turning, rate = NOISE
        joints = self.model.nv - 6
        spread = np.concatenate([np.full(3, place), np.full(3, turn), np.full(joints, angle)])
        error = spread * np.clip(self.dice.standard_normal(self.model.nv), -CUT, CUT)
        mujoco.mj_integratePos(self.model, q, error, 1.0)
        spread = np.concatenate([np.full(3, velocity), np.full(3, turning), np.full(joints, rate)])
        return q, v + spread * np.clip(self.dice.standard_normal(self.model.nv), -CUT, CUT)

    def contacts(self) -> list[tuple[str, np.ndarray, np.ndarray]]:
        """Contacts with the floor: body, point, and force on the body, world axes."""
        found, parts = [], np.zeros(6)
        for index, contact in enumerate(self.data.contact):
            if self.floor not in (contact.geom1, contact.geom2):
                continue
            mujoco.mj_contactForce(self.model, self.data, index, parts)
            force = contact.frame.reshape(3, 3).T @ parts[:3]
            geom, force = (contact.geom2, force) if contact.geom1 == self.floor else (contact.geom1, -force)
            if force[2] > 0.0:
                found.append((self.model.body(self.model.geom_bodyid[geom]).name, contact.pos.copy(), force))
        return found


def estimate(model: mujoco.MjModel, expected: np.ndarray, measured: np.ndarray, trust: float) -> np.ndarray:
    """Configuration between the expected and the measured one. If soles jump by a millimetre from call to call,
    contacts open and close, and a standing body trembles."""
    way, q = np.zeros(model.nv), expected.copy()
    mujoco.mj_differentiatePos(model, way, 1.0, expected, measured)
    mujoco.mj_integratePos(model, q, way, trust)
    return q


def controller_of(text: str, case: Case) -> aplomb.FeedbackController:
    """The feedback controller of a case."""
    model, options = aplomb.Model.parse(text, "adult.xml"), dict(case.options)
    if case.actuated and any(case.servo):
        plant = Plant(text, case)
        options["servo"] = (plant.stiffness, plant.damping)
    controller = aplomb.FeedbackController(
        model,
        case.controller,
        dt=case.call,
        horizon=max(case.horizon, case.call),
        latency=case.latency if case.compensated else 0.0,
        friction=case.known_friction,
        **options,
    )
    # On soft ground a body with straight knees keeps rocking from side to side.
    for name in KNEES.intersection(controller.character.parameters):
        controller.character.set_parameter(name, 1e6)
    return controller


def survives(text: str, impulse: np.ndarray, case: Case) -> tuple[bool, float]:
    """Whether a push (N s) is survived, and the median error of the expected joint velocities, rad/s."""
    case = case.drawn_by_seed()
    plant, controller = Plant(text, case), controller_of(text, case)
    plant.data.qpos[:] = controller.start
    mujoco.mj_forward(plant.model, plant.data)
    height = plant.data.subtree_com[1][2]
    steps, late = round(case.call / case.step), round(case.latency / case.step)
    sent, acting, began, applied, errors = [], None, 0, None, []
    # Expected configurations of the coming measurements, the next one first.
    expected, unknown = [], 1 + round(case.latency / case.call)
    for step in range(round(END / case.step)):
        if step % steps == 0:
            torque = None if applied is None else applied / steps
            told = plant.contacts() if case.contacts else None
            q, v = plant.measured()
            if case.noise and len(expected) == unknown:
                q = estimate(plant.model, expected.pop(0), q, case.trust)
            command = controller.observe(q, v, torque, told)
            expected.append(command.q.copy())
            sent.append((step + late, command))
            applied = np.zeros(plant.model.nv)
            if acting is None:
                acting, began = command, step + late
        while sent and sent[0][0] <= step:
            if step > late:
                errors.append(np.abs(plant.data.qvel - acting.v)[6:].max())
            began, acting = sent.pop(0)
        now = step * case.step
        force = impulse / PUSH if SETTLED <= now < SETTLED + PUSH - 1e-9 else np.zeros(3)
        left = min(max(case.call - (step + 1 - began) * case.step, 0.0), case.call)
        applied += plant.step(acting, left, force)
        if not np.isfinite(plant.data.qpos).all() or plant.data.subtree_com[1][2] < 0.6 * height:
            return False, float(np.median(errors or [0.0]))
    return bool(np.abs(plant.data.qvel).max() < 0.5), float(np.median(errors))


def run(job: tuple[str, float, float, Case]) -> tuple[bool, float]:
    """One push of a map, with a direction (rad) and an impulse (N s)."""
    text, angle, impulse, case = job
    return survives(text, impulse * np.array([np.cos(angle), np.sin(angle), 0.0]), case)


def jobs(case: Case, given: argparse.Namespace) -> list[tuple[str, float, float, Case]]:
    """The pushes of a map, for each seed."""
    text, by_chance = body(case.actuated), case.noise or case.drawn
    directions = min(given.directions, given.drawn_directions) if by_chance else given.directions
    angles = [2.0 * np.pi * direction / directions for direction in range(directions)]
    seeds = range(given.seeds) if by_chance else range(1)
    # Each push has its own seed.
    return [
        (text, angle, impulse, replace(case, seed=1 + seed + 1000 * number))
        for seed in seeds
        for number, (angle, impulse) in enumerate((a, i) for a in angles for i in given.impulses)
    ]


def table() -> list[tuple[str, Case]]:
    """The rows of the table."""
    plain = Case()
    fast, shipped = replace(plain, call=0.002), replace(plain, actuated=False, call=0.002)
    return [
        ("as aplomb reckons", plain),
        ("10 % lighter", replace(plain, mass=0.9)),
        ("10 % heavier", replace(plain, mass=1.1)),
        ("friction 0.75, reckoned with 1", replace(plain, friction=0.75)),
        ("friction 0.5, reckoned with 1", replace(plain, friction=0.5)),
        ("10 ms of latency", replace(plain, latency=0.01)),
        ("sensor noise", replace(plain, noise=True)),
        ("mass, friction and noise at random, 10 ms of latency", replace(plain, drawn=True)),
        ("a servo of 50 N m/rad and 5 N m s/rad", replace(plain, servo=(50.0, 5.0))),
        ("500 Hz, as aplomb reckons", fast),
        ("500 Hz, ground reckoned as hard", replace(fast, options={"compliance": 0.0})),
        ("500 Hz, the body as it ships", shipped),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--directions", type=int, default=16)
    parser.add_argument("--impulses", type=float, nargs="+", default=[10.0, 20.0, 30.0, 40.0, 50.0, 60.0], help="N s")
    parser.add_argument("--drawn-directions", type=int, default=8, help="at most so many where something is drawn")
    parser.add_argument("--seeds", type=int, default=20, help="runs of each push where something is drawn")
    parser.add_argument("--threads", type=int, default=1, help="processes side by side")
    parser.add_argument("--table", action="store_true", help="all rows of the table, one after another")
    parser.add_argument("--rows", type=int, nargs="+", help="of the table, from 0, instead of all")
    parser.add_argument("--shipped", action="store_true", help="the body as it ships: no armature, no damping")
    parser.add_argument("--controller", default=Case.controller, help="a shipped one, or a file")
    parser.add_argument("--servo", type=float, nargs=2, default=[0.0, 0.0], metavar=("K", "D"),
                        help="of a joint of 200 N m, N m/rad and N m s/rad")  # fmt: skip
    parser.add_argument("--call", type=float, default=0.01, help="s, from call to call")
    parser.add_argument("--horizon", type=float, default=0.01, help="s, that each call looks ahead")
    parser.add_argument("--friction", type=float, default=1.0, help="of the plant's floor")
    parser.add_argument("--mass", type=float, default=1.0, help="of the plant against what aplomb reckons with")
    parser.add_argument("--latency", type=float, default=0.0, help="s")
    parser.add_argument("--noise", action="store_true", help="sensors are noisy")
    parser.add_argument("--trust", type=float, default=Case.trust,
                        help="how far a noisy configuration is believed, against the expected one")  # fmt: skip
    parser.add_argument("--contacts", action="store_true", help="aplomb is told what bears, and how hard")
    parser.add_argument("--uncompensated", action="store_true", help="aplomb does not know of the latency")
    parser.add_argument("--disturbance-time", type=float, help="s, with which unknown pushes are estimated")
    parser.add_argument("--compliance", type=float, default=COMPLIANCE, help="m/N, of the floor as aplomb reckons with it")
    given = parser.parse_args()
    options = {"compliance": given.compliance}
    if given.disturbance_time is not None:
        options["disturbance_time"] = given.disturbance_time
    case = Case(
        actuated=not given.shipped, controller=given.controller, servo=tuple(given.servo), call=given.call, horizon=given.horizon, mass=given.mass,
        friction=given.friction,
        latency=given.latency, compensated=not given.uncompensated, noise=given.noise, trust=given.trust,
        contacts=given.contacts, options=options,
    )  # fmt: skip
    rows = [("", case)]
    if given.table or given.rows:
        asked = {"controller": given.controller, "trust": given.trust}
        rows = [(name, replace(row, **asked, options=options | row.options)) for name, row in table()]
        rows = [rows[index] for index in given.rows or range(len(rows))]
        print("| plant | survived | of | " + " | ".join(f"{impulse:g} N s" for impulse in given.impulses)
              + " | error of the next joint velocity, rad/s |\n|" + "---|" * (len(given.impulses) + 4))  # fmt: skip
    with multiprocessing.get_context("spawn").Pool(given.threads) as pool:
        for name, row in rows:
            pushes = jobs(row, given)
            made = list(pool.imap(run, pushes))
            counts = {}
            for (_, _, impulse, _), (stands, _) in zip(pushes, made):
                counts.setdefault(impulse, []).append(stands)
            cells = [f"{sum(stands)}/{len(stands)}" for stands in counts.values()]
            error = np.median([error for _, error in made])
            share = 100.0 * sum(stands for stands, _ in made) / len(made)
            cells = [f"{share:.0f} %", str(len(made)), *cells, f"{error:.3f}"]
            if name:
                print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
                continue
            print("direction  " + " ".join(f"{impulse:4g}" for impulse in given.impulses) + "  N s")
            for first in range(0, len(made), len(given.impulses)):
                marks = ["   +" if stands else "   -" for stands, _ in made[first : first + len(given.impulses)]]
                print(f"{np.degrees(pushes[first][1]):8.1f}°  " + " ".join(marks))
            survived = sum(stands for stands, _ in made)
            print(f"{survived} of {len(made)} survived; median error of the expected joint velocities {error:.3f} rad/s")


if __name__ == "__main__":
    main()
