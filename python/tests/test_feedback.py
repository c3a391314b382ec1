"""A controller without a plant."""

import importlib.util
import sys
from pathlib import Path

import aplomb
import numpy as np
import pytest


def test_a_body_that_does_as_it_is_expected_to_stands():
    controller = aplomb.FeedbackController("adult", "balance")
    q, v = controller.start, np.zeros(controller.character.model.nv)
    height = None
    for _ in range(100):
        command = controller.observe(q, v)
        q, v = command.q, command.v
        height = height or q[2]
    assert abs(q[2] - height) < 0.05 and np.abs(v).max() < 0.2
    assert command.outcome == "solved" and command.state == "balance"
    weight = controller.character.model.mass * 9.81
    assert command.contacts.forces[:, 2].sum() == pytest.approx(weight, rel=0.02)
    assert command.torque.shape == v.shape and not command.torque[:6].any()


def test_what_it_is_told_is_what_it_acts_on():
    ends = []
    for _ in range(2):
        controller = aplomb.FeedbackController("adult", "balance")
        start, still = controller.start, np.zeros(controller.character.model.nv)
        first = controller.observe(start, still)
        moving = still.copy()
        moving[1] = 0.3
        # Reading its state between two calls has no effect.
        if ends:
            controller.character.com, controller.character.senses
        second = controller.observe(start, moving, first.torque)
        ends.append(second.torque.tobytes())
        assert np.abs(second.torque - first.torque).max() > 1.0, "a motion to the left is answered"
    assert ends[0] == ends[1]


def test_a_state_of_another_body_is_refused():
    controller = aplomb.FeedbackController("adult", "balance")
    nv = controller.character.model.nv
    with pytest.raises(aplomb.WorldError, match="state"):
        controller.observe(np.zeros(3), np.zeros(nv))
    with pytest.raises(aplomb.WorldError, match="finite"):
        controller.observe(np.full(nv + 1, np.nan), np.zeros(nv))
    with pytest.raises(aplomb.WorldError, match="torque has 37 numbers"):
        controller.observe(controller.start, np.zeros(nv), [0.0])


def test_what_is_measured_to_bear_is_what_it_stands_on():
    controller = aplomb.FeedbackController("adult", "balance", dt=0.002, horizon=0.01, compliance=2e-5, disturbance_time=0.1)
    still = np.zeros(controller.character.model.nv)
    first = controller.observe(controller.start, still)
    left = [name.startswith("left") for name in first.contacts.bodies]
    told = list(zip(first.contacts.bodies, first.contacts.points, first.contacts.forces))
    second = controller.observe(controller.start, still, first.torque, told)
    assert second.contacts.names == first.contacts.names and any(left) and not all(left)
    assert second.costs.keys() == controller.character.costs.keys()
    assert first.disturbance.shape == still.shape
    assert aplomb.FeedbackController("adult", "balance").observe(controller.start, still).disturbance is None
    with pytest.raises(aplomb.WorldError, match="hoof"):
        controller.observe(controller.start, still, contacts=[("hoof", [0.0, 0.0, 0.0])])


def test_settings_that_cannot_be_are_refused():
    for wrong in ({"horizon": 0.001}, {"latency": -1.0}, {"compliance": 1.0}, {"servo": ([1.0], [1.0])}):
        with pytest.raises(aplomb.WorldError, match=next(iter(wrong))):
            aplomb.FeedbackController("adult", "balance", **wrong)


def test_a_push_in_somebody_elses_physics_is_survived(monkeypatch):
    pytest.importorskip("mujoco")
    path = Path(__file__).resolve().parent.parent / "examples" / "mujoco_plant.py"
    spec = importlib.util.spec_from_file_location("mujoco_plant", path)
    plant = importlib.util.module_from_spec(spec)
    # Its data classes look up their module there.
    monkeypatch.setitem(sys.modules, spec.name, plant)
    spec.loader.exec_module(plant)
    stands, error = plant.survives(plant.body(), np.array([0.0, 30.0, 0.0]), plant.Case())
    assert stands and np.isfinite(error)
