"""Runs and traces in the Rerun viewer, live or as a recording (needs `pip install aplomb[rerun]`).

    import aplomb, aplomb.rerun, rerun
    rerun.init("aplomb", spawn=True)           # opens the viewer; or rerun.save("run.rrd")
    run = aplomb.Scene("step_push").start()
    log = aplomb.rerun.Logger(run)
    while run.step():
        log.frame()

Entities are in the world frame: m, z up. The timeline `time` is the simulated time.

| entity | content |
|---|---|
| `world/bodies/BODY` | pose of a body of the character, with its shapes below it |
| `world/objects/OBJECT/PART` | pose and shapes of a passive object, or of another character |
| `world/surfaces/NAME` | the ground, obstacles |
| `world/forces/contact`, `world/forces/push` | arrows; for the weight, half the COM height long |
| `world/com`, `world/capture_point`, `world/support` | centre of mass, capture point on the ground, support polygon |
| `costs/OBJECTIVE` | weighted cost w‖r‖² of each objective, dimensionless |
| `com/x`, `com/y`, `com/z` | m |
| `state` | state of the controller, as text, where it changes |
"""

from __future__ import annotations

from typing import Any

import numpy as np

# The external package; this module has the same name.
import rerun

from ._aplomb import Geom, Model, Run, Trace

__all__ = ["Logger", "log_trace"]

BODY, OBJECT, SURFACE = (133, 153, 179), (219, 148, 61), (199, 189, 173)
CONTACT, PUSH, COM, CAPTURE = (33, 140, 84), (217, 38, 38), (26, 26, 26), (120, 60, 170)
#: Length of the arrow of a force equal to the weight, as a share of the height of the centre of mass.
WEIGHT_LENGTH = 0.5
#: Radius of points and arrows, as a share of the height of the centre of mass.
THICKNESS = 0.008
#: Half lengths of the box that represents the ground, m.
GROUND = (10.0, 10.0, 0.01)


def _xyzw(wxyz: Any) -> list[float]:
    w, x, y, z = wxyz
    return [x, y, z, w]


def _solid(kind: str, size: Any, vertices: Any, triangles: Any, place: Any, turn: Any, colour: Any) -> Any:
    """Rerun archetype of a shape at `place`, rotated by the quaternion `turn` (w, x, y, z); None if there is none."""
    at: dict[str, Any] = {"quaternions": [_xyzw(turn)], "colors": [colour]}
    solid = rerun.components.FillMode.Solid
    if kind == "sphere":
        return rerun.Ellipsoids3D(centers=[place], half_sizes=[[size[0]] * 3], fill_mode=solid, **at)
    if kind == "ellipsoid":
        return rerun.Ellipsoids3D(centers=[place], half_sizes=[size], fill_mode=solid, **at)
    if kind == "box":
        return rerun.Boxes3D(centers=[place], half_sizes=[size], fill_mode=solid, **at)
    if kind == "cylinder":
        return rerun.Cylinders3D(centers=[place], radii=[size[0]], lengths=[2.0 * size[1]], fill_mode=solid, **at)
    if kind == "capsule":
        # A capsule in Rerun begins at its origin and extends along z.
        start = np.asarray(place) - _turned(turn, np.array([0.0, 0.0, size[1]]))
        return rerun.Capsules3D(translations=[start], radii=[size[0]], lengths=[2.0 * size[1]], fill_mode=solid, **at)
    if kind == "hull" and len(triangles):
        corners = np.array([_turned(turn, corner) for corner in np.asarray(vertices)]) + np.asarray(place)
        return rerun.Mesh3D(vertex_positions=corners, triangle_indices=triangles, albedo_factor=colour)
    if kind == "hull":
        corners = np.array([_turned(turn, corner) for corner in np.asarray(vertices)]) + np.asarray(place)
        return rerun.Points3D(corners, colors=[colour])
    return None


def _turned(wxyz: Any, vector: np.ndarray) -> np.ndarray:
    w, axis = wxyz[0], np.asarray(wxyz[1:])
    across = 2.0 * np.cross(axis, vector)
    return vector + w * across + np.cross(axis, across)


def _of_geom(geom: Geom, colour: Any) -> Any:
    pose = geom.pose
    return _solid(geom.kind, geom.size, geom.vertices, geom.triangles, pose[:3], pose[3:], colour)


def _of_shape(shape: dict[str, Any], place: Any, turn: Any, colour: Any) -> Any:
    """Rerun archetype of a shape of a trace."""
    ((kind, of),) = shape.items()
    size = {
        "sphere": lambda: [of["radius"]],
        "ellipsoid": lambda: of["radii"],
        "box": lambda: of["half_lengths"],
        "cylinder": lambda: [of["radius"], of["half_length"]],
        "capsule": lambda: [of["radius"], of["half_length"]],
        "hull": lambda: [],
    }[kind]()
    return _solid(kind, size, of.get("corners", []), [], place, turn, colour)


class Logger:
    """Logs a `Run` in progress, or a `Trace`: its shapes on construction, and a frame by each call of `frame`.

    `recording` is a `rerun.RecordingStream`; default: the one of `rerun.init`. Entity paths begin with `root`, so that
    several runs fit in one recording. Logging does not affect the run.
    """

    def __init__(
        self, of: Run | Trace, *, recording: rerun.RecordingStream | None = None, root: str = ""
    ) -> None:
        self._of, self._recording, self._root = of, recording, root.strip("/")
        self._header = of.header
        self._model: Model | None = None
        for text in self._header["texts"]:
            if text["kind"] == "model" and self._header["character"]:
                self._model = Model.parse(text["text"], text["name"])
        weight = self._header["mass"] * float(np.linalg.norm(self._header["gravity"]))
        height = self._header["com_height"] if self._model else 1.0
        self._thickness = THICKNESS * height
        self._per_newton = WEIGHT_LENGTH * height / weight if weight > 0.0 else 0.0
        self._state: str | None = None
        self._log_shapes()

    def _path(self, *parts: str) -> list[str]:
        return [*([self._root] if self._root else []), *parts]

    def _log(self, parts: tuple[str, ...], *what: Any, static: bool = False) -> None:
        rerun.log(self._path(*parts), *what, static=static, recording=self._recording)

    def _log_shapes(self) -> None:
        self._log(("world",), rerun.ViewCoordinates.RIGHT_HAND_Z_UP, static=True)
        for number, geom in enumerate(self._model.geoms if self._model else []):
            shape = _of_geom(geom, BODY)
            if geom.body is not None and shape is not None:
                self._log(("world", "bodies", geom.body, geom.name or f"shape {number}"), shape, static=True)
        for thing in self._header.get("passive", []):
            for number, solid in enumerate(thing["solids"]):
                shape = _of_shape(solid["shape"], solid["position"], solid["orientation"], OBJECT)
                part = thing["parts"][solid["part"]]
                self._log(("world", "objects", thing["name"], part, f"shape {number}"), shape, static=True)
        for surface in self._header["obstacles"]:
            shape = self._surface(surface)
            if shape is not None:
                self._log(("world", "surfaces", surface["name"]), shape, static=True)

    def _surface(self, surface: dict[str, Any]) -> Any:
        # Moving surfaces get their poses with each frame.
        place, turn = ([0.0] * 3, [1.0, 0.0, 0.0, 0.0]) if surface["moves"] else (surface["position"], surface["orientation"])
        if surface.get("field"):
            x, y, z = (np.asarray(surface["field"][key]) for key in ("x", "y", "z"))
            columns, rows = np.meshgrid(x, y)
            corners = np.stack([columns.ravel(), rows.ravel(), z], axis=1)
            corners = np.array([_turned(turn, corner) for corner in corners]) + np.asarray(place)
            a = (np.arange(len(y) - 1)[:, None] * len(x) + np.arange(len(x) - 1)).ravel()
            b, c, d = a + 1, a + len(x) + 1, a + len(x)
            triangles = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
            return rerun.Mesh3D(vertex_positions=corners, triangle_indices=triangles, albedo_factor=SURFACE)
        if surface.get("solid"):
            return _of_shape(surface["solid"], place, turn, SURFACE)
        if surface.get("half_lengths"):
            return _of_shape({"box": {"half_lengths": surface["half_lengths"]}}, place, turn, SURFACE)
        return _of_shape({"box": {"half_lengths": GROUND}}, np.asarray(place) - [0.0, 0.0, GROUND[2]], turn, SURFACE)

    def frame(self, index: int | None = None) -> None:
        """Logs the last frame of the run, or the frame of a trace by its index; default: the last.

        Raises IndexError for a frame that does not exist in the trace, ValueError for an index with a run.
        """
        if isinstance(self._of, Trace):
            record = self._of.frame(len(self._of) - 1 if index is None else index)
        elif index is None:
            record = self._of.record
        else:
            raise ValueError("a run has no frame but the last")
        rerun.set_time("time", duration=record["time"], recording=self._recording)
        self._log_poses(record)
        self._log_forces(record)
        if self._model is not None:
            self._log_balance(record)

    def _log_poses(self, record: dict[str, Any]) -> None:
        if self._model is not None:
            for body, pose in zip(self._model.bodies, self._model.body_poses(record["q"])):
                self._log(("world", "bodies", body), _transform(pose[:3], pose[3:]))
        for thing, state in zip(self._header.get("passive", []), record["passive"]):
            turns = state["orientations"] or [[1.0, 0.0, 0.0, 0.0]] * len(state["positions"])
            for part, place, turn in zip(thing["parts"], state["positions"], turns):
                self._log(("world", "objects", thing["name"], part), _transform(place, turn))
            segments = [[state["positions"][end] for end in segment["ends"]] for segment in thing["segments"]]
            if segments:
                radii = [max(segment["radius"], 1e-3) for segment in thing["segments"]]
                rods = rerun.LineStrips3D(segments, radii=radii, colors=[OBJECT])
                self._log(("world", "objects", thing["name"], "rods"), rods)
        moving = [surface["name"] for surface in self._header["obstacles"] if surface["moves"]]
        for name, place in zip(moving, record["moving"]):
            self._log(("world", "surfaces", name), _transform(place["position"], place["orientation"]))

    def _log_forces(self, record: dict[str, Any]) -> None:
        for name, forces, colour in (("contact", record["contacts"], CONTACT), ("push", record["external"], PUSH)):
            along = np.array([one["force"] for one in forces]).reshape(-1, 3) * self._per_newton
            points = np.array([one["point"] for one in forces]).reshape(-1, 3)
            # Arrows of pushes end at their points.
            origins = points if name == "contact" else points - along
            labels = [one["name"] for one in forces]
            arrows = rerun.Arrows3D(
                origins=origins, vectors=along, radii=self._thickness, colors=[colour], labels=labels, show_labels=False
            )
            self._log(("world", "forces", name), arrows)

    def _log_balance(self, record: dict[str, Any]) -> None:
        point = {"radii": [2.5 * self._thickness]}
        self._log(("world", "com"), rerun.Points3D([record["com"]], colors=[COM], **point))
        corners = record["support_polygon"]
        ground = min((contact["point"][2] for contact in record["contacts"]), default=0.0)
        capture = [*record["capture_point"], ground]
        self._log(("world", "capture_point"), rerun.Points3D([capture], colors=[CAPTURE], **point))
        outline = [[x, y, ground] for x, y in [*corners, *corners[:1]]]
        self._log(
            ("world", "support"),
            rerun.LineStrips3D([outline] if outline else [], radii=self._thickness / 2.0, colors=[CONTACT]),
        )
        for axis, value in zip("xyz", record["com"]):
            self._log(("com", axis), rerun.Scalars(value))
        for objective, cost in zip(self._header["objectives"], record["costs"]):
            self._log(("costs", objective), rerun.Scalars(cost))
        if record["state"] != self._state:
            self._state = record["state"]
            self._log(("state",), rerun.TextLog(self._state))


def _transform(place: Any, turn: Any) -> Any:
    return rerun.Transform3D(translation=place, quaternion=rerun.Quaternion(xyzw=_xyzw(turn)))


def log_trace(trace: Trace, *, recording: rerun.RecordingStream | None = None, root: str = "") -> None:
    """Logs a whole trace: its shapes and all its frames. Arguments are those of `Logger`."""
    log = Logger(trace, recording=recording, root=root)
    for index in range(len(trace)):
        log.frame(index)
