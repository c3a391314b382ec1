"""Runs of a sweep as tasks of Ray. A task makes one run, and Ray gives it to another worker where one dies: what is done is
never done again, and what was under way is."""

from __future__ import annotations

from collections.abc import Callable

from ._aplomb import Plan

#: How often a task is tried again after its worker died.
RETRIES = 10
#: Tasks that wait at the cluster for each that it can do at once, so that a large plan is not in its memory at once.
WAITING = 4


def _row(parcel: str, run: int, overrides: list[str], values: list[float], count: str | None) -> str:
    from ._aplomb import remote_row

    return remote_row(parcel, run, overrides, values, count)


def run_on_ray(plan: Plan, runs: list[int], take: Callable[[str], None]) -> None:
    """Makes those runs and hands each row to `take` as it comes; the plan's journal has it before."""
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
