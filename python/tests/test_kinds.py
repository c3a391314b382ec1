"""Objectives and constraints of every kind that controller files can name."""

import aplomb
import kinds
import numpy as np
import pytest

#: An example of each kind of objective. A new kind needs one.
OBJECTIVES = {
    "com_over_support": {},
    "com_position": {"target": "com", "horizontal": True},
    "com_height": {"target": "0.95 * standing_height"},
    "upright": {"body": "chest"},
    "align": {"body": "left_hand", "axis": [0, 0, 1], "along": [1, 0, 0]},
    "velocity": {},
    "pose": {"angles": {"left_elbow": -1.0}},
    "body_point": {"point": "left_hand", "target": np.array([0.3, 0.3, 1.0])},
    "body_orientation": {"body": "head", "target": [0.0, 0.1, 0.0]},
    "contact_force": {"body": "left_foot", "target": 0.4},
    "contact_wrench": {"body": "left_foot", "force": [0.0, 0.0, 300.0]},
    "com_velocity": {"target": [0.0, 0.05, 0.0]},
    "grip_force": {"site": "left_hand_grip"},
    "angular_momentum": {"target": (0.0, 0.0, 0.0)},
    "centre_of_pressure": {"target": "support_center"},
    "keep_away": {"point": "head", "from_": "position(ball)", "clearance": 0.5},
    "look_at": {"body": "head", "target": "position(ball)"},
    "joint_torque": {"joints": ["left_elbow"]},
    "object_position": {"object": "ball", "target": [0.5, 0.0, 1.0]},
    "object_orientation": {"object": "ball", "target": [0.0, 0.0, 0.5]},
    "object_velocity": {"object": "ball", "target": [0.0, 0.0, 0.0]},
}

CONSTRAINTS = {"collision_avoidance": {"bodies": ["left_hand"], "from_": ["chest"], "clearance": 0.05}}


def world_with_ball():
    world = aplomb.World()
    world.add_passive("ball", "ball", position=[2.0, 0.0, 1.0])
    return world, world.add_character("adult", "balance")


def test_every_kind_of_the_engine_has_an_example_and_keys():
    assert set(OBJECTIVES) == set(aplomb.Objective.kinds()) == set(kinds.kinds("Objective"))
    assert set(CONSTRAINTS) == set(kinds.kinds("Constraint")) <= set(aplomb.Constraint.kinds())


@pytest.mark.parametrize("kind", OBJECTIVES)
def test_an_objective_of_each_kind_can_be_added(kind):
    world, hero = world_with_ball()
    objective = aplomb.Objective(kind, **OBJECTIVES[kind])
    assert objective.kind == kind and kind in repr(objective)
    goal = hero.add_objective("own", objective, weight=0.5)
    world.step(3)
    assert "own" in hero.objectives and np.isfinite(hero.costs["own"])
    goal.weight = 0.0
    world.step()
    assert goal.weight == 0.0 and hero.costs["own"] == 0.0


@pytest.mark.parametrize("kind", aplomb.Constraint.kinds())
def test_a_constraint_of_each_kind_can_be_added_or_holds_anyway(kind):
    world, hero = world_with_ball()
    if kind not in CONSTRAINTS:
        with pytest.raises(ValueError, match=f"`{kind}` holds for every character"):
            aplomb.Constraint(kind)
        return
    hero.add_constraint("own", aplomb.Constraint(kind, **CONSTRAINTS[kind]))
    world.step(3)
    hero.enable_constraint("own", False)
    world.step()
    with pytest.raises(ValueError, match="second constraint named `own`"):
        hero.add_constraint("own", aplomb.Constraint(kind, **CONSTRAINTS[kind]))


def test_the_same_objective_by_its_kind_and_by_its_class_moves_the_same():
    ends = []
    for objective in (
        aplomb.BodyPoint("left_hand", [0.3, 0.2, 1.0]),
        aplomb.Objective("body_point", point="left_hand", target=[0.3, 0.2, 1.0]),
    ):
        world = aplomb.World()
        hero = world.add_character("child", "balance")
        hero.add_objective("hand", objective, weight=20.0, response=0.2)
        world.run_until(0.5)
        ends.append(hero.q)
    assert np.array_equal(*ends), "also its seconds are the same, whatever the size of the body"


def test_an_expression_is_one_of_the_frame():
    world = aplomb.World()
    hero = world.add_character("adult", "balance")
    objective = aplomb.Objective("com_height", target="standing_height - 0.08 * smoothstep(0, 1, time)")
    hero.add_objective("low", objective, weight="20 + 30 * min(time, 1)", response=0.2, when="time > 0.1")
    before = hero.com_height
    world.run_until(2.5)
    assert hero.com_height < before - 0.04


def test_keys_of_a_goal_change_between_frames():
    world = aplomb.World()
    hero = world.add_character("adult", "balance")
    hand = hero.senses.position("left_hand")
    target = hand + [0.1, 0.0, 0.2]
    objective = aplomb.Objective("body_point", point="left_hand", target=target)
    goal = hero.add_objective("hand", objective, weight=20.0, response=0.2)
    world.run_until(1.5)
    assert np.linalg.norm(hero.senses.position("left_hand") - target) < 0.02
    goal.weight = 30.0
    goal.set_target(target + [0.0, 0.0, 0.1])
    goal.set(offset=[0.0, 0.0, 0.0])
    world.run_until(3.0)
    assert goal.weight == 30.0
    assert np.linalg.norm(hero.senses.position("left_hand") - target - [0.0, 0.0, 0.1]) < 0.03
    with pytest.raises(ValueError, match="targt"):
        goal.set(targt=[0.0, 0.0, 0.0])
    with pytest.raises(ValueError, match="left_hnad"):
        goal.set(point="left_hnad")
    world.step()
    arm = hero.add_objective("arm", aplomb.Objective("pose", angles={"right_elbow": -1.0}), weight=5.0, response=0.2)
    arm.set_target({"right_elbow": -0.5})
    index, _ = hero.model.joint_index("right_elbow")
    world.run_until(5.0)
    assert hero.q[index] == pytest.approx(-0.5, abs=0.1)


def test_a_side_and_hard_make_a_limit():
    world = aplomb.World()
    hero = world.add_character("adult", "balance")
    highest = hero.com_height - 0.05
    hero.add_objective("low", aplomb.Objective("com_height", target=highest), response=0.2, side="at_most", hard=True)
    world.run_until(2.0)
    assert hero.com_height < highest + 0.01


def test_hands_are_kept_apart():
    def distance(constraints):
        world = aplomb.World()
        hero = world.add_character("adult", "balance")
        between = aplomb.Objective("body_point", point="left_hand", target="position(right_hand)")
        hero.add_objective("together", between, weight=20.0, response=0.2)
        for constraint in constraints:
            hero.add_constraint("hands", constraint)
        world.run_until(2.0)
        return np.linalg.norm(hero.senses.position("left_hand") - hero.senses.position("right_hand"))

    apart = aplomb.Constraint("collision_avoidance", bodies=["left_hand"], from_=["right_hand"], clearance=0.25)
    off = aplomb.Constraint("collision_avoidance", bodies=["left_hand"], from_=["right_hand"], clearance=0.25, when=False)
    assert distance([]) < 0.2 and distance([off]) < 0.2
    assert distance([apart]) > 0.25


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: aplomb.Objective("com_velocty", target=[0, 0, 0]), "did you mean \"com_velocity\""),
        (lambda: aplomb.Objective("nothing"), "known: com_over_support"),
        (lambda: aplomb.Objective("com_height", tarjet=1.0), "target"),
        (lambda: aplomb.Objective("com_height"), "target"),
        (lambda: aplomb.Objective("com_height", target=[1.0]), "com_height"),
        (lambda: aplomb.Objective("upright", body="chest", **{"axis = 1\nbody": 1}), "axis"),
        (lambda: aplomb.Constraint("collision_avoidanc"), "did you mean `collision_avoidance`"),
        (lambda: aplomb.Constraint("collision_avoidance", bodies=["chest"]), "from"),
    ],
)
def test_mistakes_are_told_at_once(make, said):
    with pytest.raises(ValueError, match=said) as raised:
        make()
    assert ":1:" not in str(raised.value), "there is no file, and no line in it"


def test_values_that_no_file_can_have_are_told():
    with pytest.raises(TypeError, match="target: .* not object"):
        aplomb.Objective("com_height", target=object())
    endless = []
    endless.append(endless)
    with pytest.raises(ValueError, match="nested"):
        aplomb.Objective("com_position", target=endless)


@pytest.mark.parametrize(
    ("keys", "keywords", "said"),
    [
        ({"body": "tail"}, {}, "tail"),
        ({"body": "chest"}, {"side": "at_least"}, "`side` has no meaning"),
        ({"body": "chest"}, {"side": "left"}, "left"),
        ({"body": "chest"}, {"weight": -1.0}, "0 or more"),
        ({"body": "chest"}, {"weight": "crouch"}, "crouch"),
        ({"body": "chest"}, {"weight": "1 +"}, "own"),
        ({"body": "chest"}, {"response": 0.0}, "more than 0 s"),
        ({"body": "chest"}, {"response": 0.2, "horizon": 0.2}, "not both"),
        ({"body": "chest"}, {"time_to_go": 1.0}, "needs a `response`"),
        ({"body": "chest"}, {"joints": ["tail"]}, "no joint `tail`"),
        ({"body": "chest"}, {"when": "com_height"}, "own"),
    ],
)
def test_mistakes_that_need_the_body_are_told_when_it_is_added(keys, keywords, said):
    _, hero = world_with_ball()
    with pytest.raises(ValueError, match=said):
        hero.add_objective("own", aplomb.Objective("upright", **keys), **keywords)
    assert "own" not in hero.objectives


def test_keywords_of_objectives_by_kind_are_not_for_others():
    _, hero = world_with_ball()
    point = aplomb.BodyPoint("left_hand", [0.3, 0.2, 1.0])
    for keywords in ({"when": "true"}, {"axes": [1, 1, 0]}, {"time_to_go": 1.0}, {"joints": []}):
        with pytest.raises(ValueError, match="aplomb.Objective"):
            hero.add_objective("own", point, **keywords)
    with pytest.raises(TypeError, match="`weight` is a number"):
        hero.add_objective("own", point, weight="2 * time")
    goal = hero.add_objective("own", point, side="at_least")
    with pytest.raises(TypeError, match="only the goal of an aplomb.Objective"):
        goal.set(target=[0.0, 0.0, 0.0])


def test_objects_that_came_after_the_character_are_known():
    world = aplomb.World()
    hero = world.add_character("adult", "balance")
    with pytest.raises(ValueError, match="ball"):
        hero.add_objective("look", aplomb.Objective("look_at", body="head", target="position(ball)"))
    world.add_passive("ball", "ball", position=[2.0, 0.0, 1.0])
    hero.add_objective("look", aplomb.Objective("look_at", body="head", target="position(ball)"))
    world.step(2)
    assert np.isfinite(hero.costs["look"])


def test_objectives_and_constraints_outlive_the_controller_and_snapshots():
    world, hero = world_with_ball()
    start = world.snapshot()
    hero.add_objective("low", aplomb.Objective("com_height", target=0.8), weight=20.0)
    hero.add_constraint("hand", aplomb.Constraint("collision_avoidance", bodies=["left_hand"], from_=["chest"]))
    world.step(5)
    hero.replace_controller("step_recovery")
    world.step(5)
    assert hero.costs["low"] > 0.0
    hero.enable_constraint("hand", False)
    world.restore(start)
    world.step(5)
    assert hero.costs["low"] > 0.0
