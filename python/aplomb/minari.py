"""Datasets for offline reinforcement learning in Minari (needs `pip install aplomb[minari]`).

`create_dataset` makes one from runs, with the actions of the controller. `collect` makes one from episodes of a
Gymnasium environment, such as `aplomb.gym.PushEnv`, with the actions of a policy. Both write to Minari's folder of
datasets (`MINARI_DATASETS_PATH`).

    import aplomb.minari, minari
    aplomb.run("step_push", trace="run.mcap")
    aplomb.minari.create_dataset("aplomb/step_push-v0", ["run.mcap"])
    print(minari.load_dataset("aplomb/step_push-v0").total_steps)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

# The external package; this module has the same name.
import minari
from minari.data_collector import EpisodeBuffer

from ._aplomb import Model, Trace, __version__

__all__ = ["collect", "create_dataset"]

#: Reward of each step of a run: takes the trace and the index of the frame at which the step begins.
Reward = Callable[[Trace, int], float]


def _described(metadata: dict[str, Any], description: str) -> dict[str, Any]:
    return {"description": description, "requirements": [f"aplomb=={__version__}"], **metadata}


def _trace(run: Trace | str | os.PathLike[str]) -> Trace:
    if isinstance(run, Trace):
        return run
    path = Path(run)
    return Trace(path / "trace.mcap" if path.is_dir() else path)


def _model(trace: Trace) -> Model:
    for text in trace.header["texts"]:
        if text["kind"] == "model":
            return Model.parse(text["text"], text["name"])
    raise ValueError(f"{trace!r} has no character")


def create_dataset(
    dataset_id: str,
    runs: Iterable[Trace | str | os.PathLike[str]],
    *,
    reward: Reward | None = None,
    **metadata: Any,
) -> minari.MinariDataset:
    """A dataset with one episode per run: a `Trace`, its file, or the folder of a run. All runs have the same body.

    An observation is configuration and velocity, shape (nq + nv,): m and rad, m/s and rad/s, as `Trace.q` and
    `Trace.v`. An action is the torque of each actuated joint, N m or N, until the next observation; the bounds of the
    action space are the torque limits. A step is a frame. Its reward is its duration, s, or `reward(trace, frame)`. A
    run that ended before its duration is terminated by its last step, whose reward is 0 unless `reward` is given; any
    other run is truncated there.

    `metadata` is passed to Minari: `author`, `author_email`, `code_permalink`, `algorithm_name`, `description`,
    `data_format` …

    Raises ValueError for runs without a character or frames, or of different bodies.
    """
    buffers, names, actuated = [], None, np.zeros(0, dtype=bool)
    low = high = np.zeros(0)
    for number, trace in enumerate(map(_trace, runs)):
        header, model = trace.header, _model(trace)
        if len(trace) < 2:
            raise ValueError(f"{trace!r} has no step")
        if names is None:
            names, actuated = header["coordinate_names"], model.actuated
            low, high = model.torque_limits[actuated].T.copy()
        elif names != header["coordinate_names"]:
            raise ValueError(f"{trace!r} is of another body than the run before")
        actions = np.nan_to_num(trace.torque[:-1][:, actuated])
        # Torques may exceed the limits: relaxed in a frame, or by rounding.
        low, high = np.minimum(low, actions.min(axis=0)), np.maximum(high, actions.max(axis=0))
        steps = len(actions)
        falls = bool(trace.time[-1] < header["duration"] - 0.5 * header["dt"])
        ends = np.arange(steps) == steps - 1
        if reward is None:
            rewards = np.where(ends & falls, 0.0, header["dt"])
        else:
            rewards = np.array([float(reward(trace, frame)) for frame in range(steps)])
        buffers.append(
            EpisodeBuffer(
                id=number,
                observations=np.concatenate([trace.q, trace.v], axis=1),
                actions=actions,
                rewards=rewards.tolist(),
                terminations=(ends & falls).tolist(),
                truncations=(ends & (not falls)).tolist(),
            )
        )
    if not buffers:
        raise ValueError("there is no run")
    width = buffers[0].observations.shape[1]
    return minari.create_dataset_from_buffers(
        dataset_id,
        buffers,
        observation_space=spaces.Box(-np.inf, np.inf, (width,), np.float64),
        action_space=spaces.Box(low, high, dtype=np.float64),
        **_described(metadata, "Runs of characters of aplomb: configuration and velocity, joint torques."),
    )


def collect(
    dataset_id: str,
    env: gymnasium.Env,
    episodes: int,
    *,
    policy: Callable[[np.ndarray], np.ndarray] | None = None,
    seed: int = 0,
    **metadata: Any,
) -> minari.MinariDataset:
    """A dataset with `episodes` complete episodes of an environment.

    `policy` maps an observation to an action; without one, actions are sampled from the action space. Episode k begins
    with `env.reset(seed=seed + k)`, and Minari stores that seed: with a deterministic policy, the episodes are
    reproduced bit for bit. An environment made by `gymnasium.make` can be restored from the dataset by
    `recover_environment()`.

    `metadata` is passed to Minari, as by `create_dataset`.
    """
    env.action_space.seed(seed)
    buffers = []
    for number in range(episodes):
        observation, _ = env.reset(seed=seed + number)
        observations, actions, rewards = [observation], [], []
        terminations: list[bool] = []
        truncations: list[bool] = []
        while not (terminations and (terminations[-1] or truncations[-1])):
            action = env.action_space.sample() if policy is None else np.asarray(policy(observation))
            observation, reward, terminated, truncated, _ = env.step(action)
            observations.append(observation)
            actions.append(action)
            rewards.append(float(reward))
            terminations.append(bool(terminated))
            truncations.append(bool(truncated))
        buffers.append(
            EpisodeBuffer(
                id=number,
                seed=seed + number,
                observations=observations,
                actions=actions,
                rewards=rewards,
                terminations=terminations,
                truncations=truncations,
            )
        )
    description = "Episodes of a character of aplomb that is pushed, whose controller's parameters are the actions."
    return minari.create_dataset_from_buffers(dataset_id, buffers, env=env, **_described(metadata, description))
