"""The interface of controllers, and violations of it."""

import shutil
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT
from pushbench import bench, controllers, table
from pushbench.controller import BadAnswer, checked_period, checked_torque
from pushbench.toml import FileError


def made(protocol, controller, trials=1, jobs=1):
    (row,) = bench.run([(protocol, controller)], trials, None, jobs, True)
    return row


def test_a_controller_is_told_what_the_contract_says(small, controller):
    act = (
        "assert q.shape == (7 + n,) and v.shape == (6 + n,); assert self.robot.start.shape == q.shape; "
        "assert self.robot.torque_limits.shape == (n, 2); "
        "assert abs(sum(c.force[2] for c in contacts if c.floor) / 608.2 - 1) < 0.3 or time < 0.1; "
        "assert abs(time % 0.02) < 1e-9 or abs(time % 0.02 - 0.02) < 1e-9; "
        "assert 'floor' not in self.robot.mjcf; return np.clip(400 * (self.robot.start[7:] - q[7:]) - 2 * v[6:], -5, 5)"
    )
    row = made(small(), controller(act, reset="return 0.02"))
    assert row.results[0].outcome != "error", row.results[0].reason
    assert len(row.results[0].calls) == 13


@pytest.mark.parametrize(
    "act, told",
    [
        ("raise ValueError('of mine')", "ValueError: of mine (mine.py:"),
        ("return np.full(n, np.nan)", "nan among its torques"),
        ("return np.zeros(n - 1)", "where (31,) is expected"),
        ("return None", "act returned"),
        ("return 'torques'", "which is no array of torques"),
    ],
)
def test_what_a_controller_does_wrong_is_an_error_of_that_trial(small, controller, act, told):
    row = made(small(), controller(act))
    assert row.results[0].outcome == "error"
    assert told in row.results[0].reason
    found = table.summary(row)
    assert found["recovered"]["count"] == 0 and found["recovered"]["of"] == 1


def test_close_comes_last_whatever_has_happened(small, controller, tmp_path):
    mark = tmp_path / "closed"
    made(small(), controller("raise ValueError", close=f"open({str(mark)!r}, 'w').close()"))
    assert mark.exists()


def test_who_ends_the_process_spoils_his_own_trials_alone(small, controller):
    protocol, crash = small(), controller("os._exit(3)")
    rows = bench.run([(protocol, crash), (protocol, "pd")], 1, None, 2, True)
    assert [row.results[0].outcome for row in rows] == ["error", "recovered"]
    assert "the process ended" in rows[0].results[0].reason


def test_who_cannot_do_a_task_has_words_instead_of_a_rate(small, controller):
    row = made(small(), controller("return np.zeros(n)", command="raise pushbench.CannotDo('not my task')"))
    found = table.summary(row)
    assert found["cannot"] == "not my task" and "recovered" not in found
    assert "not run: not my task" in table.text([found | {"timing": None}], "text")


def test_periods_are_multiples_of_the_step():
    assert checked_period(None, 0.001) == 10
    assert checked_period(0.002, 0.001) == 2
    for wrong in (0.0, -1.0, 0.0015, float("nan"), "fast"):
        with pytest.raises(BadAnswer):
            checked_period(wrong, 0.001)


def test_torques_are_arrays_of_numbers():
    assert checked_torque([1, 2], 2).tolist() == [1.0, 2.0]
    with pytest.raises(BadAnswer):
        checked_torque([1, np.inf], 2)


@pytest.mark.parametrize(
    "spec, told",
    [
        ("pb", "there is no controller `pb`"),
        ("nowhere.py:Mine", "there is no file"),
        ("json:loads", "has no function reset"),
        ("./nowhere.so", "nowhere.so"),
    ],
)
def test_a_wrong_specification_is_told_before_anything_runs(spec, told):
    with pytest.raises(FileError, match=told):
        controllers.maker(spec)


def test_the_pd_stander_stands_a_small_push_and_falls_at_a_large(small):
    assert made(small("impulse = 3", 1.0, "weak"), "pd").results[0].outcome == "recovered"
    assert made(small("impulse = 80", 2.0, "strong"), "pd").results[0].outcome == "fell"


def compiled(tmp_path, source):
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    library = tmp_path / "controller.so"
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2", "-shared", "-fPIC"]
    subprocess.run([compiler, *flags, f"-I{ROOT}/pushbench/include", str(source), "-o", str(library)], check=True)
    return str(library)


def test_the_example_in_c_runs(small, tmp_path):
    library = compiled(tmp_path, ROOT / "examples" / "pose.c")
    row = made(small(), library)
    assert row.results[0].outcome == "recovered", row.results[0].reason
    assert len(row.results[0].calls) == 250
    # The same controller in Python gives the same result.
    twin = made(small(), f"{ROOT}/examples/hold.py:Hold").results[0]
    assert (twin.outcome, twin.settled) == (row.results[0].outcome, row.results[0].settled)
    walking = small(name="walking")
    text = open(walking).read() + "[command]\nvelocity = [0.5, 0]\n"
    open(walking, "w").write(text)
    assert made(walking, library).cannot == "it holds a pose and does not walk"


def test_a_library_without_the_functions_is_told(tmp_path):
    source = tmp_path / "none.c"
    source.write_text("int none(void);\nint none(void) { return 0; }\n")
    with pytest.raises(FileError, match="exports no function `pushbench_reset`"):
        controllers.maker(compiled(tmp_path, source))


@pytest.mark.parametrize("package", ["aplomb", "tsid"])
def test_controllers_of_packages_stand_a_small_push(small, package):
    pytest.importorskip(package)
    # aplomb takes steps on soft contacts, and may not be at rest a second later.
    assert made(small("impulse = 3", 1.0), package).results[0].outcome in ("recovered", "unsettled")


@pytest.mark.parametrize("package", ["aplomb", "tsid"])
def test_a_package_that_is_missing_is_told_in_the_table(small, package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"pushbench.controllers.{package}", raising=False)
    row = made(small(), package)
    assert "is not installed" in row.cannot and not row.results
