"""Runs in Foxglove."""

import json
import socket
import struct
import subprocess
import sys
import time

import pytest

foxglove = pytest.importorskip("foxglove", reason="Foxglove's SDK cannot be had here: `pip install foxglove-sdk`")
client = pytest.importorskip("websockets.sync.client", reason="the viewer of these tests needs `pip install websockets`")

import aplomb  # noqa: E402
from aplomb.foxglove import Server  # noqa: E402


def start(duration=0.2):
    return aplomb.Scene("step_push", [f"duration={duration}", "success={}"]).start()


class Viewer:
    """A client that connects and subscribes to all topics."""

    def __init__(self, server):
        self.connection = client.connect(f"ws://127.0.0.1:{server.port}", subprotocols=["foxglove.sdk.v1"])
        self.socket = self.connection.__enter__()
        self.channels = {}
        while len(self.channels) < 3:
            message = self.socket.recv(timeout=10)
            if isinstance(message, str) and json.loads(message)["op"] == "advertise":
                for channel in json.loads(message)["channels"]:
                    self.channels[channel["id"]] = channel
        wanted = [{"id": number, "channelId": number} for number in self.channels]
        self.socket.send(json.dumps({"op": "subscribe", "subscriptions": wanted}))

    def messages(self, count):
        """Receives `count` messages: topic, time in ns, and content."""
        found = []
        while len(found) < count:
            message = self.socket.recv(timeout=10)
            if isinstance(message, bytes) and message[0] == 1:
                number, at = struct.unpack_from("<IQ", message, 1)
                found.append((self.channels[number]["topic"], at, message[13:]))
        return found


def test_who_connects_gets_shapes_once_and_then_every_frame():
    run = start()
    with Server(run, port=0, real_time=False) as server:
        viewer = Viewer(server)
        assert server.wait(10)
        while run.step():
            server.frame()
        got = viewer.messages(1 + 2 * 20)
    topics = {channel["topic"]: channel for channel in viewer.channels.values()}
    assert {topic: channel["schemaName"] for topic, channel in topics.items()} == {
        "/scene": "foxglove.SceneUpdate",
        "/tf": "foxglove.FrameTransforms",
        "/forces": "foxglove.SceneUpdate",
    }
    assert all((c["encoding"], c["schemaEncoding"]) == ("protobuf", "protobuf") for c in topics.values())
    assert [topic for topic, _, _ in got] == ["/scene"] + 20 * ["/tf", "/forces"]
    assert [at for topic, at, _ in got if topic == "/tf"] == [round(k * 1e7) for k in range(20)]
    assert b"left_foot" in got[0][2] and b"surface ground" in got[0][2]


def test_messages_are_those_of_the_exported_file(tmp_path):
    run, sent = start(0.1), []
    messages = aplomb.FoxgloveMessages(run)
    shapes = messages.shapes()
    while run.step():
        sent += messages.frame()[1:]
    aplomb.run(aplomb.Scene("step_push", ["duration=0.1", "success={}"]), trace=tmp_path / "trace.mcap")
    subprocess.run(
        [sys.executable, "-m", "aplomb", "export", "trace.mcap", "--to", "foxglove"], cwd=tmp_path, check=True
    )
    exported = (tmp_path / "foxglove.mcap").read_bytes()
    # The file contains the unchanged messages, in chunks without compression.
    for message in (shapes, *sent):
        assert message in exported
    assert messages.schema in exported


def test_nobody_keeps_a_run_waiting_and_real_time_paces_it():
    run = start(0.3)
    with Server(run, port=0) as server:
        begun = time.monotonic()
        while run.step():
            server.frame()
        assert 0.25 < time.monotonic() - begun
    alone = start(0.3)
    alone.finish()
    assert run.character.q.tobytes() == alone.character.q.tobytes()


def test_a_port_that_is_taken_is_an_error():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(RuntimeError):
            Server(start(), port=taken.getsockname()[1])


def test_a_shell_shows_a_scene_to_who_is_waited_for():
    arguments = ["step_push", "--set", "duration=0.1", "--set", "success={}", "--port", "0", "--wait"]
    command = [sys.executable, "-m", "aplomb.foxglove", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        address = process.stdout.readline().strip()

        class There:
            port = int(address.rpartition(":")[2])

        assert process.poll() is None, "it waits"
        # Subscriptions arrive one after another, and the run begins with the first.
        got = Viewer(There).messages(1 + 2 * 5)
        assert process.wait(20) == 0
    assert {topic for topic, _, _ in got} == {"/scene", "/tf", "/forces"}
    unknown = subprocess.run([sys.executable, "-m", "aplomb.foxglove", "nowhere"], capture_output=True, text=True)
    assert unknown.returncode == 2 and "nowhere" in unknown.stderr and "Traceback" not in unknown.stderr
