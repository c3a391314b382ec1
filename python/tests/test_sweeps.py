"""Sweeps: the rows of the command line."""

import json
import subprocess
import sys

import aplomb
import numpy as np
import pytest

SET = ["duration=0.6", "events.push.at=0.1"]
PUSHES = {"directions": 3, "impulses": "10:40:15", "set": SET}


def test_a_sweep_writes_the_bytes_of_the_command_line(tmp_path):
    made = aplomb.sweep("balance_push", **PUSHES, out=tmp_path / "ours", threads=2)
    arguments = ["sweep", "balance_push", "--directions", "3", "--impulses", "10:40:15"]
    arguments += [word for value in SET for word in ("--set", value)]
    done = subprocess.run(
        [sys.executable, "-m", "aplomb", *arguments, "--out", str(tmp_path / "theirs"), "--quiet"], capture_output=True
    )
    assert done.returncode == 0, done.stderr
    ours, theirs = (tmp_path / name / "sweep.csv" for name in ("ours", "theirs"))
    assert ours.read_bytes() == theirs.read_bytes()
    assert not (tmp_path / "ours" / "sweep.journal").exists()
    assert len(made) == 9 and made.passed.shape == (3, 3)
    assert list(made.axes) == ["direction_deg", "impulse_n_s"]


def test_a_map_of_pushes_is_read():
    made = aplomb.sweep("balance_push", **PUSHES, threads=1)
    found = made.push_map()
    assert len(found["directions"]) == 3 and found["area"] == pytest.approx(2 * np.pi * found["mean"])
    assert made["frames"].dtype == float and made["outcome"].dtype.kind == "U"
    with pytest.raises(KeyError, match="end_com_speed"):
        made["nothing"]


def test_values_are_varied_over_a_grid():
    seen = []
    made = aplomb.sweep(
        "balance_push",
        set=["duration=0.2"],
        over={"ground.friction": [0.5, 0.75, 1.0], "torque_change_weight": "0.01:0.02:lin2"},
        progress=lambda done, total: seen.append((done, total)),
    )
    assert made.passed.shape == (3, 2) and list(made["ground.friction"]) == [0.5, 0.5, 0.75, 0.75, 1.0, 1.0]
    assert seen == [(done, 6) for done in range(1, 7)]
    with pytest.raises(ValueError, match="over values"):
        made.push_map()
    with pytest.raises(ValueError, match="evenly spaced"):
        aplomb.sweep("balance_push", over={"ground.friction": [0.5, 0.6, 1.0]})


def test_an_interrupted_sweep_goes_on_and_repeats_nothing(tmp_path):
    whole = aplomb.sweep("balance_push", **PUSHES, out=tmp_path / "whole", threads=1)
    made = []

    def stop(done, total):
        made.append(done)
        if done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        aplomb.sweep("balance_push", **PUSHES, out=tmp_path / "parts", threads=1, progress=stop)
    noted = (tmp_path / "parts" / "sweep.journal").read_text().splitlines()[1:]
    assert 4 <= len(noted) < 9 and json.loads(noted[0])["run"] == 0
    made.clear()
    aplomb.sweep("balance_push", **PUSHES, out=tmp_path / "parts", resume=True, progress=lambda done, total: made.append(done))
    assert made == list(range(len(noted) + 1, 10)), "rows that were noted are not made again"
    assert (tmp_path / "parts" / "sweep.csv").read_bytes() == (tmp_path / "whole" / "sweep.csv").read_bytes()
    assert len(whole) == 9
    with pytest.raises(aplomb.Error, match="another"):
        (tmp_path / "parts" / "sweep.journal").write_text("{}\n")
        aplomb.sweep("balance_push", **PUSHES, out=tmp_path / "parts", resume=True)


def test_a_folder_belongs_to_one_sweep_at_a_time(tmp_path):
    plan = aplomb._aplomb.Plan("balance_push", SET, [], 3, "10:40:15")
    assert plan.open_journal(tmp_path, False) == []
    with pytest.raises(aplomb.BusyError):
        aplomb.sweep("balance_push", **PUSHES, out=tmp_path)
    plan.close()
    aplomb.sweep("balance_push", **PUSHES, out=tmp_path)
    with pytest.raises(aplomb.Error, match="complete"):
        aplomb.sweep("balance_push", **PUSHES, out=tmp_path, resume=True)


def test_a_run_of_another_process_is_the_same_row():
    plan = aplomb._aplomb.Plan("balance_push", SET, [], 3, "10:40:15")
    here = []
    plan.run([5], 1, here.append)
    overrides, values, count = plan.errand(5)
    assert aplomb._aplomb.remote_row(plan.parcel(), 5, overrides, values, count) == here[0]


def test_a_table_is_written_as_parquet(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    made = aplomb.sweep("balance_push", **PUSHES)
    made.to_parquet(tmp_path / "sweep.parquet")
    table = parquet.read_table(tmp_path / "sweep.parquet")
    assert table.column_names == made.names and table["impulse_n_s"].to_pylist() == list(made["impulse_n_s"])
    assert table["broken_at"].to_pylist() == [None if np.isnan(value) else value for value in made["broken_at"]]


def test_what_cannot_be_swept_is_said_before_the_first_run():
    with pytest.raises(ValueError, match="no push"):
        aplomb.sweep("stand")
    with pytest.raises(aplomb.FileError, match="FROM:TO:STEP"):
        aplomb.sweep("balance_push", over={"ground.friction": "1:2"})
    with pytest.raises(aplomb.FileError, match="frction"):
        aplomb.sweep("balance_push", over={"ground.frction": "0.1:0.2:0.1"})
    with pytest.raises(aplomb.WorldError, match="no state"):
        aplomb.sweep("balance_push", count="nothing")
    with pytest.raises(ValueError, match="engine"):
        aplomb.sweep("balance_push", engine="slurm")
    with pytest.raises(ValueError, match="resume"):
        aplomb.sweep("balance_push", resume=True)


def test_rows_of_ray_are_the_same_bytes(tmp_path):
    pytest.importorskip("ray")
    aplomb.sweep("balance_push", **PUSHES, out=tmp_path / "threads")
    aplomb.sweep("balance_push", **PUSHES, out=tmp_path / "ray", engine="ray")
    assert (tmp_path / "ray" / "sweep.csv").read_bytes() == (tmp_path / "threads" / "sweep.csv").read_bytes()
