//! `aplomb-view`: watch a scene as it is computed, push it with the mouse, go back in time.

use aplomb::cli;
use aplomb_view::engine::{Engine, Player};
use aplomb_view::window::{self, WindowOptions};
use clap::Parser;
use std::process::ExitCode;
use std::time::Instant;

/// Watch a scene as it is computed, push it with the mouse, go back in time; or look at a finished run.
#[derive(Debug, Parser)]
#[command(name = "aplomb-view", version, after_help = AFTER_HELP)]
struct Arguments {
    /// Scene, controller or body, by file or shipped name (`aplomb list`), or folder of a run
    #[arg(value_name = "SCENE|CONTROLLER|BODY|RUN")]
    what: String,
    /// Replace a value of the scene, or with `controller.…` of its controller; VALUE is TOML
    #[arg(long = "set", value_name = "PATH=VALUE")]
    overrides: Vec<String>,
    /// Wait for Space before it goes on
    #[arg(long)]
    paused: bool,
    /// Simulated seconds a second
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    speed: f64,
    /// Samples a pixel, for smooth edges: 0, 2, 4 or 8 [default: 4; 0 where Linux has no graphics card]
    #[arg(long, value_name = "NUMBER")]
    samples: Option<u16>,
    /// Say on standard error what drawing costs and what is shown
    #[arg(long)]
    statistics: bool,
}

const AFTER_HELP: &str = "\
Examples:
  aplomb-view step_push
  aplomb-view runs/step_push --paused

F1 shows keys and gestures; they are those of MuJoCo's simulate where it has one.

Exit codes: 0 the window was closed, 2 usage or a bad file, 4 no display, or none with OpenGL 3.3.";

/// Default number of samples per pixel.
const SAMPLES: u16 = 4;
/// Exit code without a display.
const NO_DISPLAY: u8 = 4;

fn main() -> ExitCode {
    let started = Instant::now();
    let Arguments { what, overrides, paused, speed, samples, statistics } = Arguments::parse();
    let (engine, opened) = match Engine::start(move || Player::open(&what, &overrides)) {
        Ok(engine) => engine,
        Err(failure) => return cli::tell(&failure),
    };
    let is_software = window::is_software();
    let samples = samples.unwrap_or(if is_software { 0 } else { SAMPLES });
    let options =
        WindowOptions { is_paused: paused, speed, samples, is_software, has_statistics: statistics, started };
    match window::open(engine, opened, options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("no window can be shown here: {error}");
            eprintln!("a display with OpenGL 3.3 is needed; `aplomb run` and `aplomb plot` need none");
            ExitCode::from(NO_DISPLAY)
        }
    }
}
