"""Time of a step of MuJoCo's Newton solver for a body lying on the floor:
`lying_in_mujoco.py MODEL DT < DAMPING_AND_Q`.

Model, joint damping, time step and pose are the caller's; from there the body comes to rest by itself, a little deeper
because MuJoCo's contacts are soft. Prints the shortest and the median of mean step times in µs, contacts, rows and the
fastest coordinate as JSON."""

import json
import statistics
import sys
import time

import mujoco

SETTLE = 5000
# Steps timed together, so that the cost of calls from Python is negligible, and number of such groups.
STEPS = 100
ROUNDS = 50

path, dt = sys.argv[1], float(sys.argv[2])
damping, q = json.load(sys.stdin)
model = mujoco.MjModel.from_xml_path(path)
model.opt.timestep = dt
model.opt.solver = mujoco.mjtSolver.mjSOL_NEWTON
model.dof_damping[:] = damping
# Bodies collide with the floor only.
for geom in range(model.ngeom):
    if model.geom_bodyid[geom] != 0:
        model.geom_conaffinity[geom] = 0
data = mujoco.MjData(model)
data.qpos[:] = q
mujoco.mj_step(model, data, SETTLE)
times = []
for _ in range(ROUNDS):
    start = time.perf_counter_ns()
    mujoco.mj_step(model, data, STEPS)
    times.append((time.perf_counter_ns() - start) * 1e-3 / STEPS)
print(
    json.dumps(
        {
            "version": mujoco.__version__,
            "shortest": min(times),
            "median": statistics.median(times),
            "contacts": int(data.ncon),
            "rows": int(data.nefc),
            "iterations": int(data.solver_niter[0]),
            "fastest": float(abs(data.qvel).max()),
        }
    )
)
