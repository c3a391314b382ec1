"""MuJoCo simulates a body, aplomb controls it: pushes from all sides that aplomb knows nothing of (needs `pip install mujoco`).

    python python/examples/mujoco_plant.py --directions 8 --impulses 10 20 30 40 50 60

The plant is the shipped adult with MuJoCo's own contacts and self-collision, reflected inertia of rotors (0.01 kg m²) and a light
damping in its joints. Every 10 ms aplomb is told q and v and gives torques, which are held until the next call; around the
velocity it expects a joint servo adds a little, as the drives of robots do. A push is survived if the body stands after six seconds
and has come to rest. The table says how many are; `--torque` leaves the servo out.
"""

from __future__ import annotations

import argparse
import subprocess
import sys

import aplomb
import mujoco
import numpy as np

#: kg m², N m s/rad: of the plant alone, aplomb knows only the armature.
ARMATURE, DAMPING = 0.01, 0.1
#: Servo of a joint of 200 N m, N m/rad and N m s/rad; weaker joints have less in proportion.
STIFFNESS, SERVO_DAMPING = 200.0, 20.0
#: s
CALL, STEP, SETTLED, END = 0.01, 0.001, 1.0, 7.0
PUSH = 0.15


def body() -> str:
    """The shipped adult, with armature."""
    shown = subprocess.run([sys.executable, "-m", "aplomb", "show", "adult"], capture_output=True, text=True, check=True)
    return shown.stdout.replace("<worldbody>", f'<default><joint armature="{ARMATURE}"/></default>\n  <worldbody>', 1)


class Plant:
    """MuJoCo's simulation of a body on a floor."""

    def __init__(self, text: str, servo: bool = True, friction: float = 1.0, mass: float = 1.0) -> None:
        floor = f'<geom name="floor" type="plane" size="0 0 1" friction="{friction} 0.005 0.0001"/>'
        self.model = mujoco.MjModel.from_xml_string(text.replace("<worldbody>", "<worldbody>" + floor, 1))
        self.model.opt.timestep = STEP
        self.model.opt.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        self.strength = np.zeros(self.model.nv)
        self.model.dof_armature[:6] = 0.0
        self.model.body_mass *= mass
        self.model.body_inertia *= mass
        mujoco.mj_setConst(self.model, mujoco.MjData(self.model))
        limits = np.abs(self.model.jnt_actfrcrange[1:]).max(axis=1)
        self.limits = np.concatenate([np.zeros(6), np.where(limits > 0.0, limits, 200.0)])
        if servo:
            self.strength = self.limits / 200.0
        # The servo's damping is within the plant, where it is implicit: in the drive, not once a call.
        self.model.dof_damping[6:] = DAMPING + SERVO_DAMPING * self.strength[6:]
        self.data = mujoco.MjData(self.model)
        self.chest = self.model.body("chest").id

    def hold(self, command: aplomb.Command, force: np.ndarray) -> np.ndarray:
        """Goes on to the next call; the torques that acted on average."""
        model, data = self.model, self.data
        way, mean = np.zeros(model.nv), np.zeros(model.nv)
        steps = round(CALL / STEP)
        for index in range(steps):
            mujoco.mj_differentiatePos(model, way, 1.0, data.qpos, command.q)
            # From where it is to where it should be by now.
            way -= (CALL - (index + 1) * STEP) * command.v
            torque = command.torque + self.strength * (STIFFNESS * way + SERVO_DAMPING * command.v)
            data.qfrc_applied[:] = np.clip(torque, -self.limits, self.limits)
            data.xfrc_applied[self.chest, :3] = force
            mujoco.mj_step(model, data)
            mean += (data.qfrc_applied - SERVO_DAMPING * self.strength * data.qvel) / steps
        return mean


def survives(text: str, impulse: np.ndarray, servo: bool, friction: float = 1.0, mass: float = 1.0) -> tuple[bool, float]:
    """Whether a push of so many N s is survived, and the median error of the joint velocities that were expected, rad/s."""
    plant = Plant(text, servo, friction, mass)
    controller = aplomb.FeedbackController(aplomb.Model.parse(text, "adult.xml"), "step_recovery", dt=CALL)
    plant.data.qpos[:] = controller.start
    mujoco.mj_forward(plant.model, plant.data)
    height = plant.data.subtree_com[1][2]
    applied, errors = None, []
    for call in range(round(END / CALL)):
        now = call * CALL
        command = controller.observe(plant.data.qpos, plant.data.qvel, applied)
        is_pushed = SETTLED <= now < SETTLED + PUSH - 1e-9
        applied = plant.hold(command, impulse / PUSH if is_pushed else np.zeros(3))
        errors.append(np.abs(plant.data.qvel - command.v)[6:].max())
        if not np.isfinite(plant.data.qpos).all() or plant.data.subtree_com[1][2] < 0.6 * height:
            return False, float(np.median(errors))
    return bool(np.abs(plant.data.qvel).max() < 0.5), float(np.median(errors))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--directions", type=int, default=8)
    parser.add_argument("--impulses", type=float, nargs="+", default=[10.0, 20.0, 30.0, 40.0, 50.0, 60.0], help="N s")
    parser.add_argument("--torque", action="store_true", help="torques alone, without the servo")
    parser.add_argument("--friction", type=float, default=1.0, help="of the plant's floor")
    parser.add_argument("--mass", type=float, default=1.0, help="of the plant against what aplomb reckons with")
    given = parser.parse_args()
    text = body()
    survived, errors = 0, []
    print("direction  " + " ".join(f"{impulse:4.0f}" for impulse in given.impulses) + "  N s")
    for direction in range(given.directions):
        angle = 2.0 * np.pi * direction / given.directions
        way = np.array([np.cos(angle), np.sin(angle), 0.0])
        cells = []
        for impulse in given.impulses:
            stands, error = survives(text, impulse * way, not given.torque, given.friction, given.mass)
            survived += stands
            errors.append(error)
            cells.append("   +" if stands else "   -")
        print(f"{np.degrees(angle):8.1f}°  " + " ".join(cells), flush=True)
    runs = given.directions * len(given.impulses)
    print(f"{survived} of {runs} survived; median error of the expected joint velocities {np.median(errors):.3f} rad/s")


if __name__ == "__main__":
    main()
