"""One trial: a controller, a plant and a push."""

from __future__ import annotations

import time
import traceback
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from .controller import CannotDo, checked_period, checked_torque
from .plant import Plant
from .protocol import Protocol, Trial

#: Least time off the floor, s, and least distance, m, of a footfall that counts as a step; anything less is trembling.
STEP_AIR, STEP_WAY = 0.06, 0.02
#: Time between two evaluations of the criteria, and time at the end over which progress is measured, s.
LOOK, WINDOW = 0.005, 2.0


@dataclass
class Result:
    """Result of a trial. `calls` are the times of `act`, s; only they differ from run to run."""

    trial: Trial
    #: recovered, fell, unsettled (it stands, and a criterion does not hold), error, cannot.
    outcome: str = "recovered"
    #: Reason, as text.
    reason: str = ""
    #: Number of steps after the push began; time of the first, s after the push began.
    steps: int = 0
    first_step: float | None = None
    #: Time from which the COM stayed slow, s after the push ended.
    settled: float | None = None
    #: Largest force of the floor on the head, N.
    head_force: float = 0.0
    calls: list[float] = field(default_factory=list, repr=False)


class Feet:
    """Counts steps."""

    def __init__(self, plant: Plant) -> None:
        self.plant = plant
        #: Time and position at which each foot left the floor; None while it is on the floor.
        self.left: list[tuple[float, np.ndarray] | None] = [None, None]
        self.landings: list[float] = []

    def place(self, foot: int) -> np.ndarray:
        return sum(self.plant.data.xpos[body][:2] for body in self.plant.feet[foot]) / len(self.plant.feet[foot])

    def look(self, now: float, touching: set[int], counted: bool) -> None:
        for foot, left in enumerate(self.left):
            if not self.plant.feet[foot] & touching:
                if left is None:
                    self.left[foot] = now, self.place(foot)
            elif left is not None:
                far = np.linalg.norm(self.place(foot) - left[1])
                if counted and now - left[0] >= STEP_AIR and far >= STEP_WAY:
                    self.landings.append(now)
                self.left[foot] = None


def run(protocol: Protocol, plant: Plant, trial: Trial, make) -> Result:
    """Makes a controller and runs a trial. An exception of the controller is the result of the trial."""
    result = Result(trial)
    controller = None
    try:
        controller = make()
        simulate(protocol, plant, trial, controller, result)
    except CannotDo as error:
        result.outcome, result.reason = "cannot", str(error)
    except Exception as error:  # noqa: BLE001: it is somebody else's code
        result.outcome, result.reason = "error", told(error)
    if controller is not None:
        try:
            controller.close()
        except Exception as error:  # noqa: BLE001
            result.outcome, result.reason = "error", f"close: {told(error)}"
    return result


def told(error: Exception) -> str:
    """An error in one line, with the position in the controller where it was raised."""
    here = Path(__file__).parent
    places = [place for place in traceback.extract_tb(error.__traceback__) if here not in Path(place.filename).parents]
    where = f" ({Path(places[-1].filename).name}:{places[-1].lineno})" if places else ""
    return f"{type(error).__name__}: {error}".splitlines()[0] + where


def velocity_of(protocol: Protocol) -> np.ndarray:
    """Walking velocity for `command`."""
    return np.array(protocol.velocity)


def simulate(protocol: Protocol, plant: Plant, trial: Trial, controller, result: Result) -> None:
    step, asked = protocol.step, protocol.recovered
    robot = plant.robot(protocol.task, protocol.latency)
    period = checked_period(controller.reset(robot), step)
    controller.command(velocity_of(protocol), protocol.turn)
    plant.place_at_start()
    data, feet = plant.data, Feet(plant)
    pushed = plant.chest if protocol.pushed == "chest" else plant.id_of(protocol.pushed)
    east, north = protocol.direction_of(trial)
    begin, end = round(trial.at / step), round((trial.at + trial.duration) / step)
    # The impulse over whole steps is the requested one.
    push = np.array([east, north, 0.0]) * trial.impulse / ((end - begin) * step)
    last = end + round(protocol.after / step)
    late = round(protocol.latency / step)
    coming, torque, none = deque(), np.zeros(len(plant.joints)), np.zeros(3)
    slow_since, own_feet, fallen = None, plant.feet[0] | plant.feet[1], ""
    look, window, before = max(round(LOOK / step), 1), round(WINDOW / step), None
    now = 0
    while now < last:
        if now % period == 0:
            q, v, contacts = data.qpos.copy(), data.qvel.copy(), plant.contacts()
            began = time.perf_counter()
            answer = controller.act(now * step, q, v, contacts)
            result.calls.append(time.perf_counter() - began)
            coming.append((now + late, checked_torque(answer, len(plant.joints)).copy()))
        while coming and coming[0][0] <= now:
            torque = coming.popleft()[1]
        # Steps up to the next change or evaluation.
        stops = [now - now % period + period, now - now % look + look, last]
        stops += [moment for moment in (begin, end, *(due for due, _ in coming)) if moment > now]
        count = min(stops) - now
        plant.step(torque, pushed, push if begin <= now < end else none, count)
        now += count
        if now % look and now != last:
            continue
        if not (np.isfinite(data.qpos).all() and np.abs(data.qvel).max() < 1e4):
            result.outcome, result.reason = "fell", f"the simulation diverged at {now * step:.2f} s"
            return
        touching = plant.on_floor()
        feet.look(now * step, touching, now > begin)
        if plant.head is not None and plant.head in touching:
            forces = [np.linalg.norm(c.force) for c in plant.contacts() if c.floor and c.body == plant.body.head]
            result.head_force = max(result.head_force, float(sum(forces)))
        fallen = trouble(plant, asked, touching, own_feet)
        if fallen and (protocol.task != "get_up" or now <= begin):
            moment = "before the push" if now <= begin else f"at {now * step:.2f} s"
            result.outcome, result.reason = "fell", f"{fallen} {moment}"
            break
        if before is None and now >= last - window:
            before = now, plant.com().copy()
        if now >= end:
            slow = asked.speed is None or np.linalg.norm(plant.com_velocity()) < asked.speed
            slow_since = (now if slow_since is None else slow_since) if slow and not fallen else None
    else:
        if fallen:
            result.outcome, result.reason = "fell", f"{fallen} at the end"
        elif asked.speed is not None and (slow_since is None or (last - slow_since) * step < asked.still_for):
            result.outcome = "unsettled"
            result.reason = f"the COM was at {asked.speed} m/s or more in the last {asked.still_for} s"
        elif asked.progress is not None:
            told = np.array(protocol.velocity)
            speed, (moment, place) = np.linalg.norm(told), before
            along = heading(plant) @ (told / speed)
            share = along @ (plant.com() - place)[:2] / ((now - moment) * step) / speed
            if share < asked.progress:
                result.outcome, result.reason = "unsettled", f"it walked on at {share:.2f} of the commanded speed"
    landings = feet.landings
    result.steps = len(landings)
    result.first_step = landings[0] - begin * step if landings else None
    if result.outcome == "recovered" and slow_since is not None and asked.speed is not None:
        result.settled = (slow_since - end) * step


def heading(plant: Plant) -> np.ndarray:
    """Forward and left of the root, level, as columns of a matrix."""
    forward = plant.data.xmat[1].reshape(3, 3)[:2, 0]
    forward = forward / max(np.linalg.norm(forward), 1e-9)
    return np.array([[forward[0], -forward[1]], [forward[1], forward[0]]])


def trouble(plant: Plant, asked, touching: set[int], feet: set[int]) -> str:
    """Which criterion of standing is violated now; empty if none."""
    if plant.com()[2] < asked.height * plant.height:
        return f"the COM was below {asked.height} of its height"
    if plant.tilt() > asked.tilt:
        return f"the chest leaned by more than {asked.tilt} rad"
    if asked.only_feet and not touching <= feet:
        name = plant.model.body(min(touching - feet)).name
        return f"`{name}` touched the floor"
    return ""
