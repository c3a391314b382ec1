//! Interrupted sweeps, trials and searches: the messages, and that no computed result is lost.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const SCENE: &str = "duration = 0.5\n[characters.adult]\nmodel = \"adult\"\ncontroller = \"balance\"\n\
    [events.push]\nat = 0.1\nduration = 0.1\nbody = \"chest\"\nimpulse = [20, 0, 0]\n\
    [success]\nupright = { always = \"com_height > 0.5 * standing_height\" }\n\
    [trials]\ncount = 60\n[trials.draw]\n\"ground.friction\" = { uniform = [0.5, 1] }\n";
/// Longest time until the first rows are written.
const PATIENCE: Duration = Duration::from_secs(60);

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("pushed.toml"), SCENE).expect("written");
    folder
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aplomb"));
    command.current_dir(folder).args(arguments).env("NO_COLOR", "1").env("COLUMNS", "400");
    command
}

/// Exit code and standard error.
fn aplomb(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    said(&command(folder, arguments).output().expect("the program starts"))
}

fn said(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Starts the program and interrupts it as soon as its journal has two rows.
fn interrupted(folder: &Path, arguments: &[&str], journal: &str) -> (Option<i32>, String) {
    let child = command(folder, arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let child = child.expect("the program starts");
    let started = Instant::now();
    let lines = || fs::read_to_string(folder.join(journal)).unwrap_or_default().lines().count();
    while lines() < 3 && started.elapsed() < PATIENCE {
        sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill starts");
    assert!(sent.success());
    said(&child.wait_with_output().expect("it ends"))
}

fn is_kept(folder: &Path, arguments: &[&str], journal: &str, what: &str) {
    let (code, err) = interrupted(folder, arguments, journal);
    assert_eq!(code, Some(130), "{err}");
    assert!(
        err.contains("interrupted after ") && err.contains("the same command with `--resume` continues"),
        "{err}"
    );
    let kept = fs::read(folder.join(journal)).expect("a journal");
    let (code, err) = aplomb(folder, arguments);
    assert_eq!(code, Some(2), "{err}");
    let told =
        format!("an interrupted {what} is in o: `--resume` continues it, `--out` names another folder");
    assert!(err.contains(&told), "{err}");
    assert!(fs::read(folder.join(journal)).expect("a journal") == kept);
    let (code, err) = aplomb(folder, &[arguments, &["--resume"]].concat());
    assert_eq!(code, Some(0), "{err}");
    // A complete sweep is computed again.
    assert!(!folder.join(journal).exists());
}

#[test]
fn an_interrupted_sweep_says_how_far_it_came_and_is_not_begun_anew_over_its_rows() {
    let folder = folder();
    let sweep =
        ["sweep", "pushed.toml", "--over", "ground.friction=0.5:1:lin60", "--threads", "1", "--out", "o"];
    is_kept(folder.path(), &sweep, "o/sweep.journal", "sweep");
}

#[test]
fn interrupted_trials_say_how_far_they_came_and_are_not_begun_anew() {
    let folder = folder();
    let trials = ["test", "pushed.toml", "--threads", "1", "--out", "o"];
    is_kept(folder.path(), &trials, "o/trials.journal", "experiment");
    // Trials that ended by their time budget are not interrupted.
    let brief = [&trials[..], &["--time-budget", "0"]].concat();
    assert_eq!(aplomb(folder.path(), &brief).0, Some(0));
    assert_eq!(aplomb(folder.path(), &brief).0, Some(0));
}

#[test]
fn an_interrupted_search_is_not_begun_anew_over_what_it_tried() {
    let folder = folder();
    let tune =
        ["tune", "pushed.toml", "--over", "torque_change_weight=0.01:0.1", "--generations", "1", "--out"];
    let (code, err) = aplomb(folder.path(), &[&tune[..], &["one"]].concat());
    assert_eq!(code, Some(0), "{err}");
    // A complete search is run again; one without a report is not.
    fs::create_dir(folder.path().join("o")).expect("a folder");
    fs::copy(folder.path().join("one/tune.journal"), folder.path().join("o/tune.journal")).expect("copied");
    let (code, err) = aplomb(folder.path(), &[&tune[..], &["o"]].concat());
    assert!(
        code == Some(2) && err.contains("an interrupted search is in o: `--resume` continues it"),
        "{err}"
    );
    let (code, err) = aplomb(folder.path(), &[&tune[..], &["o", "--resume"]].concat());
    assert_eq!(code, Some(0), "{err}");
    assert_eq!(aplomb(folder.path(), &[&tune[..], &["one"]].concat()).0, Some(0));
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_grow_any_more_is_an_error_of_writing() {
    let folder = folder();
    let mut limited = Command::new("bash");
    limited.current_dir(folder.path()).args(["-c", "ulimit -f 4; exec \"$0\" run pushed.toml --no-plots"]);
    let (code, said) = said(&limited.arg(env!("CARGO_BIN_EXE_aplomb")).output().expect("bash starts"));
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("cannot write") && said.contains("trace.mcap"), "{said}");
}
