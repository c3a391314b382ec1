"""Shows a run in progress in Foxglove or Lichtblick (needs `pip install aplomb[foxglove]`).

    import aplomb, aplomb.foxglove
    run = aplomb.Scene("step_push").start()
    with aplomb.foxglove.Server(run) as server:     # ws://127.0.0.1:8765
        while run.step():
            server.frame()

From a shell, where `--wait` waits for a viewer:

    python -m aplomb.foxglove step_push --set events.push.impulse='[50, 0, 0]' --wait

Topics, messages and schema are those of the file that `aplomb export --to foxglove` writes: `/scene` (shapes;
`foxglove.SceneUpdate`), `/tf` (poses of everything that moves; `foxglove.FrameTransforms`) and `/forces` (contact
forces, pushes, centre of mass and support polygon; `foxglove.SceneUpdate`).
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections.abc import Sequence
from typing import Any

# The external package; this module has the same name.
import foxglove
from foxglove.websocket import ServerListener

from ._aplomb import FoxgloveMessages, Run, Scene
from ._errors import Error

__all__ = ["Server"]

#: Time for viewers to receive the last frames before the connection ends, s.
FLUSH = 0.2


class _Subscriptions(ServerListener):
    """Records that a client subscribed that has no shapes yet."""

    def __init__(self, topic: str) -> None:
        self.topic, self.came, self.first = topic, threading.Event(), threading.Event()

    def on_subscribe(self, client: Any, channel: Any) -> None:
        if channel.topic == self.topic:
            self.came.set()
            self.first.set()


class Server:
    """A WebSocket server that shows a run to every client, from the time at which it connects.

    host, port: address to listen on; port 0 selects a free one (see `server.port`).
    real_time: whether a frame is sent no earlier after the first than the simulated time between them, so that the run
        is seen at real speed; otherwise frames are sent as fast as they are computed.

    The server does not wait for viewers: a slow one misses frames. The run is not affected.

    Raises RuntimeError if it cannot listen on that address.
    """

    def __init__(self, run: Run, host: str = "127.0.0.1", port: int = 8765, *, real_time: bool = True) -> None:
        self._messages = FoxgloveMessages(run)
        self._real_time = real_time
        self._started: tuple[float, float] | None = None
        # A context of its own, so that two runs can be shown; neither channels nor server keep a reference to it.
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
        """Port on which it listens."""
        return self._server.port

    def wait(self, timeout: float | None = None) -> bool:
        """Waits for a viewer, at most `timeout` seconds; returns whether one subscribed."""
        return self._subscriptions.first.wait(timeout)

    def frame(self) -> None:
        """Sends the last frame of the run, and the shapes if a new client has subscribed."""
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
        """Stops the server; viewers keep the data they have."""
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
    """Runs a scene for viewers; returns 0 if every criterion held, 1 if one did not, 2 if the scene cannot run."""
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
