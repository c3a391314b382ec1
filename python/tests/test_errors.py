"""Errors are reported with their positions."""

import aplomb
import pytest


def test_a_mistake_in_a_file_says_where_it_is():
    with pytest.raises(aplomb.FileError) as raised:
        aplomb.Controller.parse('start = "stand"\n[states.stand]\n[[states.stand.objectives]]\nname = "a"\nwieght = 1.0\nof = { com_over_support = {} }\n', "mine.toml")
    error = raised.value
    assert str(error).startswith("mine.toml:5:1:") and "wieght" in str(error)
    first = error.mistakes[0]
    assert (first.file, first.line, first.column) == ("mine.toml", 5, 1) and str(first) in str(error)
    assert isinstance(error, ValueError) and isinstance(error, aplomb.Error)


def test_a_scene_with_mistakes_says_all_of_them():
    with pytest.raises(aplomb.FileError) as raised:
        aplomb.Scene.parse('duration = 1.0\ngravty = [0, 0, 0]\n[characters.a]\nmodle = "adult"\ncontroller = "balance"\n')
    assert [mistake.line for mistake in raised.value.mistakes] == [2, 4]


def test_what_is_nowhere_is_not_found_with_what_is_alike():
    for make in (aplomb.Scene, aplomb.Model, aplomb.Controller):
        with pytest.raises(aplomb.NotFoundError):
            make("nowhere")
    with pytest.raises(FileNotFoundError, match="balance_push"):
        aplomb.Scene("balance_psh")


def test_names_and_numbers_that_cannot_be_are_told():
    world = aplomb.World()
    hero = world.add_character("adult", "balance")
    with pytest.raises(aplomb.WorldError, match="no body `tail`"):
        hero.push("tail", [1.0, 0.0, 0.0], duration=0.1)
    with pytest.raises(aplomb.WorldError, match="finite"):
        hero.push("chest", [float("nan"), 0.0, 0.0], duration=0.1)
    with pytest.raises(aplomb.WorldError, match="step"):
        aplomb.World(dt=1.0)
    with pytest.raises(aplomb.WorldError, match="state"):
        hero.teleport([0.0], [0.0])
    with pytest.raises(aplomb.WorldError, match="no character `nobody`"):
        world.character("nobody")
    with pytest.raises(aplomb.WorldError, match="taken"):
        world.add_character("adult", "balance", name="character")
    with pytest.raises(ValueError, match="backward"):
        aplomb.World(bias_velocity="forward")
    with pytest.raises(TypeError):
        hero.push("chest", [1.0, 0.0, 0.0])
    with pytest.raises(ValueError, match="scenes"):
        aplomb.shipped("scene")


def test_a_snapshot_of_another_world_is_refused():
    world, other = aplomb.World(), aplomb.World()
    world.add_character("adult", "balance")
    with pytest.raises(aplomb.WorldError, match="checkpoint"):
        world.restore(other.snapshot())


def test_a_frame_that_cannot_be_computed_is_told():
    world = aplomb.World()
    hero = world.add_character("adult", "balance", position=[9999.5, 0.0], velocity=[500.0, 0.0, 0.0])
    moment = world.snapshot()
    with pytest.raises(aplomb.StepError, match="from the origin"):
        world.step(20)
    world.restore(moment)
    assert hero.q[0] == pytest.approx(9999.5, abs=0.5)
