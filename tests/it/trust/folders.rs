//! A folder of results belongs to one run at a time, and its previous contents stay until there are complete new
//! ones.

use super::*;
use aplomb::trace::{self, FolderLock};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const QUIET: [&str; 2] = ["--no-plots", "--quiet"];

/// Starts a long run and waits until frames of it are on disk.
fn long_run(folder: &Path) -> Child {
    let arguments = [&["run", "stand", "--set", "duration=600"][..], &QUIET].concat();
    let child = command(folder, &arguments).stderr(Stdio::piped()).spawn().expect("the program starts");
    let started = Instant::now();
    let frames = || trace::read(folder.join("runs/stand/trace.mcap")).map_or(0, |trace| trace.frames.len());
    while frames() < 10 {
        assert!(started.elapsed() < Duration::from_secs(120), "no frame was written");
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

#[test]
fn nobody_else_writes_into_the_folder_of_a_run_that_goes_on() {
    let folder = folder();
    let mut child = long_run(folder.path());
    let before = trace::read(folder.path().join("runs/stand/trace.mcap")).expect("a trace").frames.len();
    for arguments in [
        &["repair", "runs/stand"][..],
        &["run", "stand", "--no-plots", "--set", "duration=0.05"],
        &["run", "stand", "--no-trace", "--out", "runs/stand/../stand", "--set", "duration=0.05"],
        &["sweep", "step_push", "--directions", "1", "--impulses", "10:20:10", "--out", "runs/stand"],
        &["summary", "runs/stand", "--write"],
    ] {
        let refused = aplomb(folder.path(), arguments);
        let said = err(&refused);
        // A run without a trace is rejected because of the existing trace or of the lock: both messages are clear.
        assert!(matches!(code(&refused), Some(5 | 2)), "{arguments:?}: {said}");
        assert!(said.contains("is in use") || said.contains("another run"), "{arguments:?}: {said}");
    }
    // The first run still writes to the same file.
    let started = Instant::now();
    while trace::read(folder.path().join("runs/stand/trace.mcap")).expect("a trace").frames.len()
        < before + 10
    {
        assert!(started.elapsed() < Duration::from_secs(120), "its trace does not grow any more");
        std::thread::sleep(Duration::from_millis(20));
    }
    // A killed process does not leave a lock behind.
    child.kill().expect("it still runs");
    child.wait().expect("it ends");
    let repaired = aplomb(folder.path(), &["repair", "runs/stand"]);
    assert_eq!(code(&repaired), Some(0), "{}", err(&repaired));
    let again = aplomb(folder.path(), &["run", "stand", "--no-plots", "--quiet", "--set", "duration=0.05"]);
    assert!(matches!(code(&again), Some(0 | 1)), "{}", err(&again));
}

#[test]
fn a_folder_in_use_is_refused_with_its_own_exit_code() {
    let folder = folder();
    let _held = FolderLock::take(folder.path()).expect("nobody has it");
    let refused = aplomb(folder.path(), &["run", "stand", "--no-plots", "--out", "."]);
    assert_eq!(code(&refused), Some(5));
    assert!(err(&refused).contains("another aplomb writes there"), "{}", err(&refused));
}

#[test]
fn a_run_that_comes_to_nothing_leaves_the_result_before_it() {
    let folder = folder();
    let first = aplomb(folder.path(), &["run", "stand", "--set", "duration=0.15", "--quiet", "--out", "o"]);
    assert!(matches!(code(&first), Some(0 | 1)), "{}", err(&first));
    let names = ["trace.mcap", "summary.json", "strip.svg", "plots/costs.svg"];
    let content = || names.map(|name| fs::read(folder.path().join("o").join(name)).expect("a file"));
    let before = content();
    scene_with(folder.path(), "{ com_height = { target = \"0.9 + 0/0\" } }");
    for arguments in [
        &["run", "scene.toml", "--out", "o"][..],
        &["run", "scene.toml", "--out", "o", "--no-plots"],
        &["run", "nowhere", "--out", "o"],
        &["run", "stand", "--out", "o", "--set", "dt=\"x\""],
    ] {
        let failed = aplomb(folder.path(), arguments);
        assert_eq!(code(&failed), Some(2), "{arguments:?}: {}", err(&failed));
        assert!(content() == before, "{arguments:?}");
    }
    let there: Vec<String> = fs::read_dir(folder.path().join("o"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert!(!there.iter().any(|name| name.contains("part") || name.contains("lock")), "{there:?}");
}

/// Every write fails as on a full disk, by a device.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_result_before_it() {
    let folder = folder();
    let first = aplomb(folder.path(), &["run", "stand", "--set", "duration=0.15", "--quiet", "--out", "o"]);
    assert!(matches!(code(&first), Some(0 | 1)), "{}", err(&first));
    let place = folder.path().join("o/trace.mcap");
    let before = fs::read(&place).expect("a trace");
    std::os::unix::fs::symlink("/dev/full", folder.path().join("o/trace.mcap.part")).expect("a link");
    let failed = aplomb(folder.path(), &["run", "stand", "--set", "duration=0.15", "--quiet", "--out", "o"]);
    assert_eq!(code(&failed), Some(3), "{}", err(&failed));
    assert!(fs::read(&place).expect("a trace") == before);
    assert!(folder.path().join("o/summary.json").is_file());
}

#[cfg(unix)]
#[test]
fn a_run_that_is_asked_to_stop_leaves_trace_and_summary() {
    for (signal, exit) in [("INT", 130), ("TERM", 143)] {
        let folder = folder();
        let mut child = long_run(folder.path());
        let killed = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
        assert!(killed.expect("kill is there").success());
        assert_eq!(child.wait().expect("it ends").code(), Some(exit));
        let place = folder.path().join("runs/stand");
        let (trace, ending) = trace::read_ended(place.join("trace.mcap")).expect("a trace");
        assert_eq!(trace.torn, None);
        assert_eq!(
            ending.expect("an ending").stopped.expect("a reason").reason,
            format!("interrupted by SIG{signal}")
        );
        let summary = summary(&place);
        assert_eq!(summary["verdict"], "interrupted");
        assert_eq!(summary["stopped"]["by"], "interrupt");
        assert_eq!(summary["frames"].as_u64(), Some(trace.frames.len() as u64 - 1));
    }
}

#[test]
fn a_summary_is_made_again_from_its_trace() {
    let folder = folder();
    let ran = aplomb(
        folder.path(),
        &[
            "run",
            "balance_push",
            "--quiet",
            "--no-plots",
            "--set",
            "duration=0.4",
            "--set",
            "events.push.at=0.1",
            "--out",
            "o",
        ],
    );
    assert_eq!(code(&ran), Some(1), "{}", err(&ran));
    let place = folder.path().join("o");
    let whole = summary(&place);
    let said = aplomb(folder.path(), &["summary", "o", "--json"]);
    let again: serde_json::Value = serde_json::from_slice(&said.stdout).expect("JSON");
    for key in [
        "verdict",
        "criteria",
        "frames",
        "simulated_time",
        "relaxed_frames",
        "contacts",
        "peak_torques",
        "pushes",
        "com_drift",
        "root_residual",
        "cop_step",
        "steps",
        "goal_error",
        "idle_objectives",
        "balance_lost_at",
        "end_joint_speed",
    ] {
        assert_eq!(again[key], whole[key], "{key}");
    }
    // A killed run has no summary, and its trace has no end record.
    let path = place.join("trace.mcap");
    let bytes = fs::read(&path).expect("a trace");
    fs::write(&path, &bytes[..bytes.len() * 3 / 4]).expect("written");
    fs::remove_file(place.join("summary.json")).expect("removed");
    let made = aplomb(folder.path(), &["summary", "o", "--write"]);
    assert_eq!(code(&made), Some(0), "{}", err(&made));
    let torn = summary(&place);
    assert_eq!(torn["verdict"], "unknown");
    assert!((10..40).contains(&torn["frames"].as_u64().expect("a number")), "{torn}");
}
