"""Gymnasium environments."""

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

import aplomb  # noqa: E402
from aplomb.gym import PushEnv, PushVectorEnv  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402


def scene(duration=1.0):
    return aplomb.Scene("stand", ['characters.adult.controller="step_recovery"', f"duration={duration}"])


def test_the_environment_is_what_gymnasium_asks_for():
    check_env(gymnasium.make("aplomb/Push-v0", scene=scene(), render_mode="rgb_array").unwrapped)


def test_pictures_have_one_size_and_show_what_moves():
    env = gymnasium.make("aplomb/Push-v0", scene=scene(), render_mode="rgb_array", render_width=320, frames=10)
    assert env.unwrapped.metadata["render_fps"] == 10
    env.reset(seed=1)
    first = env.render()
    assert first.dtype == np.uint8 and first.shape[1:] == (320, 3) and first.shape[0] > 200
    assert 0 < np.mean(np.any(first != 255, axis=2)) and len(np.unique(first.reshape(-1, 3), axis=0)) > 20
    env.step(env.action_space.sample())
    second = env.render()
    assert second.shape == first.shape and not np.array_equal(first, second)
    env.reset(seed=1)
    assert np.array_equal(env.render(), first), "the same state has the same picture"
    many = PushVectorEnv(2, scene(), render_mode="rgb_array", render_width=320, frames=10)
    many.reset(seed=1)
    pictures = many.render()
    assert len(pictures) == 2 and np.array_equal(pictures[0], first)


def test_a_render_mode_that_there_is_not_is_told():
    for make in (PushEnv, lambda **more: PushVectorEnv(2, **more)):
        with pytest.raises(ValueError, match="no render mode 'hologram'; known: rgb_array"):
            make(scene=scene(), render_mode="hologram")
    assert PushEnv.metadata["render_modes"] == ["rgb_array"]
    with pytest.warns(UserWarning, match="render mode"):
        assert PushEnv(scene()).render() is None


def test_the_same_seed_is_the_same_episode_to_the_bit():
    env = PushEnv(scene())
    ends = []
    for _ in range(2):
        observation, info = env.reset(seed=3)
        rewards = []
        for _ in range(6):
            observation, reward, terminated, truncated, _ = env.step(np.full(env.action_space.shape, 0.2))
            rewards.append(reward)
        ends.append((observation.tobytes(), tuple(rewards), info["impulse"].tobytes()))
    assert ends[0] == ends[1]
    _, other = env.reset(seed=4)
    assert other["impulse"].tobytes() != ends[0][2]


def test_an_episode_is_cut_off_after_the_scene():
    env = PushEnv(scene(0.2), impulses=(1.0, 2.0))
    env.reset(seed=1)
    steps = [env.step(np.zeros(env.action_space.shape)) for _ in range(4)]
    assert [truncated for _, _, _, truncated, _ in steps] == [False, False, False, True]
    assert not any(terminated for _, _, terminated, _, _ in steps)
    assert 0.0 < steps[0][1] <= 0.05


def test_who_falls_ends_the_episode_without_pay():
    env = PushEnv(scene(3.0), impulses=(200.0, 201.0), push_time=(0.0, 0.01))
    env.reset(seed=1)
    for _ in range(60):
        _, reward, terminated, truncated, _ = env.step(np.zeros(env.action_space.shape))
        if terminated or truncated:
            break
    assert terminated and reward == 0.0


def test_an_action_sets_the_parameters():
    env = PushEnv(scene(), parameters={"outward": (0.02, 0.12)})
    env.reset(seed=1)
    env.step(np.array([1.0]))
    assert env.run.character.parameters["outward"] == pytest.approx(0.12)
    with pytest.raises(ValueError, match="no parameter 'nothing'"):
        PushEnv(scene(), parameters={"nothing": (0.0, 1.0)})


def test_many_environments_have_the_episodes_of_one_by_one():
    arguments = {"impulses": (20.0, 60.0)}
    many = PushVectorEnv(3, scene(), **arguments)
    first, infos = many.reset(seed=7)
    actions = np.linspace(-0.5, 0.5, 3 * many.single_action_space.shape[0]).reshape(3, -1)
    seen = [many.step(actions) for _ in range(8)]
    for index in range(3):
        env = PushEnv(scene(), **arguments)
        observation, info = env.reset(seed=7 + index)
        assert np.array_equal(observation, first[index]) and np.array_equal(info["impulse"], infos["impulse"][index])
        for observations, rewards, terminated, _, _ in seen:
            observation, reward, fell, _, _ = env.step(actions[index])
            assert np.array_equal(observation, observations[index]) and reward == rewards[index]
            assert fell == terminated[index]


def test_environments_that_ended_begin_anew():
    many = PushVectorEnv(2, scene(0.1), impulses=(1.0, 2.0))
    many.reset(seed=1)
    actions = np.zeros(many.action_space.shape)
    ended = [many.step(actions)[3].tolist() for _ in range(5)]
    assert ended == [[False] * 2, [True] * 2, [False] * 2, [False] * 2, [True] * 2]
    assert gymnasium.make_vec("aplomb/Push-v0", num_envs=2, vectorization_mode="vector_entry_point", scene=scene()).num_envs == 2
