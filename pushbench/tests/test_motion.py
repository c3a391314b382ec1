"""Motions that aplomb exports for tracking, in MuJoCo."""

import os
import subprocess
import sys

import mujoco
import numpy as np
import pytest

pytest.importorskip("aplomb", reason="scripts/test-python builds the package of aplomb")


def aplomb(folder, *arguments):
    subprocess.run([sys.executable, "-m", "aplomb", *arguments], cwd=folder, check=True, env=os.environ | {"NO_COLOR": "1"})


# A biped and a quadruped.
@pytest.mark.parametrize("scene", ["step_push", "stand_quadruped"])
@pytest.mark.parametrize("fps", [None, 60])
def test_a_motion_has_the_joints_and_bodies_of_its_scene_in_mujocos_order(scene, fps, tmp_path):
    aplomb(tmp_path, "run", scene, "--no-plots", "--set", "duration=1", "--set", "success={}", "--out", "run")
    aplomb(tmp_path, "export", "run", "--to", "npz", *(["--fps", str(fps)] if fps else []))
    motion = np.load(tmp_path / "run" / "motion.npz")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "run" / "scene.xml"))
    data = mujoco.MjData(model)
    # The world is not a body of the motion, and the free joint is not one of its joints.
    names = [model.body(k).name for k in range(1, model.nbody) if model.body_mocapid[k] < 0]
    joints = [model.joint(k).name for k in range(model.njnt) if model.jnt_type[k] != mujoco.mjtJoint.mjJNT_FREE]
    assert motion["body_names"].tolist() == names and motion["joint_names"].tolist() == joints
    assert motion["fps"].tolist() == [fps or 100.0]
    rows = len(motion["joint_pos"])
    assert rows == (fps or 100) + 1
    for row in range(rows):
        place, turn = motion["body_pos_w"][row], motion["body_quat_w"][row]
        data.qpos[:] = np.concatenate([place[0], turn[0], motion["joint_pos"][row]])
        # MuJoCo has the angular velocity of a free joint in the axes of its body.
        spin, back = np.zeros(3), np.zeros(4)
        mujoco.mju_negQuat(back, turn[0])
        mujoco.mju_rotVecQuat(spin, motion["body_ang_vel_w"][row, 0], back)
        data.qvel[:] = np.concatenate([motion["body_lin_vel_w"][row, 0], spin, motion["joint_vel"][row]])
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_comVel(model, data)
        assert np.abs(data.xpos[1 : len(names) + 1] - place).max() < 1e-6
        assert np.abs(np.abs(np.sum(data.xquat[1 : len(names) + 1] * turn, axis=1)) - 1.0).max() < 1e-9
        velocity = np.zeros(6)
        for body in range(len(names)):
            mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_XBODY, body + 1, velocity, 0)
            assert np.abs(velocity[:3] - motion["body_ang_vel_w"][row, body]).max() < 1e-6
            assert np.abs(velocity[3:] - motion["body_lin_vel_w"][row, body]).max() < 1e-6


def test_the_contact_forces_of_somebody_who_stands_bear_the_weight(tmp_path):
    aplomb(tmp_path, "run", "stand", "--no-plots", "--set", "duration=1", "--set", "success={}", "--out", "run")
    aplomb(tmp_path, "export", "run", "--to", "npz")
    motion = np.load(tmp_path / "run" / "motion.npz")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "run" / "scene.xml"))
    weight = -model.opt.gravity[2] * model.body_mass.sum()
    forces = motion["contact_force"]
    assert forces[50].sum(axis=0) == pytest.approx([0.0, 0.0, weight], abs=0.01 * weight)
    loaded = {motion["body_names"][k] for k in np.flatnonzero(np.linalg.norm(forces[50], axis=1) > 1.0)}
    assert {"left_foot", "right_foot"} <= loaded
    assert np.isnan(forces[-1]).all() and np.isfinite(forces[:-1]).all()
    assert motion["joint_torque"].shape == motion["joint_vel"].shape
