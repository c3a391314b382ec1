"""Datasets in Minari."""

import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
minari = pytest.importorskip("minari", reason="Minari cannot be had here: `pip install minari[hdf5]`")
pytest.importorskip("h5py", reason="Minari's format needs it: `pip install minari[hdf5]`")

import aplomb  # noqa: E402
import aplomb.gym  # noqa: E402
from aplomb.minari import collect, create_dataset  # noqa: E402

METADATA = {"author": "the tests"}


@pytest.fixture(autouse=True)
def datasets(tmp_path, monkeypatch):
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "datasets"))
    # Minari warns about missing optional metadata.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


def recorded(path, *changes):
    aplomb.run(aplomb.Scene("balance_push", ["success={}", *changes]), trace=path)
    return path


def test_a_dataset_of_runs_has_their_states_and_torques(tmp_path):
    (tmp_path / "folder").mkdir()
    runs = [
        recorded(tmp_path / "one.mcap", "duration=0.3"),
        recorded(tmp_path / "folder" / "trace.mcap", "duration=0.2"),
    ]
    create_dataset("aplomb/balance-v0", [runs[0], tmp_path / "folder"], **METADATA)
    dataset = minari.load_dataset("aplomb/balance-v0")
    assert (dataset.total_episodes, dataset.total_steps) == (2, 50)
    for path, episode in zip(runs, dataset.iterate_episodes()):
        trace = aplomb.Trace(path)
        states = np.concatenate([trace.q, trace.v], axis=1)
        assert np.array_equal(episode.observations, states)
        assert len(episode.actions) == len(states) - 1
        assert np.array_equal(episode.actions, trace.torque[:-1, 6:])
        assert all(dataset.action_space.contains(action) for action in episode.actions)
        assert episode.truncations.tolist() == [False] * (len(states) - 2) + [True]
        assert not episode.terminations.any()
        assert episode.rewards == pytest.approx(0.01)
    limits = aplomb.Model("adult").torque_limits[6:]
    assert dataset.action_space.high == pytest.approx(limits[:, 1]) and dataset.action_space.low == pytest.approx(limits[:, 0])


def test_a_run_that_falls_is_terminated_without_pay_and_rewards_can_be_ones_own(tmp_path):
    fall = aplomb.Scene("balance_push", ["events.push.impulse=[200, 0, 0]"])
    aplomb.run(fall, trace=tmp_path / "fall.mcap")
    trace = aplomb.Trace(tmp_path / "fall.mcap")
    assert trace.time[-1] < trace.header["duration"]
    create_dataset("aplomb/fall-v0", [trace], **METADATA)
    (episode,) = minari.load_dataset("aplomb/fall-v0").iterate_episodes()
    assert episode.terminations.tolist() == [False] * (len(trace) - 2) + [True] and not episode.truncations.any()
    assert episode.rewards[-1] == 0.0 and episode.rewards[0] == 0.01
    create_dataset("aplomb/fall-v1", [trace], reward=lambda trace, frame: trace.com[frame, 2], **METADATA)
    (episode,) = minari.load_dataset("aplomb/fall-v1").iterate_episodes()
    assert np.array_equal(episode.rewards, trace.com[:-1, 2])


def test_runs_of_different_bodies_and_no_run_are_refused(tmp_path):
    adult = recorded(tmp_path / "adult.mcap", "duration=0.05")
    aplomb.run(aplomb.Scene("stand_quadruped", ["duration=0.05", "success={}"]), trace=tmp_path / "four.mcap")
    with pytest.raises(ValueError, match="another body"):
        create_dataset("aplomb/two-v0", [adult, tmp_path / "four.mcap"], **METADATA)
    with pytest.raises(ValueError, match="no run"):
        create_dataset("aplomb/none-v0", [], **METADATA)
    aplomb.run("bounce", trace=tmp_path / "ball.mcap")
    with pytest.raises(ValueError, match="no character"):
        create_dataset("aplomb/ball-v0", [tmp_path / "ball.mcap"], **METADATA)


def test_a_dataset_of_episodes_has_what_the_environment_gave(tmp_path):
    scene = ["characters.adult.controller=\"step_recovery\"", "duration=0.3"]
    env = gymnasium.make("aplomb/Push-v0", scene=aplomb.Scene("stand", scene))
    half = np.full(env.action_space.shape, 0.5)
    collect("aplomb/push-v0", env, 2, policy=lambda observation: half, seed=5, **METADATA)
    dataset = minari.load_dataset("aplomb/push-v0")
    assert dataset.total_episodes == 2 and dataset.action_space == env.action_space
    for number, episode in enumerate(dataset.iterate_episodes()):
        observation, _ = env.reset(seed=5 + number)
        assert np.array_equal(episode.observations[0], observation)
        for step, action in enumerate(episode.actions):
            assert np.array_equal(action, half)
            observation, reward, terminated, truncated, _ = env.step(action)
            assert np.array_equal(episode.observations[step + 1], observation) and episode.rewards[step] == reward
            assert (episode.terminations[step], episode.truncations[step]) == (terminated, truncated)
        assert terminated or truncated


def test_minaris_own_collector_takes_the_environment():
    pytest.importorskip("jax", reason="Minari's collector needs jax: `pip install minari[create]`")
    made = gymnasium.make("aplomb/Push-v0", frames=20)
    env = minari.DataCollector(made)
    env.reset(seed=1)
    over = False
    while not over:
        _, _, terminated, truncated, _ = env.step(env.action_space.sample())
        over = terminated or truncated
    dataset = env.create_dataset("aplomb/collected-v0", author="the tests")
    assert dataset.total_episodes == 1
    again = minari.load_dataset("aplomb/collected-v0").recover_environment()
    assert isinstance(again.unwrapped, aplomb.gym.PushEnv)
