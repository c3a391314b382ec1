"""Protocols, draws, intervals, tables, and the command line."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import ROOT
from pushbench import bench, protocol, table
from pushbench.__main__ import main
from pushbench.toml import FileError


def test_results_do_not_depend_on_how_many_run_side_by_side(small, tmp_path):
    path = small("impulse = { uniform = [1, 9] }")
    for jobs in ("1", "2"):
        assert main(["run", path, "-c", "pd", "--jobs", jobs, "--quiet", "--out", str(tmp_path / jobs)]) == 0
    for name in ("trials.csv", "table.csv", "table.json"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()
    assert json.loads((tmp_path / "1" / "timing.json").read_text())[0]["timing"]["calls"] > 0


def test_intervals_are_those_of_wilson():
    # Newcombe (1998), Statistics in Medicine 17: 857, table I, method 3.
    known = [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
    for passed, count, low, high in known:
        assert table.wilson(passed, count) == pytest.approx((low, high), abs=5e-5)
    assert table.wilson(0, 0) == (0.0, 1.0)


def test_draws_depend_on_seed_trial_and_name_alone():
    assert protocol.fraction(1, 2, "push.at") == protocol.fraction(1, 2, "push.at")
    many = [protocol.fraction(7, trial, "push.at") for trial in range(2000)]
    assert 0.0 <= min(many) and max(many) < 1.0 and abs(sum(many) / 2000 - 0.5) < 0.02
    found = protocol.find("standing")
    assert found.trial(5, 1, 62.0) == found.trial(5, 1, 62.0) != found.trial(5, 2, 62.0)


def test_bins_are_drawn_by_their_weights():
    values = [protocol.by_bins([0.0, 1.0, 3.0], [1.0, 3.0], k / 1000) for k in range(1000)]
    assert sum(value < 1.0 for value in values) == 250
    assert values == sorted(values) and values[-1] < 3.0


def test_the_protocol_of_the_g1_has_each_of_24_directions_with_each_of_8_forces_once():
    found = protocol.find("g1")
    trials = [found.trial(k, 1, 33.0) for k in range(found.trials)]
    assert len(trials) == 192 and len({(t.direction, t.force) for t in trials}) == 192
    assert sorted({t.direction for t in trials}) == [15.0 * k for k in range(24)]
    assert {t.duration for t in trials} == {0.15}


def test_five_protocols_ship():
    assert protocol.shipped() == ["falls", "g1", "slow", "standing", "walking"]
    for name in protocol.shipped():
        assert protocol.find(name).title


@pytest.mark.parametrize(
    "old, new, told",
    [
        ("after", "1\nafer = 1", "unknown key `afer`; did you mean `after`"),
        ("task", "'fly'", "tasks are stand, walk, get_up"),
        ("direction", "{ uniform = [0] }", "`uniform` has 1 numbers, where 2 are expected"),
        ("body", "'giant'", "there is no body `giant`"),
        ("impulse", "1\nforce = 2", "one of force, impulse, velocity is expected"),
    ],
)
def test_what_is_wrong_with_a_protocol_is_told(small, old, new, told):
    path = small(**{old: new})
    with pytest.raises(FileError, match=told):
        protocol.find(path)
    assert main(["run", path, "-c", "pd", "--quiet"]) == 2


def test_half_of_them_step_where_the_curve_says():
    strengths = [0.1 * k for k in range(1, 9)]
    assert table.half(strengths, [s > 0.45 for s in strengths]) == pytest.approx(0.45, abs=0.01)
    assert table.half(strengths, [False] * 8) == "none"
    assert table.half(strengths, [True] * 8) == "all"
    assert table.half(strengths, [s < 0.45 for s in strengths]) is None
    assert table.half([0.1, 0.2, 0.3, 0.4], [False, True, False, True]) == pytest.approx(0.25, abs=0.05)


def test_people_are_a_row_with_their_source(small):
    row = next(line for line in map(table.of_reference, table.references()) if line["controller"] == "people")
    assert row["stepped"]["of"] == 1221 and row["half_step"]["90"] == 0.23
    text = table.text([row], "markdown")
    assert "| slow | people | not told |" in text and "10.1145/3623264.3624448" in text


def test_exit_codes_tell_errors_of_controllers(small, controller, capsys):
    assert main(["run", small(), "-c", controller("raise ValueError('of mine')"), "--quiet", "--trials", "1"]) == 1
    assert "1 ended with an error: ValueError: of mine" in capsys.readouterr().out


def test_a_body_that_is_not_there_says_how_to_get_it(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("PUSHBENCH_MODELS", str(tmp_path))
    bench._plants.clear()
    assert main(["run", "g1", "-c", "pd", "--quiet"]) == 2
    assert "pushbench fetch g1" in capsys.readouterr().err


def test_a_body_starts_within_its_joints_and_on_level_soles():
    _, plant = bench.plant_of("standing")
    low, high = plant.model.jnt_range[1:].T
    assert (low - 1e-9 <= plant.start[7:]).all() and (plant.start[7:] <= high + 1e-9).all()
    plant.place_at_start()
    # Corners of both feet are within a millimetre of the floor.
    assert len(plant.contacts()) >= 8 and min(contact.position[2] for contact in plant.contacts()) > -1e-3


def test_processes_end_with_the_bench_however_it_ends(small, controller, tmp_path):
    # A folder named after the process; folders are created atomically.
    marks = tmp_path / "workers"
    act = f"os.makedirs(os.path.join({str(marks)!r}, str(os.getpid())), exist_ok=True); return np.zeros(n)"
    command = [sys.executable, "-m", "pushbench", "run", small(after=1000.0), "-c", controller(act), "--quiet"]
    made = subprocess.Popen(command, cwd=ROOT)
    try:
        wait_for(lambda: marks.exists() and any(marks.iterdir()))
    finally:
        made.kill()
        made.wait()
    workers = [int(mark.name) for mark in marks.iterdir()]
    wait_for(lambda: not any(alive(worker) for worker in workers))


def wait_for(condition):
    for _ in range(600):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError("it took more than a minute")


def alive(process):
    try:
        os.kill(process, 0)
    except OSError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not state.exists() or state.read_text().rsplit(")", 1)[1].split()[0] != "Z"
