"""Objectives of a program."""

import aplomb
import numpy as np
import pytest


def world_of_adult():
    world = aplomb.World()
    return world, world.add_character("adult", "balance")


def test_a_point_of_a_body_goes_where_it_is_wanted_and_follows():
    world, hero = world_of_adult()
    start = hero.senses.position("left_hand")
    goal = hero.add_objective("hand", aplomb.BodyPoint("left_hand", start + [0.1, 0.0, 0.2]), weight=20.0, response=0.2)
    world.run_until(1.5)
    assert np.linalg.norm(hero.senses.position("left_hand") - start - [0.1, 0.0, 0.2]) < 0.02
    assert "hand" in hero.costs
    goal.set_target(start + [0.2, 0.0, 0.3])
    world.run_until(3.0)
    assert np.linalg.norm(hero.senses.position("left_hand") - start - [0.2, 0.0, 0.3]) < 0.03
    goal.weight = 0.0
    assert goal.weight == 0.0


class Apart:
    """The left hand at a distance from the chest, m."""

    def __init__(self, distance):
        self.distance = distance

    def residual(self, now):
        way = now.position("left_hand") - now.position("chest")
        direction = way / np.linalg.norm(way)
        jacobian = now.jacobian_of_point("left_hand") - now.jacobian_of_point("chest")
        return [np.linalg.norm(way) - self.distance], [direction @ jacobian]


def test_an_objective_in_python_acts_as_one_of_the_engine():
    world, hero = world_of_adult()
    hero.add_objective("apart", Apart(0.5), weight=20.0, response=0.2)
    world.run_until(2.0)
    now = hero.senses
    assert np.linalg.norm(now.position("left_hand") - now.position("chest")) == pytest.approx(0.5, abs=0.02)
    assert "apart" in hero.objectives


class Point:
    """`BodyPoint` in Python."""

    def __init__(self, body, target):
        self.body, self.target = body, np.array(target)

    def residual(self, now):
        return now.position(self.body) - self.target, now.jacobian_of_point(self.body)


def test_the_same_objective_in_python_and_in_the_engine_moves_the_same():
    ends = []
    for kind in (aplomb.BodyPoint, Point):
        world, hero = world_of_adult()
        hero.add_objective("hand", kind("left_hand", [0.3, 0.2, 1.0]), weight=20.0, response=0.2)
        world.run_until(0.5)
        ends.append(hero.q)
    assert np.abs(ends[0] - ends[1]).max() < 1e-9


class Slow:
    """The COM at a velocity, m/s."""

    unit = "m/s"

    def residual(self, now):
        return now.com_velocity - [0.0, 0.1, 0.0], now.jacobian_of_com()


def test_an_objective_of_a_rate_is_kept():
    world, hero = world_of_adult()
    hero.add_objective("drift", Slow(), weight=2000.0, response=0.1)
    world.run_until(0.3)
    assert hero.com_velocity[1] == pytest.approx(0.1, abs=0.03)


def test_an_exception_of_an_objective_is_raised_by_the_step():
    class Broken:
        def residual(self, now):
            raise KeyError("left hand")

    world, hero = world_of_adult()
    hero.add_objective("broken", Broken(), weight=1.0)
    with pytest.raises(KeyError, match="left hand"):
        world.step()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda nv: ([0.0], np.zeros((2, nv))), "Jacobian of shape"),
        (lambda nv: ([0.0], np.zeros((1, nv - 1))), "Jacobian of shape"),
        (lambda nv: ([np.nan], np.zeros((1, nv))), "finite"),
    ],
)
def test_a_residual_that_is_none_is_told(answer, said):
    world, hero = world_of_adult()

    class Wrong:
        def residual(self, now):
            return answer(hero_nv)

    hero_nv = hero.model.nv
    hero.add_objective("wrong", Wrong())
    with pytest.raises(ValueError, match=said):
        world.step()


def test_an_objective_that_asks_its_own_world_is_told_and_does_not_hang():
    world, hero = world_of_adult()

    class Curious:
        def residual(self, now):
            return hero.q

    hero.add_objective("curious", Curious())
    with pytest.raises(aplomb.BusyError):
        world.step()


def test_an_objective_without_meaning_is_left_out():
    class Nothing:
        def residual(self, now):
            return None

    world, hero = world_of_adult()
    hero.add_objective("nothing", Nothing())
    other, twin = world_of_adult()
    world.step(10)
    other.step(10)
    assert np.array_equal(hero.q, twin.q)


def test_what_is_no_objective_is_refused():
    _, hero = world_of_adult()
    with pytest.raises(ValueError, match="residual"):
        hero.add_objective("no", object())
    with pytest.raises(ValueError, match="response"):
        hero.add_objective("no", Apart(0.5), response=0.2, horizon=0.3)
    with pytest.raises(aplomb.WorldError, match="no joint"):
        hero.add_objective("no", aplomb.Pose({"elbow": 1.0}))


def test_joints_go_to_a_pose():
    world, hero = world_of_adult()
    goal = hero.add_objective("arm", aplomb.Pose({"left_elbow": -1.0}), weight=5.0, response=0.2)
    index, _ = hero.model.joint_index("left_elbow")
    world.run_until(1.0)
    first = hero.q[index]
    goal.set_target({"left_elbow": -0.5})
    world.run_until(2.0)
    assert first == pytest.approx(-1.0, abs=0.1) and hero.q[index] == pytest.approx(-0.5, abs=0.1)


def test_jacobians_are_those_of_the_velocities():
    world, hero = world_of_adult()
    hero.push("chest", [60.0, 30.0, 0.0], duration=0.1)
    world.step(15)
    now = hero.senses
    assert np.allclose(now.jacobian_of_point("left_hand") @ now.v, now.velocity("left_hand"), atol=1e-12)
    assert np.allclose(now.jacobian_of_com() @ now.v, now.com_velocity, atol=1e-12)
    mass = now.mass_matrix()
    assert np.allclose(mass, mass.T) and np.linalg.eigvalsh(mass).min() > 0.0
    turn = now.rotation("chest")
    assert np.allclose(turn @ turn.T, np.eye(3)) and np.linalg.det(turn) == pytest.approx(1.0)
