"""Runs and traces in Rerun."""

import numpy as np
import pytest

rerun = pytest.importorskip("rerun", reason="Rerun cannot be had here: `pip install rerun-sdk`")

import aplomb  # noqa: E402
import aplomb.rerun  # noqa: E402
from rerun import chunk  # noqa: E402


def recorded(path):
    """Rows of a recording, by entity path: components by their names."""
    found = {}
    for one in chunk.RrdReader(str(path)).stream().to_chunks():
        batch = one.to_record_batch()
        rows = found.setdefault(str(one.entity_path).strip("/"), [])
        # Row numbers are skipped, and so are wall-clock times, which Python cannot represent.
        names = [name for name in batch.schema.names if ":" in name]
        rows.extend({name: batch.column(name)[row].as_py() for name in names} for row in range(batch.num_rows))
    return found


@pytest.fixture
def recording(tmp_path):
    stream = rerun.RecordingStream("aplomb_test")
    stream.save(str(tmp_path / "run.rrd"))
    return stream, tmp_path / "run.rrd"


def numbers(rows, component):
    return [np.asarray(value) for row in rows for name, value in row.items() if component in name and value is not None]


def test_a_run_is_logged_while_it_goes_on(recording):
    stream, path = recording
    run = aplomb.Scene("step_push", ["duration=0.6", "success={}"]).start()
    log = aplomb.rerun.Logger(run, recording=stream)
    log.frame()
    coms, pushed = [run.character.com], 0
    while run.step():
        log.frame()
        coms.append(np.array(run.record["com"]))
        pushed += bool(run.record["external"])
    stream.disconnect()
    assert path.stat().st_size > 10_000 and pushed > 0
    found = recorded(path)
    model = run.character.model
    for body in model.bodies:
        assert f"world/bodies/{body}" in found
    objectives = [one for one in found if one.startswith("costs/")]
    assert len(objectives) == len(set(run.header["objectives"]))
    assert {"world/surfaces/ground", "world/forces/contact", "world/forces/push", "world/com", "world/capture_point"} <= set(found)
    heights = np.concatenate(numbers(found["com/z"], "Scalars"))
    assert np.array_equal(heights, [com[2] for com in coms])
    # Shapes are below their bodies, once.
    shapes = [one for one in found if one.startswith("world/bodies/left_foot/")]
    assert shapes and all(len(found[one]) == 1 for one in shapes)


def test_a_trace_has_its_bodies_where_the_run_had_them(recording, tmp_path):
    stream, path = recording
    aplomb.run(aplomb.Scene("throw_ball", ["duration=0.3", "success={}"]), trace=tmp_path / "throw.mcap")
    trace = aplomb.Trace(tmp_path / "throw.mcap")
    aplomb.rerun.log_trace(trace, recording=stream, root="one")
    stream.disconnect()
    found = recorded(path)
    assert all(one.startswith(("one/", "__")) for one in found)
    model = aplomb.Model("adult")
    places = np.concatenate(numbers(found["one/world/bodies/head"], "translation"))
    expected = [model.body_poses(q)[model.bodies.index("head"), :3] for q in trace.q]
    assert places == pytest.approx(np.array(expected), abs=1e-6)
    assert any(one.startswith("one/world/objects/") for one in found)


def test_frames_that_there_are_not_are_refused(recording, tmp_path):
    run = aplomb.Scene("stand", ["duration=0.05", "success={}"]).start()
    with pytest.raises(ValueError, match="no frame but the last"):
        aplomb.rerun.Logger(run, recording=recording[0]).frame(3)
    aplomb.run(aplomb.Scene("stand", ["duration=0.05", "success={}"]), trace=tmp_path / "t.mcap")
    with pytest.raises(IndexError, match="there are 6 frames"):
        aplomb.rerun.Logger(aplomb.Trace(tmp_path / "t.mcap"), recording=recording[0]).frame(6)


def test_scenes_with_nobody_and_with_moving_things_are_logged(recording):
    for scene in ("bounce", "cable_car", "uneven", "wind_hair"):
        run = aplomb.Scene(scene, ["success={}", "duration=0.05"]).start()
        log = aplomb.rerun.Logger(run, recording=recording[0], root=scene)
        while run.step():
            log.frame()
    recording[0].disconnect()
    roots = {one.split("/")[0] for one in recorded(recording[1])}
    assert {"bounce", "cable_car", "uneven", "wind_hair"} <= roots
