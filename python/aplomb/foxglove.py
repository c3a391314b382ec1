"""A run in Foxglove or Lichtblick while it goes on (needs `pip install aplomb[foxglove]`).

    import aplomb, aplomb.foxglove
    run = aplomb.Scene("step_push").start()
    with aplomb.foxglove.Server(run) as server:     # ws://127.0.0.1:8765
        while run.step():
            server.frame()

Topics, messages and schema are those of the file that `aplomb export --to foxglove` writes: `/scene` (shapes;
`foxglove.SceneUpdate`), `/tf` (poses of everything that moves; `foxglove.FrameTransforms`) and `/forces` (contact forces,
pushes, centre of mass and support polygon; `foxglove.SceneUpdate`).
"""

from __future__ import annotations

import threading
import time
from typing import Any

# By its full name: this module has the same one.
import foxglove
from foxglove.websocket import ServerListener

from ._aplomb import FoxgloveMessages, Run

__all__ = ["Server"]


class _Subscriptions(ServerListener):
    """Notes that somebody came who has no shapes yet."""

    def __init__(self, topic: str) -> None:
        self.topic, self.came = topic, threading.Event()

    def on_subscribe(self, client: Any, channel: Any) -> None:
        if channel.topic == self.topic:
            self.came.set()


class Server:
    """A WebSocket that shows a run to everybody who connects, from when they connect.

    `host` and `port` are where it listens; port 0 is any that is free (`server.port` says which). With `real_time` a frame
    is sent no sooner than as many seconds after the first as the run has simulated, so that people see it at its speed;
    without, as fast as frames are computed. Nothing waits for a viewer: a slow one misses frames. What is sent changes
    nothing of the run.

    Raises RuntimeError where nothing can listen there.
    """

    def __init__(self, run: Run, host: str = "127.0.0.1", port: int = 8765, *, real_time: bool = True) -> None:
        self._messages = FoxgloveMessages(run)
        self._real_time = real_time
        self._started: tuple[float, float] | None = None
        # Of its own, so that two runs may be shown; neither channels nor server keep it.
        self._context = context = foxglove.Context()
        data = self._messages.schema
        self._channels = [
            foxglove.Channel(
                topic,
                schema=foxglove.Schema(name=name, encoding="protobuf", data=data),
                message_encoding="protobuf",
                context=context,
            )
            for topic, name in self._messages.topics
        ]
        self._subscriptions = _Subscriptions(self._messages.topics[0][0])
        self._server = foxglove.start_server(
            name="aplomb", host=host, port=port, server_listener=self._subscriptions, context=context
        )
        self.frame()

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._server.port

    def frame(self) -> None:
        """Sends the last frame of the run, and shapes to who has none yet."""
        at, poses, forces = self._messages.frame()
        if self._real_time:
            now = time.monotonic()
            begun, first = self._started = self._started or (now, at)
            time.sleep(max(0.0, begun + at - first - now))
        log_time = round(at * 1e9)
        shapes_to, poses_to, forces_to = self._channels
        if self._subscriptions.came.is_set():
            self._subscriptions.came.clear()
            shapes_to.log(self._messages.shapes(), log_time=log_time)
        poses_to.log(poses, log_time=log_time)
        forces_to.log(forces, log_time=log_time)

    def close(self) -> None:
        """Ends it; viewers keep what they have."""
        self._server.stop()
        for channel in self._channels:
            channel.close()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
