"""Gymnasium environments (needs `pip install aplomb[gym]`).

In `PushEnv` one character is pushed at random, and the agent sets the parameters of its controller; `PushVectorEnv` has
many of them, stepped in parallel on threads. Both can be made by name:

    import aplomb.gym, gymnasium
    env = gymnasium.make("aplomb/Push-v0", render_mode="rgb_array")
    observation, info = env.reset(seed=1)
    picture = env.render()
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ._aplomb import HAS_CLI, Character, Run, Scene, Snapshot, World, Worlds

__all__ = ["PushEnv", "PushVectorEnv", "Task"]

#: Default actions: parameters of `step_recovery`, with their ranges.
PARAMETERS = {"outward": (0.02, 0.12), "swing_height": (0.02, 0.08), "settle_weight": (0.2, 2.0)}


#: Render modes: "rgb_array" is a picture from the side and from the front, as in films of the command line.
RENDER_MODES = ["rgb_array"] if HAS_CLI else []


def _metadata(task: Task, metadata: dict[str, Any]) -> dict[str, Any]:
    """The metadata of a class with the steps of its environments per second."""
    return {**metadata, "render_fps": round(1.0 / (task.frames * task.scene.dt))}


def _check_mode(render_mode: str | None) -> str | None:
    if render_mode is not None and render_mode not in RENDER_MODES:
        known = ", ".join(RENDER_MODES) or "none, because this build has no feature `cli`"
        raise ValueError(f"there is no render mode {render_mode!r}; known: {known}")
    return render_mode


class Task:
    """Actions, observations and rewards; the same for one world and for many.

    An action has a number from -1 to 1 for each of `parameters`, which maps parameters of the controller to their
    ranges. An observation is the configuration without x and y of the root, the velocity (shapes nq - 2 and nv), and
    the capture point relative to the centre of mass (2 numbers, m), in f64.
    The reward of a step is 1 per second that the character stands, minus `effort` times the mean of (torque / limit)²
    over joints with limits. An episode is terminated when a criterion of kind `always` is violated, and truncated after
    the scene's duration.
    """

    def __init__(
        self,
        scene: Scene | str | os.PathLike[str] | None = None,
        *,
        parameters: Mapping[str, tuple[float, float]] = PARAMETERS,
        frames: int = 5,
        body: str = "chest",
        impulses: tuple[float, float] = (20.0, 70.0),
        push_time: tuple[float, float] = (0.2, 0.6),
        push_duration: float = 0.15,
        effort: float = 0.1,
    ) -> None:
        if scene is None:
            scene = Scene("stand", ['characters.adult.controller="step_recovery"', "duration=4.0"])
        self.scene = scene if isinstance(scene, Scene) else Scene(scene)
        self.parameters = dict(parameters)
        self.frames, self.body = frames, body
        self.impulses, self.push_time, self.push_duration = impulses, push_time, push_duration
        self.effort = effort
        run = self.scene.start()
        character = run.character
        model = character.model
        missing = [name for name in self.parameters if name not in character.parameters]
        if missing:
            known = ", ".join(character.parameters)
            raise ValueError(f"the controller has no parameter {missing[0]!r}; known: {known}")
        self.low = np.array([low for low, _ in self.parameters.values()])
        self.high = np.array([high for _, high in self.parameters.values()])
        limits = np.abs(model.torque_limits).max(axis=1)
        self.limits = np.where(np.isfinite(limits) & (limits > 0.0), limits, np.inf)
        self.limited = max(1, int(np.isfinite(self.limits).sum()))
        self.observation_space = spaces.Box(-np.inf, np.inf, (model.nq - 2 + model.nv + 2,), np.float64)
        self.action_space = spaces.Box(-1.0, 1.0, (len(self.parameters),), np.float64)

    def push(self, random: np.random.Generator) -> tuple[int, np.ndarray]:
        """Draws a push: the frame in which it begins, and its force, N."""
        angle = random.uniform(0.0, 2.0 * math.pi)
        force = random.uniform(*self.impulses) / self.push_duration
        at = random.uniform(*self.push_time)
        return round(at / self.scene.dt), np.array([force * math.cos(angle), force * math.sin(angle), 0.0])

    def values(self, action: np.ndarray) -> dict[str, float]:
        """Parameter values of an action."""
        share = (np.clip(np.asarray(action, dtype=np.float64), -1.0, 1.0) + 1.0) / 2.0
        return dict(zip(self.parameters, (self.low + share * (self.high - self.low)).tolist()))

    def observation(self, character: Character) -> np.ndarray:
        q, ahead = character.q, character.capture_point - character.com[:2]
        return np.concatenate([q[2:], character.v, ahead])

    def reward(self, torque: np.ndarray, time: float) -> float:
        """Reward of a step of `time` seconds, with the torque at its end."""
        effort = float(np.sum((torque / self.limits) ** 2)) / self.limited if len(torque) else 0.0
        return time * (1.0 - self.effort * effort)


class _Episode:
    """One character, with its parameters and its push."""

    def __init__(self, task: Task, world: World) -> None:
        self.task, self.world = task, world
        self.character = world.characters[0]
        self.told: dict[str, float] = {}
        self.begin, self.force = 0, np.zeros(3)

    def reset(self, random: np.random.Generator) -> dict[str, Any]:
        self.told = {}
        self.begin, self.force = self.task.push(random)
        self.is_pushed = False
        impulse = self.force * self.task.push_duration
        return {"impulse": impulse, "push_time": self.begin * self.task.scene.dt}

    def tell(self, action: np.ndarray) -> None:
        for name, value in self.task.values(action).items():
            # Binding a controller again costs as much as a few frames.
            if self.told.get(name) != value:
                self.character.set_parameter(name, value)
                self.told[name] = value

    def push_if_it_is_time(self) -> None:
        if not self.is_pushed and self.world.frame >= self.begin:
            self.character.push(self.task.body, self.force.tolist(), duration=self.task.push_duration)
            self.is_pushed = True


class PushEnv(gymnasium.Env):
    """A character that is pushed once, at a random time from a random direction; arguments are those of `Task`.

    The push of an episode depends on the seed of `reset`; `info` has its `impulse` (N s, world axes) and `push_time`
    (s). With `render_mode="rgb_array"`, `render` returns a picture of `render_width` pixels: shape (height, width, 3),
    uint8; pictures of an environment have one size and scale.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 20}

    def __init__(
        self,
        scene: Scene | str | os.PathLike[str] | None = None,
        *,
        render_mode: str | None = None,
        render_width: int = 640,
        **arguments: Any,
    ) -> None:
        self.render_mode, self.render_width = _check_mode(render_mode), render_width
        self.task = Task(scene, **arguments)
        self.metadata = _metadata(self.task, self.metadata)
        self.observation_space, self.action_space = self.task.observation_space, self.task.action_space
        self.run: Run = self.task.scene.start()
        self.start: Snapshot = self.run.world.snapshot()
        self.episode = _Episode(self.task, self.run.world)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        super().reset(seed=seed)
        self.run.world.restore(self.start)
        info = self.episode.reset(self.np_random)
        return self.task.observation(self.episode.character), info

    def step(self, action: np.ndarray) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        self.episode.tell(action)
        for _ in range(self.task.frames):
            self.episode.push_if_it_is_time()
            if not self.run.step():
                break
        character = self.episode.character
        fell = not all(holds for _, kind, holds, _ in self.run.criteria if kind == "always")
        reward = 0.0 if fell else self.task.reward(character.torque, self.task.frames * self.task.scene.dt)
        over = self.run.is_over and not fell
        return self.task.observation(character), reward, fell, over, {"state": character.state}

    def render(self) -> np.ndarray | None:
        if self.render_mode is None:
            gymnasium.logger.warn('nothing is rendered without a render mode, such as render_mode="rgb_array"')
            return None
        return self.run.picture(self.render_width)


class PushVectorEnv(VectorEnv):
    """`num_envs` copies of `PushEnv`, stepped in parallel on `threads` threads (default: one per core), without the
    interpreter's lock. An environment whose episode ended is reset in the next step, whose action it ignores
    (`AutoresetMode.NEXT_STEP`). With a seed, environment k has the episodes of `PushEnv` with seed + k. With
    `render_mode="rgb_array"`, `render` returns a picture of each.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 20, "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int,
        scene: Scene | str | os.PathLike[str] | None = None,
        *,
        threads: int | None = None,
        render_mode: str | None = None,
        render_width: int = 640,
        **arguments: Any,
    ) -> None:
        self.render_mode, self.render_width = _check_mode(render_mode), render_width
        self.task = Task(scene, **arguments)
        self.metadata = _metadata(self.task, self.metadata)
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = self.task.observation_space, self.task.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.worlds = Worlds(self.task.scene, num_envs, threads=threads)
        self.starts = [self.worlds.snapshot(index) for index in range(num_envs)]
        self.episodes = [_Episode(self.task, self.worlds[index]) for index in range(num_envs)]
        self.randoms = [np.random.default_rng() for _ in range(num_envs)]
        self.ended = np.zeros(num_envs, dtype=bool)

    def _begin(self, index: int) -> dict[str, Any]:
        self.worlds.restore(index, self.starts[index])
        return self.episodes[index].reset(self.randoms[index])

    def _observations(self) -> np.ndarray:
        return np.stack([self.task.observation(episode.character) for episode in self.episodes])

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        if seed is not None:
            seeds = [seed + index for index in range(self.num_envs)] if isinstance(seed, int) else list(seed)
            for index, one in enumerate(seeds):
                if one is not None:
                    self.randoms[index] = gymnasium.utils.seeding.np_random(one)[0]
        infos: dict[str, Any] = {}
        for index in range(self.num_envs):
            infos = self._add_info(infos, self._begin(index), index)
        self.ended[:] = False
        return self._observations(), infos

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        infos: dict[str, Any] = {}
        goes_on = ~self.ended
        for index in range(self.num_envs):
            if goes_on[index]:
                self.episodes[index].tell(actions[index])
            else:
                infos = self._add_info(infos, self._begin(index), index)
        for _ in range(self.task.frames):
            for index in np.flatnonzero(goes_on):
                self.episodes[index].push_if_it_is_time()
            self.worlds.step(only=goes_on.tolist())
        fell = goes_on & ~self.worlds.is_upright
        over = goes_on & self.worlds.is_over & ~fell
        torque, time = self.worlds.torque, self.task.frames * self.task.scene.dt
        rewards = np.array([self.task.reward(row, time) for row in torque]) * (goes_on & ~fell)
        for index in np.flatnonzero(goes_on):
            infos = self._add_info(infos, {"state": self.episodes[index].character.state}, int(index))
        self.ended = fell | over
        return self._observations(), rewards, fell, over, infos

    def render(self) -> tuple[np.ndarray, ...] | None:
        if self.render_mode is None:
            gymnasium.logger.warn('nothing is rendered without a render mode, such as render_mode="rgb_array"')
            return None
        return tuple(self.worlds.picture(index, self.render_width) for index in range(self.num_envs))


gymnasium.register("aplomb/Push-v0", entry_point="aplomb.gym:PushEnv", vector_entry_point="aplomb.gym:PushVectorEnv")
