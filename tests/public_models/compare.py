#!/usr/bin/env python3
"""What is read of public MJCF models, against MuJoCo: mass matrix and bias force.

    compare.py FOLDER PROGRAM

FOLDER is that of fetch.py, PROGRAM a build of aplomb. MuJoCo opens each model as published, and as `aplomb convert`
writes it, and the two are compared in five random states: what differs is what was read, for the program's own dynamics
is compared with MuJoCo's by the tests of reference data. Meshes, which the packages often lack, are taken out of what
MuJoCo opens; bodies with an <inertial> do not change by that. Needs mujoco and numpy.
"""
import pathlib
import subprocess
import sys

import mujoco
import numpy as np

import fetch

STATES = 5


def published(path):
    """The model without what only shows."""
    spec = mujoco.MjSpec.from_file(str(path))
    for geom in list(spec.geoms):
        geom.material = ""
        if geom.type == mujoco.mjtGeom.mjGEOM_MESH:
            spec.delete(geom)
    for kind in ("meshes", "skins", "materials", "textures", "hfields", "sensors"):
        for part in list(getattr(spec, kind)):
            spec.delete(part)
    return spec.compile()


def mass_matrix(model, data):
    full = np.zeros((model.nv, model.nv))
    try:
        mujoco.mj_fullM(model, full, data.qM)
    except (TypeError, AttributeError):
        mujoco.mj_fullM(model, data, full)
    return full


def difference(one, other, random):
    """Largest difference of mass matrix and bias force, relative to the largest entry."""
    worst = 0.0
    for _ in range(STATES):
        q = one.qpos0 + 0.3 * random.standard_normal(one.nq)
        v = random.standard_normal(one.nv)
        answers = []
        for model in (one, other):
            data = mujoco.MjData(model)
            data.qpos[:], data.qvel[:] = q, v
            mujoco.mj_normalizeQuat(model, data.qpos)
            mujoco.mj_forward(model, data)
            answers.append((mass_matrix(model, data), data.qfrc_bias.copy()))
        for a, b in zip(*answers):
            worst = max(worst, abs(a - b).max() / max(abs(a).max(), 1e-9))
    return worst


def main(folder, program):
    random = np.random.default_rng(1)
    found = []
    for package, _, _, path in fetch.listed():
        file = (fetch.unpacked(folder, package) / path).resolve()
        if path.endswith(".urdf"):
            continue
        converted = subprocess.run([program, "convert", str(file)], capture_output=True, text=True)
        if converted.returncode:
            print(f"not read      {package} {path}")
            continue
        try:
            one = published(file)
        except ValueError as error:
            print(f"not by MuJoCo {package} {path}: {str(error).splitlines()[0]}")
            continue
        found.append(difference(one, mujoco.MjModel.from_xml_string(converted.stdout), random))
        print(f"{found[-1]:.1e}       {package} {path}")
    print(f"{len(found)} models, at most {max(found):.1e}")
    return 0 if max(found) <= 1e-9 else 1


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
