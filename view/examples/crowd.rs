//! A program's own world in the window: the scene `cloth_drape`, and around its character others that the program
//! adds. They can be pulled and pushed like the scene's own.
//!
//! `cargo run --release -p aplomb-view --example crowd -- 10 --statistics`

use aplomb::cli;
use aplomb::controller::ControllerFile;
use aplomb::model::Model;
use aplomb::scene;
use aplomb::world::{StartPose, World, WorldError};
use aplomb_view::engine::{Engine, Player};
use aplomb_view::session::{Company, Session};
use aplomb_view::window::{self, WindowOptions};
use clap::Parser;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// Characters and a cloth in one world.
#[derive(Debug, Parser)]
struct Arguments {
    /// How many characters
    #[arg(default_value_t = 10)]
    count: usize,
    /// Simulated seconds a second
    #[arg(long, default_value_t = 1.0)]
    speed: f64,
    /// Samples a pixel, for smooth edges: 0, 2, 4 or 8
    #[arg(long, default_value_t = 0)]
    samples: u16,
    /// Say on standard error what drawing costs and what is shown
    #[arg(long)]
    statistics: bool,
}

/// Particles of the sheet along its edges: half of those of the scene, which would take a whole processor.
const CLOTH: &str = "passive.cloth.grid=[21, 21]";
/// Characters per row, and their spacing, m: the sheet over the middle of the first row touches its neighbours.
const IN_ROW: usize = 5;
const APART: f64 = 0.9;

/// All but the first character, which the scene has, in rows around it.
fn company(count: usize) -> Result<Company, Box<dyn std::error::Error>> {
    let (model, controller) = (Model::shipped("adult")?, ControllerFile::shipped("balance")?);
    let places: Vec<[f64; 2]> = (0..count)
        .map(|number| {
            let (row, place) = (number / IN_ROW, number % IN_ROW);
            // From the middle outwards: 0, 1, −1, 2, −2.
            let side = if place % 2 == 1 { 1.0 } else { -1.0 };
            [-APART * row as f64, side * APART * place.div_ceil(2) as f64]
        })
        .collect();
    Ok(Arc::new(move |world: &mut World| -> Result<(), WorldError> {
        world.set_parallel(true);
        for [x, y] in places.iter().skip(1) {
            world.add_character(model.clone(), controller.clone(), StartPose::standing().at(*x, *y))?;
        }
        Ok(())
    }))
}

fn main() -> ExitCode {
    let started = Instant::now();
    let Arguments { count, speed, samples, statistics } = Arguments::parse();
    let company = match company(count) {
        Ok(company) => company,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let open = move || {
        Ok(Player::Live(Session::new(scene::load("cloth_drape", &[CLOTH.to_owned()])?, Some(company))?))
    };
    let (engine, opened) = match Engine::start(open) {
        Ok(engine) => engine,
        Err(failure) => return cli::tell(&failure),
    };
    let options = WindowOptions {
        is_paused: false,
        speed,
        samples,
        is_software: window::is_software(),
        has_statistics: statistics,
        started,
    };
    match window::open(engine, opened, options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("no window can be shown here: {error}");
            ExitCode::FAILURE
        }
    }
}
