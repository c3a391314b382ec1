#!/usr/bin/env python3
"""What is read of public models, against MuJoCo and Pinocchio: mass matrix, bias force and Jacobians.

    compare.py FOLDER PROGRAM

FOLDER is that of fetch.py, PROGRAM a build of aplomb. MuJoCo opens each MJCF model as published, and as `aplomb convert`
writes it, and the two are compared in five random states: what differs is what was read, for the program's own dynamics
is compared with MuJoCo's by the tests of reference data. Jacobians are those of the origins of all bodies. Meshes that
the package lacks are taken out of what MuJoCo opens; bodies with an <inertial> do not change by that. Robots from URDF
are opened by Pinocchio as published, and by MuJoCo as `aplomb convert` writes them; those of which a warning says that
something was repaired, held still or left out are compared in what both have: they are listed, not counted. Needs
mujoco and numpy, and for URDF pin (Pinocchio).
"""
import subprocess
import sys

import mujoco
import numpy as np

import fetch

STATES = 5
#: What may differ where inertias are given, and where they come from meshes, which MuJoCo keeps in single precision.
GIVEN, FROM_MESHES = 1e-9, 1e-5


def published(path):
    """The model, without meshes and what only shows where that is lacking, and whether meshes weigh in it."""
    spec = mujoco.MjSpec.from_file(str(path))
    is_mesh = lambda geom: geom.type == mujoco.mjtGeom.mjGEOM_MESH
    weigh = any(not body.explicitinertial and any(map(is_mesh, body.geoms)) for body in spec.bodies)
    try:
        return spec.compile(), weigh
    except ValueError:
        spec = mujoco.MjSpec.from_file(str(path))
    for geom in list(spec.geoms):
        geom.material = ""
        if is_mesh(geom) or geom.type == mujoco.mjtGeom.mjGEOM_HFIELD:
            spec.delete(geom)
    for kind in ("meshes", "skins", "materials", "textures", "hfields", "sensors", "pairs"):
        for part in list(getattr(spec, kind)):
            spec.delete(part)
    return spec.compile(), False


def mass_matrix(model, data):
    full = np.zeros((model.nv, model.nv))
    try:
        mujoco.mj_fullM(model, full, data.qM)
    except (TypeError, AttributeError):
        mujoco.mj_fullM(model, data, full)
    return full


def by_mujoco(model, q, v):
    """Mass matrix, bias force and the Jacobians of the origins of all bodies by their names."""
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = q, v
    mujoco.mj_normalizeQuat(model, data.qpos)
    mujoco.mj_forward(model, data)
    answers = {"mass matrix": mass_matrix(model, data), "bias force": data.qfrc_bias.copy()}
    for body in range(1, model.nbody):
        jacobian = np.zeros((6, model.nv))
        mujoco.mj_jacBody(model, data, jacobian[:3], jacobian[3:], body)
        answers[f"Jacobian of {model.body(body).name or body}"] = jacobian
    return answers


def apart(one, other):
    """Largest difference of what both have, relative to the largest entry of each."""
    return max(abs(one[key] - other[key]).max() / max(abs(one[key]).max(), 1e-9) for key in one if key in other)


def random_state(model, random):
    return model.qpos0 + 0.3 * random.standard_normal(model.nq), random.standard_normal(model.nv)


def mjcf(file, converted, random):
    """Largest difference, and what it may be."""
    (one, weigh), other = published(file), mujoco.MjModel.from_xml_string(converted)
    states = [random_state(one, random) for _ in range(STATES)]
    worst = max(apart(by_mujoco(one, q, v), by_mujoco(other, q, v)) for q, v in states)
    return worst, FROM_MESHES if weigh else GIVEN


def urdf(file, converted, random):
    """As `mjcf`, with Pinocchio for what is published. Joints that were held still are held at 0."""
    import pinocchio as pin

    other = mujoco.MjModel.from_xml_string(converted)
    free = other.njnt > 0 and other.jnt_type[0] == mujoco.mjtJoint.mjJNT_FREE
    one = pin.buildModelFromUrdf(str(file), *([pin.JointModelFreeFlyer()] if free else []))
    kept = {other.joint(joint).name for joint in range(other.njnt)} | {"root_joint", "universe"}
    held = [one.getJointId(name) for name in one.names if name not in kept]
    one = pin.buildReducedModel(one, held, pin.neutral(one))
    worst = 0.0
    for _ in range(STATES):
        q, v = random_state(other, random)
        if free:
            q[3:7] /= np.linalg.norm(q[3:7])
        worst = max(worst, apart(by_pinocchio(pin, one, other, free, q, v), by_mujoco(other, q, v)))
    return worst, GIVEN


def by_pinocchio(pin, model, like, free, q, v):
    """As `by_mujoco`, in MuJoCo's coordinates: those of a free root are velocities along the axes of the world."""
    data, place = model.createData(), pin.neutral(model)
    turn = np.zeros((model.nv, like.nv))
    acceleration = np.zeros(model.nv)
    if free:
        place[:3], place[3:7] = q[:3], q[[4, 5, 6, 3]]
        rotation = pin.Quaternion(place[3:7]).toRotationMatrix()
        turn[:3, :3], turn[3:6, 3:6] = rotation.T, np.eye(3)
        # Where the velocity of the root is constant along the axes of the world, it turns in those of the body.
        acceleration[:3] = -np.cross(v[3:6], rotation.T @ v[:3])
    for joint in range(int(free), like.njnt):
        mine = model.joints[model.getJointId(like.joint(joint).name)]
        angle = q[like.jnt_qposadr[joint]]
        turn[mine.idx_v, like.jnt_dofadr[joint]] = 1.0
        place[mine.idx_q : mine.idx_q + mine.nq] = [angle] if mine.nq == 1 else [np.cos(angle), np.sin(angle)]
    mass = pin.crba(model, data, place)
    mass = np.triu(mass) + np.triu(mass, 1).T
    answers = {
        "mass matrix": turn.T @ mass @ turn,
        "bias force": turn.T @ pin.rnea(model, data, place, turn @ v, acceleration),
    }
    pin.computeJointJacobians(model, data, place)
    pin.updateFramePlacements(model, data)
    for index, frame in enumerate(model.frames):
        if frame.type == pin.FrameType.BODY:
            jacobian = pin.getFrameJacobian(model, data, index, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
            answers[f"Jacobian of {frame.name}"] = jacobian @ turn
    return answers


def main(folder, program):
    random = np.random.default_rng(1)
    counted = {True: [], False: []}
    failed = 0
    for package, _, _, path in fetch.listed():
        file = (fetch.unpacked(folder, package) / path).resolve()
        done = subprocess.run([program, "convert", str(file)], capture_output=True, text=True)
        if done.returncode:
            print(f"not read      {package} {path}")
            continue
        is_urdf = path.endswith(".urdf")
        try:
            worst, most = (urdf if is_urdf else mjcf)(file, done.stdout, random)
        except ValueError as error:
            print(f"not opened    {package} {path}: {str(error).splitlines()[0]}")
            continue
        changed = "inertias that are physically impossible" in done.stderr
        failed += worst > most and not changed
        note = " (inertias repaired)" if changed else ""
        print(f"{worst:.1e}       {package} {path}{note}", flush=True)
        if not changed:
            counted[is_urdf].append(worst)
    for is_urdf, found in counted.items():
        print(f"{len(found)} {'URDF' if is_urdf else 'MJCF'} models, at most {max(found, default=0.0):.1e}")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
