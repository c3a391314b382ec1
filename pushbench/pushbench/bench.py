"""Runs trials of protocols with controllers in parallel processes, and collects the results in order."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field

from . import body, controllers, protocol, trial
from .controller import CannotDo
from .plant import Plant


@dataclass
class Row:
    """Results of a controller in a protocol."""

    protocol: protocol.Protocol
    controller: str
    results: list[trial.Result] = field(default_factory=list)
    #: Why there are none; empty if there are.
    cannot: str = ""


@dataclass(frozen=True)
class Job:
    protocol: str
    controller: str
    number: int
    seed: int


#: Protocols with their plants, which a process keeps from job to job.
_plants: dict[str, tuple[protocol.Protocol, Plant]] = {}


def plant_of(name: str) -> tuple[protocol.Protocol, Plant]:
    if name not in _plants:
        found = protocol.find(name)
        _plants[name] = found, Plant(body.load(found.body), found.friction, found.step)
    return _plants[name]


def do(job: Job) -> trial.Result:
    asked, plant = plant_of(job.protocol)
    push = asked.trial(job.number, job.seed, plant.mass)
    try:
        make = controllers.maker(job.controller)
    except CannotDo as error:
        return trial.Result(push, "cannot", str(error))
    return trial.run(asked, plant, push, make)


def quiet_worker() -> None:
    """Leaves interrupts to the parent process, and ends the worker when the parent ends, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def follow() -> None:
        multiprocessing.parent_process().join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


def run(rows: list[tuple[str, str]], trials: int | None, seed: int | None, jobs: int, quiet: bool) -> list[Row]:
    """Computes all rows. Files, bodies and specifications are read first, so that their errors are reported at once;
    raises FileError and NotFetched."""
    made, todo = [], []
    for name, controller in rows:
        asked, plant = plant_of(name)
        row = Row(asked, controller)
        made.append(row)
        try:
            make = controllers.maker(controller)
        except CannotDo as error:
            row.cannot = str(error)
            continue
        row.cannot = probe(asked, plant, make)
        if row.cannot:
            continue
        count = trials or asked.trials
        todo += [(row, Job(name, controller, n, asked.seed if seed is None else seed)) for n in range(count)]
    progress = Progress(len(todo), quiet)
    for (row, _), result in zip(todo, results([job for _, job in todo], jobs, progress)):
        row.results.append(result)
    progress.end()
    return made


def probe(asked: protocol.Protocol, plant: Plant, make) -> str:
    """Why a controller does not support a protocol; empty if it does, and for any other error, which the trials
    report."""
    controller = None
    try:
        controller = make()
        controller.reset(plant.robot(asked.task, asked.latency))
        controller.command(trial.velocity_of(asked), asked.turn)
    except CannotDo as error:
        return str(error)
    except Exception:  # noqa: BLE001
        return ""
    finally:
        try:
            if controller is not None:
                controller.close()
        except Exception:  # noqa: BLE001
            pass
    return ""


def results(jobs: list[Job], count: int, progress: Progress) -> list[trial.Result]:
    """Results of jobs, in their order. A controller that crashes its process is an error of that trial only.
    Numerical libraries get one thread per process, so that processes do not compete for cores."""
    made: list[trial.Result | None] = [None] * len(jobs)
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    pool_of(range(len(jobs)), jobs, count, made, progress)
    for index in [index for index, result in enumerate(made) if result is None]:
        pool_of([index], jobs, 1, made, progress)
        if made[index] is None:
            asked, plant = plant_of(jobs[index].protocol)
            push = asked.trial(jobs[index].number, jobs[index].seed, plant.mass)
            made[index] = trial.Result(push, "error", "the process ended: a crash of the controller")
            progress.one()
    return made


def pool_of(which, jobs: list[Job], count: int, made: list, progress: Progress) -> None:
    with ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), quiet_worker) as pool:
        futures = {}
        for index in which:
            try:
                futures[pool.submit(do, jobs[index])] = index
            except BrokenProcessPool:
                # An earlier job has crashed its process: the remaining jobs are run one by one.
                break
        try:
            for future in as_completed(futures):
                try:
                    made[futures[future]] = future.result()
                except BrokenProcessPool:
                    continue
                progress.one()
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


class Progress:
    """Number of finished trials, shown on standard error."""

    def __init__(self, count: int, quiet: bool) -> None:
        self.count, self.done, self.shown = count, 0, not quiet and count > 0
        self.live = sys.stderr.isatty()

    def one(self) -> None:
        self.done += 1
        tenth = max(self.count // 10, 1)
        if self.shown and (self.live or self.done % tenth == 0):
            print(f"{self.done} of {self.count} trials", end="\r" if self.live else "\n", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self.shown and self.live:
            print(" " * 40, end="\r", file=sys.stderr)
