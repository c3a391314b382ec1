"""Runs of a sweep as tasks of Ray. A task computes one run; if a worker dies, Ray restarts its task on another worker,
while finished runs are not repeated."""

from __future__ import annotations

from collections.abc import Callable

from ._aplomb import Plan

#: Number of retries of a task whose worker died.
RETRIES = 10
#: Tasks submitted per core of the cluster, so that a large plan does not fill its memory.
WAITING = 4


def _row(parcel: str, run: int, overrides: list[str], values: list[float], count: str | None) -> str:
    from ._aplomb import remote_row

    return remote_row(parcel, run, overrides, values, count)


def run_on_ray(plan: Plan, runs: list[int], take: Callable[[str], None]) -> None:
    """Computes the given runs; adds each row to the plan's journal as it arrives, and passes it to `take`."""
    import ray

    if not runs:
        return
    if not ray.is_initialized():
        ray.init(log_to_driver=False, include_dashboard=False)
    work = ray.remote(max_retries=RETRIES, num_cpus=1)(_row)
    parcel = ray.put(plan.parcel())
    most = WAITING * max(1, int(ray.cluster_resources().get("CPU", 1)))
    left = iter(runs)
    waiting: list = []

    def send() -> bool:
        index = next(left, None)
        if index is None:
            return False
        overrides, values, count = plan.errand(index)
        waiting.append(work.remote(parcel, index, overrides, values, count))
        return True

    while len(waiting) < most and send():
        pass
    while waiting:
        done, waiting[:] = ray.wait(waiting)
        for row in ray.get(done):
            plan.note(row)
            take(row)
            send()
