"""Scenes, runs and traces: the same bytes as the command line's."""

import pickle
import subprocess
import sys

import aplomb
import numpy as np
import pytest

SHORT = ["duration=1.2", "success={}"]


def command(*arguments):
    return subprocess.run([sys.executable, "-m", "aplomb", *arguments], capture_output=True, text=True)


def test_a_run_through_python_has_the_states_of_the_command_line_to_the_bit(tmp_path):
    done = command(
        "run", "step_push", *(word for value in SHORT for word in ("--set", value)), "--no-plots", "--out", str(tmp_path)
    )
    assert done.returncode == 0, done.stderr
    trace = aplomb.Trace(tmp_path / "trace.mcap")
    run = aplomb.Scene("step_push", SHORT).start()
    world, hero = run.world, run.character
    assert len(trace) == 121
    for index in range(len(trace)):
        assert hero.q.tobytes() == trace.q[index].tobytes(), f"q of frame {index}"
        assert hero.v.tobytes() == trace.v[index].tobytes(), f"v of frame {index}"
        if index + 1 < len(trace):
            run.step()
            assert hero.torque.tobytes() == trace.torque[index].tobytes(), f"torque of frame {index}"
            assert hero.cost_values.tobytes() == trace.costs[index].tobytes(), f"costs of frame {index}"
    assert world.time == pytest.approx(1.2) and run.is_over


def test_a_world_of_a_program_is_that_of_the_same_scene_to_the_bit():
    # The push of the scene, 24 N s over 0.15 s from 1 s on.
    run = aplomb.Scene("balance_push", SHORT).start()
    run.finish()
    world = aplomb.World()
    hero = world.add_character("adult", "balance")
    world.run_until(1.0)
    hero.push("chest", [24.0 / 0.15, 0.0, 0.0], duration=0.15)
    world.run_until(1.2)
    assert hero.q.tobytes() == run.character.q.tobytes()


def test_a_run_says_what_it_came_to(tmp_path):
    trace = tmp_path / "run.mcap"
    summary = aplomb.run(aplomb.Scene("balance_push", ["duration=1.0"]), trace)
    assert summary["verdict"] == "pass" and summary["frames"] == 100
    assert len(aplomb.Trace(trace)) == 101
    run = aplomb.Scene("balance_push", ["duration=1.0"]).start()
    assert not run.is_over and run.finish() and run.passed and run.is_over
    assert all(holds for _, _, holds, _ in run.criteria)
    assert not run.step(), "a run that is over has no more frames"


def test_traces_have_channels(tmp_path):
    path = tmp_path / "run.mcap"
    aplomb.run(aplomb.Scene("balance_push", ["duration=0.2"]), path)
    trace = aplomb.Trace(path)
    names = [name for name, _, _ in trace.channels]
    assert "com.y" in names
    assert np.array_equal(trace.channel("com.y"), trace.com[:, 1])
    assert np.isnan(trace.torque[-1]).all() and np.isfinite(trace.torque[:-1]).all()
    assert trace.header["scene"] == "balance_push" and trace.frame(0)["time"] == 0.0
    assert trace.time[-1] == pytest.approx(0.2) and set(trace.states) == {"balance"}
    with pytest.raises(aplomb.WorldError, match="no channel"):
        trace.channel("com.w")
    (tmp_path / "no.mcap").write_bytes(b"nothing")
    with pytest.raises(aplomb.Error, match="no.mcap"):
        aplomb.Trace(tmp_path / "no.mcap")


def test_a_scene_comes_from_a_text_or_a_file(tmp_path):
    text = 'title = "Mine"\nduration = 0.3\n[characters.hero]\nmodel = "adult"\ncontroller = "balance"\n'
    scene = aplomb.Scene.parse(text)
    assert (scene.title, scene.duration, scene.dt, scene.text) == ("Mine", 0.3, 0.01, text)
    path = tmp_path / "mine.toml"
    path.write_text(text)
    of_file = aplomb.Scene(path, ["ground.friction=0.5"])
    assert of_file.name == "mine" and of_file.overrides == ["ground.friction=0.5"]
    assert of_file.start().finish()
    assert of_file.start().world.character("hero").name == "hero"


def test_a_scene_goes_to_another_process_with_its_files(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('duration = 0.3\n[characters.hero]\nmodel = "adult"\ncontroller = "balance"\n')
    scene = aplomb.Scene(path, ["ground.friction=0.5"])
    packed = pickle.dumps(scene)
    path.unlink()
    again = pickle.loads(packed)
    assert (again.name, again.duration, again.overrides) == (scene.name, 0.3, scene.overrides)
    ends = [one.start() for one in (scene, again)]
    assert all(one.finish() for one in ends)
    assert ends[0].character.q.tobytes() == ends[1].character.q.tobytes()


def test_what_ships_is_listed():
    assert "adult" in aplomb.shipped("characters") and "balance_push" in aplomb.shipped("scenes")
    assert aplomb.Model("ball").nv == 6


def test_the_command_line_ends_with_its_exit_code():
    assert "balance_push" in command("list", "scenes").stdout
    assert command("run", "nowhere").returncode == 2
    assert command("--version").stdout.strip() == f"aplomb {aplomb.__version__}"


def test_many_worlds_are_the_same_bytes_as_one_by_one_whatever_the_threads():
    scene = aplomb.Scene("step_push", ["duration=0.8"])
    ends = []
    for threads in (1, 3):
        worlds = aplomb.Worlds(scene, 3, threads=threads)
        for index in range(3):
            worlds[index].characters[0].push("chest", [0.0, 40.0 * index, 0.0], duration=0.1)
        worlds.step(30)
        ends.append(worlds.q)
    alone = []
    for index in range(3):
        run = scene.start()
        run.character.push("chest", [0.0, 40.0 * index, 0.0], duration=0.1)
        run.step(30)
        alone.append(run.character.q)
    assert np.array_equal(ends[0], ends[1]) and np.array_equal(ends[0], np.array(alone))
    assert worlds.v.shape == worlds.torque.shape == (3, alone[0].size - 1)
    assert worlds.com.shape == (3, 3) and list(worlds.time) == [0.3] * 3
    assert worlds.is_upright.all() and not worlds.is_over.any() and len(worlds) == 3


def test_some_worlds_alone_are_stepped_and_go_back():
    worlds = aplomb.Worlds("balance_push", 3)
    start = worlds.snapshot(0)
    worlds.step(10, only=[True, False, True])
    assert list(worlds.time) == [0.1, 0.0, 0.1]
    worlds.restore(-1, start)
    assert list(worlds.time) == [0.1, 0.0, 0.0]
    with pytest.raises(ValueError, match="a value a world"):
        worlds.step(only=[True])
    with pytest.raises(IndexError):
        worlds[3]


def test_a_world_that_fails_does_not_stop_the_others_and_goes_on_after_a_reset():
    worlds = aplomb.Worlds(aplomb.Scene("stand", ["duration=0.3", "success={}"]), 3, threads=2)
    start, hero = worlds.q, worlds[1].characters[0]
    q, v = hero.q, hero.v
    q[0], q[2], v[0] = 9997.0, 50.0, 100.0
    hero.teleport(q, v)
    with pytest.raises(aplomb.StepError, match="from the origin"):
        worlds.step(10)
    worlds.step(10)  # the error is raised only once
    assert list(worlds.time[[0, 2]]) == pytest.approx([0.2, 0.2]) and worlds.time[1] < 0.1
    assert worlds.outcomes == ["running", "failed", "running"] and list(worlds.is_over) == [False, True, False]
    assert worlds.errors[0] is None and "from the origin" in worlds.errors[1]
    worlds.step(10)
    worlds.reset(only=[False, True, False])
    assert worlds.outcomes == ["finished", "running", "finished"] and worlds.errors == [None] * 3
    worlds.step(30)
    assert worlds.outcomes == ["finished"] * 3 and np.array_equal(worlds.q[0], worlds.q[1])
    worlds.reset()
    assert np.array_equal(worlds.q, start) and not worlds.time.any()
    hero.teleport(q, v)
    worlds.step(10, raise_errors=False)
    assert worlds.outcomes[1] == "failed"


def test_each_world_has_values_parameters_and_draws_of_its_own():
    scene = aplomb.Scene("step_push", ["duration=0.6", "events.push.at=0.1"])
    sets = [[f"events.push.impulse=[0, {impulse}, 0]"] for impulse in (0, 30, 60)]
    worlds = aplomb.Worlds(scene, 3, set=sets)
    worlds.step(60)
    for index, one in enumerate(sets):
        run = aplomb.Scene("step_push", ["duration=0.6", "events.push.at=0.1", *one]).start()
        run.step(60)
        assert np.array_equal(run.character.q, worlds.q[index])
    worlds = aplomb.Worlds(scene, 2)
    worlds.set_parameter("outward", np.array([0.03, 0.08]))
    assert [world.characters[0].parameters["outward"] for world in worlds] == [0.03, 0.08]
    with pytest.raises(ValueError, match="a value a world, 2"):
        worlds.set_parameter("outward", [0.03])
    with pytest.raises(aplomb.WorldError, match="nothing"):
        worlds.set_parameter("nothing", [1.0, 2.0])
    with pytest.raises(ValueError, match="a list a world, 2"):
        aplomb.Worlds(scene, 2, set=[[]])
    with pytest.raises(aplomb.WorldError, match="world 1 has"):
        other = ['model="quadruped"', 'controller="step_quadruped"']
        aplomb.Worlds(scene, 2, set=[[], ["events={}", "success={}", *(f"characters.adult.{one}" for one in other)]])
    drawn = [aplomb.Worlds("reaction_delay", 2, seed=seed) for seed in (1, 1, 2)]
    for worlds in drawn:
        worlds.step(150)
    assert np.array_equal(drawn[0].q, drawn[1].q) and not np.array_equal(drawn[0].q, drawn[2].q)
    assert not np.array_equal(drawn[0].q[0], drawn[0].q[1])
    with pytest.raises(ValueError, match="no `\\[trials\\]`"):
        aplomb.Worlds(aplomb.Scene.parse(aplomb.Scene("stand").text.split("[trials]")[0]), 2, seed=1)


def test_criteria_go_back_with_a_snapshot():
    run = aplomb.Scene("balance_push", ["duration=3.0", "events.push.impulse=[90, 0, 0]"]).start()
    start = run.world.snapshot()
    assert not run.finish() and run.is_over and run.world.time < 3.0
    run.world.restore(start)
    assert run.passed and not run.is_over


def test_a_run_takes_values_by_path_as_the_command_line_does():
    by_path = {"events.push.impulse": np.array([0.0, 20.0, 0.0]), "events.push.at": 0.1, "duration": 0.4}
    as_text = ["events.push.impulse=[0.0, 20.0, 0.0]", "events.push.at=0.1", "duration=0.4"]
    peaks = []
    for scene, values in (
        ("balance_push", by_path),
        ("balance_push", as_text),
        (aplomb.Scene("balance_push", as_text), {}),
        (aplomb.Scene("balance_push", {"duration": 2.0}), by_path),
    ):
        summary = aplomb.run(scene, set={**by_path, "success": {}} if values is by_path else [*values, "success={}"])
        peaks.append((summary["duration"], summary["goal_error"], summary["torque_change"]))
    assert all(peak == peaks[0] for peak in peaks) and peaks[0][0] == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"events.psh.impulse": [0, 1, 0]}, "psh"),
        ({"durations": 1.0}, "duration"),
        ({"duration": "long"}, "duration|long"),
        ({"duration": [1.0]}, "expected a number"),
        ({"a path": 1}, "path of keys"),
        ({"characters.adult.controller": "balnce"}, "balnce"),
    ],
)
def test_values_of_a_run_have_the_mistakes_of_the_command_line(values, said):
    with pytest.raises((aplomb.FileError, aplomb.NotFoundError), match=said):
        aplomb.run("balance_push", set=values)


def test_values_of_a_run_that_no_file_can_have_are_told():
    with pytest.raises(TypeError, match="duration"):
        aplomb.run("balance_push", set={"duration": object()})
    with pytest.raises(TypeError, match="dict of values"):
        aplomb.run("balance_push", set="duration=1.0")


def test_names_are_values_too():
    scene = aplomb.Scene("stand", {"characters.adult.controller": "step_recovery", "duration": 0.05})
    assert scene.duration == 0.05 and aplomb.run(scene)
    worlds = aplomb.Worlds("balance_push", 2, set=[{"duration": 0.1}, {"duration": 0.2}])
    worlds.step(100)
    assert worlds.time.tolist() == pytest.approx([0.1, 0.2])


def test_a_run_is_drawn():
    run = aplomb.Scene("balance_push").start()
    before = run.picture(200)
    run.step(60)
    after = run.picture(200)
    assert before.dtype == np.uint8 and before.shape == after.shape and before.shape[1:] == (200, 3)
    assert not np.array_equal(before, after)
    assert run.picture().shape[1] == 640
    for width in (0, 10, 100_000):
        with pytest.raises(aplomb.Error, match="wide"):
            run.picture(width)
    worlds = aplomb.Worlds("balance_push", 2)
    assert np.array_equal(worlds.picture(-1, 200), before)
    with pytest.raises(IndexError):
        worlds.picture(2)
