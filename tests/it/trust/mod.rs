//! Behaviour when things go wrong: folders in use, full disks, signals, numbers that are not finite, hostile files.

mod arrays;
mod audit;
mod bounds;
mod folders;
mod kill;
mod terminal;
mod traces;
mod values;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aplomb"));
    command.current_dir(folder).args(arguments).env("NO_COLOR", "1");
    command
}

fn aplomb(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("the program starts")
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A controller with one objective.
fn controller(of: &str) -> String {
    format!(
        "start = \"a\"\n[states.a]\n[[states.a.objectives]]\nname = \"wish\"\nweight = 1\nresponse = 0.3\nof = {of}\n"
    )
}

/// Writes `scene.toml` and `controller.toml` with one objective.
fn scene_with(folder: &Path, of: &str) {
    fs::write(folder.join("controller.toml"), controller(of)).expect("written");
    let scene = "duration = 1\n[characters.hero]\nmodel = \"adult\"\ncontroller = \"controller.toml\"\n";
    fs::write(folder.join("scene.toml"), scene).expect("written");
}

fn summary(folder: &Path) -> serde_json::Value {
    let text = fs::read_to_string(folder.join("summary.json")).expect("a summary");
    serde_json::from_str(&text).expect("JSON")
}
