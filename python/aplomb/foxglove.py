"""A run in Foxglove or Lichtblick while it goes on (needs `pip install aplomb[foxglove]`).

    import aplomb, aplomb.foxglove
    run = aplomb.Scene("step_push").start()
    with aplomb.foxglove.Server(run) as server:     # ws://127.0.0.1:8765
        while run.step():
            server.frame()

From a shell, with `--wait` until a viewer is there:

    python -m aplomb.foxglove step_push --set events.push.impulse='[50, 0, 0]' --wait

Topics, messages and schema are those of the file that `aplomb export --to foxglove` writes: `/scene` (shapes;
`foxglove.SceneUpdate`), `/tf` (poses of everything that moves; `foxglove.FrameTransforms`) and `/forces` (contact forces,
pushes, centre of mass and support polygon; `foxglove.SceneUpdate`).
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections.abc import Sequence
from typing import Any

# By its full name: this module has the same one.
import foxglove
from foxglove.websocket import ServerListener

from ._aplomb import FoxgloveMessages, Run, Scene
from ._errors import Error

__all__ = ["Server"]

#: Seconds in which viewers get the last frames before the connection ends.
FLUSH = 0.2


class _Subscriptions(ServerListener):
    """Notes that somebody came who has no shapes yet."""

    def __init__(self, topic: str) -> None:
        self.topic, self.came, self.first = topic, threading.Event(), threading.Event()

    def on_subscribe(self, client: Any, channel: Any) -> None:
        if channel.topic == self.topic:
            self.came.set()
            self.first.set()


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

    def wait(self, timeout: float | None = None) -> bool:
        """Waits until a viewer shows the run, or so many seconds; whether one came."""
        return self._subscriptions.first.wait(timeout)

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
        if any(channel.has_sinks() for channel in self._channels):
            time.sleep(FLUSH)
        self._server.stop()
        for channel in self._channels:
            channel.close()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a scene for viewers: 0 where every criterion held, 1 where one did not, 2 where it cannot run."""
    parser = argparse.ArgumentParser(prog="python -m aplomb.foxglove", description="Runs a scene for Foxglove and Lichtblick.")
    parser.add_argument("scene", help="scene file, or name of a shipped scene")
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", help="replace a value of the scene")
    parser.add_argument("--host", default="127.0.0.1", help="where to listen [default: %(default)s]")
    parser.add_argument("--port", default=8765, type=int, help="0: any that is free [default: %(default)s]")
    parser.add_argument("--wait", action="store_true", help="begin when a viewer is there")
    parser.add_argument("--fast", action="store_true", help="as fast as frames are computed, not in real time")
    told = parser.parse_args(arguments)
    try:
        run = Scene(told.scene, told.set).start()
        with Server(run, told.host, told.port, real_time=not told.fast) as server:
            print(f"ws://{told.host}:{server.port}", flush=True)
            if told.wait:
                server.wait()
            while run.step():
                server.frame()
    except (Error, RuntimeError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0 if run.passed else 1


if __name__ == "__main__":
    sys.exit(main())
