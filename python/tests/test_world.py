"""Worlds in code."""

import threading

import aplomb
import numpy as np
import pytest


@pytest.fixture
def standing():
    world = aplomb.World()
    return world, world.add_character("adult", "balance")


def test_a_character_is_pushed_and_stands(standing):
    world, hero = standing
    hero.push("chest", [0.0, 100.0, 0.0], duration=0.15)
    world.run_until(1.5)
    assert world.time == pytest.approx(1.5) and world.frame == 150
    assert hero.com_height > 0.8 and hero.outcome == "solved"


def test_a_world_runs_until_a_time_and_not_for_a_duration(standing):
    world, _ = standing
    world.run_until(0.1)
    world.run_until(0.1)
    assert world.frame == 10
    with pytest.raises(ValueError, match="is no duration"):
        world.run_until(0.05)


def test_arrays_have_the_shapes_that_are_said(standing):
    world, hero = standing
    model = hero.model
    assert hero.torque.shape == (0,), "before the first frame there are no forces"
    world.step()
    assert (hero.q.shape, hero.v.shape, hero.torque.shape) == ((model.nq,), (model.nv,), (model.nv,))
    assert hero.com.shape == hero.com_velocity.shape == (3,) and hero.capture_point.shape == (2,)
    assert hero.body_poses.shape == (len(model.bodies), 7)
    assert np.allclose(np.linalg.norm(hero.body_poses[:, 3:], axis=1), 1.0)
    assert model.torque_limits.shape == (model.nv, 2) and model.rest().shape == (model.nq,)
    contacts = hero.contacts
    assert contacts.forces.shape == contacts.points.shape == (len(contacts), 3)
    assert len(contacts.names) == len(contacts.kinds) == contacts.gaps.shape[0]
    assert hero.cost_values.shape == (len(hero.objectives),)


def test_contacts_bear_the_weight(standing):
    world, hero = standing
    world.run_until(0.5)
    weight = -hero.model.mass * world.gravity[2]
    assert hero.contacts.forces[:, 2].sum() == pytest.approx(weight, rel=0.02)
    assert set(hero.contacts.surfaces) == {"ground"}


def test_what_forces_of_the_next_frame_are_for_adds_up_and_changes_nothing(standing):
    world, hero = standing
    world.run_until(0.3)
    told, before = hero.forces_ahead(), hero.q
    assert np.array_equal(hero.q, before)
    for body in told:
        parts = np.sum([part["force"] for part in body["parts"]], axis=0)
        assert parts == pytest.approx(body["force"], abs=1e-6), body["body"]
    names = {part["name"]: part["place"] for body in told for part in body["parts"]}
    assert names["equations of motion"] is None and ".toml:" in names["com over support"]
    world.step()
    total = hero.contacts.forces.sum(axis=0)
    assert np.sum([body["force"] for body in told], axis=0) == pytest.approx(total, abs=1e-6)


def test_arrays_stay_as_they_are_while_the_world_goes_on(standing):
    world, hero = standing
    before = hero.q
    kept = before.copy()
    hero.push("chest", [100.0, 0.0, 0.0], duration=0.1)
    world.step(10)
    assert np.array_equal(before, kept) and not np.array_equal(hero.q, kept)


def test_a_world_goes_back_to_a_snapshot_to_the_bit(standing):
    world, hero = standing
    world.step(20)
    moment = world.snapshot()
    ends = []
    for _ in range(2):
        world.restore(moment)
        hero.push("head", [0.0, 60.0, 0.0], duration=0.1)
        world.step(30)
        ends.append(hero.q.tobytes())
    assert ends[0] == ends[1] and moment.frame == 20


def test_parameters_are_read_and_changed():
    world = aplomb.World()
    hero = world.add_character("adult", "step_recovery")
    assert hero.parameters["outward"] == aplomb.Controller("step_recovery").parameters["outward"]
    hero.set_parameter("outward", 0.1)
    assert hero.parameters["outward"] == 0.1
    hero.set_value("parameters.outward", "0.07")
    assert hero.parameters["outward"] == 0.07
    with pytest.raises(aplomb.WorldError, match="no parameter `outwrd`"):
        hero.set_parameter("outwrd", 0.1)


def test_costs_and_the_record_have_the_names_of_the_controller(standing):
    world, hero = standing
    world.step()
    assert set(hero.costs) == set(hero.objectives) and "com over support" in hero.costs
    record = hero.record
    assert record["outcome"] == "solved" and np.array_equal(record["torque"], hero.torque)


def test_what_is_thrown_falls_and_is_felt():
    world = aplomb.World()
    hero = world.add_character("adult", "balance")
    ball = world.add_passive("ball", "ball", position=[1.0, 0.0, 1.3], velocity=[-4.0, 0.0, 0.5])
    height = ball.com[2]
    world.run_until(1.0)
    assert ball.com[2] < height and ball.mass > 0.0 and ball.part_poses.shape == (1, 7)
    assert [one.name for one in world.passive] == ["ball"] and hero.com_height > 0.8


def test_ropes_cloths_and_chains_can_be_hung_up():
    world = aplomb.World()
    rope = world.add_rope("rope", [[0, 0, 2], [1, 0, 2]], 10, 0.5)
    cloth = world.add_cloth("cloth", [0, 1, 2], [[1, 0, 0], [0, 1, 0]], [5, 5], 0.3, pins=[[0, 0], [0, 4]])
    chain = world.add_chain("chain", [[0, -1, 2], [1, -1, 2]], 10, 0.5)
    world.step(20)
    assert all(thing.com[2] < 2.0 for thing in (rope, cloth, chain))
    rope.push(rope.parts[-1], [0.0, 1.0, 0.0], duration=0.1)


def test_obstacles_are_in_the_way_and_move():
    box = aplomb.Obstacle("box", [0.2, 0.2, 0.05], [0.0, 0.0, -0.05])
    world = aplomb.World(obstacles=[box])
    hero = world.add_character("adult", "balance")
    world.step(5)
    for frame in range(20):
        world.move_obstacle("box", [0.0, 0.0, -0.05 + 0.001 * frame])
        world.step()
    assert hero.outcome in ("solved", "relaxed")
    with pytest.raises(aplomb.WorldError, match="no obstacle `bx`"):
        world.move_obstacle("bx", [0.0, 0.0, 0.0])


def test_two_characters_side_by_side_are_the_same_bytes_as_one_after_another():
    ends = []
    for parallel in (False, True):
        world = aplomb.World(parallel=parallel)
        both = [world.add_character("adult", "balance", position=[0.0, 2.0 * k], heading=0.3 * k) for k in range(2)]
        both[0].push("chest", [50.0, 0.0, 0.0], duration=0.1)
        world.step(20)
        ends.append([one.q.tobytes() for one in both])
    assert ends[0] == ends[1]
    assert [one.name for one in world.characters] == ["character", "character 2"]


def test_a_child_bears_a_push_hand_in_hand_that_it_does_not_bear_alone():
    meeting = [0.1, -0.45, 0.75]
    stands = []
    for hand_in_hand in (False, True):
        world = aplomb.World()
        adult = world.add_character("adult", "balance", name="adult", reach={"right_palm": meeting})
        adult.add_hold("hand of adult", "right_palm")
        child = world.add_character(
            "child", "balance", name="child", position=[0.1, -0.8], reach={"left_palm": meeting}
        )
        if hand_in_hand:
            child.hold_on("left_palm", "hand of adult")
        child.push("chest", [80.0, 0.0, 0.0], duration=0.15)
        world.run_until(2.5)
        stands.append(child.com_height > 0.4)
    assert stands == [False, True]


def test_who_starts_elsewhere_stands_there():
    world = aplomb.World()
    hero = world.add_character("adult", "balance", joints={"left_knee": 0.3}, position=[1.0, 2.0])
    index, _ = hero.model.joint_index("left_knee")
    assert hero.q[index] == pytest.approx(0.3) and hero.q[:2] == pytest.approx([1.0, 2.0], abs=0.2)
    q, v = hero.q, np.zeros(hero.model.nv)
    q[0] += 1.0
    hero.teleport(q, v)
    assert hero.q[0] == q[0]


def test_a_world_belongs_to_one_thread_at_a_time(standing):
    world, hero = standing
    said = []
    begun = threading.Event()

    def look():
        begun.wait()
        for _ in range(2000):
            try:
                hero.q
            except aplomb.BusyError as error:
                said.append(str(error))
                return

    looker = threading.Thread(target=look)
    looker.start()
    begun.set()
    world.step(200)
    looker.join()
    assert not said or "being stepped" in said[0], "whoever looks meanwhile is told, or is lucky"


def test_the_lock_of_the_interpreter_is_free_while_a_world_is_stepped(standing):
    world, _ = standing
    counted = []
    goes_on = threading.Event()

    def count():
        while not goes_on.is_set():
            counted.append(None)

    counter = threading.Thread(target=count)
    counter.start()
    before = len(counted)
    world.step(100)
    during = len(counted) - before
    goes_on.set()
    counter.join()
    assert during > 100, "another thread counts on while frames are computed"


@pytest.mark.parametrize("perception", [0.0, 0.2])
def test_who_does_not_know_of_a_push_takes_its_step_later(perception):
    world = aplomb.World(bias_velocity="extrapolated")
    hero = world.add_character("adult", "step_recovery_preview", reaction_delay=(0.2, 1e6), perception=perception)
    world.step(20)
    hero.push("chest", [200, 0, 0], duration=0.15)
    before = hero.state
    frames = 0
    while hero.state == before and frames < 60:
        world.step()
        frames += 1
    # 0.2 s are 20 frames.
    assert (frames >= 20) == (perception > 0), frames
